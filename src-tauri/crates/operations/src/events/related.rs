//! Events that belong to an event: the same one again, and others of the same trouble, as they are stored.

use super::status;
use crate::kit::{Arguments, Look};
use catalogue::Value;
use graphql::{Call, Refusal};
use serde_json::{Value as Json, json};
use store::query::{Operator, Test};
use uuid::Uuid;

/// Events of a series that are answered, the newest ones.
const LONGEST: u64 = 200;

fn id(row: &Json, name: &str) -> Uuid {
    row[name].as_str().and_then(|id| Uuid::parse_str(id).ok()).unwrap_or_default()
}

/// Columns of one event.
fn event(call: &Call<'_>, id: Uuid, columns: &[&str]) -> Result<Json, Refusal> {
    Ok(Look::at(call.rows, "events")?.with("id", id)?.first(columns)?.unwrap_or_default())
}

/// `event_get_duplicates`
pub(super) fn duplicates(call: &Call<'_>) -> Result<Json, Refusal> {
    let asked = Arguments(call.arguments).needed_id("event_id")?;
    status::find(call.rows, asked)?;
    let columns = ["fingerprint", "cloud_account_id", "first_event_id", "occurrence_number"];
    let own = Look::at(call.rows, "event_duplicates")?.with("event_id", asked)?.first(&columns)?;
    let Some(own) = own else {
        return Ok(json!({
            "event_id": asked.to_string(), "is_duplicate": false, "total_occurrences": 1, "duplicate_chain": [],
        }));
    };
    let series = Look::at(call.rows, "event_duplicates")?
        .with("cloud_account_id", id(&own, "cloud_account_id"))?
        .with("fingerprint", own["fingerprint"].as_str().unwrap_or_default())?;
    let total = series.count()?;
    let columns = ["created_at", "event_id", "first_event_id", "occurrence_number"];
    let mut chain = series.ordered("occurrence_number", true)?.limit(LONGEST).rows(&columns)?;
    for row in &mut chain {
        let known = event(call, id(row, "event_id"), &["starts_at", "status", "created_at"])?;
        let start = if known["starts_at"].is_null() { &known["created_at"] } else { &known["starts_at"] };
        row["event_starts_at"] = start.clone();
        row["event_state"] = known["status"].as_str().unwrap_or("FIRING").into();
    }
    chain.reverse();
    Ok(json!({
        "event_id": asked.to_string(),
        "is_duplicate": own["occurrence_number"].as_i64().is_some_and(|number| number > 1),
        "first_event_id": own["first_event_id"],
        "occurrence_number": own["occurrence_number"],
        "total_occurrences": total,
        "duplicate_chain": chain,
    }))
}

/// `event_get_duplicate_suggestions`
pub(super) fn suggestions(call: &Call<'_>) -> Result<Json, Refusal> {
    let asked = Arguments(call.arguments).needed_id("event_id")?;
    let found = status::find(call.rows, asked)?;
    let known = event(call, asked, &["fingerprint"])?;
    let fingerprint = known["fingerprint"].as_str().filter(|text| !text.is_empty());
    let (Some(fingerprint), Some(account)) = (fingerprint, found.account) else {
        return Ok(json!({ "suggestions": [] }));
    };
    let itself = Test::Compare(Operator::NotEqual, Value::Uuid(asked));
    let series =
        || Look::at(call.rows, "events")?.with("cloud_account_id", account)?.with("fingerprint", fingerprint);
    let total = series()?.count()?;
    let look = series()?.ordered("starts_at", true)?.ordered("id", true)?.limit(LONGEST);
    let columns = ["id", "title", "starts_at", "created_at"];
    let rows = look.rows(&columns)?;
    let others = series()?.that("id", itself)?.count()?;
    let mut suggestions = Vec::with_capacity(usize::try_from(others).unwrap_or_default().min(rows.len()));
    for (place, row) in (0_u64..).zip(rows) {
        let number = total.saturating_sub(place);
        if id(&row, "id") != asked {
            let start = if row["starts_at"].is_null() { &row["created_at"] } else { &row["starts_at"] };
            suggestions.push(json!({
                "event_id": row["id"], "title": row["title"], "starts_at": start,
                "occurrence_number": number, "is_first": number == 1,
            }));
        }
    }
    Ok(json!({ "suggestions": suggestions }))
}

/// `event_get_correlations`
pub(super) fn correlations(call: &Call<'_>) -> Result<Json, Refusal> {
    let asked = Arguments(call.arguments).needed_id("event_id")?;
    status::find(call.rows, asked)?;
    let look = Look::at(call.rows, "event_correlations")?.with("event_id", asked)?;
    let columns = [
        "related_event_id",
        "correlation_reason",
        "correlation_score",
        "correlation_type",
        "dependency_distance",
        "time_offset_minutes",
    ];
    let mut rows =
        look.ordered("correlation_score", true)?.ordered("related_event_id", false)?.rows(&columns)?;
    let about = [
        "finding_type",
        "fingerprint",
        "starts_at",
        "created_at",
        "status",
        "title",
        "subject_name",
        "subject_namespace",
        "subject_owner",
        "subject_owner_kind",
    ];
    for row in &mut rows {
        let other = event(call, id(row, "related_event_id"), &about)?;
        row["correlated_event_id"] = row["related_event_id"].take();
        row["correlated_finding_type"] = other["finding_type"].clone();
        row["correlated_fingerprint"] = other["fingerprint"].as_str().unwrap_or_default().into();
        let start = if other["starts_at"].is_null() { &other["created_at"] } else { &other["starts_at"] };
        row["correlated_starts_at"] = start.clone();
        row["correlated_state"] = other["status"].as_str().unwrap_or("FIRING").into();
        row["correlated_title"] = other["title"].as_str().unwrap_or_default().into();
        for name in ["subject_name", "subject_namespace", "subject_owner", "subject_owner_kind"] {
            row[name] = other[name].clone();
        }
    }
    Ok(json!({ "event_id": asked.to_string(), "correlation_count": rows.len(), "correlated_events": rows }))
}
