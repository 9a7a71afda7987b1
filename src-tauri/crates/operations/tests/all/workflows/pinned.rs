//! Tests of pinned outputs: test runs use them, all other runs execute the task.
//!
//! And of the validation of definitions.

use super::{MANUAL, claimed, create, done, on, run_of, step, trigger};
use crate::house::{House, OWN};
use operations::runs;
use serde_json::{Value, json};

const PINNED: &str = r#"
    { id: "ask", type: "integrations.http", params: { url: "https://a.example" }, pinned_output: { status_code: 503 } }
    { id: "say", type: "core.print", params: { message: "{{ Tasks.ask.output.status_code }}" }, depends_on: ["ask"] }"#;

fn said(house: &House, workflow: &str, run: &str) -> Value {
    let run = run_of(house, workflow, run);
    run["tasks"].as_array().unwrap().iter().find(|task| task["id"] == "say").unwrap()["output"]["data"]
        .clone()
}

#[test]
fn a_test_run_gives_what_is_pinned_and_any_other_carries_the_task_out() {
    let house = on();
    let id = create(&house, "nightly", "PAUSED", MANUAL, PINNED);
    let test = house.answers(&format!(
        r#"mutation {{ workflow_trigger(request: {{ account_id: "{OWN}", id: "{id}", uses_pinned: true }}) {{ execution_id }} }}"#
    ));
    let test = test["workflow_trigger"]["execution_id"].as_str().unwrap().to_owned();
    let next = step(&house.store, claimed(&house.store), Vec::new(), &[]);
    assert!(next.is_released && next.calls.is_empty(), "nobody is asked: {next:?}");
    assert_eq!(said(&house, &id, &test), json!("503"));

    let run = trigger(&house, &id);
    let claimed = claimed(&house.store);
    let next = step(&house.store, claimed, Vec::new(), &[]);
    assert_eq!(next.calls.len(), 1, "{next:?}");
    step(&house.store, claimed, done("ask", json!({ "status_code": 200 })), &[]);
    assert_eq!(said(&house, &id, &run), json!("200"));
}

#[test]
fn a_dry_run_gives_what_is_pinned() {
    let house = on();
    let dry = house.answers(&format!(
        r#"mutation {{ workflow_trigger_dryrun(request: {{ account_id: "{OWN}", definition: {{ triggers: [{MANUAL}] tasks: [{PINNED}] }} }}) {{ status output tasks {{ id output }} }} }}"#
    ));
    let dry = &dry["workflow_trigger_dryrun"];
    assert_eq!(dry["output"]["would"], json!({}), "{dry}");
    assert_eq!(dry["tasks"][1]["output"]["data"], "503", "{dry}");
}

#[test]
fn an_answer_of_a_person_is_not_pinned() {
    let house = on();
    let refused = house.refuses(&format!(
        r#"mutation {{ workflow_validate(request: {{ account_id: "{OWN}", workflow: {{ name: "nightly", definition: {{ triggers: [{MANUAL}]
          tasks: [{{ id: "ok", type: "core.approval", params: {{ message: "Go?" }}, pinned_output: {{ status: "approve" }} }}] }} }} }}) {{ message }} }}"#
    ));
    assert!(refused.contains("tasks[0].pinned_output: an approval is asked in test runs, too"), "{refused}");
}

/// The validation result for one task.
fn validated(house: &House, task: &str) -> String {
    format!(
        "{:?}",
        house.ask(&format!(
            r#"mutation {{ workflow_validate(request: {{ account_id: "{OWN}", workflow: {{ name: "nightly", definition: {{
              triggers: [{MANUAL}] tasks: [{task}] }} }} }}) {{ message warnings }} }}"#
        ))
    )
}

#[test]
fn a_token_that_may_not_be_sent_to_a_repository_of_ones_own_is_told_when_it_is_saved() {
    let house = on();
    let task = |base_url: &str| {
        format!(
            r#"{{ id: "pull", type: "scm.get_pull_request", params: {{ provider: "github", base_url: "{base_url}", repository: "acme/shop", number: 1 }} }}"#
        )
    };
    // Without a token, one that is bound to the host may still be added.
    assert!(validated(&house, &task("https://git.example.com")).contains("the definition is sound"));
    let power = runs::AutomationSettings {
        is_on: true,
        repository_tokens: vec!["github".to_owned()],
        ..Default::default()
    };
    runs::store_automation_settings(&house.store, &power).unwrap();
    let told = validated(&house, &task("https://git.example.com"));
    assert!(
        told.contains("tasks[0].params: base_url: the secret GITHUB_TOKEN may be sent to api.github.com, github.com, uploads.github.com alone, and this task sends to git.example.com"),
        "{told}"
    );
    for sound in ["https://github.com", "{{ Inputs.base_url }}", "https://10.2.3.4"] {
        assert!(validated(&house, &task(sound)).contains("the definition is sound"), "{sound}");
    }
    let own = r#"{ id: "pull", type: "scm.get_pull_request", params: { provider: "github", base_url: "https://git.example.com", repository: "acme/shop", number: 1, token: "{{ Secrets.OWN }}" } }"#;
    assert!(validated(&house, own).contains("the definition is sound"));
}

#[test]
fn what_nothing_gives_and_what_runs_after_a_rejection_is_told_before_the_run() {
    let house = on();
    let told = validated(
        &house,
        r#"{ id: "ask", type: "integrations.http", params: { url: "{{ Tasks.fetch.output.url }}" } }"#,
    );
    assert!(told.contains("tasks[0].params.url: expected the task ask, found \\\"fetch\\\""), "{told}");
    let told = validated(
        &house,
        r#"{ id: "ok", type: "core.approval", params: { message: "Go?" } }
           { id: "go", type: "integrations.http", params: { url: "{{ Inputs.base_url }}" }, depends_on: ["ok"] }"#,
    );
    assert!(told.contains("the definition is sound, with 2 warnings: "), "{told}");
    assert!(told.contains("runs after a rejection of"), "{told}");
    assert!(told.contains("found the input"), "{told}");
}
