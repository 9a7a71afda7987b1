//! Schedules: computes when each is due next, and starts their runs.

use super::cancel::{cancel, terminate};
use super::settings;
use super::start::{COLUMNS, NewRun, start};
use super::step::open_runs;
use crate::kit::{Look, text, uuid};
use crate::workflows::definition::{Definition, Trigger, each};
use crate::workflows::inputs::complete;
use automation::schedule::{CATCH_UP, Overlap, Schedule};
use automation::{duration, template::to_text};
use catalogue::{Caller, Value as Cell, ValueRef, parse_timestamp};
use graphql::Refusal;
use serde_json::{Map, Value};
use store::query::{Operator, Test};
use store::{Store, StoreError, Transaction, eq};

/// Parameters of a schedule that are not inputs of the run.
const OWN_KEYS: [&str; 4] = ["cron", "overlap_policy", "catchup_window", "timezone"];

/// Minimum catch-up window, µs: timers never fire at the exact microsecond.
const LEAST_CATCH_UP: i64 = 10_000_000;
/// The reason stored with a run that the next run of its schedule replaced.
const REPLACED: &str = "the next run of its schedule took its place";

/// Starts the runs of due schedules, and returns when the next one is due (µs since 1970 UTC). Blocks.
pub fn start_due(store: &Store) -> Result<Option<i64>, StoreError> {
    let system = Caller::system();
    let look = |rows: &Transaction<'_>| -> Result<(bool, Option<i64>, i64), Refusal> {
        if !settings::is_on(rows)? {
            return Ok((false, None, rows.now()));
        }
        let next = next_due(rows)?;
        let is_work = next.is_some_and(|next| next <= rows.now()) || !without_next_time(rows)?.is_empty();
        Ok((is_work, next, rows.now()))
    };
    let work = |rows: &Transaction<'_>| -> Result<Option<i64>, Refusal> {
        let mut all = without_next_time(rows)?;
        all.extend(due_workflows(rows)?);
        for workflow in &all {
            let system = Caller::system_for(uuid(workflow, "tenant_id").unwrap_or_default());
            let acting = rows.as_caller(&system);
            start_due_runs(&acting.without_actor(), workflow)?;
        }
        next_due(rows)
    };
    let (is_work, next, _) = store.snapshot(&system, look).map_err(Refusal::into_error)?;
    if is_work { store.transaction(&system, work).map_err(Refusal::into_error) } else { Ok(next) }
}

fn next_due(rows: &Transaction<'_>) -> Result<Option<i64>, Refusal> {
    let known = Test::Not(Box::new(Test::IsNull));
    let look =
        Look::at(rows, "workflow")?.that("next_due_at", known)?.ordered("next_due_at", false)?.limit(1);
    Ok(look.first(&["next_due_at"])?.and_then(|row| row["next_due_at"].as_str().and_then(parse_timestamp)))
}

fn due_workflows(rows: &Transaction<'_>) -> Result<Vec<Value>, Refusal> {
    let over = Test::Compare(Operator::LessOrEqual, Cell::Timestamp(rows.now()));
    Look::at(rows, "workflow")?.that("next_due_at", over)?.rows(COLUMNS)
}

/// Active workflows with a schedule that have no next time yet.
fn without_next_time(rows: &Transaction<'_>) -> Result<Vec<Value>, Refusal> {
    let look = Look::at(rows, "workflow")?.with("status", "ACTIVE")?.that("next_due_at", Test::IsNull)?;
    let has_schedule = |row: &Value| {
        let kinds = row["trigger_types"].as_array().into_iter().flatten();
        kinds.into_iter().any(|kind| kind == "schedule") && !is_never_due(row, rows.now())
    };
    Ok(look.rows(COLUMNS)?.into_iter().filter(has_schedule).collect())
}

fn is_never_due(row: &Value, now: i64) -> bool {
    let definition = Definition::read(&row["definition"]);
    definition.is_ok_and(|definition| lines(&definition).all(|line| line.schedule.next(now).is_none()))
}

/// A schedule of a workflow. Its overlap policy considers only its own runs, not those started by a person or by another schedule.
struct Line {
    schedule: Schedule,
    params: Map<String, Value>,
    /// Prefix of the keys of its runs.
    name: String,
}

/// The schedules of a definition.
fn lines(definition: &Definition) -> impl Iterator<Item = Line> {
    let schedules =
        each(definition.triggers.as_ref()).filter(|trigger: &&Trigger| trigger.kind == "schedule");
    schedules.enumerate().filter_map(|(place, trigger)| {
        let params = trigger.params.as_ref()?.as_object()?.clone();
        let zone = params.get("timezone").and_then(Value::as_str);
        let schedule = Schedule::read(params.get("cron")?.as_str()?, zone).ok()?;
        let name = if place == 0 { "schedule:".to_owned() } else { format!("schedule {place}:") };
        Some(Line { schedule, params, name })
    })
}

/// Starts the due runs of one workflow, and stores when it is due next.
fn start_due_runs(rows: &Transaction<'_>, workflow: &Value) -> Result<(), Refusal> {
    let id = uuid(workflow, "id").unwrap_or_default();
    let expected = workflow["next_due_at"].as_str().and_then(parse_timestamp);
    let mut soonest: Option<i64> = None;
    if workflow["status"] == "ACTIVE"
        && let Ok(definition) = Definition::read(&workflow["definition"])
    {
        for line in lines(&definition) {
            let schedule = &line.schedule;
            let next = match expected {
                None => schedule.next(rows.now()),
                Some(expected) => {
                    // Each schedule has its own times; none is before the time expected for the workflow.
                    let Some(first) = schedule.next(expected - 1) else { continue };
                    let window = line.params.get("catchup_window").map(to_text);
                    let window = window.as_deref().and_then(duration::parse).unwrap_or(CATCH_UP);
                    let found = schedule.due(first, rows.now(), window.max(LEAST_CATCH_UP));
                    for time in found.times {
                        start_scheduled(rows, workflow, &definition, &line, time)?;
                    }
                    found.next
                }
            };
            soonest = soonest.into_iter().chain(next).min();
        }
    }
    let set = [("next_due_at", soonest.map_or(ValueRef::Null, ValueRef::Timestamp))];
    rows.update("workflow", &[eq("id", id)], &set)?;
    Ok(())
}

fn start_scheduled(
    rows: &Transaction<'_>,
    workflow: &Value,
    definition: &Definition,
    line: &Line,
    time: i64,
) -> Result<(), Refusal> {
    let Line { params, name, .. } = line;
    let overlap =
        Overlap::find(params.get("overlap_policy").and_then(Value::as_str)).unwrap_or(Overlap::Skip);
    let mut open = open_runs(rows, uuid(workflow, "id").unwrap_or_default())?;
    open.retain(|run| text(run, "idempotency_key").starts_with(name.as_str()));
    let mut waits_for = None;
    if let Some(last) = open.last() {
        match overlap {
            Overlap::Skip => return Ok(()),
            Overlap::BufferOne if open.iter().any(|run| !run["waits_for"].is_null()) => return Ok(()),
            Overlap::BufferOne | Overlap::BufferAll => waits_for = uuid(last, "id"),
            Overlap::AllowAll => {}
            Overlap::CancelOther => {
                for run in open.iter().filter_map(|run| uuid(run, "id")) {
                    cancel(rows, run, REPLACED)?;
                }
            }
            Overlap::TerminateOther => {
                for run in open.iter().filter_map(|run| uuid(run, "id")) {
                    terminate(rows, run, REPLACED)?;
                }
            }
        }
    }
    let given: Map<String, Value> = params
        .iter()
        .filter(|(key, _)| !OWN_KEYS.contains(&key.as_str()))
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect();
    // Missing inputs are reported by the run, which fails; an error here would reach nobody.
    let inputs = complete(definition, Some(&Value::Object(given.clone()))).unwrap_or(Value::Object(given));
    let key = format!("{name}{time}");
    let run = NewRun {
        workflow: Some(workflow),
        inputs,
        trigger: "schedule",
        key: Some(&key),
        scheduled_for: Some(time),
        waits_for,
        ..NewRun::default()
    };
    start(rows, &run).map(|_| ())
}
