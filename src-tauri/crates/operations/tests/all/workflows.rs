//! Runs of workflows: begun, carried out, cut off and taken up again, answered. Services that tasks ask are answered here.

mod acting;
#[cfg(unix)]
mod claims;
mod event_waits;
mod outages;
mod pinned;
mod reach;
mod schedules;
mod secrets;

use crate::house::{House, NOW, OWN, PERSON, TENANT};
use automation::plan::{CallOutcome, TaskFailure};
use catalogue::{Caller, ValueRef};
use operations::runs::{
    self, Answer, ClaimedRun, Delivery, QuestionError, Step, Surroundings, WebhookError, advance, claim,
};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use store::{Store, eq};
use uuid::Uuid;

const HOUR: i64 = 3_600_000_000;

pub fn on() -> House {
    let house = House::new();
    runs::set_power(&house.store, &runs::EnginePower { is_on: true, ..Default::default() }).unwrap();
    house
}

fn secret(name: &str) -> Option<String> {
    ["TOKEN", "GITLAB_TOKEN"].contains(&name).then(|| "s3cret-value".to_owned())
}

/// Opens what the sealer of the tests of secrets has sealed.
fn opened(purpose: &str, sealed: &str) -> Result<String, String> {
    let secret = sealed.strip_prefix(&format!("{purpose}|")).ok_or("it opens as nothing else")?;
    Ok(secret.chars().rev().collect())
}

pub fn step(store: &Store, run: ClaimedRun, finished: Vec<CallOutcome>, in_flight: &[&str]) -> Step {
    let around = Surroundings { secret: &secret, open: &opened, base_url: "http://here" };
    let in_flight: BTreeSet<String> = in_flight.iter().map(|path| (*path).to_owned()).collect();
    advance(store, run, &around, finished, &in_flight).unwrap()
}

pub fn done(path: &str, output: Value) -> Vec<CallOutcome> {
    vec![CallOutcome { path: path.to_owned(), result: Ok(output) }]
}

pub fn claimed(store: &Store) -> ClaimedRun {
    claim(store, Uuid::new_v4()).unwrap().expect("a run that is due")
}

/// Carries out everything that is due; services answer 200.
pub fn carry_out(store: &Store) {
    while carry_one(store) {}
}

/// The same with the first run that is due, if there is one.
pub fn carry_one(store: &Store) -> bool {
    let Some(run) = claim(store, Uuid::new_v4()).unwrap() else { return false };
    let mut next = step(store, run, Vec::new(), &[]);
    while !next.is_released {
        let made = next.calls.into_iter().map(|call| CallOutcome {
            path: call.path,
            result: call.work.map(|_| json!({ "status_code": 200 })),
        });
        next = step(store, run, made.collect(), &[]);
    }
    true
}

pub fn create(house: &House, name: &str, status: &str, triggers: &str, tasks: &str) -> String {
    let made = house.answers(&format!(
        r#"mutation {{ workflow_create(request: {{ account_id: "{OWN}", workflow: {{ name: "{name}", status: "{status}", definition: {{
          triggers: [{triggers}] tasks: [{tasks}] }} }} }}) {{ id token }} }}"#
    ));
    made["workflow_create"]["id"].as_str().unwrap().to_owned()
}

pub fn trigger(house: &House, id: &str) -> String {
    let query = format!(
        r#"mutation {{ workflow_trigger(request: {{ account_id: "{OWN}", id: "{id}" }}) {{ execution_id }} }}"#
    );
    house.answers(&query)["workflow_trigger"]["execution_id"].as_str().unwrap().to_owned()
}

pub fn run_of(house: &House, workflow: &str, run: &str) -> Value {
    let query = format!(
        r#"{{ workflow_get_execution(request: {{ account_id: "{OWN}", workflow_id: "{workflow}", id: "{run}" }}) {{
          status error workflow_result parent_workflow_id tasks {{ id status attempt input output error children }} }} }}"#
    );
    house.answers(&query)["workflow_get_execution"].clone()
}

fn statuses(house: &House, workflow: &str) -> Vec<String> {
    let query = format!(
        r#"{{ workflow_list_executions(request: {{ account_id: "{OWN}", id: "{workflow}" }}) {{ executions {{ status }} }} }}"#
    );
    let found = house.answers(&query);
    let runs = found["workflow_list_executions"]["executions"].as_array().unwrap();
    runs.iter().map(|run| run["status"].as_str().unwrap().to_owned()).collect()
}

/// How the latest run stands in the list of workflows, and in that of runs.
fn standing(house: &House, workflow: &str) -> Value {
    let query = format!(
        r#"{{ workflow_get(request: {{ account_id: "{OWN}", id: "{workflow}" }}) {{ last_execution_status last_execution_waits_for }}
          workflow_list_executions(request: {{ account_id: "{OWN}", id: "{workflow}" }}) {{ executions {{ waits_for }} }} }}"#
    );
    let found = house.answers(&query);
    json!([
        found["workflow_get"]["last_execution_status"],
        found["workflow_get"]["last_execution_waits_for"],
        found["workflow_list_executions"]["executions"][0]["waits_for"],
    ])
}

const MANUAL: &str = r#"{ type: "manual" }"#;
const ASK: &str = r#"{ id: "ask", type: "integrations.http", params: { url: "https://a.example", auth_type: "bearer", bearer_token: "{{ Secrets.TOKEN }}" } }"#;

/// The request of a call over HTTP.
pub fn http(call: &runs::RunCall) -> &automation::services::requests::HttpRequest {
    match call.work.as_ref().unwrap() {
        runs::RunWork::Http(request) => request,
        other => panic!("no request: {other:?}"),
    }
}

#[test]
fn nothing_begins_while_automation_is_off() {
    let house = House::new();
    let id =
        create(&house, "nightly", "ACTIVE", r#"{ type: "schedule", params: { cron: "0 * * * *" } }"#, ASK);
    let refused = house.refuses(&format!(
        r#"mutation {{ workflow_trigger(request: {{ account_id: "{OWN}", id: "{id}" }}) {{ id }} }}"#
    ));
    assert!(refused.contains("QUARTERDECK_AUTOMATION=on"), "{refused}");
    assert_eq!(runs::start_due(&house.store).unwrap(), None);
    runs::set_power(&house.store, &runs::EnginePower { is_on: true, ..Default::default() }).unwrap();
    assert_eq!(runs::start_due(&house.store).unwrap(), Some(NOW + HOUR));
    runs::set_power(&house.store, &runs::EnginePower { is_on: false, ..Default::default() }).unwrap();
    assert_eq!(runs::start_due(&house.store).unwrap(), None, "no next time");
}

#[test]
fn a_run_is_carried_out_and_shows_its_states_without_secrets() {
    let house = on();
    let say = r#"{ id: "say", type: "core.print", params: { message: "{{ Tasks.ask.output.status_code }} {{ Secrets.TOKEN }}" }, depends_on: ["ask"] }"#;
    let id = create(&house, "nightly", "PAUSED", MANUAL, &format!("{ASK} {say}"));
    let run = trigger(&house, &id);
    let mine = claimed(&house.store);
    let next = step(&house.store, mine, Vec::new(), &[]);
    let request = http(&next.calls[0]);
    assert!(request.headers.contains(&("Authorization".to_owned(), "Bearer s3cret-value".to_owned())));
    assert!(request.headers.contains(&("Idempotency-Key".to_owned(), format!("qd:{run}:ask:1"))));
    assert_eq!(
        (run_of(&house, &id, &run)["status"].as_str(), claim(&house.store, Uuid::new_v4()).unwrap()),
        (Some("RUNNING"), None)
    );
    assert!(
        step(&house.store, mine, done("ask", json!({ "status_code": 200, "echo": "s3cret-value" })), &[])
            .is_released
    );
    let seen = run_of(&house, &id, &run);
    assert_eq!(seen["status"], "COMPLETED");
    assert_eq!(seen["tasks"][1]["output"], json!({ "data": "200 ***" }));
    assert!(!seen.to_string().contains("s3cret-value"), "{seen}");
    assert_eq!(statuses(&house, &id), ["COMPLETED"]);
}

#[test]
fn a_run_that_waits_for_a_person_says_so_in_the_lists() {
    let house = on();
    let approval = r#"{ id: "agree", type: "core.approval", params: { message: "Go on?", timeout: "1h", default_on_timeout: "approve" } }"#;
    let wait = r#"{ id: "wait", type: "core.wait", params: { duration: "1h" }, depends_on: ["agree"] }"#;
    let id = create(&house, "asks", "PAUSED", MANUAL, &format!("{approval} {wait}"));
    trigger(&house, &id);
    carry_out(&house.store);
    assert_eq!(standing(&house, &id), json!(["RUNNING", "approval", "approval"]));
    let post =
        r#"{ id: "send", type: "integrations.http", params: { url: "https://a.example", method: "POST" } }"#;
    let other = create(&house, "sends", "PAUSED", MANUAL, post);
    trigger(&house, &other);
    step(&house.store, claimed(&house.store), Vec::new(), &[]);
    assert_eq!(standing(&house, &other), json!(["RUNNING", null, null]));
    runs::release_all(&house.store).unwrap();
    carry_out(&house.store);
    assert_eq!(standing(&house, &other), json!(["RUNNING", "decision", "decision"]));
}

#[test]
fn a_question_whose_time_is_over_is_asked_no_more() {
    let house = on();
    let approval = r#"{ id: "agree", type: "core.approval", params: { message: "Go on?", timeout: "1h", default_on_timeout: "approve" } }"#;
    let wait = r#"{ id: "wait", type: "core.wait", params: { duration: "9h" }, depends_on: ["agree"] }"#;
    let id = create(&house, "asks", "PAUSED", MANUAL, &format!("{approval} {wait}"));
    trigger(&house, &id);
    carry_out(&house.store);
    let asked = |house: &House| {
        let found = house.answers("{ workflow_count_approvals(request: {}) { count } }");
        found["workflow_count_approvals"]["count"].clone()
    };
    assert_eq!(asked(&house), 1);
    carry_out(&house.store.clone().with_clock(|| NOW + 2 * HOUR));
    assert_eq!((asked(&house), standing(&house, &id)), (json!(0), json!(["RUNNING", null, null])));
}

#[test]
fn a_workflow_that_is_called_ends_with_the_time_of_the_task() {
    let house = on();
    let wait = r#"{ id: "wait", type: "core.wait", params: { duration: "9h" } }"#;
    let child = create(&house, "slow", "PAUSED", MANUAL, wait);
    let call =
        r#"{ id: "call", type: "core.call-workflow", params: { workflow_name: "slow" }, timeout: "1h" }"#;
    let id = create(&house, "calls", "PAUSED", MANUAL, call);
    let run = trigger(&house, &id);
    carry_out(&house.store);
    assert_eq!(statuses(&house, &child), ["RUNNING"]);
    carry_out(&house.store.clone().with_clock(|| NOW + 2 * HOUR));
    assert_eq!(
        (run_of(&house, &id, &run)["status"].as_str(), statuses(&house, &child)),
        (Some("TIMED_OUT"), vec!["CANCELED".to_owned()])
    );
}

#[test]
fn after_the_service_was_killed_no_finished_task_runs_again() {
    let house = on();
    let other = ASK.replace("\"ask\"", "\"other\"");
    let id = create(&house, "nightly", "PAUSED", MANUAL, &format!("{ASK} {other}"));
    let run = trigger(&house, &id);
    let mine = claimed(&house.store);
    assert_eq!(step(&house.store, mine, Vec::new(), &[]).calls.len(), 2);
    step(&house.store, mine, done("ask", json!({})), &["other"]);
    let house = house.opened_again();
    runs::release_all(&house.store).unwrap();
    let again = claimed(&house.store);
    let next = step(&house.store, again, Vec::new(), &[]);
    let calls: Vec<&str> = next.calls.iter().map(|call| call.path.as_str()).collect();
    assert_eq!(calls, ["other"]);
    let key = ("Idempotency-Key".to_owned(), format!("qd:{run}:other:1"));
    assert!(http(&next.calls[0]).headers.contains(&key), "under the same key");
    assert!(
        step(&house.store, mine, done("other", json!({})), &[]).is_released,
        "the runner before has lost the run"
    );
    assert_eq!(run_of(&house, &id, &run)["status"], "RUNNING");
    step(&house.store, again, done("other", json!({})), &[]);
    assert_eq!(run_of(&house, &id, &run)["status"], "COMPLETED");
}

/// The id and the token of the link in a waiting task's output.
fn link(seen: &Value) -> (Uuid, String) {
    let url = seen["tasks"][0]["output"]["approval_url"].as_str().unwrap_or_else(|| panic!("{seen}"));
    let rest = url.strip_prefix("http://here/api/workflows/approvals/").unwrap();
    let (id, token) = rest.split_once('/').unwrap();
    (id.parse().unwrap(), token.to_owned())
}

fn says(status: &str) -> Answer {
    Answer {
        status: status.to_owned(),
        comments: "fine".to_owned(),
        by: Some(runs::Voter {
            user: PERSON,
            email: "ada@example.com".to_owned(),
            caller: Caller::person(PERSON, TENANT, vec![catalogue::Role::TenantAdmin]),
        }),
    }
}

#[test]
fn a_request_that_may_have_had_its_effect_waits_for_a_person() {
    let house = on();
    let post =
        r#"{ id: "pay", type: "integrations.http", params: { url: "https://a.example", method: "POST" } }"#;
    let id = create(&house, "nightly", "PAUSED", MANUAL, post);
    let run = trigger(&house, &id);
    step(&house.store, claimed(&house.store), Vec::new(), &[]);
    let house = house.opened_again();
    runs::release_all(&house.store).unwrap();
    let next = step(&house.store, claimed(&house.store), Vec::new(), &[]);
    assert!(next.calls.is_empty() && next.is_released);
    let seen = run_of(&house, &id, &run);
    assert_eq!(seen["tasks"][0]["status"], "UNKNOWN");
    let (question, token) = link(&seen);
    runs::answer(&house.store, question, &token, &says("complete")).unwrap();
    carry_out(&house.store);
    assert_eq!(run_of(&house, &id, &run)["status"], "COMPLETED");
}

#[test]
fn an_approval_is_decided_once() {
    let house = on();
    let approval = r#"{ id: "ok", type: "core.approval", params: { message: "Go?" } }"#;
    let id = create(&house, "nightly", "PAUSED", MANUAL, approval);
    let run = trigger(&house, &id);
    carry_out(&house.store);
    assert_eq!(runs::next_run(&house.store).unwrap(), None, "nothing is due while it waits");
    let (question, token) = link(&run_of(&house, &id, &run));
    let shown = runs::question(&house.store, question, &token).unwrap();
    assert_eq!((shown.message.as_str(), shown.options.len(), shown.answer), ("Go?", 2, None));
    assert!(matches!(runs::question(&house.store, question, "guess"), Err(QuestionError::None)));
    assert!(matches!(
        runs::answer(&house.store, question, &token, &says("maybe")),
        Err(QuestionError::Unknown { .. })
    ));
    assert!(!shown.is_closed);
    runs::answer(&house.store, question, &token, &says("reject")).unwrap();
    assert!(matches!(
        runs::answer(&house.store, question, &token, &says("approve")),
        Err(QuestionError::Answered(_))
    ));
    carry_out(&house.store);
    let seen = run_of(&house, &id, &run);
    assert_eq!(
        seen["tasks"][0]["output"],
        json!({ "status": "reject", "approver": "ada@example.com", "comments": "fine" })
    );
    let rows = house.store.snapshot::<_, store::StoreError>(&Caller::house(), |rows| {
        rows.count("audit_trail", &[eq("operation", "workflow_approval"), eq("user_id", PERSON)])
    });
    assert_eq!(rows.unwrap(), 2, "the vote and the answer are in the audit trail");
}

#[test]
fn an_approval_that_nobody_answers_is_over_in_time() {
    let house = on();
    let approval = r#"{ id: "ok", type: "core.approval", params: { message: "Go?", timeout: "30m", default_on_timeout: "reject" } }"#;
    let id = create(&house, "nightly", "PAUSED", MANUAL, approval);
    let run = trigger(&house, &id);
    carry_out(&house.store);
    assert_eq!(runs::next_run(&house.store).unwrap(), Some(NOW + HOUR / 2));
    carry_out(&house.store.clone().with_clock(|| NOW + HOUR));
    assert_eq!(run_of(&house, &id, &run)["tasks"][0]["output"]["status"], "reject");
}

#[test]
fn a_schedule_begins_runs_in_time_and_skips_while_one_is_open() {
    let house = on();
    let schedule = r#"{ type: "schedule", params: { cron: "0 * * * *", zone: "eu" } }"#;
    let id = create(
        &house,
        "nightly",
        "ACTIVE",
        schedule,
        r#"{ id: "say", type: "core.print", params: { message: "{{ zone }} {{ workflow_scheduled_time }}" } }"#,
    );
    assert_eq!(runs::start_due(&house.store).unwrap(), Some(NOW + HOUR));
    let later = house.store.clone().with_clock(|| NOW + HOUR + 1);
    assert_eq!(runs::start_due(&later).unwrap(), Some(NOW + 2 * HOUR));
    assert_eq!(statuses(&house, &id), ["SCHEDULED"]);
    let later = house.store.clone().with_clock(|| NOW + 2 * HOUR);
    runs::start_due(&later).unwrap();
    assert_eq!(statuses(&house, &id).len(), 1, "the one before is not over");
    carry_out(&later);
    assert_eq!(statuses(&house, &id), ["COMPLETED"]);
    let late = house.store.clone().with_clock(|| NOW + 10 * HOUR + HOUR / 2);
    assert_eq!(runs::start_due(&late).unwrap(), Some(NOW + 11 * HOUR));
    assert_eq!(statuses(&house, &id).len(), 1, "what is later than a minute is missed");
    house.answers(&format!(
        r#"mutation {{ workflow_pause(request: {{ account_id: "{OWN}", id: "{id}" }}) {{ data }} }}"#
    ));
    assert_eq!(runs::start_due(&late).unwrap(), None);
}

#[test]
fn a_webhook_starts_its_workflow_with_its_secret() {
    let house = on();
    let webhook = r#"{ type: "webhook", params: { integration_name: "ci", secret: "open-sesame", filter: "{{ payload.kind == 'deploy' }}" } }"#;
    let id = create(
        &house,
        "hook",
        "ACTIVE",
        webhook,
        r#"{ id: "say", type: "core.print", params: { message: "{{ Inputs.kind }}" } }"#,
    );
    let stored = house.answers(&format!(r#"{{ workflow_get(request: {{ account_id: "{OWN}", id: "{id}" }}) {{ definition {{ triggers {{ params }} }} }} }}"#));
    assert!(!stored.to_string().contains("open-sesame"), "{stored}");
    let workflow: Uuid = id.parse().unwrap();
    let deliver = |secret: Option<&str>, kind: &str, key: Option<&str>| {
        runs::deliver(&house.store, &Delivery { workflow, secret, body: json!({ "kind": kind }), key })
    };
    assert!(matches!(deliver(None, "deploy", None), Err(WebhookError::Secret)));
    assert!(matches!(deliver(Some("guess"), "deploy", None), Err(WebhookError::Secret)));
    assert_eq!(deliver(Some("open-sesame"), "test", None).unwrap(), None, "the filter does not hold");
    let run = deliver(Some("open-sesame"), "deploy", Some("1")).unwrap().unwrap();
    assert_eq!(deliver(Some("open-sesame"), "deploy", Some("1")).unwrap(), None, "once");
    carry_out(&house.store);
    assert_eq!(run_of(&house, &id, &run.to_string())["tasks"][0]["output"], json!({ "data": "deploy" }));
    house.answers(&format!(
        r#"mutation {{ workflow_pause(request: {{ account_id: "{OWN}", id: "{id}" }}) {{ data }} }}"#
    ));
    assert!(matches!(deliver(Some("open-sesame"), "deploy", None), Err(WebhookError::Paused(_))));
    house.answers(&format!(
        r#"mutation {{ workflow_delete(request: {{ account_id: "{OWN}", id: "{id}" }}) {{ message }} }}"#
    ));
    assert!(matches!(deliver(Some("open-sesame"), "deploy", None), Err(WebhookError::None)));
}

#[test]
fn an_event_starts_a_workflow_once_and_tasks_on_rows_have_their_effect_once() {
    let house = on();
    let event = r#"{ type: "event", params: { event_type: "OOMKilled", filter: "{{ event.event_type == 'OOMKilled' and event.account_id == Inputs.event.cloud_account_id and event.priority == 'HIGH' }}" } }"#;
    let tasks = r#"{ id: "open", type: "tickets.create", params: { integration_id: "", project_key: "OPS", title: "{{ Inputs.event.title }}", description: "d" } }
        { id: "note", type: "events.store", params: { title: "handled" } }
        { id: "logs", type: "observability.logs", params: { query: "", start_time: "1970-01-01T00:00:00Z" } }"#;
    let id = create(&house, "oom", "ACTIVE", event, tasks);
    let insert = |key: &str, priority: &str| {
        house
            .store
            .transaction::<_, store::StoreError>(&Caller::house_for(TENANT), |rows| {
                rows.insert(
                    "events",
                    &[
                        ("cloud_account_id", OWN.into()),
                        ("aggregation_key", key.into()),
                        ("cluster", "c".into()),
                        ("evidences", ValueRef::Json("[]")),
                        ("finding_id", format!("{key}{priority}").as_str().into()),
                        ("finding_type", "issue".into()),
                        ("priority", priority.into()),
                        ("subject_name", "web".into()),
                        ("title", "out of memory".into()),
                        ("starts_at", ValueRef::Timestamp(NOW)),
                    ],
                )
            })
            .unwrap();
    };
    insert("OOMKilled", "HIGH");
    insert("OOMKilled", "LOW");
    insert("Other", "HIGH");
    assert_eq!(statuses(&house, &id).len(), 1);
    carry_out(&house.store);
    assert_eq!(statuses(&house, &id), ["COMPLETED"]);
    let counted = house.store.snapshot::<_, store::StoreError>(&Caller::house(), |rows| {
        Ok((
            rows.count("tickets", &[eq("title", "out of memory")])?,
            rows.count("events", &[eq("title", "handled")])?,
        ))
    });
    assert_eq!(counted.unwrap(), (1, 1));
}

#[test]
fn a_workflow_calls_another_and_goes_on_with_what_it_gave() {
    let house = on();
    let child = create(
        &house,
        "child",
        "PAUSED",
        MANUAL,
        r#"{ id: "say", type: "core.print", params: { message: "hello {{ who }}" } }"#,
    );
    let call = r#"{ id: "call", type: "core.call-workflow", params: { workflow_name: "child", inputs: { who: "sea" } } }
        { id: "after", type: "core.print", params: { message: "{{ Tasks.call.output.output.say.data }}, {{ Tasks.call.output.say.data }}" }, depends_on: ["call"] }"#;
    let id = create(&house, "parent", "PAUSED", MANUAL, call);
    let run = trigger(&house, &id);
    carry_out(&house.store);
    let seen = run_of(&house, &id, &run);
    assert_eq!(
        (seen["status"].as_str(), &seen["tasks"][1]["output"]["data"]),
        (Some("COMPLETED"), &json!("hello sea, hello sea")),
        "{seen}"
    );
    let inner = seen["tasks"][0]["output"]["run_id"].as_str().unwrap();
    assert_eq!(run_of(&house, &child, inner)["parent_workflow_id"], json!(id));
    let lost = create(
        &house,
        "lost",
        "PAUSED",
        MANUAL,
        r#"{ id: "call", type: "core.call-workflow", params: { workflow_name: "none" } }"#,
    );
    let run = trigger(&house, &lost);
    carry_out(&house.store);
    assert!(run_of(&house, &lost, &run)["error"].as_str().unwrap().contains("there is no workflow \"none\""));
}

#[test]
fn a_workflow_goes_on_when_what_it_called_is_ended_or_deleted() {
    for goes in ["workflow_cancel_execution", "workflow_delete"] {
        let house = on();
        let asks = r#"{ id: "ok", type: "core.approval", params: { message: "Go?" } }"#;
        let child = create(&house, "child", "PAUSED", MANUAL, asks);
        let call = r#"{ id: "call", type: "core.call-workflow", params: { workflow_name: "child" } }"#;
        let id = create(&house, "parent", "PAUSED", MANUAL, call);
        let run = trigger(&house, &id);
        // The child has not begun.
        assert!(carry_one(&house.store));
        let called = house.answers(&format!(
            r#"{{ workflow_list_executions(request: {{ account_id: "{OWN}", id: "{child}" }}) {{ executions {{ id }} }} }}"#
        ));
        let called = called["workflow_list_executions"]["executions"][0]["id"].as_str().unwrap();
        let (more, answer) = match goes {
            "workflow_delete" => (String::new(), "message"),
            _ => (format!(r#", execution_id: "{called}""#), "status"),
        };
        house.answers(&format!(
            r#"mutation {{ {goes}(request: {{ account_id: "{OWN}", id: "{child}" {more} }}) {{ {answer} }} }}"#
        ));
        carry_out(&house.store);
        assert_eq!(run_of(&house, &id, &run)["status"], "FAILED", "{goes}");
    }
}

#[test]
fn a_workflow_that_calls_itself_over_and_over_comes_to_an_end() {
    let house = on();
    let calls = r#"{ id: "each", type: "core.foreach", params: { items: "{{ range(1000) | list }}", concurrency: 1000,
        tasks: [{ id: "call", type: "core.call-workflow", params: { workflow_name: "grows" } }] } }"#;
    let id = create(&house, "grows", "PAUSED", MANUAL, calls);
    trigger(&house, &id);
    assert!(carry_one(&house.store));
    let count = house
        .store
        .snapshot::<_, store::StoreError>(&Caller::house(), |rows| rows.count("workflow_execution", &[]));
    assert_eq!(count.unwrap(), 500);
}

#[test]
fn a_run_of_many_tasks_on_rows_comes_to_its_end() {
    let house = on();
    let store = r#"{ id: "store", type: "events.store", params: { title: "item {{ item }}" } }"#;
    let many = format!(
        r#"{{ id: "each", type: "core.foreach", params: {{ items: "{{{{ range(210) | list }}}}", tasks: [{store}] }} }}"#
    );
    let id = create(&house, "many", "PAUSED", MANUAL, &many);
    let run = trigger(&house, &id);
    carry_out(&house.store);
    assert_eq!(run_of(&house, &id, &run)["status"], "COMPLETED");
    let stored =
        house.store.snapshot::<_, store::StoreError>(&Caller::house(), |rows| rows.count("events", &[]));
    assert_eq!(stored.unwrap(), 210, "each once");
}

#[test]
fn tasks_inside_others_are_shown_as_children_and_failures_with_their_reason() {
    let house = on();
    let each = r#"{ id: "each", type: "core.foreach", params: { items: [1, 2], tasks: [{ id: "ask", type: "integrations.http", params: { url: "https://a.example/{{ item }}" } }] } }"#;
    let id = create(&house, "loop", "PAUSED", MANUAL, each);
    let run = trigger(&house, &id);
    let mine = claimed(&house.store);
    step(&house.store, mine, Vec::new(), &[]);
    let failure = TaskFailure::new("HttpError", "the service answered 500: s3cret-value");
    step(&house.store, mine, vec![CallOutcome { path: "each/0/ask".to_owned(), result: Err(failure) }], &[]);
    let seen = run_of(&house, &id, &run);
    assert_eq!(
        (seen["status"].as_str(), &seen["tasks"][0]["children"][0]["status"]),
        (Some("FAILED"), &json!("FAILED")),
        "{seen}"
    );
}

#[test]
fn what_cannot_run_here_is_told_when_it_is_written_and_a_dry_run_touches_nothing() {
    let house = on();
    let refused = house.refuses(&format!(
        r#"mutation {{ workflow_validate(request: {{ account_id: "{OWN}", workflow: {{ name: "x", definition: {{ triggers: [{MANUAL}]
          tasks: [{{ id: "a", type: "k8s.continuous_rightsize", params: {{ namespace: "x", name: "x" }} }}] }} }} }}) {{ message }} }}"#
    ));
    assert!(
        refused.contains("k8s.continuous_rightsize cannot run here: it watches live figures of the cluster")
            && refused.contains("Use an auto-pilot"),
        "{refused}"
    );
    let dry = house.answers(&format!(
        r#"mutation {{ workflow_trigger_dryrun(request: {{ account_id: "{OWN}", definition: {{ triggers: [{MANUAL}] tasks: [{ASK}] }} }}) {{ status output tasks {{ id status }} }} }}"#
    ));
    let dry = &dry["workflow_trigger_dryrun"];
    assert_eq!((dry["status"].as_str(), dry["tasks"][0]["id"].as_str()), (Some("COMPLETED"), Some("ask")));
    assert_eq!(dry["output"]["would"]["ask"], "GET https://a.example/\nAuthorization: ***");
    assert_eq!(runs::next_run(&house.store).unwrap(), None);
}

#[test]
fn no_tenant_waits_for_the_runs_of_another() {
    let house = on();
    let id = create(&house, "busy", "PAUSED", MANUAL, ASK);
    let most = usize::try_from(runs::MOST_OF_A_TENANT).unwrap();
    for _ in 0..=most {
        trigger(&house, &id);
    }
    let held: Vec<ClaimedRun> = (0..most).map(|_| claimed(&house.store)).collect();
    assert_eq!(claim(&house.store, Uuid::new_v4()).unwrap(), None, "the tenant has its full number at work");
    let next = runs::next_run(&house.store).unwrap();
    assert!(next.is_some_and(|next| next > NOW), "nobody looks again and again: {next:?}");
    // Another tenant has its turn.
    let stranger = Uuid::from_u128(0xf0);
    let theirs = |rows: &store::Transaction<'_>| {
        rows.insert(
            "tenant",
            &[
                ("id", stranger.into()),
                ("name", "theirs".into()),
                ("created_by", PERSON.into()),
                ("updated_by", PERSON.into()),
            ],
        )?;
        let run = [("tenant_id", stranger.into()), ("due_at", ValueRef::Timestamp(NOW))];
        rows.update("workflow_execution", &[store::is_null("claim")], &run).map(drop)
    };
    house.store.transaction(&Caller::house(), theirs).unwrap();
    assert_eq!(claimed(&house.store).tenant, stranger);
    // Whoever held them is gone: they are taken up.
    let later = house.store.clone().with_clock(|| NOW + HOUR);
    let taken_up: Vec<Uuid> =
        (0..most).filter_map(|_| claim(&later, Uuid::new_v4()).unwrap()).map(|run| run.id).collect();
    assert!(held.iter().any(|run| taken_up.contains(&run.id)), "{taken_up:?}");
}

#[test]
fn what_has_begun_is_carried_on_before_what_waits_for_its_first_turn() {
    let house = on();
    let wait = r#"{ id: "wait", type: "core.wait", params: { duration: "1h" } }"#;
    let slow = create(&house, "slow", "PAUSED", MANUAL, wait);
    let timer = trigger(&house, &slow);
    carry_out(&house.store);
    let flood = create(&house, "flood", "PAUSED", MANUAL, ASK);
    let first = trigger(&house, &flood);
    // Its time has come, after others were begun.
    house
        .store
        .transaction::<_, store::StoreError>(&Caller::house_for(TENANT), |rows| {
            let run = Uuid::parse_str(&timer).unwrap();
            let earlier = [("due_at", ValueRef::Timestamp(NOW - 60_000_000))];
            rows.derived().update(
                "workflow_execution",
                &[eq("id", Uuid::parse_str(&first).unwrap())],
                &earlier,
            )?;
            rows.derived().update(
                "workflow_execution",
                &[eq("id", run)],
                &[("due_at", ValueRef::Timestamp(NOW))],
            )
        })
        .unwrap();
    assert_eq!(claimed(&house.store).id.to_string(), timer);
    assert_eq!(claimed(&house.store).id.to_string(), first);
}
