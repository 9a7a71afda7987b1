//! Tests of the task that queries the knowledge graph for the impact of a change, before it is made.

use crate::house::{House, OTHER, OWN, TENANT};
use crate::workflows::{carry_out, create, on, run_of, trigger};
use catalogue::{Caller, ValueRef};
use serde_json::{Value, json};
use store::{StoreError, Transaction};
use uuid::Uuid;

/// Entities by number: name, kind and account.
const THINGS: [(u128, &str, &str, Uuid); 6] = [
    (1, "db", "Database", OWN),
    (2, "api", "Workload", OWN),
    (3, "web", "Workload", OWN),
    (4, "queue", "MessageQueue", OWN),
    (5, "elsewhere", "Workload", OTHER),
    (6, "aside", "Workload", OWN),
];
/// Dependencies: the first needs the second.
const NEEDS: [(u128, u128); 5] = [(2, 1), (3, 2), (4, 1), (5, 1), (1, 6)];

fn shop() -> House {
    let house = on();
    let fill = |rows: &Transaction<'_>| {
        for (id, name, kind, account) in THINGS {
            let properties = json!({ "name": name, "namespace": "shop" }).to_string();
            rows.insert(
                "knowledge_graph_node",
                &[
                    ("id", Uuid::from_u128(id).into()),
                    ("cloud_account_id", account.into()),
                    ("level", "Tenant".into()),
                    ("node_type", kind.into()),
                    ("properties", ValueRef::Json(&properties)),
                    ("unique_key", name.into()),
                ],
            )?;
        }
        for (from, to) in NEEDS {
            rows.insert(
                "knowledge_graph_edge",
                &[
                    ("cloud_account_id", OWN.into()),
                    ("source_node_id", Uuid::from_u128(from).into()),
                    ("destination_node_id", Uuid::from_u128(to).into()),
                    ("level", "Tenant".into()),
                    ("properties", ValueRef::Json("{}")),
                    ("relationship_type", "CALLS".into()),
                ],
            )?;
        }
        Ok::<_, StoreError>(())
    };
    house.store.transaction(&Caller::system_for(TENANT), fill).unwrap();
    house
}

fn looked(house: &House, params: &str) -> Value {
    let task = format!(
        r#"{{ id: "look", type: "core.blast_radius_preflight", params: {{ resource_name: {params} }} }}"#
    );
    let id =
        create(house, &format!("look {}", Uuid::new_v4().simple()), "PAUSED", r#"{ type: "manual" }"#, &task);
    let run = trigger(house, &id);
    carry_out(&house.store);
    run_of(house, &id, &run)["tasks"][0].clone()
}

#[test]
fn a_run_knows_what_an_outage_would_touch_and_stops_where_that_is_too_much() {
    let house = shop();
    let task = looked(&house, r#""db", namespace: "shop""#);
    let seen = &task["output"];
    let mut names: Vec<&str> = seen["affected_nodes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|node| node["name"].as_str().unwrap())
        .collect();
    names.sort_unstable();
    assert_eq!(names, ["api", "queue", "web"], "no other account, and nothing that it needs itself: {task}");
    assert_eq!(
        (&seen["risk_score"], &seen["risk_level"], &seen["is_complete"]),
        (&json!(16), &json!("low"), &json!(true))
    );
    let task = looked(&house, r#""db", on_high_risk: "block", risk_threshold: "low""#);
    assert_eq!(task["status"], "FAILED");
    assert!(task["error"].as_str().unwrap().contains("an outage of db would touch 3 things"), "{task}");
    let task = looked(&house, r#""db", on_high_risk: "block""#);
    assert_eq!(task["status"], "COMPLETED", "{task}");
}

#[test]
fn what_nobody_knows_is_not_said_to_be_harmless() {
    for params in [r#""nobody""#, r#""db", namespace: "docks""#, r#""elsewhere""#] {
        let task = looked(&shop(), params);
        assert!(task["error"].as_str().unwrap().contains("so nobody knows what depends on it"), "{task}");
    }
}
