//! Reopens snoozed events when their snooze ends.

use super::status::{self, ChangeContext};
use crate::kit::{Look, uuid};
use catalogue::{Caller, Value, parse_timestamp};
use graphql::Refusal;
use serde_json::Value as Json;
use store::Transaction;
use store::query::{Operator, Test};

/// The operation name in the audit trail.
const WAKING: &str = "event_snooze_over";

/// Events per step.
const BATCH: u64 = 500;

/// Reopens one batch of events, of any tenant, whose snooze has ended. Returns when the next snooze ends (`now` if more are due). Snoozes without
/// an end are left alone.
pub(super) fn wake(rows: &Transaction<'_>) -> Result<Option<i64>, Refusal> {
    let now = rows.now();
    let over = Test::Compare(Operator::LessOrEqual, Value::Timestamp(now));
    let due = snoozed(rows)?.that("snoozed_until", over)?;
    for row in due.limit(BATCH).rows(&["id", "tenant", "cloud_account_id"])? {
        let (Some(id), Some(tenant)) = (uuid(&row, "id"), uuid(&row, "tenant")) else { continue };
        let event =
            status::Event { id, account: uuid(&row, "cloud_account_id"), status: "SNOOZED".to_owned() };
        let system = Caller::system_for(tenant);
        let rows = rows.as_caller(&system);
        let by = ChangeContext { rows: &rows.with_audit_operation(WAKING, None), person: None, now };
        status::set(by, &event, "OPEN", None, "the snooze is over")?;
    }
    next(rows)
}

/// When the next snooze ends.
pub(super) fn next(rows: &Transaction<'_>) -> Result<Option<i64>, Refusal> {
    let next = snoozed(rows)?.that("snoozed_until", Test::Not(Box::new(Test::IsNull)))?.limit(1);
    Ok(next.first(&["snoozed_until"])?.as_ref().and_then(until))
}

fn snoozed<'a>(rows: &'a Transaction<'a>) -> Result<Look<'a>, Refusal> {
    Look::at(rows, "events")?.with("nb_status", "SNOOZED")?.ordered("snoozed_until", false)
}

fn until(row: &Json) -> Option<i64> {
    row["snoozed_until"].as_str().and_then(parse_timestamp)
}
