//! One alert becomes an event, or brings one up to date.
//!
//! Alerts with one fingerprint in one account are the same thing: while an event of it is open, whatever comes belongs to that event. An alert
//! that starts later than the last one ended opens another event, which the series of its fingerprint counts.

use crate::kit::{Look, text, uuid};
use alerts::{Alert, Source, Status};
use catalogue::ValueRef;
use graphql::Refusal;
use serde_json::{Map, Value as Json, json};
use store::{Transaction, eq};
use uuid::Uuid;

const TABLE: &str = "events";
const FIRING: &str = "FIRING";
const FINDING_TYPE: &str = "alert";

/// What became of an alert.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    Created,
    Updated,
    Unchanged,
}

/// Stores an alert for an account. `rows` act for its tenant.
pub(super) fn store(
    rows: &Transaction<'_>,
    account: Uuid,
    source: Source,
    alert: &Alert,
) -> Result<Outcome, Refusal> {
    let columns = ["id", "title", "description", "priority", "labels"];
    let same = || {
        Look::at(rows, TABLE)?
            .with("cloud_account_id", account)?
            .with("fingerprint", alert.fingerprint.as_str())
    };
    let open = same()?.with("status", FIRING)?.ordered("starts_at", true)?.first(&columns)?;
    if let Some(event) = open {
        return update(rows, &event, alert);
    }
    let finding = finding_id(alert);
    if Look::at(rows, TABLE)?
        .with("cloud_account_id", account)?
        .with("finding_id", finding.as_str())?
        .count()?
        > 0
    {
        // It is over already; the sender repeats itself, or messages overtook each other.
        return Ok(Outcome::Unchanged);
    }
    insert(rows, account, source, alert, &finding)?;
    Ok(Outcome::Created)
}

/// Keeps what was sent beside the event: the receipt of the alert.
pub(super) fn keep(
    rows: &Transaction<'_>,
    (receiver, account): (Uuid, Uuid),
    source: Source,
    alert: &Alert,
    body: &[u8],
) -> Result<(), Refusal> {
    let raw = String::from_utf8_lossy(body);
    rows.insert(
        "event_incoming_webhooks",
        &[
            ("account_id", account.into()),
            ("event_created_at", ValueRef::Timestamp(alert.starts_at)),
            ("event_description", alert.description.as_deref().into()),
            ("event_id", alert.fingerprint.as_str().into()),
            ("event_priority", alert.stated_severity.as_deref().into()),
            ("event_status", alert.stated_status.as_deref().into()),
            ("event_title", alert.title.as_str().into()),
            ("event_type", alert.rule.as_str().into()),
            ("event_url", alert.url.as_deref().into()),
            ("integration_id", receiver.into()),
            ("integration_type", source.title().into()),
            ("raw", raw.as_ref().into()),
            ("webhook_id", receiver.to_string().as_str().into()),
        ],
    )?;
    Ok(())
}

fn update(rows: &Transaction<'_>, event: &Json, alert: &Alert) -> Result<Outcome, Refusal> {
    let labels = labels(alert);
    let is_same = alert.status == Status::Firing
        && text(event, "title") == alert.title
        && event["description"].as_str() == alert.description.as_deref()
        && text(event, "priority") == alert.severity.lookup_value()
        && event["labels"] == labels;
    if is_same {
        return Ok(Outcome::Unchanged);
    }
    let labels = labels.to_string();
    let mut sets = vec![
        ("title", alert.title.as_str().into()),
        ("description", alert.description.as_deref().into()),
        ("priority", alert.severity.lookup_value().into()),
        ("labels", ValueRef::Json(&labels)),
        ("status", alert.status.lookup_value().into()),
        ("updated_at", ValueRef::Timestamp(rows.now())),
    ];
    if alert.status == Status::Resolved {
        sets.push(("ends_at", ValueRef::Timestamp(alert.ends_at.unwrap_or(rows.now()))));
    }
    rows.update(TABLE, &[eq("id", uuid(event, "id").unwrap_or_default())], &sets)?;
    Ok(Outcome::Updated)
}

fn insert(
    rows: &Transaction<'_>,
    account: Uuid,
    source: Source,
    alert: &Alert,
    finding: &str,
) -> Result<(), Refusal> {
    let found =
        Look::at(rows, "cloud_accounts")?.with("id", account)?.first(&["account_name"])?.unwrap_or_default();
    let cluster = alert.cluster.as_deref().unwrap_or_else(|| text(&found, "account_name"));
    let (labels, evidence) = (labels(alert).to_string(), evidence(source, alert).to_string());
    let ends_at = alert.ends_at.map_or(ValueRef::Null, ValueRef::Timestamp);
    rows.insert(
        TABLE,
        &[
            ("cloud_account_id", account.into()),
            ("aggregation_key", alert.rule.as_str().into()),
            ("cluster", cluster.into()),
            ("description", alert.description.as_deref().into()),
            ("ends_at", ends_at),
            ("evidences", ValueRef::Json(&evidence)),
            ("finding_id", finding.into()),
            ("finding_type", FINDING_TYPE.into()),
            ("fingerprint", alert.fingerprint.as_str().into()),
            ("labels", ValueRef::Json(&labels)),
            ("priority", alert.severity.lookup_value().into()),
            ("source", source.lookup_value().into()),
            ("starts_at", ValueRef::Timestamp(alert.starts_at)),
            ("status", alert.status.lookup_value().into()),
            ("subject_name", alert.subject.name.as_str().into()),
            ("subject_namespace", alert.subject.namespace.as_deref().into()),
            ("subject_node", alert.subject.node.as_deref().into()),
            ("subject_type", alert.subject.kind.as_str().into()),
            ("title", alert.title.as_str().into()),
        ],
    )?;
    Ok(())
}

/// One occurrence of an alert.
fn finding_id(alert: &Alert) -> String {
    format!("{}:{}", alert.fingerprint, alert.starts_at)
}

fn labels(alert: &Alert) -> Json {
    Json::Object(
        alert
            .labels
            .iter()
            .map(|(name, value)| (name.clone(), Json::String(value.clone())))
            .collect::<Map<_, _>>(),
    )
}

/// What the sender said about it, as far as no column has it. `severity` is null where the sender stated none.
fn evidence(source: Source, alert: &Alert) -> Json {
    json!([{ "type": "alert", "source": source.title(), "severity": alert.stated_severity, "status": alert.stated_status, "url": alert.url }])
}
