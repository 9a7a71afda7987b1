//! Tests that nothing derived from imported rows remains after an undo.

use crate::house::{House, PERSON, TENANT};
use crate::savings::clusters::{import, undo};
use catalogue::{Caller, Role, ValueRef};
use serde_json::{Value as Json, json};
use store::{StoreError, Transaction, eq};

fn rows(house: &House, table: &str) -> u64 {
    house
        .store
        .snapshot(&Caller::system_for(TENANT), |rows: &Transaction<'_>| rows.count(table, &[]))
        .unwrap()
}

/// Runs a query as an administrator of the tenant.
fn ask(house: &House, query: &str) -> Json {
    let answer = house.ask_as(&Caller::user(PERSON, TENANT, vec![Role::TenantAdmin]), query);
    assert!(answer["errors"].is_null(), "{answer}");
    answer["data"].clone()
}

/// An Alertmanager message with these alerts: name, minute of the start.
fn alerts(alerts: &[(&str, u32)]) -> String {
    let alert = |(name, minute): &(&str, u32)| {
        json!({
            "status": "firing", "labels": { "alertname": name, "severity": "critical" }, "annotations": {},
            "startsAt": format!("2026-10-01T08:{minute:02}:00Z"), "endsAt": "0001-01-01T00:00:00Z", "generatorURL": "",
            "fingerprint": format!("print-{name}"),
        })
    };
    json!({
        "version": "4", "receiver": "team", "status": "firing", "groupKey": "{}", "groupLabels": {}, "commonLabels": {},
        "commonAnnotations": {}, "externalURL": "", "alerts": alerts.iter().map(alert).collect::<Vec<_>>(),
    })
    .to_string()
}

#[test]
fn alerts_that_are_taken_back_leave_no_event() {
    let house = House::new();
    let before = ["events", "cloud_accounts"].map(|table| rows(&house, table));
    import(&house, 1, "alerts.json", &alerts(&[("DiskFull", 0), ("Slow", 2)]));
    assert_eq!(rows(&house, "events"), 2);
    assert_eq!(rows(&house, "event_duplicates"), 2);
    undo(&house, 1);
    assert_eq!(["events", "cloud_accounts"].map(|table| rows(&house, table)), before);
    assert_eq!(rows(&house, "event_duplicates"), 0);
}

#[test]
fn events_that_stay_are_counted_from_one_again() {
    let house = House::new();
    import(&house, 1, "first.json", &alerts(&[("DiskFull", 0)]));
    let over = |rows: &Transaction<'_>| {
        rows.update("events", &[eq("status", "FIRING")], &[("status", "RESOLVED".into())])
    };
    house.store.transaction::<_, StoreError>(&Caller::system_for(TENANT), over).unwrap();
    import(&house, 2, "again.json", &alerts(&[("DiskFull", 20)]));
    import(&house, 3, "other.json", &alerts(&[("DiskFull", 20), ("Slow", 2)]));
    let places = || {
        ask(
            &house,
            "{ event_duplicates(order_by: [{fingerprint: asc}, {occurrence_number: asc}]) {
                 occurrence_number time_since_first_seconds time_since_previous_seconds } }",
        )["event_duplicates"]
            .clone()
    };
    let place = |number, seconds| json!({ "occurrence_number": number, "time_since_first_seconds": seconds, "time_since_previous_seconds": seconds });
    assert_eq!(places(), json!([place(1, 0), place(2, 1200), place(1, 0)]));
    undo(&house, 1);
    assert_eq!(places(), json!([place(1, 0), place(1, 0)]), "the second is the first one now");
    assert_eq!(rows(&house, "events"), 2);
}

#[test]
fn what_a_person_did_to_an_event_keeps_it() {
    let house = House::new();
    import(&house, 1, "alerts.json", &alerts(&[("DiskFull", 0), ("Slow", 20)]));
    let id = ask(&house, r#"{ events(where: {aggregation_key: {_eq: "DiskFull"}}) { id } }"#);
    let id = id["events"][0]["id"].as_str().unwrap();
    let set = format!(
        r#"mutation {{ event_update_nb_status(event_id: "{id}", nb_status: "ACTION_REQUIRED") {{ success }} }}"#
    );
    ask(&house, &set);
    undo(&house, 1);
    let left = ask(&house, "{ events { aggregation_key } }");
    assert_eq!(left["events"], json!([{ "aggregation_key": "DiskFull" }]));
}

#[test]
fn accounts_go_with_the_score_that_was_worked_out_for_them() {
    let house = House::new();
    let before = rows(&house, "cloud_accounts");
    let mut bill = "BilledCost,BillingCurrency,ChargePeriodStart,ChargePeriodEnd,BillingPeriodStart,ChargeCategory,ServiceName,\
                    ProviderName,BillingAccountId,SubAccountId,ResourceId\n"
        .to_owned();
    for day in 1..=20 {
        bill.push_str(&format!(
            "10.00,USD,2026-10-{day:02}T00:00:00Z,2026-10-{:02}T00:00:00Z,2026-10-01T00:00:00Z,Usage,Compute,AWS,9001,9002,i-1\n",
            day + 1
        ));
    }
    import(&house, 1, "bill.csv", &bill);
    operations::insights::refresh(&house.store, TENANT).unwrap();
    assert_eq!((rows(&house, "cloud_accounts"), rows(&house, "cloud_account_score")), (before + 1, 1));
    undo(&house, 1);
    assert_eq!((rows(&house, "cloud_accounts"), rows(&house, "cloud_account_score")), (before, 0));

    // A score set by a user keeps the account.
    import(&house, 2, "bill.csv", &bill);
    let give = |rows: &Transaction<'_>| {
        let found = rows.select("cloud_accounts", &["id"], &[eq("account_number", "9002")])?;
        let account = found[0][0].as_uuid().unwrap();
        rows.insert(
            "cloud_account_score",
            &[("cloud_account_id", account.into()), ("source", "audit".into()), ("score", ValueRef::Int(7))],
        )
    };
    house.store.transaction::<_, StoreError>(&Caller::system_for(TENANT), give).unwrap();
    undo(&house, 2);
    assert_eq!(rows(&house, "cloud_accounts"), before + 1);
}
