//! `apply_recommendations`: an attempt to carry a recommendation out, written down for whoever executes it.

use super::status::{Advice, find, set};
use crate::kit::Arguments;
use catalogue::{Value, ValueRef};
use graphql::{Call, Refusal};
use serde_json::{Value as Json, json};
use store::{eq, ge};
use uuid::Uuid;

/// An attempt under way by the same person is reused for this long (semantics §8).
const REUSED_MICROS: i64 = 2 * 3600 * 1_000_000;
/// What is tried, by the provider that does it.
const TYPES: [(&[&str], &str); 3] = [
    (&["github", "gitlab", "bitbucket", "azure_devops"], "PullRequest"),
    (&["jira", "servicenow", "pagerduty", "zenduty", "ticket"], "Ticket"),
    (&["aws", "azure", "gcp", "cloud"], "CloudResource"),
];

pub(super) fn apply(call: &Call<'_>) -> Result<Json, Refusal> {
    let object = Arguments(call.arguments).object("object");
    let advice = find(call.rows, object.needed_id("recommendation_id")?)?;
    check_account(call, object.needed_id("account_id")?, &advice)?;
    if let "Closed" | "Dismissed" | "Archive" = advice.status.as_str() {
        let message = format!(
            "a recommendation that is {} cannot be applied; reopen it first. It can be applied when it is Open, Assigned or InProgress",
            advice.status
        );
        return Err(Refusal::conflict(message));
    }
    if !is_alive(call, &advice)? {
        // A refusal would take the archiving back with it.
        set(call, &advice, "Archive", &[])?;
        let message = "what it is about is gone or not active any more: the recommendation was archived";
        return Ok(answer(&advice, None, "Failed", "Archive", Some(message)));
    }
    let person = call.caller.user.ok_or_else(Refusal::denied)?.to_string();
    let id = match under_way(call, &advice, &person)? {
        Some(id) => id,
        None => begin(call, object, &advice, &person)?,
    };
    if advice.status != "InProgress" {
        set(call, &advice, "InProgress", &[])?;
    }
    let message = "written down; nothing executes it yet";
    Ok(answer(&advice, Some(id), "InProgress", "InProgress", Some(message)))
}

fn answer(
    advice: &Advice,
    resolution: Option<Uuid>,
    status: &str,
    advice_status: &str,
    message: Option<&str>,
) -> Json {
    json!({ "data": [{
        "recommendation_id": advice.id.to_string(),
        "resolution_id": resolution.map(|id| id.to_string()),
        "status": status,
        "recommendation_status": advice_status,
        "message": message,
    }] })
}

fn check_account(call: &Call<'_>, account: Uuid, advice: &Advice) -> Result<(), Refusal> {
    let found = call.rows.select("cloud_accounts", &["account_access"], &[eq("id", account)])?;
    let Some(row) = found.first().filter(|_| account == advice.account) else {
        return Err(Refusal::not_found(format!(
            "there is no account {account} with recommendation {}",
            advice.id
        )));
    };
    if row[0].as_text() == Some("readonly") {
        let message = format!("account {account} is connected to be read only: allow it to be changed first");
        return Err(Refusal::conflict(message));
    }
    Ok(())
}

/// Whether its resource is there and active; advice about something else always is.
fn is_alive(call: &Call<'_>, advice: &Advice) -> Result<bool, Refusal> {
    let Some(resource) = advice.resource else { return Ok(true) };
    let found = call.rows.select("cloud_resourses", &["is_active", "status"], &[eq("id", resource)])?;
    Ok(found.first().is_some_and(|row| {
        row[0] != Value::Bool(false) && matches!(row[1].as_text(), None | Some("Active" | "Unknown"))
    }))
}

fn under_way(call: &Call<'_>, advice: &Advice, person: &str) -> Result<Option<Uuid>, Refusal> {
    let found = call.rows.select(
        "recommendation_resolution",
        &["id"],
        &[
            eq("recommendation_id", advice.id),
            eq("resolver_id", person),
            eq("status", "InProgress"),
            ge("created_at", ValueRef::Timestamp(call.now - REUSED_MICROS)),
        ],
    )?;
    Ok(found.first().and_then(|row| row[0].as_uuid()))
}

fn begin(call: &Call<'_>, object: Arguments<'_>, advice: &Advice, person: &str) -> Result<Uuid, Refusal> {
    let id = Uuid::new_v4();
    let provider = object.text("provider").unwrap_or_default();
    let known =
        TYPES.iter().find(|(providers, _)| providers.contains(&provider.to_ascii_lowercase().as_str()));
    let kind = known.map_or("DeploymentChange", |(_, kind)| kind);
    let data = json!({
        "provider": object.text("provider"),
        "provider_config": object.value("provider_config"),
        "data": object.value("data"),
    });
    let data = data.to_string();
    call.rows.insert(
        "recommendation_resolution",
        &[
            ("id", id.into()),
            ("recommendation_id", advice.id.into()),
            ("resolver_id", person.into()),
            ("resolver_type", "User".into()),
            ("status", "InProgress".into()),
            ("type", kind.into()),
            ("type_reference_id", "".into()),
            ("data", ValueRef::Json(&data)),
            ("created_at", ValueRef::Timestamp(call.now)),
            ("updated_at", ValueRef::Timestamp(call.now)),
        ],
    )?;
    Ok(id)
}
