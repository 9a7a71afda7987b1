//! Tasks that work on this service's own rows, in the transaction of the journal: each takes effect exactly once.

mod blast_radius;
mod log_groups;
mod metrics;
mod rightsizing;
mod workload_usage;

use super::run_row::RunRow;
use super::start::{MAX_DEPTH, NewRun, named, start};
use super::step::end_called;
use super::{event_waits, messages, tickets as tickets_there};
use crate::kit::{Look, reply, text, uuid};
use crate::workflows::definition::Definition;
use crate::workflows::inputs::complete;
use crate::{logs, tickets};
use automation::commands::canonical;
use automation::plan::{Call, TaskFailure};
use automation::services::events;
use automation::services::metrics::is_elsewhere;
use automation::services::tickets::is_one as is_ticket;
use automation::template::to_text;
use catalogue::{Caller, Value as Cell, ValueRef, parse_timestamp};
use graphql::Refusal;
use serde_json::{Value, json};
use store::Transaction;
use uuid::Uuid;

/// Maximum number of open runs of a called workflow; workflows that call themselves several times would otherwise fill the database.
const MAX_OPEN: u64 = 500;

/// Carries out a task on rows. `None` if it completes later: a called run must end first, or it waits for an event.
pub(super) fn carry_out(
    rows: &Transaction<'_>,
    run: &RunRow,
    call: &Call,
) -> Option<Result<Value, TaskFailure>> {
    let mut caller = Caller::system_for(run.tenant);
    caller.user = run.person;
    let acting = rows.as_caller(&caller);
    let rows = acting.with_audit_operation(super::AUDIT_OPERATION, run.person);
    let failed = |refusal: Refusal| TaskFailure::new(refusal.code, refusal.message);
    if let Err(failure) = check_account(run, &call.params) {
        return Some(Err(failure));
    }
    match canonical(&call.kind) {
        "core.blast_radius_preflight" => {
            Some(rows.attempt(|| reply(&blast_radius::read(&rows, run, call)?)).map_err(failed))
        }
        "core.call-workflow" => match rows.attempt(|| call_workflow(&acting.without_actor(), run, call)) {
            Ok(()) => None,
            Err(refusal) => Some(Err(failed(refusal))),
        },
        "tickets.create" => Some(rows.attempt(|| create_ticket(&rows, run, call)).map_err(failed)),
        kind if is_ticket(kind) => {
            Some(tickets_there::carry_out(&rows, run, call).and_then(|output| reply(&output).map_err(failed)))
        }
        events::KIND => {
            let looked =
                rows.attempt(|| event_waits::read_event(&acting.without_actor(), run, call)).map_err(failed);
            looked.and_then(|seen| seen.map(|event| reply(&event).map_err(failed)).transpose()).transpose()
        }
        "k8s.workload_usage" => {
            Some(rows.attempt(|| reply(&workload_usage::read(&rows, run, call)?)).map_err(failed))
        }
        "system.vertical_rightsize_generate" => {
            Some(rows.attempt(|| reply(&rightsizing::read(&rows, run, call)?)).map_err(failed))
        }
        "events.store" => Some(rows.attempt(|| store_event(&rows, run, call)).map_err(failed)),
        "notifications.email" => {
            Some(rows.attempt(|| reply(&messages::mail(&rows, run, call)?)).map_err(failed))
        }
        "notifications.im" => Some(rows.attempt(|| reply(&messages::say(&rows, run, call)?)).map_err(failed)),
        "observability.metrics" => {
            Some(rows.attempt(|| reply(&metrics::read(&rows, run, call)?)).map_err(failed))
        }
        "observability.log_groups" => {
            Some(rows.attempt(|| reply(&log_groups::read(&rows, run, call)?)).map_err(failed))
        }
        "observability.logs" => Some(rows.attempt(|| read_logs(&rows, run, call)).map_err(failed)),
        other => Some(Err(TaskFailure::new(
            "InvalidDefinition",
            format!("a task of type {other} cannot run here"),
        ))),
    }
}

/// Checks that a task refers only to the account of its workflow.
pub(super) fn check_account(run: &RunRow, params: &Value) -> Result<(), TaskFailure> {
    let given = to_text(&params["account_id"]);
    if given.is_empty() || Uuid::parse_str(&given).is_ok_and(|given| given == run.account) {
        return Ok(());
    }
    let message =
        format!("account_id is \"{given}\": a workflow works in its own account ({}) alone", run.account);
    Err(TaskFailure::new("AccessDenied", message))
}

/// Whether this call works on our own rows, although other calls of its type use an external service.
pub(super) fn uses_own_rows(rows: &Transaction<'_>, run: &RunRow, call: &Call) -> Result<bool, Refusal> {
    match call.kind.as_str() {
        "observability.metrics" => Ok(!is_elsewhere(&call.params)),
        kind if is_ticket(kind) => Ok(tickets_there::uses_own_rows(rows, run, call)),
        _ => messages::is_for_channel(rows, call),
    }
}

fn call_workflow(rows: &Transaction<'_>, run: &RunRow, call: &Call) -> Result<(), Refusal> {
    if run.depth >= MAX_DEPTH {
        return Err(Refusal::conflict(format!("workflows call each other deeper than {MAX_DEPTH} times")));
    }
    let workflow = named(rows, run.account, &to_text(&call.params["workflow_name"]))?;
    let called = Look::at(rows, "workflow_execution")?.with("workflow_id", uuid(&workflow, "id"))?;
    let open = ["SCHEDULED", "RUNNING"].map(|status| Cell::Text(status.to_owned())).to_vec();
    if called.one_of("status", open)?.count()? >= MAX_OPEN {
        return Err(Refusal::conflict(format!(
            "\"{}\" has {MAX_OPEN} runs that are not over, which is the most that others may call",
            text(&workflow, "name")
        )));
    }
    let unreadable = |error| Refusal::new("unexpected", format!("a stored definition: {error}"));
    let definition = Definition::read(&workflow["definition"]).map_err(unreadable)?;
    let inputs = complete(&definition, call.params.get("inputs")).map_err(Refusal::invalid)?;
    // The run called by an earlier attempt.
    end_called(rows, run.id, &call.path)?;
    let parent = Some((run.id, call.path.as_str(), run.depth));
    let begun = NewRun {
        workflow: Some(&workflow),
        inputs,
        trigger: "manual",
        person: run.person,
        parent,
        ..NewRun::default()
    };
    start(rows, &begun).map(|_| ())
}

fn create_ticket(rows: &Transaction<'_>, run: &RunRow, call: &Call) -> Result<Value, Refusal> {
    if run.person.is_none() {
        return Err(Refusal::conflict(
            "a ticket is opened in the name of a person, and nobody is known for this run: save the workflow once more",
        ));
    }
    let text = |name: &str| Some(to_text(&call.params[name])).filter(|text| !text.is_empty());
    let object = json!({
        "title": text("title"),
        "description": text("description"),
        "account_id": run.account.to_string(),
        "integration_id": text("integration_id"),
        "project_key": text("project_key"),
        "severity": text("severity"),
    });
    let Value::Object(object) = object else { return Err(Refusal::denied()) };
    let answer = tickets::open_for_run(rows, &object)?;
    let row = &answer["data"]["insert_tickets_one"];
    Ok(
        json!({ "ticket_id": row["ticket_id"], "id": row["id"], "url": row["url"], "message": row["message"], "status": "created" }),
    )
}

fn store_event(rows: &Transaction<'_>, run: &RunRow, call: &Call) -> Result<Value, Refusal> {
    let text = |name: &str| to_text(&call.params[name]);
    let or = |name: &str, otherwise: &str| {
        Some(text(name)).filter(|text| !text.is_empty()).unwrap_or_else(|| otherwise.to_owned())
    };
    let title = text("title");
    if title.trim().is_empty() {
        return Err(Refusal::invalid("title: expected a text"));
    }
    let id = Uuid::new_v4();
    let finding = format!("workflow:{}:{}:{}", run.id, call.path, call.attempt);
    let labels =
        if call.params["labels"].is_object() { call.params["labels"].to_string() } else { "{}".to_owned() };
    let evidence = if call.params["evidences"].is_array() {
        call.params["evidences"].to_string()
    } else {
        "[]".to_owned()
    };
    let priority = or("priority", "LOW").to_uppercase();
    let (key, cluster, kind, subject) = (
        or("aggregation_key", &title),
        or("cluster", ""),
        or("finding_type", "workflow"),
        or("subject_name", &title),
    );
    rows.insert(
        "events",
        &[
            ("id", id.into()),
            ("cloud_account_id", run.account.into()),
            ("aggregation_key", key.as_str().into()),
            ("cluster", cluster.as_str().into()),
            ("description", text("description").as_str().into()),
            ("evidences", ValueRef::Json(&evidence)),
            ("finding_id", finding.as_str().into()),
            ("finding_type", kind.as_str().into()),
            ("fingerprint", or("fingerprint", &key).as_str().into()),
            ("labels", ValueRef::Json(&labels)),
            ("priority", priority.as_str().into()),
            ("status", "FIRING".into()),
            ("starts_at", ValueRef::Timestamp(rows.now())),
            ("subject_name", subject.as_str().into()),
            ("subject_namespace", text("subject_namespace").as_str().into()),
            ("title", title.as_str().into()),
        ],
    )?;
    Ok(json!({ "id": id.to_string(), "status": "stored" }))
}

fn read_logs(rows: &Transaction<'_>, run: &RunRow, call: &Call) -> Result<Value, Refusal> {
    let time = |name: &str| {
        let text = to_text(&call.params[name]);
        if text.is_empty() {
            return Ok(None);
        }
        let wrong = || {
            Refusal::invalid(format!("{name} is \"{text}\": expected a time such as 2026-11-20T06:38:00Z"))
        };
        parse_timestamp(&text).map(Some).ok_or_else(wrong)
    };
    let end = time("end_time")?.unwrap_or(rows.now());
    let start = time("start_time")?.unwrap_or(end - 3_600_000_000);
    let limit = to_text(&call.params["limit"]).parse().unwrap_or(100);
    Ok(
        json!({ "logs": logs::find_lines(rows, run.account, &to_text(&call.params["query"]), (start, end), limit)? }),
    )
}
