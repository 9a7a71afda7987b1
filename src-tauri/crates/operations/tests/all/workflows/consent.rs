//! Tests that an approval is void if the approved plan changes afterwards: no following task starts, and approval is requested again.

use super::{MANUAL, claimed, create, done, http, on, run_of, step, trigger};
use crate::house::{House, OWN};
use operations::runs;
use serde_json::{Value, json};

const LOOKS: &str = r#"{ id: "look", type: "integrations.http", params: { url: "https://a.example/look" } }"#;
const ASKS: &str = r#"{ id: "ok", type: "core.approval", params: { message: "Stop it?", timeout: "24h" } }"#;

fn acts(body: &str) -> String {
    format!(
        r#"{{ id: "act", type: "integrations.http", depends_on: ["ok", "look"], if: "{{{{ Tasks.ok.output.status == 'approve' }}}}",
          params: {{ url: "https://a.example/stop", method: "POST", body: "{body}" }} }}"#
    )
}

fn questions(house: &House, status: &str) -> Vec<Value> {
    let query = format!(
        r#"{{ workflow_list_approvals(request: {{ status: "{status}" }}) {{ approvals {{ id message plan plan_id answer }} }} }}"#
    );
    let found = house.answers(&query)["workflow_list_approvals"]["approvals"].clone();
    found.as_array().cloned().unwrap_or_default()
}

fn says(house: &House, question: &Value, status: &str) {
    let (id, plan) = (question["id"].as_str().unwrap(), question["plan_id"].as_str().unwrap());
    house.answers(&format!(
        r#"mutation {{ workflow_answer_approval(request: {{ id: "{id}", plan_id: "{plan}", status: "{status}" }}) {{ is_decided }} }}"#
    ));
}

/// A run that was approved while the other branch was running; then that branch returned `given`.
fn agreed_before(
    body: &str,
    more: &str,
    given: Value,
) -> (House, String, String, runs::Step, runs::ClaimedRun) {
    let house = on();
    let tasks = [LOOKS, ASKS, &acts(body), more].join("\n");
    let id = create(&house, "stops", "PAUSED", MANUAL, &tasks);
    let run = trigger(&house, &id);
    let mine = claimed(&house.store);
    step(&house.store, mine, Vec::new(), &[]);
    let open = questions(&house, "open");
    assert!(open[0]["plan"].as_str().unwrap().ends_with("Not known yet: what look will give."), "{open:?}");
    says(&house, &open[0], "approve");
    step(&house.store, mine, Vec::new(), &["look"]);
    assert_eq!(questions(&house, "open"), Vec::<Value>::new(), "it was answered");
    let next = step(&house.store, mine, done("look", given), &[]);
    (house, id, run, next, mine)
}

#[test]
fn what_changes_after_the_vote_is_asked_again_and_does_not_begin() {
    let look = json!({ "status_code": 200, "body": "db-7" });
    let (house, id, run, next, mine) = agreed_before("{{ Tasks.look.output.body }}", "", look);
    assert!(next.calls.is_empty() && next.is_released, "nothing begins: {next:?}");
    let open = questions(&house, "open");
    assert_eq!(open.len(), 1, "{open:?}");
    assert_eq!(
        open[0]["message"],
        "Asked again: what follows is no longer what ada@example.com agreed to.\n\nStop it?"
    );
    assert_eq!(open[0]["plan"], "act: POST https://a.example/stop\n\ndb-7");
    let seen = run_of(&house, &id, &run);
    assert_eq!(
        (&seen["status"], status(&seen, "act")),
        (&json!("RUNNING"), "SCHEDULED".to_owned()),
        "{seen}"
    );
    // The first answer is still stored.
    assert_eq!(questions(&house, "answered")[0]["answer"], "approve");

    says(&house, &open[0], "approve");
    let _ = mine;
    let next = step(&house.store, claimed(&house.store), Vec::new(), &[]);
    assert_eq!(http(&next.calls[0]).body.as_deref(), Some("db-7"));
    assert!(questions(&house, "open").is_empty());
}

#[test]
fn whoever_refuses_the_second_time_is_heard() {
    let look = json!({ "status_code": 200, "body": "db-7" });
    let switch = r#"{ id: "way", type: "core.switch", depends_on: ["ok"], params: { expression: "{{ Tasks.ok.output.status }}",
      cases: [{ value: "approve", next: "yes" }, { value: "reject", next: "no" }] } }
      { id: "yes", type: "core.print", depends_on: ["act"], params: { message: "stopped" } }
      { id: "no", type: "core.print", params: { message: "left" } }"#;
    let (house, id, run, next, _) = agreed_before("{{ Tasks.look.output.body }}", switch, look);
    assert!(next.calls.is_empty(), "{next:?}");
    says(&house, &questions(&house, "open")[0], "reject");
    let next = step(&house.store, claimed(&house.store), Vec::new(), &[]);
    assert!(next.calls.is_empty(), "{next:?}");
    let seen = run_of(&house, &id, &run);
    assert_eq!(seen["status"], "COMPLETED", "{seen}");
    assert_eq!(
        ["act", "yes", "no"].map(|task| status(&seen, task)),
        ["SKIPPED", "SKIPPED", "COMPLETED"].map(str::to_owned),
        "{seen}"
    );
}

#[test]
fn what_stays_as_it_was_goes_on() {
    let (house, _, _, next, _) = agreed_before("now", "", json!({ "status_code": 200 }));
    assert_eq!(http(&next.calls[0]).body.as_deref(), Some("now"));
    assert!(questions(&house, "open").is_empty(), "{OWN}");
}

fn status(run: &Value, task: &str) -> String {
    let tasks = run["tasks"].as_array().unwrap();
    let found = tasks.iter().find(|one| one["id"] == task).unwrap();
    found["status"].as_str().unwrap().to_owned()
}

/// Two items at a time; each asks for approval while one of its tasks is running.
fn loop_of(act: &str) -> String {
    format!(
        r#"{{ id: "loop", type: "core.foreach", params: {{ items: ["a", "b"], concurrency: 2, tasks: [
          {LOOKS}
          {{ id: "ok", type: "core.approval", params: {{ message: "Stop {{{{ item }}}}?", timeout: "24h", minimum_approvals: 2 }} }}
          {{ id: "act", type: "integrations.http", depends_on: ["ok", "look"], params: {{ url: "https://a.example/{{{{ item }}}}", method: "POST", body: "{act}" }} }} ] }} }}
          {{ id: "last", type: "integrations.http", depends_on: ["loop"], params: {{ url: "https://a.example/last" }} }}"#
    )
}

#[test]
fn a_vote_in_a_loop_stays_whatever_becomes_of_the_other_items() {
    let house = on();
    let id = create(&house, "stops", "PAUSED", MANUAL, &loop_of("now"));
    trigger(&house, &id);
    let mine = claimed(&house.store);
    step(&house.store, mine, Vec::new(), &[]);
    let mut open = questions(&house, "open");
    open.sort_by_key(|one| one["message"].as_str().unwrap().to_owned());
    assert_eq!(open[0]["message"], "Stop a?");
    assert_eq!(
        open[0]["plan"],
        "loop/0/act: POST https://a.example/a\n\nnow\n\nNot part of this question is what comes after loop: last.\n\nNot known yet: what look will give."
    );
    // One of two approves the first; the second is rejected, and its request ends.
    says(&house, &open[0], "approve");
    says(&house, &open[1], "reject");
    let next = step(&house.store, mine, done("loop/1/look", json!({ "status_code": 200 })), &["loop/0/look"]);
    assert_eq!(next.calls.len(), 1, "an answer is an output like any other: {next:?}");
    step(&house.store, mine, done("loop/1/act", json!({ "status_code": 200 })), &["loop/0/look"]);
    step(&house.store, mine, Vec::new(), &["loop/0/look"]);
    let still = questions(&house, "open");
    assert_eq!(still.len(), 1, "{still:?}");
    assert_eq!(
        (&still[0]["id"], &still[0]["plan_id"], &still[0]["message"]),
        (&open[0]["id"], &open[0]["plan_id"], &open[0]["message"]),
        "the vote counts on"
    );
}

#[test]
fn what_changes_after_a_vote_in_a_group_is_asked_again_there() {
    let house = on();
    let act = acts("{{ Tasks.look.output.body }}");
    let group = format!(
        r#"{{ id: "both", type: "core.group", params: {{ tasks: [{LOOKS} {ASKS} {act}] }} }}
           {{ id: "last", type: "core.print", depends_on: ["both"], params: {{ message: "over" }} }}"#
    );
    let id = create(&house, "stops", "PAUSED", MANUAL, &group);
    trigger(&house, &id);
    let mine = claimed(&house.store);
    step(&house.store, mine, Vec::new(), &[]);
    let open = questions(&house, "open");
    assert!(open[0]["plan"].as_str().unwrap().ends_with("Not known yet: what look will give."), "{open:?}");
    says(&house, &open[0], "approve");
    step(&house.store, mine, Vec::new(), &["both/look"]);
    assert!(questions(&house, "open").is_empty(), "it was answered");
    let look = json!({ "status_code": 200, "body": "db-7" });
    let next = step(&house.store, mine, done("both/look", look), &[]);
    assert!(next.calls.is_empty() && next.is_released, "nothing begins: {next:?}");
    let open = questions(&house, "open");
    assert_eq!(open.len(), 1, "{open:?}");
    assert_eq!(
        open[0]["message"],
        "Asked again: what follows is no longer what ada@example.com agreed to.\n\nStop it?"
    );
    says(&house, &open[0], "approve");
    let next = step(&house.store, claimed(&house.store), Vec::new(), &[]);
    assert_eq!(
        (next.calls[0].path.as_str(), http(&next.calls[0]).body.as_deref()),
        ("both/act", Some("db-7"))
    );
}
