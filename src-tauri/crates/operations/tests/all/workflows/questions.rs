//! Tests of runs that wait for a person: listed, answered once, timed out.

use super::{HOUR, MANUAL, carry_out, claimed, create, on, run_of, standing, step, trigger};
use crate::house::{House, NOW, PERSON, TENANT};
use catalogue::Caller;
use operations::runs::{self, Answer, QuestionError};
use serde_json::{Value, json};
use store::eq;
use uuid::Uuid;

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
            caller: Caller::user(PERSON, TENANT, vec![catalogue::Role::TenantAdmin]),
        }),
    }
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
    let rows = house.store.snapshot::<_, store::StoreError>(&Caller::system(), |rows| {
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
