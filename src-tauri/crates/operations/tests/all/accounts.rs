//! Tests of operations as an administrator of one account: everything is allowed there, nothing elsewhere.

use crate::house::{House, OTHER, OWN, PERSON, TENANT};
use catalogue::{Caller, CallerAccounts, Role, ValueRef};
use serde_json::json;
use store::{StoreError, Transaction};
use uuid::Uuid;

fn create(account: Uuid) -> String {
    format!(
        r#"mutation {{
          workflow_create(request: {{ account_id: "{account}", workflow: {{ name: "nightly", definition: {{
            triggers: [{{ type: "manual" }}]
            tasks: [{{ id: "say", type: "core.print", params: {{ message: "hello" }} }}]
          }} }} }}) {{ id }}
        }}"#
    )
}

#[test]
fn workflows_are_written_and_run_in_the_own_account() {
    let house = House::new();
    operations::runs::store_automation_settings(
        &house.store,
        &operations::runs::AutomationSettings { is_on: true, ..Default::default() },
    )
    .unwrap();
    let created = house.answers(&create(OWN));
    let id = created["workflow_create"]["id"].as_str().unwrap();
    let run = format!(
        r#"mutation {{ workflow_trigger(request: {{ account_id: "{OWN}", id: "{id}" }}) {{ execution_id }} }}"#
    );
    let run = house.answers(&run);
    let run = run["workflow_trigger"]["execution_id"].as_str().unwrap();
    let seen = format!(
        r#"{{ workflow_get_execution(request: {{ account_id: "{OWN}", workflow_id: "{id}", id: "{run}" }}) {{
          status triggered_by tasks {{ id status }} workflow_result
        }} }}"#
    );
    let seen = &house.answers(&seen)["workflow_get_execution"];
    assert_eq!(seen["status"], "SCHEDULED");
    assert_eq!(seen["triggered_by"], PERSON.to_string());
    assert_eq!(seen["tasks"][0]["id"], "say");
}

#[test]
fn another_account_is_as_none() {
    let house = House::new();
    let none = format!("there is no account {OTHER} that you may see");
    assert_eq!(house.refuses(&create(OTHER)), none);
    let list = format!(r#"{{ workflow_list(request: {{ account_id: "{OTHER}" }}) {{ total_count }} }}"#);
    assert_eq!(house.refuses(&list), none);
    let ticket = format!(
        r#"mutation {{ tickets_insert_one(object: {{ title: "x", account_id: "{OTHER}" }}) {{ data {{ insert_tickets_one {{ id }} }} }} }}"#
    );
    assert_eq!(house.refuses(&ticket), none);
}

/// A caller with the namespace `front` of [`OWN`] only.
fn of_namespace(role: Role) -> Caller {
    let places =
        || CallerAccounts { namespaces: vec![(OWN, "front".to_owned())], ..CallerAccounts::default() };
    match role {
        Role::NamespaceAdmin => {
            Caller::user(PERSON, TENANT, vec![role]).with_accounts(CallerAccounts::default(), places())
        }
        _ => Caller::user(PERSON, TENANT, vec![role]).with_accounts(places(), CallerAccounts::default()),
    }
}

fn event(rows: &Transaction<'_>, account: Uuid, namespace: &str) -> Result<(), StoreError> {
    rows.insert(
        "events",
        &[
            ("tenant", TENANT.into()),
            ("cloud_account_id", account.into()),
            ("aggregation_key", "DiskFull".into()),
            ("cluster", "c".into()),
            ("evidences", ValueRef::Json("[]")),
            ("finding_id", namespace.into()),
            ("finding_type", "issue".into()),
            ("priority", "HIGH".into()),
            ("subject_name", "web".into()),
            ("subject_namespace", namespace.into()),
            ("title", "Disk full".into()),
        ],
    )?;
    Ok(())
}

#[test]
fn roles_of_a_namespace_filter_the_events_of_theirs_and_list_no_workflow_of_the_account() {
    let house = House::new();
    let fill = |rows: &Transaction<'_>| {
        event(rows, OWN, "front")?;
        event(rows, OWN, "back")?;
        event(rows, OTHER, "front")
    };
    house.store.transaction(&Caller::system(), fill).unwrap();
    house.answers(&create(OWN));
    for role in [Role::NamespaceAdmin, Role::NamespaceAdminReadonly] {
        let caller = of_namespace(role);
        for account in [format!(r#"account_id: "{OWN}","#), String::new()] {
            let values = house.ask_as(
                &caller,
                &format!(
                    r#"{{ event_get_filter_values(request: {{{account} filter_types: ["namespace"]}}) {{ filters {{ total values {{ value }} }} }} }}"#
                ),
            );
            let expected = json!([{ "total": 1, "values": [{ "value": "front" }] }]);
            assert_eq!(values["data"]["event_get_filter_values"]["filters"], expected, "{values}");
        }
        let other = format!(
            r#"{{ event_get_filter_values(request: {{account_id: "{OTHER}", filter_types: ["namespace"]}}) {{ filters {{ total }} }} }}"#
        );
        let refused = house.ask_as(&caller, &other);
        assert_eq!(refused["errors"][0]["message"], format!("there is no account {OTHER}"));
        // A workflow belongs to a whole account: with only a namespace of it, the list is empty rather than refused.
        let list = format!(
            r#"{{ workflow_list(request: {{ account_id: "{OWN}" }}) {{ total_count workflows {{ id }} }} }}"#
        );
        let listed = house.ask_as(&caller, &list);
        assert_eq!(listed["data"]["workflow_list"], json!({ "total_count": 0, "workflows": [] }), "{listed}");
        let list = list.replace(&OWN.to_string(), &OTHER.to_string());
        let refused = house.ask_as(&caller, &list);
        assert_eq!(refused["errors"][0]["message"], format!("there is no account {OTHER} that you may see"));
    }
}

#[test]
fn lines_of_other_accounts_are_not_found() {
    let house = House::new();
    let found = house.answers(
        r#"mutation { logs_query(request: { query: "", start: "1970-01-01T00:00:00Z", end: "1970-01-01T00:01:00Z" }) { message } }"#,
    );
    assert_eq!(found["logs_query"], serde_json::json!([{ "message": "shop" }]));
}

#[test]
fn tickets_and_auto_pilots_are_written_in_the_own_account() {
    let house = House::new();
    let ticket = format!(
        r#"mutation {{ tickets_insert_one(object: {{ title: "x", account_id: "{OWN}" }}) {{ data {{ insert_tickets_one {{ ticket_id }} }} }} }}"#
    );
    let ticket = house.answers(&ticket);
    assert_eq!(ticket["tickets_insert_one"]["data"]["insert_tickets_one"]["ticket_id"], "QD-1");
    let pilot = format!(
        r#"mutation {{ auto_optimize_insert_one(arg1: {{
          account_id: "{OWN}", category: "pvc_rightsize", dryrun: false, notification: {{}}, schedule: {{}}
          resource_filter: [{{ namespace: "shop" }}]
        }}) {{ id }} }}"#
    );
    assert!(house.answers(&pilot)["auto_optimize_insert_one"]["id"].is_string());
}

#[test]
fn people_and_settings_are_for_administrators_of_the_tenant() {
    let house = House::new();
    for request in [
        format!(r#"users_delete_one(user: {{ id: "{PERSON}" }}) {{ id }}"#),
        "tenant_attribute_upsert(object: []) { name }".to_owned(),
    ] {
        let expected = "Access Denied: the role account_admin may not use this; allowed are tenant_admin";
        assert_eq!(house.refuses(&format!("mutation {{ {request} }}")), expected);
    }
    let token = house.answers(r#"mutation { users_create_token(user: { name: "report" }) { name token } }"#);
    assert_eq!(token["users_create_token"]["token"].as_str().map(str::len), Some(64));
}
