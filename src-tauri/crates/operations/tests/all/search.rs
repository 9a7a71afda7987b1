//! Tests of `search_everything`: every kind by name, ranked, limited, and only what the caller may list.

use crate::house::{House, NOW, OTHER, OWN, PERSON, TENANT};
use catalogue::{Caller, CallerAccounts, Role, ValueRef};
use serde_json::{Value, json};
use store::{StoreError, Transaction};
use uuid::Uuid;

/// Test data with one row of every kind in two accounts, named after the account.
fn house() -> House {
    let house = House::new();
    house.store.transaction(&Caller::system(), |rows| fill(rows, OWN, "shop", 0x100)).unwrap();
    house.store.transaction(&Caller::system(), |rows| fill(rows, OTHER, "lab", 0x200)).unwrap();
    house
}

fn fill(rows: &Transaction<'_>, account: Uuid, name: &str, base: u128) -> Result<(), StoreError> {
    let id = |number: u128| ValueRef::Uuid(Uuid::from_u128(base + number));
    let (tenant, account) = (ValueRef::Uuid(TENANT), ValueRef::Uuid(account));
    let called = |prefix: &str| format!("{prefix}-{name}");
    rows.insert(
        "cloud_resourses",
        &[
            ("id", id(1)),
            ("tenant", tenant),
            ("account", account),
            ("cloud_provider", "AWS".into()),
            ("name", called("disk").as_str().into()),
            ("external_resource_id", called("arn:disk").as_str().into()),
            ("service_name", "Pier Storage".into()),
            ("type", "Disk".into()),
            ("region", "eu-west-1".into()),
        ],
    )?;
    let json = || ValueRef::Json("{}");
    let (now, yes) = (ValueRef::Timestamp(NOW), ValueRef::Bool(true));
    rows.insert(
        "k8s_workloads",
        &[
            ("tenant_id", tenant),
            ("cloud_account_id", account),
            ("cloud_resource_id", id(2)),
            ("id", id(2)),
            ("external_id", "w".into()),
            ("is_active", yes),
            ("kind", "Deployment".into()),
            ("labels", json()),
            ("last_seen", now),
            ("meta", json()),
            ("name", called("web").as_str().into()),
            ("namespace", "front".into()),
            ("ready_pods", ValueRef::Int(1)),
            ("total_pods", ValueRef::Int(1)),
        ],
    )?;
    node(rows, account, id(3), &called("node"))?;
    rows.insert(
        "events",
        &[
            ("id", id(4)),
            ("tenant", tenant),
            ("cloud_account_id", account),
            ("aggregation_key", "DiskFull".into()),
            ("cluster", name.into()),
            ("evidences", ValueRef::Json("[]")),
            ("finding_id", name.into()),
            ("finding_type", "issue".into()),
            ("priority", "HIGH".into()),
            ("subject_name", called("web").as_str().into()),
            ("subject_namespace", "front".into()),
            ("title", called("Disk full in").as_str().into()),
        ],
    )?;
    rows.insert(
        "recommendation",
        &[
            ("id", id(5)),
            ("tenant_id", tenant),
            ("cloud_account_id", account),
            ("resource_id", id(1)),
            ("rule_name", "unused disk".into()),
            ("recommendation", json()),
            ("recommendation_action", "Delete".into()),
        ],
    )?;
    rows.insert(
        "llm_knowledgebase",
        &[
            ("id", id(6)),
            ("tenant_id", tenant),
            ("account_id", account),
            ("name", called("Disks of").as_str().into()),
            ("data_filename", "disks.txt".into()),
            ("data_format", "text".into()),
            ("data_size_bytes", ValueRef::Int(1)),
            ("data", "x".into()),
        ],
    )?;
    Ok(())
}

fn node(
    rows: &Transaction<'_>,
    account: ValueRef<'_>,
    id: ValueRef<'_>,
    name: &str,
) -> Result<(), StoreError> {
    rows.insert(
        "k8s_nodes",
        &[
            ("tenant_id", ValueRef::Uuid(TENANT)),
            ("cloud_account_id", account),
            ("cloud_resource_id", id),
            ("cpu_allocatable", ValueRef::Float(4.0)),
            ("cpu_capacity", ValueRef::Float(4.0)),
            ("is_active", ValueRef::Bool(true)),
            ("memory_allocatable", ValueRef::Int(1)),
            ("memory_capacity", ValueRef::Int(1)),
            ("name", name.into()),
        ],
    )?;
    Ok(())
}

fn administrator() -> Caller {
    Caller::user(PERSON, TENANT, vec![Role::TenantAdmin])
}

fn found(house: &House, caller: &Caller, request: &str) -> Vec<(String, String)> {
    let query = format!("{{ search_everything(request: {{{request}}}) {{ rows {{ kind title }} }} }}");
    let answer = house.ask_as(caller, &query);
    let rows = answer["data"]["search_everything"]["rows"].as_array().unwrap_or_else(|| panic!("{answer}"));
    let text = |row: &Value, name: &str| row[name].as_str().unwrap().to_owned();
    rows.iter().map(|row| (text(row, "kind"), text(row, "title"))).collect()
}

fn pairs(all: &[(&str, &str)]) -> Vec<(String, String)> {
    all.iter().map(|(kind, title)| ((*kind).to_owned(), (*title).to_owned())).collect()
}

#[test]
fn every_kind_is_found_by_its_name() {
    let house = house();
    assert_eq!(
        found(&house, &administrator(), "text: \"shop\""),
        pairs(&[
            ("ACCOUNT", "shop"),
            ("RESOURCE", "disk-shop"),
            ("WORKLOAD", "web-shop"),
            ("WORKLOAD", "node-shop"),
            ("EVENT", "Disk full in-shop"),
            ("RECOMMENDATION", "unused disk"),
            ("DOCUMENT", "Disks of-shop"),
        ])
    );
    let apart = found(&house, &administrator(), "text: \"full  SHOP disk\"");
    assert_eq!(apart, pairs(&[("EVENT", "Disk full in-shop")]), "every word, in any order");
    let services = found(&house, &administrator(), "text: \"STORAGE\", kinds: [SERVICE, DOCUMENT]");
    assert_eq!(services, pairs(&[("SERVICE", "Pier Storage")]), "once, though two resources are of it");
    let row =
        r#"{ search_everything(request: {text: "node-shop"}) { rows { kind id title note account_id } } }"#;
    assert_eq!(
        house.ask_as(&administrator(), row)["data"]["search_everything"]["rows"],
        json!([{ "kind": "WORKLOAD", "id": Uuid::from_u128(0x103), "title": "node-shop", "note": "Node", "account_id": OWN }])
    );
}

#[test]
fn roles_of_an_account_and_of_a_namespace_find_what_they_may_list() {
    let house = house();
    let of_account = Caller::user(PERSON, TENANT, vec![Role::AccountAdmin]).with_accounts(
        CallerAccounts::default(),
        CallerAccounts { accounts: vec![OWN], ..CallerAccounts::default() },
    );
    let text = "text: \"lab\"";
    assert_eq!(found(&house, &of_account, text), pairs(&[]));
    assert_eq!(found(&house, &of_account, "text: \"shop\"").len(), 7);

    let places =
        || CallerAccounts { namespaces: vec![(OTHER, "front".to_owned())], ..CallerAccounts::default() };
    let of_namespace = Caller::user(PERSON, TENANT, vec![Role::NamespaceAdmin])
        .with_accounts(CallerAccounts::default(), places());
    assert_eq!(
        found(&house, &of_namespace, text),
        pairs(&[("ACCOUNT", "lab"), ("WORKLOAD", "web-lab"), ("EVENT", "Disk full in-lab")]),
        "no error for the kinds it may not list"
    );
    assert_eq!(found(&house, &of_namespace, "text: \"shop\""), pairs(&[]));
    let other = Caller::user(PERSON, Uuid::from_u128(0xb), vec![Role::TenantAdmin]);
    assert_eq!(found(&house, &other, text), pairs(&[]));
}

#[test]
fn the_best_name_stands_first_however_many_hold_the_text() {
    let house = House::new();
    let many = |rows: &Transaction<'_>| -> Result<(), StoreError> {
        for number in 0..600_u128 {
            let id = ValueRef::Uuid(Uuid::from_u128(0x1000 + number));
            node(rows, OWN.into(), id, &format!("node-{number}"))?;
        }
        // In alphabetical order all of these come after the others.
        for (number, name) in (0_u128..).zip(["x-node", "xnode", "node", "noder"]) {
            node(rows, OWN.into(), ValueRef::Uuid(Uuid::from_u128(0x2000 + number)), name)?;
        }
        Ok(())
    };
    house.store.transaction(&Caller::system(), many).unwrap();
    let titles = |request: &str| -> Vec<String> {
        found(&house, &administrator(), request).into_iter().map(|(_, title)| title).collect()
    };
    assert_eq!(titles("text: \"node-572\""), ["node-572"]);
    assert_eq!(titles("text: \"node\", limit: 3"), ["node", "node-0", "node-1"]);
    assert_eq!(titles("text: \"node-57\""), ["node-57", "node-570", "node-571", "node-572", "node-573"]);
    assert_eq!(titles("text: \"572\""), ["node-572"]);
    assert_eq!(titles("text: \"ode\", limit: 1").len(), 1);
    assert_eq!(titles("text: \"NODER\""), ["noder"]);
}

#[test]
fn what_cannot_be_searched_for_is_refused() {
    let house = house();
    let refused = |request: &str| {
        house.refuses(&format!("{{ search_everything(request: {{{request}}}) {{ rows {{ id }} }} }}"))
    };
    assert_eq!(refused("text: \" \""), "`text` is empty: expected a text");
    assert_eq!(refused("text: \"x\", limit: 51"), "`limit` is 51: expected 1 to 50");
    assert_eq!(refused("text: \"x\", limit: 0"), "`limit` is 0: expected 1 to 50");
    let long = "x".repeat(201);
    assert_eq!(refused(&format!("text: \"{long}\"")), "`text` has 201 characters: expected 200 at most");
    assert_eq!(
        found(&house, &administrator(), "text: \"%\""),
        pairs(&[]),
        "signs of patterns stand for themselves"
    );
}
