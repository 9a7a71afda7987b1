//! Tests of workflow runs: started, executed, interrupted and resumed, answered.
//!
//! The tests respond to the tasks' requests.

mod acting;
mod called;
mod carried;
#[cfg(unix)]
mod claims;
mod consent;
mod event_waits;
mod history;
mod needs;
mod outages;
mod pinned;
mod questions;
mod reach;
mod rightsizing;
mod schedules;
mod secrets;
mod shapes;
mod trail;
mod triggers;
mod turns;

use crate::house::{House, OWN};
use automation::plan::CallOutcome;
use operations::runs::{self, ClaimedRun, RunEnvironment, Step, advance, claim};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use store::Store;
use uuid::Uuid;

const HOUR: i64 = 3_600_000_000;

pub fn on() -> House {
    let house = House::new();
    runs::store_automation_settings(
        &house.store,
        &runs::AutomationSettings { is_on: true, ..Default::default() },
    )
    .unwrap();
    house
}

fn secret(name: &str) -> Option<String> {
    ["TOKEN", "GITLAB_TOKEN"].contains(&name).then(|| "s3cret-value".to_owned())
}

/// Decrypts secrets encrypted by the test's sealer.
fn opened(purpose: &str, sealed: &str) -> Result<String, String> {
    let secret = sealed.strip_prefix(&format!("{purpose}|")).ok_or("it opens as nothing else")?;
    Ok(secret.chars().rev().collect())
}

pub fn step(store: &Store, run: ClaimedRun, finished: Vec<CallOutcome>, in_flight: &[&str]) -> Step {
    let environment = RunEnvironment { secret: &secret, decrypt: &opened, base_url: "http://here" };
    let in_flight: BTreeSet<String> = in_flight.iter().map(|path| (*path).to_owned()).collect();
    advance(store, run, &environment, finished, &in_flight).unwrap()
}

pub fn done(path: &str, output: Value) -> Vec<CallOutcome> {
    vec![CallOutcome { path: path.to_owned(), result: Ok(output) }]
}

pub fn claimed(store: &Store) -> ClaimedRun {
    claim(store, Uuid::new_v4()).unwrap().expect("a run that is due")
}

/// Executes everything due; requests get status 200.
pub fn carry_out(store: &Store) {
    while carry_one(store) {}
}

/// Like [`carry_out`], for the first due run, if there is one.
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

/// The status of the latest run in the list of workflows, and in that of runs.
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

/// The HTTP request of a call.
pub fn http(call: &runs::RunCall) -> &automation::services::requests::HttpRequest {
    match call.work.as_ref().unwrap() {
        runs::RunWork::Http(request) => request,
        other => panic!("no request: {other:?}"),
    }
}
