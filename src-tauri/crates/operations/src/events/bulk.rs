//! Applies one change to many events: immediately if they are few, otherwise in background batches.

mod undo;

use super::criteria::{self, Criteria};
use super::status::{self, ChangeContext};
use crate::kit::{Arguments, Look, text, uuid};
use catalogue::{Caller, Value, ValueRef};
use graphql::{Call, Refusal};
use model::operations::BulkOperationResponse;
use serde_json::{Map, Value as Json};
use store::query::{Operator, Test};
use store::{Transaction, eq};
pub(super) use undo::undo;
use uuid::Uuid;

/// The operation name in the audit trail for background batches.
const CARRIED_ON: &str = "event_bulk_operation";

/// Events per batch (semantics §7).
const BATCH: u64 = 500;
/// Larger changes run in the background, because one transaction would block other writers too long.
const MOST_AT_ONCE: u64 = 5_000;

/// A change and the events it applies to.
pub(super) struct Bulk<'a> {
    pub account: Uuid,
    pub criteria: &'a Criteria,
    pub target: &'static str,
    pub rule: Option<Uuid>,
    pub classification: Option<Uuid>,
    pub fingerprint: Option<&'a str>,
}

/// The matching events that do not have the target status yet.
pub(super) fn concerned<'a>(
    rows: &'a Transaction<'a>,
    criteria: &Criteria,
    account: Uuid,
    target: &str,
) -> Result<Look<'a>, Refusal> {
    let elsewhere = Test::Compare(Operator::NotEqual, Value::Text(target.to_owned()));
    criteria.look(rows, account)?.that("nb_status", elsewhere)
}

impl Bulk<'_> {
    /// Stores the operation and changes the events, or queues them for the background if there are many. `None` if no event matches.
    pub(super) fn run(&self, call: &Call<'_>) -> Result<Option<BulkOperationResponse>, Refusal> {
        let total = concerned(call.rows, self.criteria, self.account, self.target)?.count()?;
        if total == 0 {
            return Ok(None);
        }
        let (id, number) = (Uuid::new_v4(), i64::try_from(total).unwrap_or(i64::MAX));
        let is_done = total <= MOST_AT_ONCE;
        let (state, done) = if is_done { ("completed", number) } else { ("queued", 0) };
        let ended = if is_done { ValueRef::Timestamp(call.now) } else { ValueRef::Null };
        call.rows.insert(
            "event_bulk_operations",
            &[
                ("id", id.into()),
                ("account_id", self.account.into()),
                ("classification_id", self.classification.into()),
                ("rule_id", self.rule.into()),
                ("fingerprint", self.fingerprint.into()),
                ("operation_type", "update_status".into()),
                ("target_status", self.target.into()),
                ("total_events", ValueRef::Int(number)),
                ("processed_events", ValueRef::Int(done)),
                ("status", state.into()),
                ("created_at", ValueRef::Timestamp(call.now)),
                ("completed_at", ended),
                ("created_by", call.caller.user.into()),
            ],
        )?;
        let mut left = if is_done { total } else { 0 };
        while left > 0 {
            match batch(ChangeContext::call(call), self.criteria, self.account, (self.target, id))? {
                // The caller may not change any of the remaining events.
                0 => return Err(Refusal::denied()),
                changed => left -= changed.min(left),
            }
        }
        Ok(Some(BulkOperationResponse {
            job_id: id.to_string(),
            status: state.to_owned(),
            events_to_update: number,
        }))
    }
}

/// Changes one batch and returns the number of events changed.
fn batch(
    by: ChangeContext<'_>,
    criteria: &Criteria,
    account: Uuid,
    (target, operation): (&str, Uuid),
) -> Result<u64, Refusal> {
    let look = concerned(by.rows, criteria, account, target)?.ordered("id", false)?;
    let columns = ["id", "nb_status", "nb_status_changed_at", "nb_status_changed_by", "snoozed_until"];
    let found = look.limit(BATCH).rows(&columns)?;
    for row in &found {
        let before = row["nb_status"].as_str().unwrap_or("OPEN").to_owned();
        let note = undo::note(operation, by.now, row)?;
        let event =
            status::Event { id: uuid(row, "id").unwrap_or_default(), account: Some(account), status: before };
        status::set_noted(by, &event, target, None, "status set for all events that match", Some(&note))?;
    }
    Ok(found.len() as u64)
}

/// The columns read to continue an operation.
const WORK: [&str; 8] = [
    "id",
    "account_id",
    "rule_id",
    "fingerprint",
    "target_status",
    "processed_events",
    "created_by",
    "status",
];

/// Runs one batch of the oldest unfinished bulk operation of any tenant and stores its progress; returns whether there was one. Each batch is its
/// own transaction: after an interruption, finished batches stay and the remaining events are found again.
pub(super) fn carry_on(rows: &Transaction<'_>) -> Result<bool, Refusal> {
    let look = waiting(rows)?.ordered("created_at", false)?.ordered("id", false)?;
    let Some(id) = look.limit(1).first(&["id"])?.and_then(|row| uuid(&row, "id")) else { return Ok(false) };
    let work = Look::at(rows, "event_bulk_operations")?.with("id", id)?.first(&WORK)?.unwrap_or_default();
    let account = uuid(&work, "account_id").unwrap_or_default();
    let owner = Look::at(rows, "cloud_accounts")?.with("id", account)?.first(&["tenant"])?;
    let now = ValueRef::Timestamp(rows.now());
    let done = match owner.and_then(|row| uuid(&row, "tenant")) {
        None => Err(Refusal::not_found("the account is gone")),
        Some(tenant) => {
            let system = Caller::system_for(tenant);
            let rows = rows.as_caller(&system);
            step(&rows.with_audit_operation(CARRIED_ON, uuid(&work, "created_by")), &work, account)
        }
    };
    let message;
    let is_undone = text(&work, "status") == undo::UNDER_WAY;
    let sets = match done {
        Ok(0) if is_undone => vec![("status", undo::DONE.into()), ("completed_at", now)],
        Ok(_) if is_undone => Vec::new(),
        Ok(0) => vec![("status", "completed".into()), ("completed_at", now)],
        Ok(changed) => {
            let processed = work["processed_events"].as_i64().unwrap_or_default();
            let processed = processed.saturating_add(i64::try_from(changed).unwrap_or(i64::MAX));
            vec![("status", "processing".into()), ("processed_events", ValueRef::Int(processed))]
        }
        // An invalid operation ends as failed; an internal error is retried.
        Err(refusal) if refusal.is_unexpected() => return Err(refusal),
        Err(refusal) => {
            message = refusal.message;
            vec![
                ("status", "failed".into()),
                ("error_message", message.as_str().into()),
                ("completed_at", now),
            ]
        }
    };
    if !sets.is_empty() {
        rows.update("event_bulk_operations", &[eq("id", id)], &sets)?;
    }
    Ok(true)
}

/// Bulk operations that have not ended.
fn waiting<'a>(rows: &'a Transaction<'a>) -> Result<Look<'a>, Refusal> {
    let open =
        ["queued", "processing", undo::UNDER_WAY].map(|status| Value::Text(status.to_owned())).to_vec();
    Look::at(rows, "event_bulk_operations")?.one_of("status", open)
}

/// Whether any bulk operation has not ended.
pub(super) fn is_waiting(rows: &Transaction<'_>) -> Result<bool, Refusal> {
    Ok(waiting(rows)?.count()? > 0)
}

/// Runs one batch of a stored operation and returns the number of events handled.
fn step(rows: &Transaction<'_>, work: &Json, account: Uuid) -> Result<u64, Refusal> {
    let id = uuid(work, "id").unwrap_or_default();
    if text(work, "status") == undo::UNDER_WAY {
        let by = ChangeContext { rows, person: uuid(work, "created_by"), now: rows.now() };
        return Ok(undo::batch(by, id)?.looked_at());
    }
    let criteria = match (uuid(work, "rule_id"), work["fingerprint"].as_str()) {
        (_, Some(fingerprint)) => Criteria::fingerprint(fingerprint),
        (Some(rule), None) => {
            let rule = Look::at(rows, "event_triage_rules")?.with("id", rule)?.first(&criteria::COLUMNS)?;
            Criteria::read(rule.unwrap_or_default().as_object().unwrap_or(&Map::new()))?
        }
        (None, None) => return Err(Refusal::not_found("the rule it was for is gone")),
    };
    let by = ChangeContext { rows, person: uuid(work, "created_by"), now: rows.now() };
    batch(by, &criteria, account, (text(work, "target_status"), id))
}

/// `event_bulk_operation_status`
pub(super) fn status(call: &Call<'_>) -> Result<Json, Refusal> {
    let id = Arguments(call.arguments).needed_id("job_id")?;
    let columns = ["completed_at", "error_message", "processed_events", "status", "total_events"];
    let found = Look::at(call.rows, "event_bulk_operations")?.with("id", id)?.first(&columns)?;
    let mut row = found.ok_or_else(|| Refusal::not_found(format!("there is no bulk operation {id}")))?;
    row["job_id"] = id.to_string().into();
    for count in ["processed_events", "total_events"] {
        row[count] = row[count].as_i64().unwrap_or_default().into();
    }
    Ok(row)
}
