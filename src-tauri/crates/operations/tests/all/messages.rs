//! Tests of messages that workflow tasks send through the tenant's channels: queued once, in the transaction of the journal.

use crate::house::{House, NOW, OWN, PERSON, TENANT};
use crate::notices::Double;
use crate::workflows::{carry_out, run_of, trigger};
use catalogue::{Caller, Role};
use operations::{notices, runs};
use serde_json::Value;
use std::sync::Arc;
use uuid::Uuid;

const MAIL: &str = r#"name: "mail", kind: email, host: "smtp.example.com", sender: "q@example.com", recipients: ["team@example.com"]"#;
const SLACK: &str = r#"name: "ops", kind: slack, url: "https://hooks.slack.com/services/T0/B0/secret-word""#;

fn on(channels: &[&str]) -> House {
    let house = House::with_messengers(Arc::new(Double::default()));
    runs::store_automation_settings(
        &house.store,
        &runs::AutomationSettings { is_on: true, ..Default::default() },
    )
    .unwrap();
    let admin = Caller::user(PERSON, TENANT, vec![Role::TenantAdmin]);
    for channel in channels {
        let query = format!("mutation {{ notice_channel_save(object: {{ {channel} }}) {{ id }} }}");
        let answer = house.ask_as(&admin, &query);
        assert!(answer["errors"].is_null(), "{answer}");
    }
    house
}

/// Runs a workflow with one task to its end.
fn ran(house: &House, task: &str) -> Value {
    let made = house.answers(&format!(
        r#"mutation {{ workflow_create(request: {{ account_id: "{OWN}", workflow: {{ name: "tell", status: "ACTIVE", definition: {{
          triggers: [{{ type: "manual" }}] tasks: [{task}] }} }} }}) {{ id }} }}"#
    ));
    let id = made["workflow_create"]["id"].as_str().unwrap().to_owned();
    let run = trigger(house, &id);
    carry_out(&house.store);
    run_of(house, &id, &run)
}

fn sent(house: &House) -> Option<channels::Message> {
    let dispatch = notices::claim(&house.store, Uuid::new_v4(), "https://q.example.com").unwrap();
    dispatch.map(|dispatch| dispatch.message().clone())
}

#[test]
fn mail_goes_through_the_channel_for_mail_to_whom_the_task_names() {
    let house = on(&[SLACK, MAIL]);
    let run = ran(
        &house,
        r#"{ id: "tell", type: "notifications.email", params: {
            recipients: "ada@example.com, bob@example.com", cc: ["eve@example.com"], subject: "Bill of {{ 1 + 1 }}", body: "It is here.", reply_to: "ops@example.com" } }"#,
    );
    assert_eq!(run["status"], "COMPLETED", "{run}");
    assert_eq!(run["tasks"][0]["output"]["success"], true);
    let message = sent(&house).expect("it is on its way");
    assert_eq!(message.title(), "Bill of 2");
    assert_eq!(message.recipients, ["ada@example.com", "bob@example.com", "eve@example.com"]);
    assert!(sent(&house).is_none(), "once");
}

#[test]
fn a_message_goes_to_the_channel_of_that_name_and_no_request_is_made() {
    let house = on(&[SLACK]);
    let run = ran(
        &house,
        r#"{ id: "tell", type: "notifications.im", params: { provider: "slack", channel: "ops", message: "Done\nAll of it." } }"#,
    );
    assert_eq!(run["status"], "COMPLETED", "{run}");
    let message = sent(&house).expect("it is on its way");
    assert_eq!((message.title(), message.items[0].text.as_str()), ("Done".to_owned(), "All of it."));
}

#[test]
fn what_cannot_be_sent_fails_with_what_to_do() {
    for (channels, task, expected) in [
        (
            &[SLACK][..],
            r#"{ id: "tell", type: "notifications.email", params: { recipients: ["a@b.example"], subject: "x", body: "y" } }"#,
            "there is no channel for mail that is switched on",
        ),
        (
            &[MAIL][..],
            r#"{ id: "tell", type: "notifications.email", params: { recipients: ["ops"], subject: "x", body: "y" } }"#,
            "recipients: expected addresses of mail",
        ),
        (
            &[MAIL][..],
            r#"{ id: "tell", type: "notifications.email", params: { recipients: ["a@b.example"], bcc: "c@d.example", subject: "x", body: "y" } }"#,
            "bcc is \"c@d.example\"",
        ),
        (
            &[SLACK][..],
            r##"{ id: "tell", type: "notifications.im", params: { provider: "slack", channel: "#pager", message: "x" } }"##,
            "there is no channel \"#pager\" in Settings, Notifications",
        ),
    ] {
        let house = on(channels);
        let run = ran(&house, task);
        let error = run["tasks"][0]["error"].as_str().unwrap_or_default();
        assert!(run["status"] == "FAILED" && error.contains(expected), "{run}");
        assert!(sent(&house).is_none());
    }
}

const HOUR: i64 = 3_600_000_000;

fn titles(house: &House) -> Vec<(String, bool)> {
    let admin = Caller::user(PERSON, TENANT, vec![Role::TenantAdmin]);
    let found = house.ask_as(&admin, "{ notice(order_by: { key: asc }) { title ended_at } }");
    let rows = found["data"]["notice"].as_array().unwrap_or_else(|| panic!("{found}"));
    let one = |row: &Value| (row["title"].as_str().unwrap().to_owned(), row["ended_at"].is_null());
    rows.iter().map(one).collect()
}

#[test]
fn a_question_is_told_when_it_is_asked_and_once_more_when_half_of_its_time_is_over() {
    let house = on(&[SLACK]);
    let run = ran(
        &house,
        r#"{ id: "go", type: "core.approval", params: { message: "Go?", timeout: "10h", default_on_timeout: "reject" } }"#,
    );
    assert_eq!(run["status"], "RUNNING", "{run}");
    operations::review::review(&house.store, TENANT).unwrap();
    let message = sent(&house).expect("it is told");
    assert_eq!(message.title(), "tell in shop waits for approval");
    assert_eq!(
        message.items[0].text,
        "Without an answer it is decided as reject on 2026-11-01 10:00:00 UTC."
    );
    assert!(message.items[0].link.as_ref().unwrap().contains("/automation/approvals?id="));
    let early = house.store.clone().with_clock(|| NOW + 4 * HOUR);
    operations::review::review(&early, TENANT).unwrap();
    assert_eq!(titles(&house).len(), 1, "it is not told again too soon");
    let later = house.store.clone().with_clock(|| NOW + 5 * HOUR);
    for _ in 0..2 {
        operations::review::review(&later, TENANT).unwrap();
    }
    let still = "tell in shop still waits for approval, since 1 Nov 2026".to_owned();
    assert_eq!(titles(&house)[1], (still, true));
    let over = house.store.clone().with_clock(|| NOW + 11 * HOUR);
    carry_out(&over);
    operations::review::review(&over, TENANT).unwrap();
    assert!(titles(&house).iter().all(|(_, is_open)| !is_open), "{:?}", titles(&house));
}
