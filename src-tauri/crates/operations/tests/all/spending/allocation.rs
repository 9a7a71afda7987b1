//! Tests of split shared cost: the result for a day stays the same as long as its charges and its rule exist.

use super::{Charge, answers, write};
use crate::house::{House, TENANT};
use catalogue::Caller;
use serde_json::{Value as Json, json};

fn told(house: &House) -> Json {
    operations::allocate(&house.store, TENANT).unwrap();
    answers(house, "{ allocated_cost(order_by: [{ date: asc }, { target: asc }]) { date target amount } }")["allocated_cost"]
        .clone()
}

#[test]
fn what_was_split_long_ago_stays_split() {
    let house = House::new();
    answers(
        &house,
        r#"mutation { insert_allocation_rule_one(object: {
            name: "support", scope: { service_name: ["Support"] }, method: fixed, shares: { web: 60, data: 40 }
        }) { id } }"#,
    );
    let support = |day| Charge::of(day, "10").with("service_name", "Support");
    write(&house.store, &[support("2025-01-31")]);
    let old = json!([
        { "date": "2025-01-31", "target": "data", "amount": 4 },
        { "date": "2025-01-31", "target": "web", "amount": 6 },
    ]);
    assert_eq!(told(&house), old);
    // Twenty months later.
    write(&house.store, &[Charge::of("2026-10-01", "1")]);
    assert_eq!(told(&house), old);
    // A change of the rule changes all results.
    answers(
        &house,
        r"mutation { update_allocation_rule(where: {}, _set: { shares: { web: 100 } }) { affected_rows } }",
    );
    assert_eq!(told(&house), json!([{ "date": "2025-01-31", "target": "web", "amount": 10 }]));
    // Without its charges it is removed.
    let gone = |rows: &store::Transaction<'_>| rows.delete("spends", &[store::eq("service_name", "Support")]);
    house.store.transaction(&Caller::system_for(TENANT), gone).unwrap();
    assert_eq!(told(&house), json!([]));
}
