//! Tests of runs interrupted when the service stopped, and of decisions by people.

use super::{Bench, http, print};
use crate::journal::Status;
use serde_json::{Value, json};

fn post(id: &str) -> Value {
    json!({ "id": id, "type": "integrations.http", "params": { "url": "http://a", "method": "POST" } })
}

#[test]
fn a_call_that_was_under_way_is_made_again_with_the_same_number() {
    let mut run = Bench::of(json!([http("a", &[]), http("b", &[])]));
    run.on(&[]);
    run.on(&[("a", Ok(json!({})))]);
    // The service stops and starts again: no call is in flight.
    run.in_flight.clear();
    run.on(&[]);
    assert_eq!(run.calls(), ["b"], "the finished task does not run again");
    assert_eq!(run.last.calls[0].attempt, 1);
}

#[test]
fn a_call_that_may_have_had_its_effect_waits_for_a_person() {
    for (answer, status) in [("complete", "COMPLETED"), ("fail", "FAILED")] {
        let mut run = Bench::of(json!([post("a")]));
        run.on(&[]);
        run.in_flight.clear();
        run.on(&[]);
        assert_eq!((run.status("a"), run.calls().len()), ("UNKNOWN", 0));
        assert_eq!(run.last.questions[0].options, ["retry", "complete", "fail"]);
        run.on(&[]);
        assert_eq!(
            (run.last.questions.len(), run.last.wake),
            (0, None),
            "it is asked once, and nothing is due"
        );
        run.on(&[("a", Ok(json!({ "status": answer })))]);
        assert_eq!(run.status("a"), status);
    }
    let mut run = Bench::of(json!([post("a")]));
    run.on(&[]);
    run.in_flight.clear();
    run.on(&[]);
    run.on(&[("a", Ok(json!({ "status": "retry" })))]);
    assert_eq!((run.calls(), run.last.calls[0].attempt), (vec!["a"], 2), "under another key");
    assert_eq!(run.status("a"), "STARTED", "the answer is not the outcome of the next try");
}

#[test]
fn an_approval_is_asked_once_and_answered() {
    let approval = json!({ "id": "ok", "type": "core.approval", "params": { "message": "Go?" } });
    let mut run = Bench::of(json!([approval, print("after", "{{ Tasks.ok.output.status }}", &["ok"])]));
    run.on(&[]);
    assert_eq!(run.last.questions[0].options, ["approve", "reject"]);
    run.in_flight.clear();
    run.on(&[]);
    assert_eq!(run.last.questions.len(), 0);
    run.on(&[("ok", Ok(json!({ "status": "reject", "approver": "Ann", "comments": "no" })))]);
    assert_eq!(run.output("after"), json!({ "data": "reject" }));
}

#[test]
fn an_approval_that_nobody_answers_has_a_default_or_times_out() {
    let approval = |default: Value| json!({ "id": "ok", "type": "core.approval", "params": { "message": "Go?", "timeout": "1h", "default_on_timeout": default } });
    for (default, status) in [(json!("reject"), Status::Completed), (Value::Null, Status::TimedOut)] {
        let mut run = Bench::of(json!([approval(default)]));
        run.on(&[]);
        run.now = run.last.wake.unwrap();
        run.on(&[]);
        assert_eq!(run.outcome().0, status);
    }
}

#[test]
fn the_same_arguments_give_the_same_plan() {
    let tasks = json!([http("a", &[]), print("b", "{{ now() }}", &["a"])]);
    let (mut one, mut other) = (Bench::of(tasks.clone()), Bench::of(tasks));
    for run in [&mut one, &mut other] {
        run.on(&[]);
        run.on(&[("a", Ok(json!({ "x": 1 })))]);
    }
    assert_eq!(one.journal, other.journal);
}

#[test]
fn a_dry_run_waits_for_nothing() {
    let mut run = Bench::of(json!([
        { "id": "w", "type": "core.wait", "params": { "duration": "10h" } },
        { "id": "ok", "type": "core.approval", "params": { "message": "Go?" }, "depends_on": ["w"] },
        http("a", &["ok"]),
    ]));
    run.is_dry = true;
    run.on(&[]);
    assert_eq!((run.calls(), run.last.questions.len()), (vec!["a"], 0));
}

#[test]
fn whoever_waits_for_an_event_looks_now_and_then_and_not_for_ever() {
    const HOUR: i64 = 3_600_000_000;
    let wait = json!({ "id": "end", "type": "events.get", "params": { "event_id": "e", "until": "resolved", "timeout": "90m" } });
    let mut run = Bench::of(json!([wait.clone(), print("after", "{{ Tasks.end.output.title }}", &["end"])]));
    let begun = run.now;
    run.on(&[]);
    assert_eq!((run.calls(), run.last.wake), (vec!["end"], Some(begun + HOUR)));
    // No result yet: the run continues to wait.
    run.in_flight.clear();
    run.on(&[]);
    assert_eq!((run.calls().len(), run.last.wake), (0, Some(begun + HOUR)));
    run.now = begun + HOUR;
    run.on(&[]);
    assert_eq!((run.calls(), run.last.wake), (vec!["end"], Some(begun + HOUR + HOUR / 2)));
    run.in_flight.clear();
    run.on(&[("end", Ok(json!({ "title": "over" })))]);
    assert_eq!(run.output("after"), json!({ "data": "over" }));

    let mut run = Bench::of(json!([wait]));
    run.on(&[]);
    run.in_flight.clear();
    run.now = begun + 2 * HOUR;
    run.on(&[]);
    assert_eq!((run.status("end"), run.calls().len()), ("TIMED_OUT", 0));
}
