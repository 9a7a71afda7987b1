//! Tests of waste: found in charges, stored as recommendations, decided on, and verified by later bills.

pub(crate) mod clusters;
mod undone;

use crate::house::{House, OWN, PERSON, TENANT};
use catalogue::{Caller, Decimal, Role, ValueRef, parse_date};
use operations::savings::{Outcome, refresh, run};
use serde_json::{Value as Json, json};
use store::{StoreError, eq, gt};
use uuid::Uuid;

const DAY: i64 = 86_400_000_000;
/// A gp2 volume at 10 a day; an unused address at 1 a day; a machine at 30 a day.
const VOLUME: Uuid = Uuid::from_u128(0xe1);
const ADDRESS: Uuid = Uuid::from_u128(0xe2);
const MACHINE: Uuid = Uuid::from_u128(0xe3);

const GP2: &str = "EU-EBS:VolumeUsage.gp2";
const IDLE: &str = "EU-ElasticIP:IdleAddress";
const BOX: &str = "EU-BoxUsage:m7g.large";

fn day(text: &str) -> i32 {
    parse_date(text).unwrap()
}

fn caller() -> Caller {
    Caller::system_for(TENANT)
}

/// Test data with a bill that contains the resources.
fn house() -> House {
    let house = House::new();
    let work = |rows: &store::Transaction<'_>| -> Result<(), StoreError> {
        for (id, name) in [(VOLUME, "vol-1"), (ADDRESS, "203.0.113.7"), (MACHINE, "web-1")] {
            rows.insert(
                "cloud_resourses",
                &[
                    ("id", id.into()),
                    ("account", OWN.into()),
                    ("cloud_provider", "AWS".into()),
                    ("name", name.into()),
                    ("region", "eu".into()),
                    ("resourse_id", name.into()),
                    ("service_name", "Compute".into()),
                    ("status", "Active".into()),
                    ("type", "VM".into()),
                ],
            )?;
        }
        Ok(())
    };
    house.store.transaction(&caller(), work).unwrap();
    house
}

/// Charges for a resource with a daily cost from the first to the last day.
fn bill(house: &House, (resource, usage, cost): (Uuid, &str, i64), (from, to): (&str, &str)) {
    let details = json!({ "x_UsageType": usage }).to_string();
    let work = |rows: &store::Transaction<'_>| -> Result<(), StoreError> {
        for at in day(from)..=day(to) {
            rows.insert(
                "spends",
                &[
                    ("cloud_account", OWN.into()),
                    ("cloud_resource_id", resource.into()),
                    ("date", ValueRef::Timestamp(i64::from(at) * DAY)),
                    ("period_end", ValueRef::Timestamp((i64::from(at) + 1) * DAY)),
                    ("amount", ValueRef::Decimal(Decimal::from(cost))),
                    ("unit", "USD".into()),
                    ("service_name", "Compute".into()),
                    ("charge_category", "Usage".into()),
                    ("billing_account_id", "bill".into()),
                    ("details", ValueRef::Json(&details)),
                ],
            )?;
        }
        Ok(())
    };
    house.store.transaction(&caller(), work).unwrap();
}

/// The charges of all three in October.
fn october(house: &House) {
    for line in [(VOLUME, GP2, 10), (ADDRESS, IDLE, 1), (MACHINE, BOX, 30)] {
        bill(house, line, ("2026-10-01", "2026-10-31"));
    }
}

/// The changes of an analysis: added, updated, removed, reopened, closed, verified.
fn changes(found: &Outcome) -> [usize; 6] {
    [found.added, found.updated, found.removed, found.reopened, found.closed, found.proved]
}

fn analyse(house: &House, as_of: &str) -> Outcome {
    run(&house.store, TENANT, Some(as_of)).unwrap()
}

fn ask(house: &House, query: &str) -> Json {
    let answer = house.ask_as(&Caller::user(PERSON, TENANT, vec![Role::TenantAdmin]), query);
    assert!(answer["errors"].is_null(), "{answer}");
    answer["data"].clone()
}

/// The recommendation of a rule.
fn told(house: &House, rule: &str) -> Json {
    let query = format!(
        "{{ recommendation(where: {{rule_name: {{_eq: \"{rule}\"}}}}) {{ id status note is_dismissed dismissed_until estimated_savings recommendation }} }}"
    );
    ask(house, &query)["recommendation"][0].clone()
}

fn set(house: &House, rule: &str, operation: &str, more: &str) {
    let id = told(house, rule)["id"].as_str().unwrap().to_owned();
    ask(house, &format!("mutation {{ {operation}(recommendation_id: \"{id}\"{more}) {{ new_status }} }}"));
}

#[test]
fn waste_is_kept_and_a_second_run_changes_nothing() {
    let house = house();
    october(&house);
    let found = analyse(&house, "2026-11-01");
    assert_eq!(changes(&found), [2, 0, 0, 0, 0, 0], "{:?}", found.findings);
    let rules: Vec<_> = found.findings.iter().map(|one| (one.rule_name, one.resource_id)).collect();
    assert_eq!(rules, [("gp2_to_gp3", Some(VOLUME)), ("idle_address", Some(ADDRESS))]);
    let volume = told(&house, "gp2_to_gp3");
    assert_eq!((&volume["status"], &volume["estimated_savings"]), (&"Open".into(), &62.into()));
    let card = &volume["recommendation"];
    assert_eq!((&card["monthly_cost"], &card["share"]), (&310.into(), &json!(0.2)), "{card}");
    assert_eq!(changes(&analyse(&house, "2026-11-01")), [0; 6]);
    assert_eq!(changes(&refresh(&house.store, TENANT).unwrap()), [0; 6]);
}

#[test]
fn as_of_a_day_the_whole_bill_gives_what_the_bill_cut_there_gives() {
    let (whole, short) = (house(), house());
    october(&whole);
    for line in [(VOLUME, GP2, 10), (ADDRESS, IDLE, 1), (MACHINE, BOX, 30)] {
        bill(&short, line, ("2026-10-01", "2026-10-12"));
    }
    let told = |found: Outcome| serde_json::to_value(found.findings).unwrap();
    assert_eq!(told(analyse(&whole, "2026-10-12")), told(analyse(&short, "2026-11-01")));
    let refused = run(&whole.store, TENANT, Some("yesterday")).unwrap_err();
    assert!(refused.message.contains("expected a day such as 2026-06-18"), "{}", refused.message);
}

#[test]
fn what_an_import_brought_goes_when_its_charges_go() {
    let house = house();
    october(&house);
    assert_eq!(refresh(&house.store, TENANT).unwrap().added, 2);
    let work = |rows: &store::Transaction<'_>| rows.delete("spends", &[gt("date", ValueRef::Timestamp(0))]);
    house.store.transaction::<_, StoreError>(&caller(), work).unwrap();
    assert_eq!(changes(&refresh(&house.store, TENANT).unwrap()), [0, 0, 2, 0, 0, 0]);
    assert_eq!(ask(&house, "{ recommendation { id } }")["recommendation"], json!([]));
    // Changes derived from an import have no entries of their own in the audit trail.
    let lines = house
        .store
        .snapshot::<_, StoreError>(&caller(), |rows| rows.select("audit_trail", &["table_name"], &[]));
    assert!(lines.unwrap().iter().all(|line| line[0].as_text() != Some("recommendation")));
}

#[test]
fn what_a_later_bill_does_not_show_is_closed_with_the_reason() {
    let house = house();
    october(&house);
    analyse(&house, "2026-11-01");
    bill(&house, (MACHINE, BOX, 30), ("2026-11-01", "2026-11-30"));
    bill(&house, (ADDRESS, IDLE, 1), ("2026-11-01", "2026-11-30"));
    let later = analyse(&house, "2026-12-01");
    assert_eq!((later.closed, later.added), (1, 0));
    let volume = told(&house, "gp2_to_gp3");
    assert_eq!(volume["status"], "Closed");
    let note = volume["note"].as_str().unwrap();
    assert_eq!(note, "Closed by an import: the bill until 2026-11-30 does not show it any more.");
    assert_eq!(told(&house, "idle_address")["status"], "Open");
    assert_eq!(changes(&analyse(&house, "2026-12-01")), [0; 6]);
}

#[test]
fn what_is_closed_and_found_again_is_open_again() {
    let house = house();
    october(&house);
    analyse(&house, "2026-11-01");
    set(&house, "idle_address", "recommendation_assign", "");
    set(&house, "idle_address", "recommendation_start", "");
    // Found while somebody is working on it, it stays in progress.
    assert_eq!(changes(&analyse(&house, "2026-11-01")), [0; 6]);
    assert_eq!(told(&house, "idle_address")["status"], "InProgress");
    set(&house, "idle_address", "recommendation_close", "");
    assert_eq!(analyse(&house, "2026-11-01").reopened, 0);
    for line in [(ADDRESS, IDLE, 1), (VOLUME, GP2, 10), (MACHINE, BOX, 30)] {
        bill(&house, line, ("2026-11-01", "2026-11-09"));
    }
    assert_eq!(analyse(&house, "2026-11-10").reopened, 1);
    let address = told(&house, "idle_address");
    assert_eq!(address["status"], "Open");
    assert_eq!(address["note"], "Found again: 2026-11-09 shows it, after it was closed on 2026-11-01.");
}

#[test]
fn what_is_dismissed_until_a_day_is_open_again_after_it() {
    let house = house();
    october(&house);
    analyse(&house, "2026-11-01");
    set(&house, "gp2_to_gp3", "recommendation_dismiss", ", reason: \"In use\", until: \"2026-11-03\"");
    set(&house, "idle_address", "recommendation_dismiss", ", reason: \"Kept\"");
    assert_eq!(told(&house, "gp2_to_gp3")["dismissed_until"], "2026-11-03");
    assert_eq!(analyse(&house, "2026-11-03").reopened, 0);
    assert_eq!(analyse(&house, "2026-11-04").reopened, 1);
    let volume = told(&house, "gp2_to_gp3");
    assert_eq!((&volume["status"], &volume["is_dismissed"]), (&"Open".into(), &false.into()));
    assert_eq!(told(&house, "idle_address")["status"], "Dismissed");
    let id = volume["id"].as_str().unwrap();
    let late = format!(
        "mutation {{ recommendation_dismiss(recommendation_id: \"{id}\", reason: \"x\", until: \"2026-10-31\") {{ new_status }} }}"
    );
    let refused = house.ask_as(&Caller::user(PERSON, TENANT, vec![Role::TenantAdmin]), &late);
    assert_eq!(
        refused["errors"][0]["message"],
        "`until` is 2026-10-31, which is over: expected 2026-11-01 or later"
    );
}

#[test]
fn a_closed_saving_is_proved_by_a_later_month_and_stands_in_the_ledger() {
    let house = house();
    october(&house);
    analyse(&house, "2026-11-01");
    set(&house, "gp2_to_gp3", "recommendation_close", ", note: \"Done\"");
    let found = analyse(&house, "2026-11-01");
    // The condition for verification is set when it is closed, not only after the next import.
    assert_eq!(found.proved, 0);
    let waits = told(&house, "gp2_to_gp3")["recommendation"]["not_verified"].clone();
    assert_eq!(waits, "Waits for a bill with a whole month after 2026-10-31.");
    // November: the volume is gp3 at 8 a day; 30 days cost 240 instead of 300.
    bill(&house, (VOLUME, "EU-EBS:VolumeUsage.gp3", 8), ("2026-11-01", "2026-11-30"));
    bill(&house, (ADDRESS, IDLE, 1), ("2026-11-01", "2026-11-30"));
    assert_eq!(analyse(&house, "2026-12-01").proved, 1);
    let card = told(&house, "gp2_to_gp3")["recommendation"].clone();
    let proof = &card["verified_saving"];
    assert_eq!((&proof["month"], &proof["verdict"]), (&"2026-11".into(), &"verified".into()), "{card}");
    assert_eq!((&proof["before"], &proof["after"], &proof["saved"]), (&300.into(), &240.into(), &60.into()));
    assert!(card["not_verified"].is_null());
    assert_eq!(changes(&analyse(&house, "2026-12-01")), [0; 6]);
    let ledger = "{ savings_ledger { currencies { currency identified { count amount } closed { count } verified { count amount } months { month before after saved } } } }";
    assert_eq!(
        ask(&house, ledger)["savings_ledger"]["currencies"],
        json!([{
            "currency": "USD",
            "identified": {"count": 1, "amount": 30},
            "closed": {"count": 0},
            "verified": {"count": 1, "amount": 60},
            "months": [{"month": "2026-11", "before": 300, "after": 240, "saved": 60}],
        }])
    );
    // Reopened, it is closed by the bill, and stays verified.
    set(&house, "gp2_to_gp3", "recommendation_reopen", "");
    let again = analyse(&house, "2026-12-01");
    assert_eq!((again.closed, again.proved), (1, 0));
    assert_eq!(told(&house, "gp2_to_gp3")["recommendation"], card);
}

#[test]
fn what_was_saved_stays_in_the_ledger_when_it_is_found_again() {
    let house = house();
    october(&house);
    analyse(&house, "2026-11-01");
    set(&house, "idle_address", "recommendation_close", ", note: \"Done\"");
    bill(&house, (VOLUME, "EU-EBS:VolumeUsage.gp2", 10), ("2026-11-01", "2026-11-30"));
    analyse(&house, "2026-12-01");
    let months = || {
        let ledger = "{ savings_ledger { currencies { verified { count } months { month count before after saved } } } }";
        ask(&house, ledger)["savings_ledger"]["currencies"][0].clone()
    };
    let proved = months();
    assert_eq!((&proved["verified"]["count"], &proved["months"][0]["month"]), (&1.into(), &"2026-11".into()));
    bill(&house, (VOLUME, "EU-EBS:VolumeUsage.gp2", 10), ("2026-12-01", "2026-12-31"));
    bill(&house, (ADDRESS, IDLE, 1), ("2026-12-01", "2026-12-31"));
    assert_eq!(analyse(&house, "2027-01-01").reopened, 1);
    assert_eq!(told(&house, "idle_address")["status"], "Open");
    let now = months();
    assert_eq!((&now["verified"]["count"], &now["months"]), (&0.into(), &proved["months"]));
    // Once more.
    set(&house, "idle_address", "recommendation_close", ", note: \"Done\"");
    bill(&house, (VOLUME, GP2, 10), ("2027-01-01", "2027-01-31"));
    analyse(&house, "2027-02-01");
    bill(&house, (VOLUME, GP2, 10), ("2027-02-01", "2027-02-28"));
    bill(&house, (ADDRESS, IDLE, 1), ("2027-02-01", "2027-02-28"));
    assert_eq!(analyse(&house, "2027-03-01").reopened, 1);
    let months = months()["months"].clone();
    let named: Vec<_> = months.as_array().unwrap().iter().map(|one| one["month"].clone()).collect();
    assert!(named.contains(&"2026-11".into()), "{named:?}");
}

#[test]
fn the_same_advice_of_another_tool_is_one_recommendation_with_two_witnesses() {
    let house = house();
    october(&house);
    let theirs = Uuid::from_u128(0xf1);
    let work = |rows: &store::Transaction<'_>| {
        rows.insert(
            "recommendation",
            &[
                ("id", theirs.into()),
                ("cloud_account_id", OWN.into()),
                ("resource_id", VOLUME.into()),
                ("rule_name", "EbsVolumeType".into()),
                ("category", "RightSizing".into()),
                ("recommendation_action", "Modify".into()),
                ("estimated_savings", ValueRef::Decimal(Decimal::from(50))),
                ("recommendation", ValueRef::Json("{\"source\": \"cost-optimization-hub\"}")),
            ],
        )
    };
    house.store.transaction::<_, StoreError>(&caller(), work).unwrap();
    let found = analyse(&house, "2026-11-01");
    assert_eq!(found.added, 1);
    assert_eq!(found.findings.iter().find(|one| one.rule_name == "gp2_to_gp3").unwrap().id, theirs);
    let witnesses = told(&house, "EbsVolumeType")["recommendation"]["witnesses"].clone();
    let names: Vec<_> = witnesses.as_array().unwrap().iter().map(|one| one["rule"].clone()).collect();
    assert_eq!(names, ["EbsVolumeType", "gp2_to_gp3"]);
    assert_eq!(changes(&analyse(&house, "2026-11-01")), [0; 6]);
    // Without the tool's row, ours is added; the missing source is no longer named.
    let work = |rows: &store::Transaction<'_>| rows.delete("recommendation", &[eq("id", theirs)]);
    house.store.transaction::<_, StoreError>(&caller(), work).unwrap();
    assert_eq!(analyse(&house, "2026-11-01").added, 1);
}

/// The recommendation of a tool for a resource: a cheaper size.
fn advice(house: &House, (id, rule, tool): (u128, &str, &str), resource: Uuid, savings: i64) {
    let card = json!({ "source": tool, "currency": "USD" }).to_string();
    let row = [
        ("id", Uuid::from_u128(id).into()),
        ("cloud_account_id", OWN.into()),
        ("resource_id", resource.into()),
        ("rule_name", rule.into()),
        ("category", "RightSizing".into()),
        ("recommendation_action", "Modify".into()),
        ("estimated_savings", ValueRef::Decimal(Decimal::from(savings))),
        ("recommendation", ValueRef::Json(&card)),
    ];
    let work = |rows: &store::Transaction<'_>| rows.insert("recommendation", &row);
    house.store.transaction::<_, StoreError>(&caller(), work).unwrap();
}

fn identified(house: &House) -> Json {
    let ledger = "{ savings_ledger { currencies { identified { count amount } } } }";
    ask(house, ledger)["savings_ledger"]["currencies"][0]["identified"].clone()
}

#[test]
fn the_same_advice_of_two_other_tools_counts_once_for_as_long_as_one_stands() {
    let house = house();
    bill(&house, (MACHINE, BOX, 30), ("2026-10-01", "2026-10-31"));
    advice(&house, (0xf1, "ComputeOptimizer", "compute-optimizer"), MACHINE, 50);
    advice(&house, (0xf2, "HubRightsize", "cost-optimization-hub"), MACHINE, 45);
    advice(&house, (0xf3, "ComputeOptimizerVolume", "compute-optimizer"), VOLUME, 7);
    advice(&house, (0xf4, "HubStop", "cost-optimization-hub"), MACHINE, 200);
    analyse(&house, "2026-11-01");
    assert_eq!(identified(&house), json!({"count": 3, "amount": 257}));
    let other = told(&house, "HubRightsize");
    assert_eq!(other["status"], "Archive");
    let note = "The same advice as ComputeOptimizer of compute-optimizer, which names it as a witness.";
    assert_eq!(other["note"], note);
    let witnesses = told(&house, "ComputeOptimizer")["recommendation"]["witnesses"].clone();
    let names: Vec<_> = witnesses.as_array().unwrap().iter().map(|one| one["rule"].clone()).collect();
    assert_eq!(names, ["ComputeOptimizer", "HubRightsize"]);
    assert_eq!(changes(&analyse(&house, "2026-11-01")), [0; 6]);
    // Closed, it is closed for both; removed, the other one counts again.
    set(&house, "ComputeOptimizer", "recommendation_close", "");
    assert_eq!(analyse(&house, "2026-11-01").reopened, 0);
    let gone =
        |rows: &store::Transaction<'_>| rows.delete("recommendation", &[eq("id", Uuid::from_u128(0xf1))]);
    house.store.transaction::<_, StoreError>(&caller(), gone).unwrap();
    assert_eq!(analyse(&house, "2026-11-01").reopened, 1);
    let other = told(&house, "HubRightsize");
    assert_eq!((&other["status"], &other["note"]), (&"Open".into(), &Json::Null));
    assert_eq!(identified(&house), json!({"count": 3, "amount": 252}));
}

#[test]
fn what_an_import_closes_while_another_one_stands_for_it_does_not_come_back_and_saves_nothing_of_its_own() {
    let house = house();
    bill(&house, (MACHINE, BOX, 30), ("2026-10-01", "2026-10-31"));
    advice(&house, (0xf1, "ComputeOptimizer", "compute-optimizer"), MACHINE, 50);
    advice(&house, (0xf2, "HubRightsize", "cost-optimization-hub"), MACHINE, 45);
    analyse(&house, "2026-11-01");
    // Closed as by an import of a newer report of that tool.
    let note = format!(
        "Closed by an import: the check passes now (2026-11-02). {}",
        told(&house, "HubRightsize")["note"].as_str().unwrap()
    );
    let close = |rows: &store::Transaction<'_>| {
        let set = [("status", "Closed".into()), ("note", note.as_str().into())];
        rows.update("recommendation", &[eq("id", Uuid::from_u128(0xf2))], &set)
    };
    house.store.transaction::<_, StoreError>(&caller(), close).unwrap();
    analyse(&house, "2026-11-02");
    assert!(told(&house, "ComputeOptimizer")["recommendation"].get("witnesses").is_none());
    let ledger = ask(&house, "{ savings_ledger { currencies { identified { count } closed { count } } } }");
    let once = json!([{ "identified": { "count": 1 }, "closed": { "count": 0 } }]);
    assert_eq!(ledger["savings_ledger"]["currencies"], once);
    assert!(told(&house, "HubRightsize")["recommendation"].get("not_verified").is_none());
    // Without the other one it stays closed: its own tool does not find it any more.
    let gone =
        |rows: &store::Transaction<'_>| rows.delete("recommendation", &[eq("id", Uuid::from_u128(0xf1))]);
    house.store.transaction::<_, StoreError>(&caller(), gone).unwrap();
    analyse(&house, "2026-11-02");
    assert_eq!(told(&house, "HubRightsize")["status"], "Closed");
}

#[test]
fn a_bill_without_waste_finds_nothing() {
    let house = house();
    bill(&house, (MACHINE, BOX, 30), ("2026-10-01", "2026-10-31"));
    bill(&house, (VOLUME, "EU-EBS:VolumeUsage.gp3", 8), ("2026-10-01", "2026-10-31"));
    assert_eq!(analyse(&house, "2026-11-01").findings.len(), 0);
}
