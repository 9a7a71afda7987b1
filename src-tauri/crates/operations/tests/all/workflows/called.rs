//! Tests of workflows that call others and continue with their result.

use super::{HOUR, MANUAL, carry_one, carry_out, create, on, run_of, statuses, trigger};
use crate::house::{NOW, OWN};
use catalogue::Caller;
use serde_json::json;

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
        // The called run has not started.
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
        .snapshot::<_, store::StoreError>(&Caller::system(), |rows| rows.count("workflow_execution", &[]));
    assert_eq!(count.unwrap(), 500);
}
