//! Workflows with their runs: several successful ones, one failed, one waiting for an approval.

use super::{DAY, Sample, after, document, workflow_id};
use crate::workflows::ready;
use automation::approval::ApprovalPolicy;
use automation::definition::Definition;
use automation::journal::Journal;
use automation::upcoming::{Upcoming, fingerprint};
use graphql::Refusal;
use model::tables::{workflow, workflow_execution, workflow_execution_task, workflow_wait};
use model::{Id, Json, Secret, Timestamp, WorkflowExecution};
use serde_json::Value;
use std::collections::BTreeSet;

/// Name, account and YAML text.
const WORKFLOWS: [(&str, &str, &str); 3] = [
    (DIGEST, "shop", include_str!("workflows/error-log-digest.yaml")),
    (CHECK, "Shop production", include_str!("workflows/address-check.yaml")),
    (CHANGE, "Shop production", include_str!("workflows/volume-change.yaml")),
];
const DIGEST: &str = "digest";
const CHECK: &str = "check";
const CHANGE: &str = "change";

/// A run: trigger, duration in seconds, inputs, and tasks.
struct Run<'a> {
    of: &'static str,
    begun: Timestamp,
    trigger: &'static str,
    status: &'static str,
    seconds: Option<i64>,
    inputs: &'static str,
    error: Option<&'static str>,
    tasks: &'a [Task],
}

/// A task: id and type, status, start and end in seconds of its run, input, and output or error.
struct Task {
    id: &'static str,
    kind: &'static str,
    status: &'static str,
    seconds: Option<(i64, Option<i64>)>,
    input: &'static str,
    outcome: Result<&'static str, &'static str>,
}

const FOUND: Task = Task {
    id: "find-errors",
    kind: "observability.logs",
    status: "COMPLETED",
    seconds: Some((0, Some(1))),
    input: r#"{"query": "error", "limit": 50}"#,
    outcome: Ok(
        r#"{"logs": [{"severity": "error", "message": "charge failed: connection to postgres-0 refused"}, {"severity": "error", "message": "out of memory: killed process 7 (checkout)"}]}"#,
    ),
};
const STORED: Task = Task {
    id: "store-digest",
    kind: "events.store",
    status: "COMPLETED",
    seconds: Some((1, Some(2))),
    input: r#"{"title": "2 error lines in the last hour", "priority": "LOW", "aggregation_key": "error-log-digest"}"#,
    outcome: Ok(r#"{"stored": true}"#),
};
const NO_ANSWER: &str = "no answer from https://shop.example within 20 s";
const ASKED: Task = Task {
    id: "ask",
    kind: "integrations.http",
    status: "COMPLETED",
    seconds: Some((0, Some(1))),
    input: r#"{"url": "https://shop.example"}"#,
    outcome: Ok(r#"{"status_code": 200, "body": "", "headers": {"content-type": "text/html"}}"#),
};
const UNANSWERED: Task =
    Task { status: "FAILED", seconds: Some((0, Some(20))), outcome: Err(NO_ANSWER), ..ASKED };
const PRINTED: Task = Task {
    id: "remember",
    kind: "core.print",
    status: "COMPLETED",
    seconds: Some((1, Some(1))),
    input: r#"{"message": "https://shop.example answered with 200"}"#,
    outcome: Ok(r#"{"message": "https://shop.example answered with 200"}"#),
};
const NOT_PRINTED: Task = Task {
    status: "SKIPPED",
    seconds: None,
    input: "null",
    outcome: Err("not begun: the task ask failed"),
    ..PRINTED
};
const AGREED: Task = Task {
    id: "approve-change",
    kind: "core.approval",
    status: "COMPLETED",
    seconds: Some((0, Some(5_400))),
    input: r#"{"message": "Change staging-archive from gp2 to gp3?"}"#,
    outcome: Ok(r#"{"status": "approve", "comments": "Nobody is working on staging today."}"#),
};
const WAITING: Task = Task {
    status: "STARTED",
    seconds: Some((0, None)),
    input: r#"{"message": "Change shop-archive from gp2 to gp3?"}"#,
    outcome: Ok("null"),
    ..AGREED
};
const CHANGED: Task = Task {
    id: "change-type",
    kind: "cloud.aws.cli",
    status: "COMPLETED",
    seconds: Some((5_400, Some(5_403))),
    input: r#"{"command": "aws ec2 modify-volume --volume-id staging-archive --volume-type gp3"}"#,
    outcome: Ok(r#"{"exit_code": 0, "stdout": "ModificationState: modifying", "stderr": ""}"#),
};
const NOT_CHANGED: Task =
    Task { status: "SCHEDULED", seconds: None, input: "null", outcome: Ok("null"), ..CHANGED };

const AGREED_INPUTS: &str = r#"{"volume": "staging-archive"}"#;
const WAITING_INPUTS: &str = r#"{"volume": "shop-archive"}"#;

/// Writes the workflows and their runs.
pub(super) fn write(sample: &Sample<'_>) -> Result<(), Refusal> {
    for (name, account, text) in WORKFLOWS {
        let document = automation::yaml::read(text).map_err(|error| unreadable(&error.to_string()))?;
        let (definition, triggers) = ready(document["definition"].clone())?;
        let written = sample.before(40 * 24 * 60);
        sample.writer()?.insert([
            workflow::id.to(workflow_id(sample, name)),
            workflow::account_id.to(sample.account(account)?),
            workflow::name.to(document["name"].as_str().unwrap_or(name)),
            workflow::status.to("PAUSED"),
            workflow::definition.to(Json::from(&definition)),
            workflow::trigger_types.to(Json::of(&triggers).map_err(|error| unreadable(&error.to_string()))?),
            workflow::created_by.to(sample.person),
            workflow::updated_by.to(sample.person),
            workflow::created_at.to(written),
            workflow::updated_at.to(written),
        ])?;
        let runs = runs(sample, name);
        for run in runs {
            write_run(sample, account, &definition, &run)?;
        }
    }
    Ok(())
}

fn unreadable(error: &str) -> Refusal {
    Refusal::new("unexpected", format!("a workflow of the sample: {error}"))
}

fn runs(sample: &Sample<'_>, of: &'static str) -> Vec<Run<'static>> {
    let usual = Run {
        of,
        begun: sample.before(0),
        trigger: "schedule",
        status: "COMPLETED",
        seconds: Some(2),
        inputs: "{}",
        error: None,
        tasks: &[FOUND, STORED],
    };
    match of {
        // 06:00 on the last four working days.
        DIGEST => (1..)
            .map(|back| sample.before(back * 24 * 60 - 6 * 60))
            .filter(|time| !matches!(time.0.div_euclid(DAY).rem_euclid(7), 2 | 3))
            .take(4)
            .map(|begun| Run { begun, ..usual })
            .collect(),
        CHECK => {
            const URL: &str = r#"{"url": "https://shop.example"}"#;
            let checked = Run { inputs: URL, tasks: &[ASKED, PRINTED], seconds: Some(1), ..usual };
            let failed = Run {
                begun: sample.before(60),
                status: "FAILED",
                seconds: Some(20),
                error: Some(NO_ANSWER),
                tasks: &[UNANSWERED, NOT_PRINTED],
                ..checked
            };
            [4, 3, 2]
                .map(|hours| Run { begun: sample.before(hours * 60), ..checked })
                .into_iter()
                .chain([failed])
                .collect()
        }
        _ => vec![
            Run {
                begun: sample.before(30 * 24 * 60),
                trigger: "manual",
                seconds: Some(5_403),
                inputs: AGREED_INPUTS,
                tasks: &[AGREED, CHANGED],
                ..usual
            },
            Run {
                begun: sample.before(14 * 60),
                trigger: "manual",
                status: "RUNNING",
                seconds: None,
                inputs: WAITING_INPUTS,
                tasks: &[WAITING, NOT_CHANGED],
                ..usual
            },
        ],
    }
}

fn write_run(sample: &Sample<'_>, account: &str, definition: &Value, run: &Run<'_>) -> Result<(), Refusal> {
    let account = sample.account(account)?;
    let id: Id<WorkflowExecution> = sample.id(&format!("run {} {}", run.of, run.begun));
    let writer = sample.writer()?;
    let is_manual = run.trigger == "manual";
    // Nothing is due, so no engine claims the run.
    writer.insert([
        workflow_execution::id.to(id),
        workflow_execution::account_id.to(account),
        workflow_execution::workflow_id.to(workflow_id(sample, run.of)),
        workflow_execution::definition.to(Json::from(definition)),
        workflow_execution::revision.to(1),
        workflow_execution::status.to(run.status),
        workflow_execution::trigger_type.to(run.trigger),
        workflow_execution::triggered_by.to_option(is_manual.then_some(sample.person)),
        workflow_execution::inputs.to(Json::from(document(run.inputs)?)),
        workflow_execution::error.to_option(run.error.map(str::to_owned)),
        workflow_execution::start_time.to(run.begun),
        workflow_execution::close_time.to_option(run.seconds.map(|seconds| after(run.begun, seconds))),
        workflow_execution::scheduled_for.to_option((!is_manual).then_some(run.begun)),
    ])?;
    for (place, task) in (0..).zip(run.tasks) {
        let at = |seconds: i64| after(run.begun, seconds);
        let given = |text: &str| {
            Ok::<_, Refusal>(Some(document(text)?).filter(|value| !value.is_null()).map(Json::from))
        };
        writer.insert([
            workflow_execution_task::account_id.to(account),
            workflow_execution_task::execution_id.to(id),
            workflow_execution_task::place.to(place),
            workflow_execution_task::path.to(task.id),
            workflow_execution_task::task_id.to(task.id),
            workflow_execution_task::task_type.to(task.kind),
            workflow_execution_task::status.to(task.status),
            workflow_execution_task::attempt.to(i64::from(task.seconds.is_some())),
            workflow_execution_task::input.to_option(given(task.input)?),
            workflow_execution_task::output.to_option(task.outcome.map_or(Ok(None), given)?),
            workflow_execution_task::error.to_option(task.outcome.err().map(str::to_owned)),
            workflow_execution_task::settled.to(if run.seconds.is_some() { place + 1 } else { 0 }),
            workflow_execution_task::start_time.to_option(task.seconds.map(|(begun, _)| at(begun))),
            workflow_execution_task::end_time.to_option(task.seconds.and_then(|(_, ended)| ended).map(at)),
        ])?;
    }
    if run.tasks.first().is_some_and(|task| task.kind == "core.approval") {
        ask(sample, id, definition, run)?;
    }
    Ok(())
}

/// The approval of a run, with the plan that the engine would show.
fn ask(
    sample: &Sample<'_>,
    run_id: Id<WorkflowExecution>,
    definition: &Value,
    run: &Run<'_>,
) -> Result<(), Refusal> {
    let Some(task) = run.tasks.first() else { return Ok(()) };
    let read = Definition::read(definition).map_err(|error| unreadable(&error.to_string()))?;
    let inputs = document(run.inputs)?.as_object().cloned().unwrap_or_default();
    let upcoming = Upcoming {
        definition: &read,
        inputs: &inputs,
        secrets: &BTreeSet::new(),
        state: &serde_json::Map::new(),
        asked_at: run.begun.0,
    };
    let plan = upcoming.text(&Journal::default(), task.id, "approve");
    let message = document(task.input)?["message"].as_str().unwrap_or_default().to_owned();
    let policy = Json::of(&ApprovalPolicy::default()).map_err(|error| unreadable(&error.to_string()))?;
    let answered = run.seconds.map(|_| after(run.begun, 5_400));
    let said = |text: &str| answered.map(|_| text.to_owned());
    sample.writer()?.insert([
        workflow_wait::id.to(sample.id(&format!("question {}", run.begun))),
        workflow_wait::account_id.to(sample.account("Shop production")?),
        workflow_wait::execution_id.to(run_id),
        workflow_wait::path.to(task.id),
        workflow_wait::task_id.to(task.id),
        workflow_wait::message.to(message),
        workflow_wait::plan_hash.to_option(plan.as_deref().map(fingerprint)),
        workflow_wait::plan.to_option(plan),
        workflow_wait::policy.to(policy),
        workflow_wait::options.to(Json::from(document(r#"["approve", "reject"]"#)?)),
        // A random secret that is stored nowhere else, so that no valid link exists.
        workflow_wait::token_hash.to(Secret::from(auth::fingerprint(&auth::draw_secret(&mut rand::rng())))),
        workflow_wait::asked_at.to(run.begun),
        workflow_wait::answered_at.to_option(answered),
        workflow_wait::answer.to_option(said("approve")),
        workflow_wait::answered_by.to_option(said("priya@shop.example")),
        workflow_wait::comments.to_option(said("Nobody is working on staging today.")),
        workflow_wait::is_taken.to(answered.is_some()),
    ])?;
    Ok(())
}
