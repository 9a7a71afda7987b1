//! Tests that sample data never sends, runs or changes anything outside, by any operation.

use super::{create, on};
use crate::house::{House, NOW, OWN, PERSON, TENANT};
use catalogue::{Caller, Role, ValueRef};
use operations::runs::{self, Answer, Delivery, QuestionError};
use serde_json::{Value, json};
use store::{StoreError, Transaction, eq};
use uuid::Uuid;

const SAY: &str = r#"{ id: "say", type: "core.print", params: { message: "hello" } }"#;
const MANUAL: &str = r#"{ type: "manual" }"#;
const HOURLY: &str = r#"{ type: "schedule", params: { cron: "0 * * * *" } }"#;
const WHY: &str = "This is sample data: nothing of it runs, is sent or changes anything outside.";

/// Marks the tenant as that of the sample data.
fn make_sample(house: &House) {
    let value = format!("{TENANT} {}", Uuid::nil());
    let mark = |rows: &Transaction<'_>| -> Result<(), StoreError> {
        let row = [
            ("name", "sample".into()),
            ("value", value.as_str().into()),
            ("updated_at", ValueRef::Timestamp(NOW)),
        ];
        rows.insert("setting", &row)
    };
    house.store.transaction(&Caller::system(), mark).unwrap();
}

#[track_caller]
fn refused(house: &House, query: &str) {
    let caller = Caller::user(PERSON, TENANT, vec![Role::TenantAdmin]);
    let answer = house.ask_as(&caller, query);
    let message = answer["errors"][0]["message"].as_str().unwrap_or_else(|| panic!("{query}: {answer}"));
    let tells = message.contains("tenant of your own") || message.contains("your own data");
    assert!(message.starts_with(WHY) && tells, "{message}");
}

/// A mutation of one workflow.
fn of_workflow(name: &str, id: &str, more: &str, answer: &str) -> String {
    format!(r#"mutation {{ {name}(request: {{ account_id: "{OWN}", id: "{id}" {more} }}) {{ {answer} }} }}"#)
}

#[test]
fn operations_that_act_are_refused_with_what_to_do_instead() {
    let house = on();
    let id = create(&house, "nightly", "PAUSED", MANUAL, SAY);
    make_sample(&house);
    let nil = Uuid::nil();
    for query in [
        of_workflow("workflow_trigger", &id, "", "id"),
        of_workflow("workflow_resume", &id, "", "data"),
        format!(
            r#"mutation {{ workflow_retrigger_execution(request: {{ account_id: "{OWN}", workflow_id: "{id}", execution_id: "{nil}" }}) {{ id }} }}"#
        ),
        format!(
            r#"mutation {{ workflow_answer_approval(request: {{ id: "{nil}", status: "approve" }}) {{ message }} }}"#
        ),
        format!(
            r#"mutation {{ auto_optimize_run_now(request: {{ account_id: "{OWN}", id: "{nil}" }}) {{ message }} }}"#
        ),
        format!(
            r#"mutation {{ apply_recommendations(object: {{ account_id: "{OWN}", recommendation_id: "{nil}" }}) {{ data }} }}"#
        ),
        format!(r#"mutation {{ report_send(id: "{nil}") {{ run_id }} }}"#),
        r#"mutation { notice_channel_save(object: { name: "mail", kind: email }) { id } }"#.to_owned(),
    ] {
        refused(&house, &query);
    }
}

#[test]
fn no_row_of_the_sample_acts_by_itself_whoever_writes_it() {
    let house = on();
    let id = create(&house, "nightly", "PAUSED", HOURLY, SAY);
    make_sample(&house);
    refused(
        &house,
        &format!(
            r#"mutation {{ workflow_create(request: {{ account_id: "{OWN}", workflow: {{ name: "other", status: "ACTIVE",
              definition: {{ triggers: [{MANUAL}] tasks: [{SAY}] }} }} }}) {{ id }} }}"#
        ),
    );
    let write = |rows: &Transaction<'_>| -> Result<u64, StoreError> {
        rows.update("workflow", &[eq("id", Uuid::parse_str(&id).unwrap())], &[("status", "ACTIVE".into())])
    };
    let error = house.store.transaction(&Caller::system_for(TENANT), write).unwrap_err();
    assert!(error.to_string().contains("sample data"), "{error}");
    let pilot = |status: &str| {
        format!(
            r#"mutation {{ insert_auto_pilot_one(object: {{ account_id: "{OWN}", category: "pvc_rightsize", name: "Disks", rule: {{}},
              status: {status}, created_by: "{PERSON}" }}) {{ id }} }}"#
        )
    };
    refused(&house, &pilot("Active"));
    house.answers(&pilot("Disabled"));
    let report = |is_active: bool| {
        format!(
            r#"mutation {{ insert_scheduled_report_one(object: {{ name: "Costs", is_active: {is_active} }}) {{ id }} }}"#
        )
    };
    refused(&house, &report(true));
    let caller = Caller::user(PERSON, TENANT, vec![Role::TenantAdmin]);
    assert_eq!(house.ask_as(&caller, &report(false))["errors"], Value::Null);
}

#[test]
fn triggers_and_runs_from_before_do_nothing_and_stop_nobody_else() {
    let house = on();
    let hook =
        create(&house, "hook", "ACTIVE", r#"{ type: "webhook", params: { secret: "a long secret" } }"#, SAY);
    create(&house, "hourly", "ACTIVE", HOURLY, SAY);
    let run =
        of_workflow("workflow_trigger", &create(&house, "waits", "PAUSED", MANUAL, SAY), "", "execution_id");
    house.answers(&run);
    make_sample(&house);
    let delivery = Delivery {
        workflow: Uuid::parse_str(&hook).unwrap(),
        secret: Some("a long secret"),
        body: json!({}),
        key: None,
    };
    assert_eq!(runs::deliver(&house.store, &delivery).unwrap(), None);
    assert!(runs::start_due(&house.store).unwrap().is_some());
    assert!(runs::claim(&house.store, Uuid::new_v4()).unwrap().is_none());
}

#[test]
fn a_link_answers_no_approval_of_the_sample() {
    let house = on();
    let (run, wait, token) = (Uuid::from_u128(0xd1), Uuid::from_u128(0xd2), "of the link");
    let workflow = create(&house, "asks", "PAUSED", MANUAL, SAY);
    let hash = auth::fingerprint(token);
    let write = |rows: &Transaction<'_>| -> Result<(), StoreError> {
        let account = ("account_id", OWN.into());
        let begun = [
            account,
            ("id", run.into()),
            ("workflow_id", Uuid::parse_str(&workflow).unwrap().into()),
            ("definition", ValueRef::Json("{}")),
            ("revision", 1_i64.into()),
            ("status", "RUNNING".into()),
            ("trigger_type", "manual".into()),
        ];
        rows.insert("workflow_execution", &begun)?;
        let asked = [
            account,
            ("id", wait.into()),
            ("execution_id", run.into()),
            ("path", "ask".into()),
            ("message", "Go on?".into()),
            ("options", ValueRef::Json(r#"["approve", "reject"]"#)),
            ("token_hash", hash.as_str().into()),
        ];
        rows.insert("workflow_wait", &asked)
    };
    house.store.transaction(&Caller::system_for(TENANT), write).unwrap();
    make_sample(&house);
    let given = Answer { status: "approve".to_owned(), comments: String::new(), by: None };
    match runs::answer(&house.store, wait, token, &given) {
        Err(QuestionError::NotYours(reason)) => assert!(reason.starts_with(WHY), "{reason}"),
        other => panic!("{other:?}"),
    }
}
