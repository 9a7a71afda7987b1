//! Tests of executed runs: statuses, nested tasks, many tasks, a killed service, a dry run.

use super::{ASK, MANUAL, carry_out, claimed, create, done, http, on, run_of, statuses, step, trigger};
use crate::house::OWN;
use automation::plan::{CallOutcome, TaskFailure};
use catalogue::Caller;
use operations::runs::{self, claim};
use serde_json::json;
use uuid::Uuid;

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
        house.store.snapshot::<_, store::StoreError>(&Caller::system(), |rows| rows.count("events", &[]));
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
          tasks: [{{ id: "a", type: "observability.traces", params: {{ query: "x" }} }}] }} }} }}) {{ message }} }}"#
    ));
    assert!(
        refused.contains("observability.traces cannot run here: traces are not imported")
            && refused.contains("integrations.http asks your Jaeger or Tempo"),
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
