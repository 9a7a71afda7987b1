//! Stores the alerts of a webhook message as events, together with the message itself.

use super::receive::{WebhookError, WebhookReceipt};
use crate::kit::{Look, text};
use catalogue::ValueRef;
use formats::alerts::{Message, Source};
use formats::record::Event;
use graphql::Refusal;
use ingest::{EventOutcome, Events};
use serde_json::Value as Json;
use store::Transaction;
use uuid::Uuid;

/// Stores the alerts of a message for an account; `rows` act for its tenant.
pub(super) fn store(
    rows: &Transaction<'_>,
    (receiver, account): (Uuid, Uuid),
    message: Message,
    body: &[u8],
) -> Result<WebhookReceipt, WebhookError> {
    let tenant = rows.caller().tenant().ok_or(WebhookError::Unknown)?;
    let found = Look::at(rows, "cloud_accounts")?.with("id", account)?.first(&["account_name"])?;
    let name = found.as_ref().map(|row| text(row, "account_name")).unwrap_or_default();
    let mut events = Events::of_message(rows, tenant, rows.now());
    let mut receipt = WebhookReceipt { alerts: message.alerts.len() as u64, ..WebhookReceipt::default() };
    for alert in message.alerts {
        let event = alert.into_event(message.source);
        let outcome = events.write(&event, account, name)?;
        receipt.created += u64::from(outcome == EventOutcome::Created);
        receipt.updated += u64::from(outcome == EventOutcome::Updated);
        if outcome != EventOutcome::Unchanged {
            store_message(rows, (receiver, account), message.source, &event, body)?;
        }
    }
    Ok(receipt)
}

/// Stores the message that led to an event, as the alert's receipt.
fn store_message(
    rows: &Transaction<'_>,
    (receiver, account): (Uuid, Uuid),
    source: Source,
    event: &Event,
    body: &[u8],
) -> Result<(), Refusal> {
    let raw = String::from_utf8_lossy(body);
    let said = |name: &str| event.evidence.get(name).and_then(Json::as_str);
    rows.insert(
        "event_incoming_webhooks",
        &[
            ("account_id", account.into()),
            ("event_created_at", ValueRef::Timestamp(event.starts_at.unwrap_or(rows.now()))),
            ("event_description", event.description.as_deref().into()),
            ("event_id", event.fingerprint.as_deref().unwrap_or(&event.finding_id).into()),
            ("event_priority", said("severity").into()),
            ("event_status", said("status").into()),
            ("event_title", event.title.as_str().into()),
            ("event_type", event.kind.as_str().into()),
            ("event_url", said("url").into()),
            ("integration_id", receiver.into()),
            ("integration_type", source.title().into()),
            ("raw", raw.as_ref().into()),
            ("webhook_id", receiver.to_string().as_str().into()),
        ],
    )?;
    Ok(())
}
