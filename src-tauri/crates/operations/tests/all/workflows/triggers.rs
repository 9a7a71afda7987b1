//! Tests of triggers: schedules, webhooks, events, each firing once; none while automation is off.

use super::{ASK, HOUR, carry_out, create, on, run_of, statuses};
use crate::house::{House, NOW, OWN, TENANT};
use catalogue::{Caller, ValueRef};
use operations::runs::{self, Delivery, WebhookError};
use serde_json::json;
use store::eq;
use uuid::Uuid;

#[test]
fn nothing_begins_while_automation_is_off() {
    let house = House::new();
    let id =
        create(&house, "nightly", "ACTIVE", r#"{ type: "schedule", params: { cron: "0 * * * *" } }"#, ASK);
    let refused = house.refuses(&format!(
        r#"mutation {{ workflow_trigger(request: {{ account_id: "{OWN}", id: "{id}" }}) {{ id }} }}"#
    ));
    assert!(refused.contains("QUARTERDECK_AUTOMATION=on"), "{refused}");
    assert_eq!(runs::start_due(&house.store).unwrap(), None);
    runs::store_automation_settings(
        &house.store,
        &runs::AutomationSettings { is_on: true, ..Default::default() },
    )
    .unwrap();
    assert_eq!(runs::start_due(&house.store).unwrap(), Some(NOW + HOUR));
    runs::store_automation_settings(
        &house.store,
        &runs::AutomationSettings { is_on: false, ..Default::default() },
    )
    .unwrap();
    assert_eq!(runs::start_due(&house.store).unwrap(), None, "no next time");
}

#[test]
fn a_schedule_begins_runs_in_time_and_skips_while_one_is_open() {
    let house = on();
    let schedule = r#"{ type: "schedule", params: { cron: "0 * * * *", zone: "eu" } }"#;
    let id = create(
        &house,
        "nightly",
        "ACTIVE",
        schedule,
        r#"{ id: "say", type: "core.print", params: { message: "{{ zone }} {{ workflow_scheduled_time }}" } }"#,
    );
    assert_eq!(runs::start_due(&house.store).unwrap(), Some(NOW + HOUR));
    let later = house.store.clone().with_clock(|| NOW + HOUR + 1);
    assert_eq!(runs::start_due(&later).unwrap(), Some(NOW + 2 * HOUR));
    assert_eq!(statuses(&house, &id), ["SCHEDULED"]);
    let later = house.store.clone().with_clock(|| NOW + 2 * HOUR);
    runs::start_due(&later).unwrap();
    assert_eq!(statuses(&house, &id).len(), 1, "the one before is not over");
    carry_out(&later);
    assert_eq!(statuses(&house, &id), ["COMPLETED"]);
    let late = house.store.clone().with_clock(|| NOW + 10 * HOUR + HOUR / 2);
    assert_eq!(runs::start_due(&late).unwrap(), Some(NOW + 11 * HOUR));
    assert_eq!(statuses(&house, &id).len(), 1, "what is later than a minute is missed");
    house.answers(&format!(
        r#"mutation {{ workflow_pause(request: {{ account_id: "{OWN}", id: "{id}" }}) {{ data }} }}"#
    ));
    assert_eq!(runs::start_due(&late).unwrap(), None);
}

#[test]
fn a_webhook_starts_its_workflow_with_its_secret() {
    let house = on();
    let webhook = r#"{ type: "webhook", params: { integration_name: "ci", secret: "open-sesame", filter: "{{ payload.kind == 'deploy' }}" } }"#;
    let id = create(
        &house,
        "hook",
        "ACTIVE",
        webhook,
        r#"{ id: "say", type: "core.print", params: { message: "{{ Inputs.kind }}" } }"#,
    );
    let stored = house.answers(&format!(r#"{{ workflow_get(request: {{ account_id: "{OWN}", id: "{id}" }}) {{ definition {{ triggers {{ params }} }} }} }}"#));
    assert!(!stored.to_string().contains("open-sesame"), "{stored}");
    let workflow: Uuid = id.parse().unwrap();
    let deliver = |secret: Option<&str>, kind: &str, key: Option<&str>| {
        runs::deliver(&house.store, &Delivery { workflow, secret, body: json!({ "kind": kind }), key })
    };
    assert!(matches!(deliver(None, "deploy", None), Err(WebhookError::Secret)));
    assert!(matches!(deliver(Some("guess"), "deploy", None), Err(WebhookError::Secret)));
    assert_eq!(deliver(Some("open-sesame"), "test", None).unwrap(), None, "the filter does not hold");
    let run = deliver(Some("open-sesame"), "deploy", Some("1")).unwrap().unwrap();
    assert_eq!(deliver(Some("open-sesame"), "deploy", Some("1")).unwrap(), None, "once");
    carry_out(&house.store);
    assert_eq!(run_of(&house, &id, &run.to_string())["tasks"][0]["output"], json!({ "data": "deploy" }));
    house.answers(&format!(
        r#"mutation {{ workflow_pause(request: {{ account_id: "{OWN}", id: "{id}" }}) {{ data }} }}"#
    ));
    assert!(matches!(deliver(Some("open-sesame"), "deploy", None), Err(WebhookError::Paused(_))));
    house.answers(&format!(
        r#"mutation {{ workflow_delete(request: {{ account_id: "{OWN}", id: "{id}" }}) {{ message }} }}"#
    ));
    assert!(matches!(deliver(Some("open-sesame"), "deploy", None), Err(WebhookError::None)));
}

#[test]
fn an_event_starts_a_workflow_once_and_tasks_on_rows_have_their_effect_once() {
    let house = on();
    let event = r#"{ type: "event", params: { event_type: "OOMKilled", filter: "{{ event.event_type == 'OOMKilled' and event.account_id == Inputs.event.cloud_account_id and event.priority == 'HIGH' }}" } }"#;
    let tasks = r#"{ id: "open", type: "tickets.create", params: { integration_id: "", project_key: "OPS", title: "{{ Inputs.event.title }}", description: "d" } }
        { id: "note", type: "events.store", params: { title: "handled" } }
        { id: "logs", type: "observability.logs", params: { query: "", start_time: "1970-01-01T00:00:00Z" } }"#;
    let id = create(&house, "oom", "ACTIVE", event, tasks);
    let insert = |key: &str, priority: &str| {
        house
            .store
            .transaction::<_, store::StoreError>(&Caller::system_for(TENANT), |rows| {
                rows.insert(
                    "events",
                    &[
                        ("cloud_account_id", OWN.into()),
                        ("aggregation_key", key.into()),
                        ("cluster", "c".into()),
                        ("evidences", ValueRef::Json("[]")),
                        ("finding_id", format!("{key}{priority}").as_str().into()),
                        ("finding_type", "issue".into()),
                        ("priority", priority.into()),
                        ("subject_name", "web".into()),
                        ("title", "out of memory".into()),
                        ("starts_at", ValueRef::Timestamp(NOW)),
                    ],
                )
            })
            .unwrap();
    };
    insert("OOMKilled", "HIGH");
    insert("OOMKilled", "LOW");
    insert("Other", "HIGH");
    assert_eq!(statuses(&house, &id).len(), 1);
    carry_out(&house.store);
    assert_eq!(statuses(&house, &id), ["COMPLETED"]);
    let counted = house.store.snapshot::<_, store::StoreError>(&Caller::system(), |rows| {
        Ok((
            rows.count("tickets", &[eq("title", "out of memory")])?,
            rows.count("events", &[eq("title", "handled")])?,
        ))
    });
    assert_eq!(counted.unwrap(), (1, 1));
}
