//! The changes that a subscription is notified of.

use super::{ACME, TestWorld};
use crate::{Live, Request};
use catalogue::{Caller, Role};
use serde_json::json;
use std::pin::pin;
use std::task::{Context, Waker};
use store::{Cancel, Watch};
use uuid::Uuid;

fn reader() -> Caller {
    Caller::user(Uuid::from_u128(7), Uuid::from_u128(ACME), vec![Role::TenantAdminReadonly])
}

fn live(house: &TestWorld, query: &str) -> Live {
    let request = Request { query: query.to_owned(), ..Request::default() };
    house.engine.subscribe(&reader(), &request).unwrap().unwrap()
}

fn is_told(watch: &mut Watch) -> bool {
    pin!(watch.changed()).poll(&mut Context::from_waker(Waker::noop())).is_ready()
}

fn change(house: &TestWorld, query: &str) -> String {
    house.ask_as(Role::TenantAdmin, ACME, query, json!({}))
}

const COMMENT: &str = "mutation { insert_remark_one(object: { spend_id: \"00000000-0000-0000-0000-00000000000b\", \
                       text: \"new\" }) { text } }";

#[test]
fn a_subscription_is_told_of_the_tables_it_reads_and_no_others() {
    let house = TestWorld::new();
    for (query, told) in [
        ("subscription { remark { id } }", true),
        ("subscription { remark_aggregate { aggregate { count } } }", true),
        ("subscription { spends { remarks { id } } }", true),
        ("subscription { spends { remarks_aggregate { aggregate { count } } } }", true),
        ("subscription { spends(where: { remarks: { text: { _eq: \"new\" } } }) { id } }", true),
        (
            "subscription { spends(where: { _not: { remarks_aggregate: { count: { predicate: { _gt: 1 } } } } }) { id } }",
            true,
        ),
        ("subscription { spends(order_by: { remarks_aggregate: { count: desc } }) { id } }", true),
        ("subscription { cloud_accounts { spends_aggregate { nodes { remarks { id } } } } }", true),
        ("subscription { spends { id } }", false),
        ("subscription { cloud_accounts { spends { id } } }", false),
    ] {
        let mut watch = live(&house, query).watch();
        assert!(!is_told(&mut watch), "{query}");
        change(&house, COMMENT);
        assert_eq!(is_told(&mut watch), told, "{query}");
        watch.mark();
        assert!(!is_told(&mut watch), "{query}");
    }
}

#[test]
fn rows_removed_with_the_row_they_belong_to_are_told() {
    let house = TestWorld::new();
    let mut watch = live(&house, "subscription { spends { id } }").watch();
    let answer = change(
        &house,
        "mutation { delete_cloud_accounts_by_pk(id: \"00000000-0000-0000-0000-000000000002\") { id } }",
    );
    assert!(answer.starts_with("{\"data\""), "{answer}");
    assert!(is_told(&mut watch));
}

#[test]
fn what_was_undone_is_not_told() {
    let house = TestWorld::new();
    let mut watch = live(&house, "subscription { remark { id } }").watch();
    let both = COMMENT.replace("mutation {", "mutation { a:").replace(
        "{ text } }",
        "{ text } b: insert_remark_one(object: { spend_id: \"00000000-0000-0000-0000-0000000000ff\", text: \"x\" }) { text } }",
    );
    assert!(change(&house, &both).starts_with("{\"errors\""));
    assert!(!is_told(&mut watch));
    change(&house, "mutation { update_spends(where: {}, _set: { unit: \"EUR\" }) { affected_rows } }");
    let mut other = live(&house, "subscription { spends { id } }").watch();
    assert!(!is_told(&mut other) && is_told(&mut watch), "a remark belongs to the tenant of its spend");
}

#[test]
fn a_live_answer_is_that_of_the_query() {
    let house = TestWorld::new();
    let fields = "{ kept: spends_by_pk(id: \"00000000-0000-0000-0000-00000000000b\") { amount unit } }";
    let live = live(&house, &format!("subscription {fields}"));
    let answer = live.answer(&reader(), &Cancel::default(), |error| panic!("{error:?}"));
    assert_eq!(String::from_utf8(answer).unwrap(), house.ask(ACME, fields, json!({})));
}

#[test]
fn a_listing_is_not_subscribed_to() {
    let house = TestWorld::new();
    let query = "subscription { spend_groupings_v2 { rows { spend_count } } }".to_owned();
    let refusal = house.engine.subscribe(&reader(), &Request { query, ..Request::default() });
    let error = refusal.err().expect("it is refused");
    assert_eq!(
        (error.code, error.path.as_str(), error.message.as_str()),
        (
            "validation-failed",
            "$.selectionSet.spend_groupings_v2",
            "field 'spend_groupings_v2' not found in type: 'subscription_root'"
        )
    );
}
