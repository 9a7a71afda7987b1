//! Loads and saves the journal of a run.

use crate::kit::{Look, text};
use automation::journal::{Entry, Journal, Status};
use automation::mask::{mask, mask_text};
use catalogue::{ValueRef, parse_timestamp};
use graphql::Refusal;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use store::{Transaction, eq};
use uuid::Uuid;

const COLUMNS: &[&str] = &[
    "place",
    "path",
    "task_id",
    "task_type",
    "status",
    "attempt",
    "input",
    "output",
    "error",
    "vars",
    "due_at",
    "settled",
    "start_time",
    "end_time",
];

/// A journal with the positions of its entries.
pub(super) struct StoredJournal {
    pub journal: Journal,
    places: BTreeMap<String, i64>,
}

pub(super) fn load(rows: &Transaction<'_>, execution: Uuid) -> Result<StoredJournal, Refusal> {
    let found = Look::at(rows, "workflow_execution_task")?.with("execution_id", execution)?.rows(COLUMNS)?;
    let places =
        found.iter().map(|row| (path(row).to_owned(), row["place"].as_i64().unwrap_or_default())).collect();
    Ok(StoredJournal { journal: found.into_iter().map(entry).collect(), places })
}

/// Runs from before the engine existed have no paths.
fn path(row: &Value) -> &str {
    let path = text(row, "path");
    if path.is_empty() { text(row, "task_id") } else { path }
}

fn entry(mut row: Value) -> Entry {
    let time = |row: &Value, name: &str| row[name].as_str().and_then(parse_timestamp);
    let attempt = u32::try_from(row["attempt"].as_i64().unwrap_or_default()).unwrap_or_default();
    let present = |value: Value| (!value.is_null()).then_some(value);
    Entry {
        path: path(&row).to_owned(),
        task_id: text(&row, "task_id").to_owned(),
        kind: text(&row, "task_type").to_owned(),
        status: Status::find(text(&row, "status")).unwrap_or(Status::Unknown),
        attempt,
        error: row["error"].as_str().map(str::to_owned),
        vars: row["vars"].as_object().cloned().unwrap_or_default(),
        due_at: time(&row, "due_at"),
        order: row["settled"].as_u64().unwrap_or_default(),
        started_at: time(&row, "start_time"),
        ended_at: time(&row, "end_time"),
        input: present(row["input"].take()),
        output: present(row["output"].take()),
    }
}

/// Saves the entries that changed, with secrets masked.
pub(super) fn save(
    rows: &Transaction<'_>,
    (execution, account): (Uuid, Uuid),
    stored: &StoredJournal,
    journal: &Journal,
    changed: &BTreeSet<String>,
    secrets: &Map<String, Value>,
) -> Result<(), Refusal> {
    let mut next = stored.places.values().max().map_or(0, |place| place + 1);
    for entry in changed.iter().filter_map(|path| journal.get(path)) {
        let json = |value: &Option<Value>| value.as_ref().map(|value| mask(value, secrets).to_string());
        let (input, output) = (json(&entry.input), json(&entry.output));
        let vars = mask(&Value::Object(entry.vars.clone()), secrets).to_string();
        let error = entry.error.as_deref().map(|error| mask_text(error, secrets));
        let time = |time: Option<i64>| time.map_or(ValueRef::Null, ValueRef::Timestamp);
        let set = [
            ("path", entry.path.as_str().into()),
            ("status", entry.status.name().into()),
            ("attempt", i64::from(entry.attempt).into()),
            ("input", input.as_deref().map_or(ValueRef::Null, ValueRef::Json)),
            ("output", output.as_deref().map_or(ValueRef::Null, ValueRef::Json)),
            ("error", error.as_deref().into()),
            ("vars", ValueRef::Json(&vars)),
            ("due_at", time(entry.due_at)),
            ("settled", i64::try_from(entry.order).unwrap_or(i64::MAX).into()),
            ("start_time", time(entry.started_at)),
            ("end_time", time(entry.ended_at)),
        ];
        if let Some(place) = stored.places.get(&entry.path) {
            rows.update(
                "workflow_execution_task",
                &[eq("execution_id", execution), eq("place", *place)],
                &set,
            )?;
            continue;
        }
        let mut row = vec![
            ("account_id", account.into()),
            ("execution_id", execution.into()),
            ("place", next.into()),
            ("task_id", entry.task_id.as_str().into()),
            ("task_type", entry.kind.as_str().into()),
        ];
        row.extend(set);
        rows.insert("workflow_execution_task", &row)?;
        next += 1;
    }
    Ok(())
}
