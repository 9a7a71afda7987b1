//! Messages that tasks of workflows send through the channels of the tenant: on their way once, in the transaction of the journal.

use crate::house::{House, OWN, PERSON, TENANT};
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
    runs::set_power(&house.store, &runs::EnginePower { is_on: true, ..Default::default() }).unwrap();
    let admin = Caller::person(PERSON, TENANT, vec![Role::TenantAdmin]);
    for channel in channels {
        let query = format!("mutation {{ notice_channel_save(object: {{ {channel} }}) {{ id }} }}");
        let answer = house.ask_as(&admin, &query);
        assert!(answer["errors"].is_null(), "{answer}");
    }
    house
}

/// Runs a workflow of one task to its end.
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
