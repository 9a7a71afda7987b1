//! Tests of order, conditions, failures, retries, hooks and outputs.

use super::{Bench, failure, http, print};
use crate::journal::Status;
use serde_json::{Value, json};

#[test]
fn tasks_that_are_ready_run_at_once_and_the_others_after_them() {
    let mut run = Bench::of(json!([http("c", &["a", "b"]), http("a", &[]), http("b", &[])]));
    run.on(&[]);
    assert_eq!(run.calls(), ["a", "b"]);
    run.on(&[("a", Ok(json!({})))]);
    assert_eq!(run.calls(), [""; 0]);
    run.on(&[("b", Ok(json!({})))]);
    assert_eq!(run.calls(), ["c"]);
    run.on(&[("c", Ok(json!({ "n": 1 })))]);
    assert_eq!(run.outcome(), (Status::Completed, json!({ "a": {}, "b": {}, "c": { "n": 1 } })));
}

#[test]
fn a_task_whose_condition_does_not_hold_is_skipped_and_those_after_it_run() {
    let mut first = print("a", "x", &[]);
    first["if"] = json!("{{ Inputs.on }}");
    let mut run = Bench::of(json!([first, print("b", "a was {{ Tasks.a.status }}", &["a"])]));
    run.on(&[]);
    assert_eq!((run.status("a"), run.output("b")), ("SKIPPED", json!({ "data": "a was SKIPPED" })));
    run =
        Bench::of(json!([{ "id": "a", "type": "core.print", "if": " TRUE ", "params": { "message": "x" } }]));
    run.on(&[]);
    assert_eq!(run.status("a"), "COMPLETED");
}

#[test]
fn variables_begin_as_the_inputs_and_are_seen_at_the_top() {
    let mut first = print("a", "x", &[]);
    first["set_vars"] = json!({ "name": "{{ Tasks.a.output.data }}-{{ Inputs.name }}" });
    let mut run =
        Bench::of(json!([first, print("b", "{{ name }} {{ Vars.name }} {{ Inputs.name }}", &["a"])]));
    run.inputs.insert("name".to_owned(), json!("web"));
    run.on(&[]);
    assert_eq!(run.output("b"), json!({ "data": "x-web x-web web" }));
}

#[test]
fn a_failure_ends_the_run_unless_the_policy_goes_on() {
    let mut run = Bench::of(json!([http("a", &[]), print("b", "x", &["a"])]));
    run.on(&[]);
    run.on(&[("a", failure())]);
    assert_eq!((run.status("a"), run.status("b"), run.outcome().0), ("FAILED", "CANCELED", Status::Failed));
    assert_eq!(run.last.outcome.as_ref().unwrap().error.as_deref(), Some("task \"a\": it answered 500"));

    let mut first = http("a", &[]);
    first["failure_policy"] = json!({ "action": "continue" });
    let mut run = Bench::of(json!([first, print("b", "{{ Tasks.a.status }}: {{ Tasks.a.error }}", &["a"])]));
    run.on(&[]);
    run.on(&[("a", failure())]);
    assert_eq!(run.output("b"), json!({ "data": "FAILED: it answered 500" }));
    assert_eq!(run.outcome().0, Status::Completed);
}

#[test]
fn a_failed_try_is_repeated_in_time_with_growing_waits() {
    let mut task = http("a", &[]);
    task["failure_policy"] = json!({ "retry": { "maximum_attempts": 4, "maximum_interval": "3s" } });
    let mut run = Bench::of(json!([task]));
    let start = run.now;
    run.on(&[]);
    for (number, wait) in [(1, 1), (2, 2), (3, 3)] {
        let failed_at = run.now;
        run.on(&[("a", failure())]);
        assert_eq!(run.last.wake, Some(failed_at + wait * 1_000_000), "after try {number}");
        assert_eq!(run.calls(), [""; 0]);
        run.now = run.last.wake.unwrap();
        run.on(&[]);
        assert_eq!(run.last.calls[0].attempt, number + 1);
    }
    run.on(&[("a", failure())]);
    assert_eq!((run.outcome().0, run.now - start), (Status::Failed, 6_000_000));
}

#[test]
fn an_error_that_is_not_to_be_retried_is_final() {
    let mut task = http("a", &[]);
    task["failure_policy"] =
        json!({ "retry": { "maximum_attempts": 4, "non_retryable_error_types": ["HttpError"] } });
    let mut run = Bench::of(json!([task]));
    run.on(&[]);
    run.on(&[("a", failure())]);
    assert_eq!(run.outcome().0, Status::Failed);
}

#[test]
fn hooks_follow_the_outcome_and_one_that_fails_makes_the_task_fail() {
    let hook = |message: &str| json!({ "type": "core.print", "params": { "message": message } });
    let mut task = http("a", &[]);
    task["hooks"] = json!({
        "success": [hook("good {{ Tasks.a.output.n }}")], "failure": [hook("bad: {{ Self.error }}")], "always": [hook("end")],
    });
    let mut run = Bench::of(json!([task.clone()]));
    run.on(&[]);
    run.on(&[("a", Ok(json!({ "n": 7 })))]);
    assert_eq!(
        (run.output("a/#0"), run.output("a/#1")),
        (json!({ "data": "good 7" }), json!({ "data": "end" }))
    );

    let mut run = Bench::of(json!([task]));
    run.on(&[]);
    run.on(&[("a", failure())]);
    assert_eq!(run.output("a/#0"), json!({ "data": "bad: it answered 500" }));

    let mut task = print("a", "x", &[]);
    task["hooks"] = json!({ "success": [{ "type": "integrations.http", "params": { "url": "http://a" } }] });
    let mut run = Bench::of(json!([task]));
    let calls = run.finish(|_| failure());
    assert_eq!((calls["a/#0"], run.status("a"), run.outcome().0), (5, "FAILED", Status::Failed));
}

#[test]
fn hooks_of_the_run_see_how_it_went() {
    let hook = json!({ "type": "core.print", "params": { "message": "{{ Tasks.a.status }}" } });
    let mut run = Bench::new(json!({ "tasks": [http("a", &[])], "hooks": { "failure": [hook] } }));
    run.on(&[]);
    run.on(&[("a", failure())]);
    assert_eq!(run.output("#0"), json!({ "data": "FAILED" }));
}

#[test]
fn an_output_that_is_all_null_is_replaced_by_those_of_the_tasks() {
    let definition = |output: Value| json!({ "tasks": [print("a", "x", &[])], "output": output });
    let mut run = Bench::new(definition(
        json!({ "said": "{{ Tasks.a.output.data }}", "none": "{{ Tasks.b.output.data }}" }),
    ));
    run.on(&[]);
    assert_eq!(run.outcome().1, json!({ "said": "x", "none": null }));
    let mut run =
        Bench::new(definition(json!({ "none": "{{ Tasks.b.output }}", "bad": "{{ 1 | nonsense }}" })));
    run.on(&[]);
    assert_eq!(run.outcome().1, json!({ "a": { "data": "x" } }));
}

#[test]
fn state_is_kept_with_its_end_and_its_key_is_rendered() {
    let mut task = print("a", "x", &[]);
    task["set_state"] =
        json!({ "seen-{{ Inputs.id }}": { "value": "{{ Tasks.a.output.data }}", "ttl": "1h" }, "plain": 3 });
    let mut run = Bench::of(json!([task.clone()]));
    run.inputs.insert("id".to_owned(), json!(7));
    run.on(&[]);
    let state = &run.last.state;
    assert_eq!((state[0].key.as_str(), &state[0].value, state[0].expires_at), ("plain", &json!(3), None));
    assert_eq!((state[1].key.as_str(), state[1].expires_at), ("seen-7", Some(run.now + 3_600_000_000)));
    let mut dry = Bench::of(json!([task]));
    dry.is_dry = true;
    dry.on(&[]);
    assert_eq!(dry.last.state, []);
}

#[test]
fn what_a_run_keeps_as_state_it_sees_itself() {
    let mut task = print("count", "x", &[]);
    task["set_state"] = json!({ "counter": "{{ (State.counter or 0) | int + 1 }}" });
    let definition = json!({
        "tasks": [task, print("then", "{{ State.counter }}", &["count"]), http("ask", &["then"]), print("last", "{{ State.counter }}", &["ask"])],
        "output": { "counter": "{{ State.counter }}" },
    });
    for is_dry in [false, true] {
        let mut run = Bench::new(definition.clone());
        run.is_dry = is_dry;
        run.on(&[]);
        run.on(&[("ask", Ok(json!({})))]);
        assert_eq!(
            (run.output("then"), run.output("last")),
            (json!({ "data": "1" }), json!({ "data": "1" }))
        );
        assert_eq!(run.outcome().1, json!({ "counter": "1" }));
    }
}

#[test]
fn a_variable_that_is_written_as_a_value_is_that() {
    let mut task = print("a", "x", &[]);
    task["set_vars"] = json!({
        "plain": "{{ Self.output.data }}", "wrapped": { "value": "{{ Self.output.data }}" }, "object": { "value": 1, "unit": "h" },
    });
    let output = json!({ "plain": "{{ Vars.plain }}", "wrapped": "{{ Vars.wrapped }}", "unit": "{{ Vars.object.unit }}" });
    let mut run = Bench::new(json!({ "tasks": [task], "output": output }));
    run.on(&[]);
    assert_eq!(run.outcome().1, json!({ "plain": "x", "wrapped": "x", "unit": "h" }));
}

#[test]
fn disabled_tasks_and_bad_templates() {
    let mut off = print("a", "x", &[]);
    off["disabled"] = json!(true);
    let mut run = Bench::of(json!([off, print("b", "{{ 'x' | nonsense }}", &["a"])]));
    run.on(&[]);
    assert_eq!((run.status("a"), run.status("b")), ("SKIPPED", "FAILED"));
}

#[test]
fn a_long_chain_is_gone_through_at_once_however_it_is_written() {
    let chain = |number: usize| {
        let before: Vec<String> =
            number.checked_sub(1).map(|before| format!("t{before}")).into_iter().collect();
        json!({ "id": format!("t{number}"), "type": "core.print", "params": { "message": "x" }, "depends_on": before })
    };
    let mut run = Bench::of((0..1000).rev().map(chain).collect());
    run.on(&[]);
    assert_eq!(run.outcome().0, Status::Completed);
    assert_eq!(run.journal.get("t999").map(|entry| entry.order), Some(1000));
}
