//! Analyses of events that are stored. Making one needs a language model.

use crate::assistant::models;
use crate::assistant::place::{Object, Place, argument, filled, id, object, within};
use catalogue::Right;
use graphql::{Call, Refusal};
use serde_json::{Value, json};
use store::{Condition, eq};

/// The analysis of an event's cause.
pub(super) fn cause(call: &Call<'_>) -> Result<Value, Refusal> {
    let generate: bool = argument(call, "generate")?;
    answer(call, |place, event| {
        let stored = stored(place, event, None)?;
        let is_there = stored.as_ref().is_some_and(|found| found.get("status") != Some(&json!("FAILED")));
        if generate && !is_there {
            return Err(models::not_set_up());
        }
        Ok(shown(event, stored))
    })
}

/// Advice on an event, of one kind of analysis.
pub(super) fn advice(call: &Call<'_>) -> Result<Value, Refusal> {
    let kind: String = argument(call, "recommendation_type")?;
    answer(call, |place, event| {
        let kind = filled("recommendation_type", &kind)?;
        match stored(place, event, Some(kind))? {
            Some(found) => Ok(shown(event, Some(found))),
            None => Err(models::not_set_up()),
        }
    })
}

fn answer(
    call: &Call<'_>,
    work: impl FnOnce(&Place<'_>, &Object) -> Result<Value, Refusal>,
) -> Result<Value, Refusal> {
    let account: String = argument(call, "account_id")?;
    let event: String = argument(call, "event_id")?;
    within(call, Right::Read, &account, |place| {
        let event = id("event_id", &event)?;
        // The caller's own rows: of an event outside their namespaces nothing is told.
        let columns = ["id", "title", "description", "fingerprint", "aggregation_key"];
        let conditions = [eq("id", event), eq("cloud_account_id", place.account)];
        let found = call.rows.select("events", &columns, &conditions)?.pop();
        let found = found.map(|row| object(&columns, row)).ok_or_else(|| {
            Refusal::not_found(format!("there is no event {event} in account {}", place.account))
        })?;
        Ok(json!({ "data": work(place, &found)? }))
    })
}

/// The newest analysis of the event; else the newest one of events that are the same, which share it.
fn stored(place: &Place<'_>, event: &Object, kind: Option<&str>) -> Result<Option<Object>, Refusal> {
    let text = |column: &str| event.get(column).and_then(Value::as_str);
    let own = text("id").map(|event| id("event_id", event)).transpose()?;
    let mut ways: Vec<Vec<Condition<'_>>> = vec![own.map(|own| eq("event_id", own)).into_iter().collect()];
    if let (Some(fingerprint), Some(key)) = (text("fingerprint"), text("aggregation_key")) {
        ways.push(vec![
            eq("cloud_account_id", place.account),
            eq("event_fingerprint", fingerprint),
            eq("event_aggregation_key", key),
        ]);
    }
    for mut conditions in ways {
        conditions.extend(kind.map(|kind| eq("analysis_type", kind)));
        let columns =
            ["analysis", "summary", "status", "status_reason", "analysis_type", "recorded_at", "updated_at"];
        let rows = place.rows.select("event_log_analysis", &columns, &conditions)?;
        let newest = rows.into_iter().max_by_key(|row| row[6].as_int().max(row[5].as_int()));
        if let Some(row) = newest {
            return Ok(Some(object(&columns, row)));
        }
    }
    Ok(None)
}

/// What the interface tells of an analysis (semantics §12). What nobody has found out is null.
fn shown(event: &Object, stored: Option<Object>) -> Value {
    let found = |column: &str| stored.as_ref().and_then(|row| row.get(column)).cloned().unwrap_or_default();
    json!({
        "event_id": event.get("id"),
        "title": event.get("title"),
        "description": event.get("description"),
        "analysis": found("analysis"),
        "analysis_type": found("analysis_type"),
        "summary": found("summary"),
        "status": found("status"),
        "status_reason": found("status_reason"),
        "recorded_at": found("recorded_at"),
        "rca_enabled": false,
        "investigation": null,
        "git_diff": null,
        "pr_list": [],
        "commits": [],
        "automated_fix_pr": null,
    })
}
