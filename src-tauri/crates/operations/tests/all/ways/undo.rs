//! Tests that a change made with a program is undone by the inverse commands, after another approval.

use crate::house::House;
use crate::ways::{ADVICE, apply_with, house};
use automation::plan::{CallOutcome, TaskFailure};
use operations::runs::{self, RunEnvironment, RunWork, advance, claim};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use uuid::Uuid;

/// A recommendation to resize a container, in a service that may run kubectl.
fn acting() -> House {
    let house = house(&[]);
    let kubectl = runs::Program { name: "kubectl".to_owned(), path: Some("/bin/kubectl".to_owned()) };
    let power = runs::AutomationSettings { is_on: true, programs: vec![kubectl], ..Default::default() };
    runs::store_automation_settings(&house.store, &power).unwrap();
    house
}

/// Executes the due tasks with this result for each. Returns the arguments of the programs.
fn ran(house: &House, result: &Result<Value, TaskFailure>) -> Vec<Vec<String>> {
    let (mut given, none) = (Vec::new(), |_: &str| None);
    let environment = RunEnvironment {
        secret: &none,
        decrypt: &|_, _| Err("nothing is sealed".to_owned()),
        base_url: "http://here",
    };
    while let Some(run) = claim(&house.store, Uuid::new_v4()).unwrap() {
        let mut finished = Vec::new();
        loop {
            let step = advance(&house.store, run, &environment, finished, &BTreeSet::new()).unwrap();
            if step.is_released {
                break;
            }
            let ends = |call: runs::RunCall| {
                let Ok(RunWork::Program(program)) = call.work else { panic!("{call:?}") };
                given.extend(program.calls);
                CallOutcome { path: call.path, result: result.clone() }
            };
            finished = step.calls.into_iter().map(ends).collect();
        }
    }
    given
}

fn answer(house: &House, status: &str) -> String {
    let asked =
        house.answers("{ workflow_list_approvals(request: {}) { approvals { id plan_id message } } }");
    let asked = asked["workflow_list_approvals"]["approvals"].as_array().unwrap().clone();
    let [question] = asked.as_slice() else { panic!("{asked:?}") };
    let (id, plan) = (question["id"].as_str().unwrap(), question["plan_id"].as_str().unwrap_or_default());
    house.answers(&format!(
        r#"mutation {{ workflow_answer_approval(request: {{ id: "{id}", plan_id: "{plan}", status: "{status}" }}) {{ is_decided }} }}"#
    ));
    question["message"].as_str().unwrap_or_default().to_owned()
}

/// Id, status and message of the attempt; status and note of the recommendation.
fn standing(house: &House) -> [String; 5] {
    let query = format!(
        r#"{{ recommendation_by_pk(id: "{ADVICE}") {{ status note }} recommendation_resolution {{ id status status_message }} }}"#
    );
    let seen = house.answers(&query);
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let (attempt, advice) = (&seen["recommendation_resolution"][0], &seen["recommendation_by_pk"]);
    [&attempt["id"], &attempt["status"], &attempt["status_message"], &advice["status"], &advice["note"]]
        .map(text)
}

fn undo(id: &str) -> String {
    format!(
        r#"mutation {{ recommendation_undo(resolution_id: "{id}") {{ commands message execution_id }} }}"#
    )
}

/// A recommendation with a change that was made.
fn changed() -> (House, String) {
    let house = acting();
    house.answers(&apply_with("kubernetes", ""));
    ran(&house, &Ok(json!({})));
    let [id, ..] = standing(&house);
    assert!(house.refuses(&undo(&id)).contains("did not run to their end"), "it waits for approval");
    answer(&house, "approve");
    let given = ran(&house, &Ok(json!({ "data": "done" })));
    assert!(given[0].join(" ").contains("cpu=100m"), "{given:?}");
    (house, id)
}

#[test]
fn a_change_is_taken_back_and_the_recommendation_is_open_again() {
    let (house, id) = changed();
    let begun = house.answers(&undo(&id))["recommendation_undo"].clone();
    assert!(begun["commands"][0].as_str().unwrap().contains("cpu=500m"), "{begun}");
    assert!(house.refuses(&undo(&id)).contains("being taken back already"));
    assert!(ran(&house, &Ok(json!({}))).is_empty(), "nothing runs before somebody agrees");
    let shown = answer(&house, "approve");
    assert!(shown.contains("Take back what was changed by") && shown.contains("cpu=500m"), "{shown}");
    let given = ran(&house, &Ok(json!({ "data": "done" })));
    assert!(given[0].join(" ").contains("cpu=500m"), "{given:?}");
    let [_, attempt, message, advice, note] = standing(&house);
    assert_eq!((attempt.as_str(), advice.as_str()), ("Failed", "Open"));
    assert_eq!(message, "the change was made, and taken back");
    assert!(note.starts_with("Open again: the change was made, and taken back"), "{note}");
    assert!(house.refuses(&undo(&id)).contains("nothing to take back"), "once is enough");
}

#[test]
fn what_is_not_agreed_to_or_fails_leaves_the_change_and_says_so() {
    let (house, id) = changed();
    house.answers(&undo(&id));
    ran(&house, &Ok(json!({})));
    answer(&house, "reject");
    assert!(ran(&house, &Ok(json!({}))).is_empty());
    let [_, attempt, message, advice, _] = standing(&house);
    assert_eq!((attempt.as_str(), advice.as_str()), ("InProgress", "InProgress"));
    assert_eq!(message, "carried out; taking it back was rejected");

    house.answers(&undo(&id));
    ran(&house, &Ok(json!({})));
    answer(&house, "approve");
    ran(&house, &Err(TaskFailure::new("Program", "kubectl ended with 1: no such deployment")));
    let [_, attempt, message, advice, _] = standing(&house);
    assert_eq!((attempt.as_str(), advice.as_str()), ("InProgress", "InProgress"));
    assert!(
        message.contains("look at what stands now") && message.contains("no such deployment"),
        "{message}"
    );
}

#[test]
fn what_ran_no_commands_has_nothing_to_take_back() {
    let house = acting();
    house.answers(&apply_with("", ""));
    let [id, ..] = standing(&house);
    assert!(house.refuses(&undo(&id)).starts_with("the attempt ran no commands"));
}
