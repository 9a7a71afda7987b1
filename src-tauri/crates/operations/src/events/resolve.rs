//! `event_resolve`: an attempt to resolve an event. By hand it is resolved at once; what a provider is to do is written down.

use super::status;
use crate::kit::Arguments;
use catalogue::ValueRef;
use graphql::{Call, Refusal};
use serde_json::{Value as Json, json};
use store::eq;
use uuid::Uuid;

/// What is tried, by the provider that does it.
const TYPES: [(&[&str], &str); 2] = [
    (&["github", "gitlab", "bitbucket", "azure_devops"], "PullRequest"),
    (&["jira", "servicenow", "pagerduty", "zenduty", "ticket"], "Ticket"),
];

pub(super) fn resolve(call: &Call<'_>) -> Result<Json, Refusal> {
    let object = Arguments(call.arguments).object("object");
    let event = status::find(call.rows, object.needed_id("event_id")?)?;
    let account = object.needed_id("account_id")?;
    if event.account != Some(account) {
        return Err(Refusal::not_found(format!("account {account} has no event {}", event.id)));
    }
    if event.status == "RESOLVED" {
        let message =
            format!("event {} is RESOLVED already; event_update_nb_status opens it again", event.id);
        return Err(Refusal::conflict(message));
    }
    let provider = object.text("provider").filter(|provider| !provider.is_empty());
    let kind = provider.map_or("DeploymentChange", |provider| {
        let provider = provider.to_ascii_lowercase();
        let known = TYPES.iter().find(|(providers, _)| providers.contains(&provider.as_str()));
        known.map_or("DeploymentChange", |(_, kind)| kind)
    });
    let state = if provider.is_some() { "InProgress" } else { "Success" };
    let id = write(call, object, &event, (kind, state))?;
    let message = if provider.is_some() {
        "written down; nothing executes it yet"
    } else {
        status::set(status::By::call(call), &event, "RESOLVED", None, "resolved by a person")?;
        let over = [("status", "RESOLVED".into()), ("ends_at", ValueRef::Timestamp(call.now))];
        call.rows.update("events", &[eq("id", event.id)], &over)?;
        "resolved by hand"
    };
    Ok(json!({ "data": [{
        "event_id": event.id.to_string(), "resolution_id": id.to_string(),
        "type": kind, "status": state, "message": message,
    }] }))
}

fn write(
    call: &Call<'_>,
    object: Arguments<'_>,
    event: &status::Event,
    (kind, state): (&str, &str),
) -> Result<Uuid, Refusal> {
    let (id, person) = (Uuid::new_v4(), call.caller.user.ok_or_else(Refusal::denied)?.to_string());
    let data = json!({
        "provider": object.text("provider"),
        "provider_config": object.value("provider_config"),
        "data": object.value("data"),
    });
    let data = data.to_string();
    call.rows.insert(
        "event_resolution",
        &[
            ("id", id.into()),
            ("event_id", event.id.into()),
            ("resolver_id", person.as_str().into()),
            ("resolver_type", "User".into()),
            ("status", state.into()),
            ("type", kind.into()),
            ("type_reference_id", "".into()),
            ("data", ValueRef::Json(&data)),
            ("created_at", ValueRef::Timestamp(call.now)),
            ("updated_at", ValueRef::Timestamp(call.now)),
        ],
    )?;
    Ok(id)
}
