//! Tests that missing requirements of a definition are reported while it is edited, without refusing it.

use crate::house::{House, OWN, TENANT};
use crate::workflows::{create, on};
use catalogue::{Caller, ValueRef};
use operations::runs::{self, AutomationSettings, Program};
use serde_json::Value;
use store::StoreError;

const DEFINITION: &str = r#"triggers: [{ type: "manual" }] tasks: [
  { id: "a", type: "cloud.aws.cli", params: { command: "aws s3 ls" } },
  { id: "b", type: "notifications.im", params: { provider: "slack", channel: "Operations", message: "x" } },
  { id: "c", type: "notifications.email", params: { recipients: "a@b.example", subject: "x", body: "x" } },
  { id: "d", type: "llm.summary", params: { message: "x" } },
  { id: "e", type: "tickets.get", params: { ticket_id: "OPS-1" } },
  { id: "f", type: "notifications.dm", params: { provider: "slack", user_id: "U1", message: "x" } },
  { id: "g", type: "core.group", params: { tasks: [{ id: "h", type: "integrations.http", params: { url: "http://10.0.0.7/x" } }] } },
  { id: "i", type: "core.call-workflow", params: { workflow_name: "restart" } },
  { id: "j", type: "scripting.run_script", params: { script: "date" } },
]"#;

fn told(house: &House) -> Vec<String> {
    let answer = house.answers(&format!(
        r#"mutation {{ workflow_validate(request: {{ account_id: "{OWN}", workflow: {{ name: "x", definition: {{ {DEFINITION} }} }} }}) {{ warnings }} }}"#
    ));
    let warnings = answer["workflow_validate"]["warnings"].as_array().cloned().unwrap_or_default();
    warnings.iter().filter_map(Value::as_str).map(str::to_owned).collect()
}

#[test]
fn what_is_not_there_is_told_with_its_place_and_the_way_to_it() {
    let house = House::new();
    let found = told(&house);
    for expected in [
        "tasks: automation is off",
        "tasks[0]: the program aws is not allowed: the administrator of the service names it in QUARTERDECK_AUTOMATION_PROGRAMS",
        "tasks[1].params.channel: there is no channel \"Operations\": an administrator adds it in Settings, Notifications, or keeps the address of an incoming webhook as the secret SLACK_WEBHOOK",
        "tasks[2].params.channel: there is no channel for mail that is switched on",
        "tasks[3]: no language model is set up: an administrator sets one up in Settings, Model providers",
        "tasks[4]: no ticket tracker is connected",
        "tasks[5]: there is no secret SLACK_BOT_TOKEN: save it under Settings, Workflow secrets",
        "tasks[6].params.tasks[0]: 10.0.0.7 is an address of this machine or of a network inside, and tasks do not reach it: the administrator of the service sets QUARTERDECK_AUTOMATION_PRIVATE=on",
        "tasks[7].params.workflow_name: there is no workflow \"restart\" in this account",
        "tasks[8]: the program bash is not allowed",
    ] {
        assert_eq!(found.iter().filter(|one| one.starts_with(expected)).count(), 1, "{expected}: {found:#?}");
    }
    assert_eq!(found.len(), 10, "{found:#?}");
    // It is stored all the same.
    house.answers(&format!(
        r#"mutation {{ workflow_create(request: {{ account_id: "{OWN}", workflow: {{ name: "x", definition: {{ {DEFINITION} }} }} }}) {{ id }} }}"#
    ));
}

#[test]
fn what_is_there_is_not_told() {
    let house = on();
    let program = |name: &str| Program { name: name.to_owned(), path: Some(format!("/usr/bin/{name}")) };
    let power = AutomationSettings {
        is_on: true,
        reaches_private: true,
        private_addresses: "loopback,private".to_owned(),
        programs: vec![program("aws"), Program { path: None, ..program("bash") }],
        environment_secrets: vec!["SLACK_BOT_TOKEN".to_owned()],
        ..Default::default()
    };
    runs::store_automation_settings(&house.store, &power).unwrap();
    channel(&house);
    create(
        &house,
        "restart",
        "PAUSED",
        r#"{ type: "manual" }"#,
        r#"{ id: "a", type: "core.print", params: { message: "x" } }"#,
    );
    let found = told(&house);
    assert_eq!(found.len(), 4, "{found:#?}");
    assert!(found[0].starts_with("tasks[2].params.channel: there is no channel for mail"), "{found:#?}");
    assert!(found[1].starts_with("tasks[3]: no language model"), "{found:#?}");
    assert!(found[2].starts_with("tasks[4]: no ticket tracker"), "{found:#?}");
    assert!(
        found[3].starts_with("tasks[8]: the program bash is allowed, but this machine has none"),
        "{found:#?}"
    );
}

#[test]
fn an_address_inside_is_judged_by_what_the_administrator_allows() {
    let house = on();
    let warned = |reaches_private: bool, allowed: &str| {
        let private_addresses = allowed.to_owned();
        let power =
            AutomationSettings { is_on: true, reaches_private, private_addresses, ..Default::default() };
        runs::store_automation_settings(&house.store, &power).unwrap();
        told(&house).into_iter().find(|one| one.contains("10.0.0.7"))
    };
    for allowed in ["10.0.0.7", "10.0.0.0/8", "hooks.internal,private", "*"] {
        assert_eq!(warned(false, allowed), None, "{allowed}");
    }
    for elsewhere in ["none", "10.0.0.8", "hooks.internal"] {
        let way = "sets QUARTERDECK_AUTOMATION_PRIVATE=on (setting automation_private), or names it in QUARTERDECK_PRIVATE_ADDRESSES";
        assert!(warned(false, elsewhere).is_some_and(|warning| warning.ends_with(way)), "{elsewhere}");
    }
    // With automation on, only the list of the instance can allow it.
    let warning = warned(true, "loopback").unwrap();
    assert!(warning.ends_with("names it in QUARTERDECK_INSTANCE_PRIVATE_ADDRESSES"), "{warning}");
}

/// A Slack channel.
fn channel(house: &House) {
    let written = house.store.transaction::<_, StoreError>(&Caller::system_for(TENANT), |rows| {
        rows.insert(
            "notice_channel",
            &[
                ("name", "Operations".into()),
                ("kind", "slack".into()),
                ("target", "hooks.slack.com".into()),
                ("secret", "sealed".into()),
                ("settings", ValueRef::Json("{}")),
            ],
        )
    });
    written.unwrap();
}
