//! Changes the status of auto-pilots and postpones their runs.

use super::pilot_needs::reason_not_usable;
use super::pilot_runs::{no_time, with_reason};
use super::pilots::{covered_resources, needed, refuse_covered, write};
use super::{PILOTS, consent, schedule};
use crate::kit::{Arguments, text, uuid};
use crate::workflows::engine::{OFF, is_on, require_automation};
use catalogue::{ValueRef, format_timestamp, parse_timestamp};
use graphql::{Call, Refusal};
use serde_json::{Value, json};

const MINUTE: i64 = 60_000_000;

/// A run can be postponed by at most one year, in minutes.
const MAX_MINUTES: i64 = 365 * 24 * 60;

/// Handles `auto_optimize_update_status`.
pub(super) fn update(call: &Call<'_>) -> Result<Value, Refusal> {
    let request = Arguments(call.arguments).object("arg1");
    let row = needed(call, request.needed_id("id")?, Some(request.needed_id("account_id")?))?;
    let wanted = request.needed("status")?;
    // The documentation spells it Draft; the list of values spells it DRAFT.
    let to = PILOTS.step(text(&row, "status"), wanted)?;
    let to = if to == "Active" && !consent::is_given(call, &row)? { "DRAFT" } else { to };
    set_status(call, &row, to)?;
    Ok(json!({ "status": to }))
}

/// Changes the status and the next run time accordingly.
pub(super) fn set_status(call: &Call<'_>, row: &Value, to: &str) -> Result<(), Refusal> {
    let id = uuid(row, "id").unwrap_or_default();
    let mut next = None;
    if to == "Active" || to == "Dryrun" {
        let end = time(row, "end_at");
        if let Some(end) = end.filter(|end| *end <= call.now) {
            let message = format!(
                "the auto-pilot ended at {} and cannot become {to}: give it another end with auto_optimize_update_one",
                format_timestamp(end)
            );
            return Err(Refusal::conflict(message));
        }
        if to == "Active" {
            let account = uuid(row, "account_id").unwrap_or_default();
            let resources = covered_resources(call.rows, Some(id))?;
            refuse_covered(call, account, text(row, "category"), &resources, Some(id))?;
        }
        if let Some(line) = row["schedule_time"].as_str() {
            let start = time(row, "start_at").unwrap_or(call.now).max(call.now);
            next = Some(schedule::next(line, start).map_err(Refusal::invalid)?);
            next = next.filter(|next| end.is_none_or(|end| *next < end));
        }
    }
    // While automation is off, nothing runs, and the row stores that reason.
    let is_off = (to == "Active" || to == "Dryrun") && !is_on(call.rows)?;
    let is_acting = to == "Active" || to == "Dryrun";
    let account = uuid(row, "account_id").unwrap_or_default();
    let reason = match (is_off, no_time(row, next).filter(|_| is_acting)) {
        (true, _) => Some(OFF.to_owned()),
        (false, Some(reason)) => Some(reason.to_owned()),
        (false, None) => reason_not_usable(call.rows, to, account, &row["attributes"])?,
    };
    let attributes = with_reason(&row["attributes"], reason.as_deref()).to_string();
    let next = next.filter(|_| reason.is_none()).map_or(ValueRef::Null, ValueRef::Timestamp);
    let set =
        [("status", to.into()), ("next_schedule_time", next), ("attributes", ValueRef::Json(&attributes))];
    write(call, id, &set)
}

/// Handles `auto_optimize_skip_execution`.
pub(super) fn skip(call: &Call<'_>) -> Result<Value, Refusal> {
    let request = Arguments(call.arguments).object("arg1");
    let row = needed(call, request.needed_id("id")?, None)?;
    let minutes = minutes(request)?.ok_or_else(|| {
        Refusal::invalid("`by_minutes` is missing: expected by how many minutes to put the run off")
    })?;
    let status = text(&row, "status");
    if !["Active", "Dryrun"].contains(&status) {
        let message = format!(
            "the auto-pilot is {status} and does not run: only one that is Active or Dryrun can wait"
        );
        return Err(Refusal::conflict(message));
    }
    require_automation(call.rows)?;
    let account = uuid(&row, "account_id").unwrap_or_default();
    if let Some(reason) = reason_not_usable(call.rows, status, account, &row["attributes"])? {
        return Err(Refusal::conflict(format!("the auto-pilot does not run: {reason}")));
    }
    let next = time(&row, "next_schedule_time").unwrap_or(call.now).max(call.now) + minutes * MINUTE;
    let id = uuid(&row, "id").unwrap_or_default();
    write(call, id, &[("next_schedule_time", ValueRef::Timestamp(next))])?;
    Ok(json!({ "message": format!("\"{}\" runs next at {}Z", text(&row, "name"), format_timestamp(next)) }))
}

/// Reads `by_minutes` if it is given.
pub(super) fn minutes(request: Arguments<'_>) -> Result<Option<i64>, Refusal> {
    match request.whole("by_minutes") {
        Some(minutes) if !(1..=MAX_MINUTES).contains(&minutes) => {
            Err(Refusal::invalid(format!("`by_minutes` is {minutes}: expected 1 to {MAX_MINUTES}")))
        }
        minutes => Ok(minutes),
    }
}

/// Parses a time column of a row, µs since 1970 UTC.
pub(super) fn time(row: &Value, column: &str) -> Option<i64> {
    row[column].as_str().and_then(parse_timestamp)
}
