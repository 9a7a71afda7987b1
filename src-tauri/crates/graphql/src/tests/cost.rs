//! Requests that would read too many rows are refused by estimate, before any statement runs.

use super::{ACME, TestWorld};
use crate::{Engine, Request};
use catalogue::{Caller, Role, ValueRef};
use serde_json::{Value, json};
use std::time::Duration;
use store::{Bounds, StoreError};
use uuid::Uuid;

/// Enough rows that small requests count as small and multiplied ones as large.
const SPENDS: u128 = 3_000;

/// A test world with many spends. Statements have a very short time limit, therefore anything that reads rows is stopped.
fn full() -> (TestWorld, Engine) {
    let house = TestWorld::new();
    let store = house.engine.store.clone();
    store
        .transaction(&Caller::system(), |rows| {
            for number in 0..SPENDS {
                rows.insert(
                    "spends",
                    &[
                        ("id", ValueRef::Uuid(Uuid::from_u128(0x1000 + number))),
                        ("tenant", ValueRef::Uuid(Uuid::from_u128(ACME))),
                        ("cloud_account", ValueRef::Uuid(Uuid::from_u128(1 + number % 2))),
                        ("date", ValueRef::Timestamp(0)),
                        ("amount", ValueRef::Decimal(catalogue::Decimal::parse("1").unwrap())),
                    ],
                )?;
            }
            Ok::<_, StoreError>(())
        })
        .unwrap();
    let bounds = Bounds { time: Duration::ZERO, related_rows: 1_000, ..Bounds::default() };
    let engine = Engine::new(store.with_bounds(bounds)).unwrap();
    (house, engine)
}

fn message(engine: &Engine, query: &str, variables: Value) -> String {
    let caller = Caller::user(Uuid::from_u128(7), Uuid::from_u128(ACME), vec![Role::TenantAdmin]);
    let variables = variables.as_object().cloned();
    let request = Request { query: query.to_owned(), variables, ..Request::default() };
    let answer = match engine.subscribe(&caller, &request) {
        Ok(Some(live)) => live.answer(&caller, &store::Cancel::default(), |error| panic!("{error:?}")),
        _ => engine.execute(&caller, &request, |error| panic!("{error:?}")),
    };
    let answer: Value = serde_json::from_slice(&answer).unwrap();
    answer["errors"][0]["message"].as_str().unwrap_or_default().to_owned()
}

fn times(times: usize, what: &str) -> String {
    (0..times).map(|n| format!("a{n}: {what} ")).collect()
}

const AROUND: &str =
    "{cloudAccountByCloudAccount: {spends: {cloudAccountByCloudAccount: {spends: {unit: {_eq: \"none\"}}}}}}";
const COUNTED: &str = "{spends_aggregate: {count: {predicate: {_gt: 7}}}}";

#[test]
fn related_rows_are_not_looked_through_again_and_again() {
    let (_house, engine) = full();
    let figures =
        format!("{{cloudAccountByCloudAccount: {{spends: {{cloudAccountByCloudAccount: {COUNTED}}}}}}}");
    let many = vec![COUNTED; 100].join(", ");
    for query in [
        format!("{{ spends(where: {AROUND}, limit: 1) {{ id }} }}"),
        format!("{{ spends(where: {figures}, limit: 1) {{ id }} }}"),
        format!("{{ spends(where: {{_not: {AROUND}}}, distinct_on: unit) {{ id }} }}"),
        format!("{{ spends_aggregate(where: {AROUND}) {{ aggregate {{ count }} }} }}"),
        format!("{{ spends_aggregate(where: {AROUND}) {{ nodes {{ id }} }} }}"),
        format!("{{ cloud_accounts(where: {{_or: [{many}]}}) {{ id }} }}"),
        format!("{{ cloud_accounts {{ spends(where: {AROUND}) {{ id }} }} }}"),
        format!("{{ cloud_accounts {{ spends_aggregate(where: {AROUND}) {{ aggregate {{ count }} }} }} }}"),
        format!("{{ cloud_accounts(where: {{spends_aggregate: {{count: {{filter: {AROUND}, predicate: {{_gt: 1}}}}}}}}) {{ id }} }}"),
        "{ spends(order_by: {cloudAccountByCloudAccount: {spends_aggregate: {count: desc}}}) { id } }".to_owned(),
        "{ cloud_accounts(order_by: {spends_aggregate: {count: desc, max: {amount: asc, date: asc}}}) { id } }".to_owned(),
        format!("subscription {{ spends(where: {AROUND}) {{ id }} }}"),
        format!("mutation {{ delete_spends(where: {AROUND}) {{ affected_rows }} }}"),
        format!("mutation {{ update_spends(where: {AROUND}, _set: {{unit: \"x\"}}) {{ affected_rows }} }}"),
        format!("mutation {{ update_spends_many(updates: [{{where: {AROUND}, _set: {{unit: \"x\"}}}}]) {{ affected_rows }} }}"),
        format!("mutation {{ {} }}", times(20, &format!("delete_cloud_accounts(where: {COUNTED}) {{ affected_rows }}"))),
    ] {
        let message = message(&engine, &query, json!({}));
        assert!(message.contains("related rows, and 1000 is the limit"), "{query}: {message}");
    }
}

#[test]
fn whole_tables_are_not_gone_through_again_and_again() {
    let (_house, engine) = full();
    let object = "{spend_id: \"00000000-0000-0000-0000-00000000000b\", text: \"x\"}";
    let nested = "spend { cloudAccountByCloudAccount { spends { remarks { spend { cloudAccountByCloudAccount { spends { id } } } } } } }";
    for query in [
        format!("{{ {} }}", times(200, "spends(where: {unit: {_eq: \"none\"}}, limit: 1) { id }")),
        format!("{{ {} }}", times(200, "spends(distinct_on: date) { id }")),
        format!("{{ {} }}", times(99, "spends_aggregate { aggregate { count } }")),
        format!("{{ spends_aggregate {{ {} }} }}", times(199, "aggregate { count }")),
        format!("{{ {} }}", times(200, "spend_groupings_v2 { rows { spend_count } }")),
        "{ spends { cloudAccountByCloudAccount { spends_aggregate { aggregate { count } } } } }".to_owned(),
        "{ spends(limit: 5000) { cloudAccountByCloudAccount { spends(limit: 1) { id } } } }".to_owned(),
        "{ spends(where: {unit: {_is_null: true}}) { cloudAccountByCloudAccount { spends { id } } } }".to_owned(),
        format!("{{ spends(where: {{_and: [{}]}}) {{ id }} }}", "{amount: {_neq: 7}} ".repeat(190) + &"{unit: {_like: \"%x%\"}} ".repeat(190)),
        format!("{{ spends(order_by: [{}]) {{ id }} }}", "{unit: asc} ".repeat(390)),
        format!("{{ spends_aggregate {{ aggregate {{ {} }} }} }}", times(390, "count(columns: [unit, date], distinct: true)")),
        "subscription { spends { cloudAccountByCloudAccount { spends_aggregate { aggregate { count } } } } }".to_owned(),
        "mutation { update_spends(where: {}, _set: {unit: \"x\"}) { returning { cloudAccountByCloudAccount { spends_aggregate { aggregate { count } } } } } }".to_owned(),
        format!("mutation {{ insert_remark(objects: [{}]) {{ returning {{ {nested} }} }} }}", vec![object; 200].join(", ")),
    ] {
        let message = message(&engine, &query, json!({}));
        assert!(message.contains("to go through their tables 20 times is the limit"), "{query:.90}: {message}");
    }
}

#[test]
fn a_plan_made_for_few_rows_is_bound_by_what_is_asked_of_it_later() {
    let (house, engine) = full();
    let query = "query($n: Int) { spends(limit: $n) { cloudAccountByCloudAccount { spends_aggregate { aggregate { count } } } } }";
    let few = Engine::new(house.engine.store.clone()).unwrap();
    assert_eq!(message(&few, query, json!({ "n": 2 })), "");
    assert!(message(&few, query, json!({ "n": 3_000 })).contains("20 times"));
    assert_eq!(message(&few, query, json!({ "n": 2 })), "");
    assert!(message(&engine, query, json!({ "n": 2 })).contains("stopped after 0 ms"), "it runs");
}

#[test]
fn what_is_asked_every_day_is_no_bomb() {
    let (house, _) = full();
    for query in [
        "{ spends(where: {cloudAccountByCloudAccount: {account_name: {_eq: \"none\"}}}) { id } }".to_owned(),
        "{ spends(where: {_or: [{cloudAccountByCloudAccount: {account_name: {_like: \"x%\"}}}, {remarks: {text: {_eq: \"x\"}}}]}) { id } }".to_owned(),
        "{ spends(order_by: {cloudAccountByCloudAccount: {account_name: desc}}, limit: 10) { id } }".to_owned(),
        format!("{{ cloud_accounts(where: {COUNTED}, order_by: {{spends_aggregate: {{count: desc}}}}) {{ id spends_aggregate {{ aggregate {{ count sum {{ amount }} }} }} }} }}"),
        format!("{{ {} }}", times(12, "spends_aggregate(where: {unit: {_eq: \"EUR\"}}) { aggregate { count } }")),
        "{ spends(limit: 10) { cloudAccountByCloudAccount { spends_aggregate { aggregate { count } } } } }".to_owned(),
        format!("{{ {} }}", times(99, "spends_by_pk(id: \"00000000-0000-0000-0000-00000000000b\") { id remarks { id } }")),
        format!("{{ spends(where: {{id: {{_in: [\"00000000-0000-0000-0000-00000000000b\"]}}, _and: [{AROUND}]}}) {{ id }} }}"),
    ] {
        assert_eq!(message(&house.engine, &query, json!({})), "", "{query}");
    }
}
