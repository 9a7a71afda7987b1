//! Advances runs, in one transaction per finished call.

use super::cancel::cancel;
use super::claims::{ClaimedRun, lease_end};
use super::questions::plan_changes;
use super::run_row::RunRow;
use super::run_secrets::RunSecrets;
use super::tickets::TicketCall;
use super::{entries, event_waits, questions, row_tasks, work};
use crate::assistant::ModelCall;
use crate::kit::{Look, text, uuid};
use automation::commands::{ProgramCall, program_call, with_passwords};
use automation::definition::Definition;
use automation::journal::{Journal, Status};
use automation::kinds::{self, Work, asks_model};
use automation::mask::{mask, mask_text, named, with_encodings};
use automation::plan::{Call, CallOutcome, Plan, PlanInput, TaskFailure, plan};
use automation::services::metrics::{MetricsCall, MetricsQuery};
use automation::services::network::NetworkCheck;
use automation::services::pulls::{self, PullTask};
use automation::services::remote_tools::RemoteCall;
use automation::services::requests::{HttpRequest, request};
use automation::services::slack::SlackTask;
use automation::services::tickets;
use automation::upcoming::Upcoming;
use automation::values::transform::Transformation;
use catalogue::{Caller, Value as Cell, ValueRef};
use graphql::Refusal;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use store::{Store, StoreError, Transaction, eq, one_of};
use uuid::Uuid;

/// Maximum size of a task's output, in bytes.
pub const MAX_OUTPUT_BYTES: usize = 1024 * 1024;
/// Maximum number of planning rounds per transaction. Further tasks on rows are left to the next transaction.
const MAX_ROUNDS: usize = 200;

/// The functions and settings of the service that a run needs.
pub struct RunEnvironment<'a> {
    /// Returns a secret from the service's environment by its name.
    pub secret: &'a dyn Fn(&str) -> Option<String>,
    /// Decrypts a value that was encrypted for a purpose. The error says why it cannot be decrypted.
    pub decrypt: &'a dyn Fn(&str, &str) -> Result<String, String>,
    /// The base of links to this service, such as `http://127.0.0.1:8790`.
    pub base_url: &'a str,
}

/// A call to make for a task.
#[derive(Debug)]
pub struct RunCall {
    pub path: String,
    pub work: Result<RunWork, TaskFailure>,
}

/// The kinds of calls.
#[derive(Debug)]
pub enum RunWork {
    Http(HttpRequest),
    Program(ProgramCall),
    Pull(PullTask),
    Metrics(MetricsCall),
    Values(Transformation),
    Check(NetworkCheck),
    Slack(SlackTask),
    Remote(RemoteCall),
    Model(ModelCall),
    Ticket(TicketCall),
}

/// The next actions of a runner.
#[derive(Debug, Default)]
pub struct Step {
    pub calls: Vec<RunCall>,
    /// Whether more work is possible before any call has completed.
    pub has_more_work: bool,
    /// Whether the run is over, waits for a time or a person, or was claimed by another runner.
    pub is_released: bool,
}

/// Advances a run with the outcomes of finished calls, and returns the next actions. Everything is written
/// before any call is made. `in_flight` are the paths of the calls that the runner is making. Blocks.
pub fn advance(
    store: &Store,
    run: ClaimedRun,
    environment: &RunEnvironment<'_>,
    finished: Vec<CallOutcome>,
    in_flight: &BTreeSet<String>,
) -> Result<Step, StoreError> {
    let step = |rows: &Transaction<'_>| -> Result<Step, Refusal> {
        let system = Caller::system_for(run.tenant);
        let acting = rows.as_caller(&system);
        advance_in_transaction(&acting.without_actor(), run, environment, finished, in_flight)
    };
    store.transaction(&Caller::system(), step).map_err(Refusal::into_error)
}

fn advance_in_transaction(
    rows: &Transaction<'_>,
    claimed: ClaimedRun,
    environment: &RunEnvironment<'_>,
    finished: Vec<CallOutcome>,
    in_flight: &BTreeSet<String>,
) -> Result<Step, Refusal> {
    let released = Step { is_released: true, ..Step::default() };
    let Some(run) = RunRow::claimed(rows, claimed)? else { return Ok(released) };
    if let Some(reason) = run.reason_to_stop(rows)? {
        close(rows, &run, Status::Failed, &Value::Null, Some(&reason))?;
        return Ok(released);
    }
    let definition = match Definition::read(&run.row["definition"]) {
        Ok(definition) => definition,
        Err(error) => {
            close(
                rows,
                &run,
                Status::Failed,
                &Value::Null,
                Some(&format!("the definition cannot be read: {error}")),
            )?;
            return Ok(released);
        }
    };
    let names = named(&run.row["definition"]);
    let known = match RunSecrets::read(rows, &names, environment)?.checked(&run.row["definition"]) {
        Ok(known) => known,
        Err(reason) => {
            close(rows, &run, Status::Failed, &Value::Null, Some(&reason))?;
            return Ok(released);
        }
    };
    let mut secrets = known.values.clone();
    with_passwords(&mut secrets);
    let mut hidden = secrets.clone();
    with_encodings(&mut hidden);
    let inputs = run.inputs(rows)?;
    let mut state = run.state(rows)?;
    let upcoming =
        |asked_at: i64, state: &Map<String, Value>, journal: &Journal, path: &str, first_option: &str| {
            let run = Upcoming { definition: &definition, inputs: &inputs, secrets: &names, state, asked_at };
            run.text(journal, path, first_option)
        };
    let mut stored = entries::load(rows, run.id)?;
    // Mask secrets that an output repeats, as would happen after a restart.
    let masked = |one: CallOutcome| CallOutcome {
        result: match one.result {
            Ok(output) => Ok(mask(&output, &hidden)),
            Err(failure) => Err(TaskFailure { message: mask_text(&failure.message, &hidden), ..failure }),
        },
        ..one
    };
    let mut finished: Vec<CallOutcome> = finished.into_iter().map(|one| masked(limit_output(one))).collect();
    let plan_of = |asked_at, path: &str, first_option: &str| {
        upcoming(asked_at, &state, &stored.journal, path, first_option)
    };
    let (decisions, mut again) = questions::decisions(rows, run.id, &plan_of)?;
    for decision in &decisions {
        finished.push(CallOutcome { path: decision.path.clone(), result: Ok(decision.output.clone()) });
    }
    finished.extend(ended_children(rows, &run, &stored)?);
    finished.extend(event_waits::outcomes(rows, &run, &stored.journal)?);
    let mut in_flight = in_flight.clone();
    for one in &finished {
        in_flight.remove(&one.path);
    }
    let (mut changed, mut calls) = (BTreeSet::new(), Vec::new());
    let mut journal = std::mem::take(&mut stored.journal);
    for path in again.keys() {
        journal.restart(path);
    }
    let plan_now =
        |asked_at: i64, state: &Map<String, Value>, journal: &Journal, path: &str, first_option: &str| {
            let run = Upcoming { definition: &definition, inputs: &inputs, secrets: &names, state, asked_at };
            run.text_again(journal, path, first_option)
        };
    let mut last = Plan::default();
    let mut has_more_work = false;
    for round in 0.. {
        let situation = PlanInput {
            definition: &definition,
            inputs: &inputs,
            secrets: &secrets,
            configs: &Map::new(),
            state: &state,
            now: rows.now(),
            in_flight: &in_flight,
            is_dry: false,
            is_canceled: run.is_canceled,
        };
        let begun = plan_changes::started(&journal);
        let mut next = plan(&situation, journal, &finished);
        finished.clear();
        run.save_state(rows, &next, &hidden, &mut state)?;
        let now = |asked_at: i64, journal: &Journal, path: &str, first_option: &str| {
            plan_now(asked_at, &state, journal, path, first_option)
        };
        let held = plan_changes::hold_back(rows, run.id, &definition, (&mut next, &begun), &now)?;
        let asks_again = !held.is_empty();
        again.extend(held);
        for mut question in std::mem::take(&mut next.questions) {
            question.message = mask_text(&question.message, &hidden);
            if let Some(why) = again.get(&question.path) {
                question.message = questions::with_reason(why, &question.message);
            }
            let kind = next.journal.get(&question.path).map(|entry| entry.kind.as_str());
            let first_option = question.options.first().map_or("approve", String::as_str);
            let shown = (kind == Some("core.approval"))
                .then(|| upcoming(rows.now(), &state, &next.journal, &question.path, first_option))
                .flatten();
            let link = questions::ask(rows, (run.id, run.account), &question, shown.as_deref())?;
            if let Some(mut entry) = next.journal.get(&question.path).cloned() {
                entry.output = Some(
                    json!({ "approval_url": format!("{}/api/workflows/approvals/{link}", environment.base_url) }),
                );
                next.journal.put(entry);
            }
        }
        for call in std::mem::take(&mut next.calls) {
            in_flight.insert(call.path.clone());
            let is_outside =
                matches!(kinds::work(&call.kind), Some(Work::Network | Work::Program | Work::Values));
            if is_outside && !row_tasks::uses_own_rows(rows, &run, &call)? {
                calls.push(call);
            } else if round >= MAX_ROUNDS && kinds::work(&call.kind) != Some(Work::Elsewhere) {
                has_more_work = true;
                in_flight.remove(&call.path);
                next.journal.not_begun(&call.path, rows.now());
            } else if let Some(result) = known.check_internal(&call).map_or_else(
                |failure| Some(Err(failure)),
                |()| {
                    // Tasks on our own rows get masked parameters, because their results are visible to whoever may read the rows.
                    let shown = Call { params: mask(&call.params, &hidden), ..call.clone() };
                    row_tasks::carry_out(rows, &run, &shown)
                },
            ) {
                in_flight.remove(&call.path);
                finished.push(limit_output(CallOutcome { path: call.path, result }));
            } else {
                in_flight.remove(&call.path);
            }
        }
        changed.append(&mut next.changed);
        journal = std::mem::take(&mut next.journal);
        last = next;
        if finished.is_empty() && !asks_again {
            break;
        }
    }
    entries::save(rows, (run.id, run.account), &stored, &journal, &changed, &hidden)?;
    close_abandoned(rows, &run, &journal, &changed)?;
    for decision in decisions {
        rows.update("workflow_wait", &[eq("id", decision.wait)], &[("is_taken", true.into())])?;
    }
    if let Some(outcome) = last.outcome {
        let reason = run.row["cancel_reason"].as_str().filter(|_| run.is_canceled).map(str::to_owned);
        let error = reason.or(outcome.error).map(|error| mask_text(&error, &hidden));
        let output = mask(&outcome.output, &hidden);
        close(rows, &run, outcome.status, &output, error.as_deref())?;
        return Ok(released);
    }
    if in_flight.is_empty() {
        let wake = if has_more_work { Some(rows.now()) } else { last.wake };
        let due = wake.map_or(ValueRef::Null, ValueRef::Timestamp);
        rows.update(
            "workflow_execution",
            &[eq("id", run.id)],
            &[("claim", ValueRef::Null), ("due_at", due)],
        )?;
        return Ok(released);
    }
    rows.update("workflow_execution", &[eq("id", run.id)], &[("due_at", lease_end(rows))])?;
    let made = |call: Call| {
        let work = if let Some(work) = work::work_for(&run.id.to_string(), &call, &secrets) {
            work
        } else if pulls::is_one(&call.kind, &call.params) {
            PullTask::read(&run.id.to_string(), &call, &secrets).map(RunWork::Pull)
        } else if tickets::is_one(&call.kind) {
            TicketCall::of(&run, &call).map(RunWork::Ticket)
        } else if kinds::work(&call.kind) == Some(Work::Program) {
            program_call(&call.kind, &call.params, &secrets, call.timeout)
                .map(RunWork::Program)
                .map_err(|reason| TaskFailure::new("InvalidParameters", reason))
        } else if call.kind == "observability.metrics" {
            let asked = MetricsQuery::read(&call.params, rows.now());
            asked.and_then(|asked| asked.call(&run.id.to_string(), &call)).map(RunWork::Metrics)
        } else if asks_model(&call.kind) {
            work::model_call(&run, &call, &hidden).map(RunWork::Model)
        } else {
            request(&run.id.to_string(), &call, &secrets).map(RunWork::Http)
        };
        let work = work.and_then(|work| known.check(&call, &work, &secrets).map(|()| work));
        RunCall { path: call.path, work }
    };
    Ok(Step { calls: calls.into_iter().map(made).collect(), has_more_work, is_released: false })
}

/// Closes the questions, and ends the called runs, of tasks that no longer wait for them because they timed out or were ended.
fn close_abandoned(
    rows: &Transaction<'_>,
    run: &RunRow,
    journal: &Journal,
    changed: &BTreeSet<String>,
) -> Result<(), Refusal> {
    for entry in changed.iter().filter_map(|path| journal.get(path)) {
        match entry.kind.as_str() {
            _ if entry.status == Status::Started => {}
            "core.approval" => questions::close(rows, run.id, &entry.path)?,
            "core.call-workflow" => end_called(rows, run.id, &entry.path)?,
            _ => {}
        }
    }
    Ok(())
}

/// Ends the runs that a task called and that are not over.
pub(super) fn end_called(rows: &Transaction<'_>, run: Uuid, path: &str) -> Result<(), Refusal> {
    let called = called(rows, run)?.into_iter().map(Cell::Uuid).collect();
    let look = Look::at(rows, "workflow_execution")?.one_of("id", called)?.with("parent_path", path)?;
    for child in look.rows(&["id", "close_time"])?.iter().filter(|child| child["close_time"].is_null()) {
        cancel(rows, uuid(child, "id").unwrap_or_default(), "the task that called it is over")?;
    }
    Ok(())
}

fn limit_output(one: CallOutcome) -> CallOutcome {
    let size = one.result.as_ref().map_or(0, |output| output.to_string().len());
    if size <= MAX_OUTPUT_BYTES {
        return one;
    }
    let message = format!("its output has {size} bytes, and {MAX_OUTPUT_BYTES} are kept");
    CallOutcome { result: Err(TaskFailure::new("OutputTooLarge", message)), ..one }
}

/// The outcomes of runs that tasks of this run called and that are over.
fn ended_children(
    rows: &Transaction<'_>,
    run: &RunRow,
    stored: &entries::StoredJournal,
) -> Result<Vec<CallOutcome>, Refusal> {
    let waits = |path: &str| stored.journal.get(path).is_some_and(|entry| entry.status == Status::Started);
    if !stored.journal.entries().any(|entry| entry.kind == "core.call-workflow" && waits(&entry.path)) {
        return Ok(Vec::new());
    }
    let called = called(rows, run.id)?.into_iter().map(Cell::Uuid).collect();
    let look = Look::at(rows, "workflow_execution")?.one_of("id", called)?;
    let columns = ["id", "workflow_id", "parent_path", "status", "result", "error", "close_time"];
    // If a task was retried, only its last run counts.
    let mut latest = BTreeMap::new();
    for child in look.ordered("start_time", false)?.rows(&columns)? {
        latest.insert(text(&child, "parent_path").to_owned(), child);
    }
    let is_gone = |path: &str| !latest.contains_key(path);
    let calling = stored.journal.entries().filter(|entry| entry.kind == "core.call-workflow");
    let gone = calling.filter(|entry| waits(&entry.path) && is_gone(&entry.path)).map(|entry| {
        let failure = TaskFailure::new("WorkflowFailed", "the workflow it called was deleted");
        CallOutcome { path: entry.path.clone(), result: Err(failure) }
    });
    let gone: Vec<CallOutcome> = gone.collect();
    let ended = latest.into_values().filter(|child| !child["close_time"].is_null());
    let one = |mut child: Value| {
        let path = text(&child, "parent_path").to_owned();
        let result = if child["status"] == "COMPLETED" {
            let given = child["result"].take();
            let mut output =
                json!({ "workflow_id": child["workflow_id"], "run_id": child["id"], "output": &given });
            // Definitions of the reference read the members of the other workflow's output directly from the task's output.
            if let (Some(all), Value::Object(own)) = (output.as_object_mut(), given) {
                all.extend(own);
            }
            Ok(output)
        } else {
            let reason = child["error"].as_str().unwrap_or_default();
            Err(TaskFailure::new(
                "WorkflowFailed",
                format!("the workflow it called is {}: {reason}", text(&child, "status")),
            ))
        };
        CallOutcome { path, result }
    };
    Ok(ended.map(one).filter(|one| waits(&one.path)).chain(gone).collect())
}

/// The ids of the runs that tasks of a run called. The query has no further condition: few runs are
/// called by others, and any condition outside the index would scan all runs.
pub(super) fn called(rows: &Transaction<'_>, run: Uuid) -> Result<Vec<Uuid>, Refusal> {
    let system = Caller::system();
    let rows = rows.as_caller(&system);
    let found = Look::at(&rows, "workflow_execution")?.with("parent_execution", run)?.rows(&["id"])?;
    Ok(found.iter().filter_map(|row| uuid(row, "id")).collect())
}

/// Closes a run, and wakes the runs that wait for it.
fn close(
    rows: &Transaction<'_>,
    run: &RunRow,
    status: Status,
    output: &Value,
    error: Option<&str>,
) -> Result<(), Refusal> {
    let set = [
        ("status", status.name().into()),
        ("result", ValueRef::Json(&output.to_string())),
        ("error", error.into()),
        ("close_time", ValueRef::Timestamp(rows.now())),
        ("due_at", ValueRef::Null),
        ("claim", ValueRef::Null),
    ];
    rows.update("workflow_execution", &[eq("id", run.id)], &set)?;
    rows.update("workflow_wait", &[eq("execution_id", run.id)], &[("is_taken", true.into())])?;
    rows.delete("workflow_event_wait", &[eq("execution_id", run.id)])?;
    if let Some(parent) = uuid(&run.row, "parent_execution") {
        questions::wake(rows, parent)?;
    }
    release_waiting(rows, run.id)
}

/// Makes the runs due that waited for this run to be over.
pub(super) fn release_waiting(rows: &Transaction<'_>, run: Uuid) -> Result<(), Refusal> {
    let system = Caller::system();
    let all = rows.as_caller(&system);
    for waiting in Look::at(&all, "workflow_execution")?.with("waits_for", run)?.rows(&["id"])? {
        let id = uuid(&waiting, "id").unwrap_or_default();
        let open = [eq("id", id), one_of("status", vec!["SCHEDULED".into(), "RUNNING".into()])];
        let set = [("waits_for", ValueRef::Null), ("due_at", ValueRef::Timestamp(rows.now()))];
        rows.update("workflow_execution", &open, &set)?;
    }
    Ok(())
}

/// The runs of a workflow that are not over, oldest first.
pub(super) fn open_runs(rows: &Transaction<'_>, workflow: Uuid) -> Result<Vec<Value>, Refusal> {
    let open = ["SCHEDULED", "RUNNING"].map(|status| Cell::Text(status.to_owned())).to_vec();
    let look = Look::at(rows, "workflow_execution")?.with("workflow_id", workflow)?.one_of("status", open)?;
    let runs = look.ordered("start_time", false)?.rows(&[
        "id",
        "status",
        "due_at",
        "claim",
        "idempotency_key",
        "waits_for",
    ])?;
    // Runs from before the engine existed never started and never will.
    Ok(runs
        .into_iter()
        .filter(|run| run["status"] == "RUNNING" || !run["due_at"].is_null() || !run["waits_for"].is_null())
        .collect())
}
