//! Creates, revokes and tests webhook addresses.

use super::{TABLE, receive};
use crate::kit::{Arguments, Look, account, note, person, tenant, text, uuid};
use auth::{draw_secret, fingerprint};
use catalogue::{Caller, ValueRef};
use graphql::{Call, Refusal};
use model::operations::{WebhookCreateResponse, WebhookRevokeResponse, WebhookTestResponse};
use serde::Serialize;
use serde_json::{Value, json};
use store::{Transaction, eq};
use uuid::Uuid;

/// Longer names do not fit on one line of the page.
const MAX_NAME_LENGTH: usize = 80;

/// The values of an address in the audit trail.
#[derive(Serialize)]
struct ReceiverLine<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    account_id: Option<Uuid>,
}

/// Handles `webhook_create`.
pub(super) fn create(call: &Call<'_>) -> Result<WebhookCreateResponse, Refusal> {
    let request = Arguments(call.arguments).object("request");
    let name = request.needed("name")?.trim();
    if name.chars().count() > MAX_NAME_LENGTH {
        return Err(Refusal::invalid(format!("`name` is longer than {MAX_NAME_LENGTH} characters")));
    }
    let (person, house) = (person(call)?, Caller::system_for(tenant(call)?));
    let rows = call.rows.as_caller(&house);
    if Look::at(&rows, TABLE)?.with("name", name)?.count()? > 0 {
        return Err(Refusal::conflict(format!("there is a webhook \"{name}\" already: choose another name")));
    }
    let account = match request.id("account_id")? {
        Some(id) => account(call, id)?,
        None => new_account(&rows, request.text("account_name").map_or(name, str::trim), person)?,
    };
    let (id, token) = (Uuid::new_v4(), draw_secret(&mut rand::rng()));
    rows.insert(
        TABLE,
        &[
            ("id", id.into()),
            ("account_id", account.into()),
            ("name", name.into()),
            ("token_hash", fingerprint(&token).as_str().into()),
            ("created_at", ValueRef::Timestamp(call.now)),
            ("created_by", person.into()),
        ],
    )?;
    note(call, (TABLE, id), "insert", &ReceiverLine { name, account_id: Some(account) })?;
    Ok(WebhookCreateResponse {
        id: id.to_string(),
        name: name.to_owned(),
        account_id: account.to_string(),
        token,
    })
}

/// Handles `webhook_revoke`.
pub(super) fn revoke(call: &Call<'_>) -> Result<WebhookRevokeResponse, Refusal> {
    let id = Arguments(call.arguments).needed_id("id")?;
    let system = Caller::system_for(tenant(call)?);
    let rows = call.rows.as_caller(&system);
    let found = active(&rows, id)?;
    rows.update(TABLE, &[eq("id", id)], &[("revoked_at", ValueRef::Timestamp(call.now))])?;
    note(call, (TABLE, id), "delete", &ReceiverLine { name: text(&found, "name"), account_id: None })?;
    Ok(WebhookRevokeResponse { id: id.to_string() })
}

/// Handles `webhook_test`.
pub(super) fn test(call: &Call<'_>) -> Result<WebhookTestResponse, Refusal> {
    let id = Arguments(call.arguments).needed_id("id")?;
    let system = Caller::system_for(tenant(call)?);
    let rows = call.rows.as_caller(&system);
    let receiver = active(&rows, id)?;
    let mut receipt = receive::WebhookReceipt::default();
    for status in ["firing", "resolved"] {
        let body = sample(status, text(&receiver, "name"), id, call.now);
        receipt += receive::take(&rows, &receiver, body.as_bytes())
            .map_err(|error| Refusal::invalid(error.to_string()))?;
    }
    Ok(WebhookTestResponse { created: number(receipt.created), updated: number(receipt.updated) })
}

/// The address, if it belongs to this tenant and was not revoked.
fn active(rows: &Transaction<'_>, id: Uuid) -> Result<Value, Refusal> {
    let found = Look::at(rows, TABLE)?
        .with("id", id)?
        .with("revoked_at", ValueRef::Null)?
        .first(&receive::COLUMNS)?;
    found.ok_or_else(|| Refusal::not_found(format!("there is no active webhook {id} in this tenant")))
}

/// Finds or creates an account for the events of a system that is in no bill and no cluster.
fn new_account(rows: &Transaction<'_>, name: &str, person: Uuid) -> Result<Uuid, Refusal> {
    let found = Look::at(rows, "cloud_accounts")?.with("account_name", name)?.first(&["id"])?;
    if let Some(id) = found.and_then(|row| uuid(&row, "id")) {
        return Ok(id);
    }
    let id = Uuid::new_v4();
    rows.insert(
        "cloud_accounts",
        &[
            ("id", id.into()),
            ("account_name", name.into()),
            ("account_type", "monitoring".into()),
            ("cloud_provider", "Other".into()),
            ("status", "active".into()),
            ("created_by", person.into()),
            ("updated_by", person.into()),
        ],
    )?;
    Ok(id)
}

fn number(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// A message body in Alertmanager's format.
fn sample(status: &str, name: &str, id: Uuid, now: i64) -> String {
    let time = catalogue::format_timestamp(now);
    let ends_at = if status == "resolved" { time.as_str() } else { "0001-01-01T00:00:00Z" };
    json!({
        "receiver": name,
        "status": status,
        "alerts": [{
            "status": status,
            "labels": { "alertname": "WebhookTest", "service": name, "severity": "info" },
            "annotations": { "summary": "Test alert", "description": "Sent from Settings, Webhooks. Nothing is wrong." },
            "startsAt": time,
            "endsAt": ends_at,
            "fingerprint": format!("test-{id}"),
        }],
    })
    .to_string()
}
