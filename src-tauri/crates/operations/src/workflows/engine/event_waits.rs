//! The task `events.get`: reads an event of the account, or waits for its end. A waiting run becomes due when the event ends; there is no polling.

use super::questions::wake;
use super::run_row::RunRow;
use crate::kit::{Look, reply, uuid};
use automation::journal::{Journal, Status};
use automation::plan::{Call, CallOutcome, TaskFailure};
use automation::services::events::{self, EventTask};
use catalogue::Value as Cell;
use graphql::Refusal;
use model::tables::events as table;
use model::{EventSeverity, EventSource, EventStatus, Read, Timestamp, row};
use serde::Serialize;
use serde_json::Value;
use store::{StoreError, Transaction, eq};
use uuid::Uuid;

const WAITS: &str = "workflow_event_wait";
/// The triage status of an event that is over.
const TRIAGED: &str = "RESOLVED";
/// Number of rows per query.
const BATCH: usize = 500;

row! {
    struct EventRow from events {
        id, title, description, status, nb_status, priority, source, labels, subject_name, subject_namespace, starts_at, ends_at
    }
}

/// The output of the task.
#[derive(Debug, Serialize)]
pub(super) struct EventDetails {
    id: Uuid,
    title: String,
    description: Option<String>,
    /// The status reported by the event's source.
    status: Option<EventStatus>,
    /// The triage status.
    nb_status: Option<String>,
    is_resolved: bool,
    priority: EventSeverity,
    source: Option<EventSource>,
    labels: Value,
    subject_name: String,
    subject_namespace: Option<String>,
    starts_at: Option<String>,
    ends_at: Option<String>,
}

impl EventDetails {
    fn of(row: EventRow) -> Self {
        let is_over = matches!(row.status, Some(EventStatus::Resolved | EventStatus::Closed));
        let zoned = |time: Timestamp| format!("{time}Z");
        Self {
            id: row.id.uuid(),
            title: row.title,
            description: row.description,
            is_resolved: is_over || row.nb_status.as_deref() == Some(TRIAGED),
            status: row.status,
            nb_status: row.nb_status,
            priority: row.priority,
            source: row.source,
            labels: row.labels.map(|labels| labels.value()).unwrap_or_default(),
            subject_name: row.subject_name,
            subject_namespace: row.subject_namespace,
            starts_at: row.starts_at.map(zoned),
            ends_at: row.ends_at.map(zoned),
        }
    }
}

/// Reads the event of a call. `None` if it is still open; the run then waits for its end.
pub(super) fn read_event(
    rows: &Transaction<'_>,
    run: &RunRow,
    call: &Call,
) -> Result<Option<EventDetails>, Refusal> {
    let wanted = EventTask::read(&call.params).map_err(|failure| Refusal::invalid(failure.message))?;
    let event = find(rows, run, &wanted)?;
    if event.is_resolved || !wanted.until_resolved {
        return Ok(Some(event));
    }
    let known = [eq("execution_id", run.id), eq("event_id", event.id)];
    if rows.count(WAITS, &known)? == 0 {
        let row = [
            ("account_id", run.account.into()),
            ("execution_id", run.id.into()),
            ("event_id", event.id.into()),
        ];
        rows.insert(WAITS, &row)?;
    }
    Ok(None)
}

/// The event, if it belongs to the run's account.
fn find(rows: &Transaction<'_>, run: &RunRow, wanted: &EventTask) -> Result<EventDetails, Refusal> {
    let none = || Refusal::not_found(format!("there is no event {} of this account", wanted.event));
    let id = Uuid::parse_str(&wanted.event).map_err(|_| none())?;
    let of_account = table::id.eq(id).and(table::cloud_account_id.eq(run.account));
    let row = rows.query::<EventRow>().filter(of_account).first()?;
    row.map(EventDetails::of).ok_or_else(none)
}

/// The outcomes of waits whose event is over or was deleted.
pub(super) fn outcomes(
    rows: &Transaction<'_>,
    run: &RunRow,
    journal: &Journal,
) -> Result<Vec<CallOutcome>, Refusal> {
    let waits =
        journal.entries().filter(|entry| entry.kind == events::KIND && entry.status == Status::Started);
    let mut found = Vec::new();
    for entry in waits {
        let Some(Ok(wanted)) = entry.input.as_ref().map(EventTask::read) else { continue };
        let result = match find(rows, run, &wanted) {
            Ok(event) if wanted.until_resolved && !event.is_resolved => continue,
            Ok(event) => {
                rows.delete(WAITS, &[eq("execution_id", run.id), eq("event_id", event.id)])?;
                Ok(reply(&event)?)
            }
            Err(refusal) if refusal.is_unexpected() => return Err(refusal),
            Err(refusal) => Err(TaskFailure::new("EventGone", refusal.message)),
        };
        found.push(CallOutcome { path: entry.path.clone(), result });
    }
    Ok(found)
}

/// Wakes the runs that wait for the end of one of these events, after events were written.
pub(crate) fn events_changed(rows: &Transaction<'_>, ids: &[Uuid]) -> Result<(), StoreError> {
    let woken = || -> Result<(), Refusal> {
        if Look::at(rows, WAITS)?.limit(1).first(&["id"])?.is_none() {
            return Ok(());
        }
        for ids in ids.chunks(BATCH) {
            let ids = ids.iter().map(|id| Cell::Uuid(*id)).collect();
            for wait in Look::at(rows, WAITS)?.one_of("event_id", ids)?.rows(&["execution_id"])? {
                wake(rows, uuid(&wait, "execution_id").unwrap_or_default())?;
            }
        }
        Ok(())
    };
    woken().map_err(Refusal::into_error)
}
