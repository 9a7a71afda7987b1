//! Tests of imports that confirm a change, and of the recommendation's status when such an import is undone.

use super::{ADVICE, apply_with, house};
use crate::house::{House, NOW, OWN, TENANT};
use catalogue::{Caller, ValueRef};
use serde_json::Value;
use store::{StoreError, Transaction, eq};
use uuid::Uuid;

const WORKLOAD: Uuid = Uuid::from_u128(0xd1);
const HOUR: i64 = 3_600_000_000;

fn write(house: &House, work: impl FnOnce(&Transaction<'_>) -> Result<(), StoreError>) {
    house.store.transaction(&Caller::system_for(TENANT), work).unwrap();
}

/// An import that contains the CPU request of the container.
fn import(rows: &Transaction<'_>, state: &str, seen_at: i64, cpu: &str) -> Result<(), StoreError> {
    let meta = format!(r#"{{"containers":[{{"name":"app","requests":{{"cpu":{cpu}}}}}]}}"#);
    let set = [("meta", ValueRef::Json(&meta)), ("last_seen", ValueRef::Timestamp(seen_at))];
    rows.update("cloud_resourses", &[eq("id", WORKLOAD)], &set)?;
    let row = [
        ("id", Uuid::from_u128(0xd2).into()),
        ("file_name", "cluster.json".into()),
        ("size_bytes", ValueRef::Int(7)),
        ("sha256", "ab".into()),
        ("state", state.into()),
    ];
    rows.upsert("imports", &["id"], &row, &[])
}

fn standing(house: &House) -> (Value, Value, bool) {
    let query = format!(r#"{{ recommendation_by_pk(id: "{ADVICE}") {{ status note recommendation }} }}"#);
    let seen = house.answers(&query)["recommendation_by_pk"].take();
    (seen["status"].clone(), seen["note"].clone(), seen["recommendation"]["verified_change"].is_object())
}

#[test]
fn a_proof_that_is_undone_leaves_the_recommendation_as_it_stood() {
    let house = house(&[]);
    write(&house, |rows| {
        let row = [
            ("id", WORKLOAD.into()),
            ("account", OWN.into()),
            ("cloud_provider", "K8s".into()),
            ("name", "web".into()),
            ("region", "".into()),
        ];
        rows.insert("cloud_resourses", &row)?;
        rows.update("recommendation", &[eq("id", ADVICE)], &[("resource_id", WORKLOAD.into())]).map(drop)
    });
    house.answers(&apply_with("manual", ""));
    write(&house, |rows| {
        let set = [("status", "Assigned".into()), ("note", "after the release".into())];
        rows.update("recommendation", &[eq("id", ADVICE)], &set).map(drop)
    });
    let before = standing(&house);
    assert_eq!((before.0.as_str(), before.2), (Some("Assigned"), false));
    write(&house, |rows| import(rows, "done", NOW, "0.1"));
    let (status, note, is_proved) = standing(&house);
    assert_eq!((status.as_str(), is_proved), (Some("Closed"), true));
    assert!(
        note.as_str().unwrap().starts_with("Closed by an import: the cluster shows the change"),
        "{note}"
    );
    write(&house, |rows| import(rows, "undone", NOW - HOUR, "0.5"));
    assert_eq!(standing(&house), before);
}
