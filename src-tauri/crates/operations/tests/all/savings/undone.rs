//! Tests of imports of bills that close recommendations and are undone.

use super::clusters::{import, undo};
use super::{ask, changes, set, told};
use crate::house::{House, TENANT};
use catalogue::{format_date, parse_date};
use operations::savings::{Outcome, refresh, run};
use serde_json::{Value as Json, json};
use std::fmt::Write as _;

const GP2: (&str, &str, &str) = ("vol-1", "EU-EBS:VolumeUsage.gp2", "10.00");
const MACHINE: (&str, &str, &str) = ("i-1", "EU-BoxUsage:m7g.large", "30.00");

/// A FOCUS bill of some days: resource, usage type and daily cost.
fn bill((from, to): (&str, &str), lines: &[(&str, &str, &str)]) -> String {
    let mut text = "BilledCost,BillingCurrency,ChargePeriodStart,ChargePeriodEnd,BillingPeriodStart,ChargeCategory,ServiceName,\
         ProviderName,BillingAccountId,SubAccountId,ResourceId,x_UsageType\n"
        .to_owned();
    for day in parse_date(from).unwrap()..=parse_date(to).unwrap() {
        let (day, next) = (format_date(day), format_date(day + 1));
        let month = &day[..7];
        for (resource, usage, cost) in lines {
            writeln!(
                text,
                "{cost},USD,{day}T00:00:00Z,{next}T00:00:00Z,{month}-01T00:00:00Z,Usage,Amazon Elastic Compute Cloud,\
                 AWS,900000000001,900000000011,{resource},{usage}"
            )
            .unwrap();
        }
    }
    text
}

/// October with the volume, analysed.
fn october() -> House {
    let house = House::new();
    import(&house, 1, "october.csv", &bill(("2026-10-01", "2026-10-31"), &[GP2, MACHINE]));
    assert_eq!(look(&house).added, 1);
    house
}

fn look(house: &House) -> Outcome {
    refresh(&house.store, TENANT).unwrap()
}

/// Imports the days of November in a separate file, without the volume; they are over by the day of the analysis.
fn november(house: &House, number: u128, days: (&str, &str)) {
    import(house, number, "november.csv", &bill(days, &[MACHINE]));
}

fn late(house: &House) -> Outcome {
    run(&house.store, TENANT, Some("2026-12-01")).unwrap()
}

fn assignees(house: &House) -> Json {
    ask(house, "{ recommendation_assignment { user { username } } }")["recommendation_assignment"].clone()
}

#[test]
fn undoing_the_import_that_closed_a_recommendation_opens_it_again() {
    let house = october();
    november(&house, 2, ("2026-11-01", "2026-11-30"));
    assert_eq!(late(&house).closed, 1);
    assert_eq!(told(&house, "gp2_to_gp3")["status"], "Closed");
    undo(&house, 2);
    assert_eq!(changes(&late(&house)), [0, 0, 0, 1, 0, 0]);
    let volume = told(&house, "gp2_to_gp3");
    assert_eq!((&volume["status"], &volume["estimated_savings"]), (&"Open".into(), &62.into()));
    let note = "Open again: the import that closed it was undone, and the bill until 2026-10-31 shows it.";
    assert_eq!(volume["note"], note);
    assert!(volume["recommendation"]["not_verified"].is_null(), "{volume}");
    assert_eq!(changes(&late(&house)), [0; 6]);
    // Importing the same again closes it again.
    november(&house, 3, ("2026-11-01", "2026-11-30"));
    assert_eq!(late(&house).closed, 1);
}

#[test]
fn it_comes_back_to_the_person_who_was_on_it_with_the_remark() {
    let house = october();
    set(&house, "gp2_to_gp3", "recommendation_assign", ", note: \"Waits for the weekend\"");
    set(&house, "gp2_to_gp3", "recommendation_start", "");
    let on_it = assignees(&house);
    assert_ne!(on_it, json!([]));
    november(&house, 2, ("2026-11-01", "2026-11-30"));
    assert_eq!(late(&house).closed, 1);
    undo(&house, 2);
    assert_eq!(late(&house).reopened, 1);
    let volume = told(&house, "gp2_to_gp3");
    assert_eq!((&volume["status"], &volume["note"]), (&"InProgress".into(), &"Waits for the weekend".into()));
    assert_eq!(assignees(&house), on_it);
}

#[test]
fn it_stays_closed_while_another_import_shows_as_much() {
    let house = october();
    november(&house, 2, ("2026-11-01", "2026-11-15"));
    assert_eq!(late(&house).closed, 1);
    november(&house, 3, ("2026-11-16", "2026-11-30"));
    late(&house);
    undo(&house, 3);
    assert_eq!(late(&house).reopened, 0);
    assert_eq!(told(&house, "gp2_to_gp3")["status"], "Closed");
    undo(&house, 2);
    assert_eq!(late(&house).reopened, 1);
}

#[test]
fn a_look_at_an_earlier_day_opens_nothing_again() {
    let house = october();
    november(&house, 2, ("2026-11-01", "2026-11-30"));
    late(&house);
    // The current time of the test is 2026-11-01.
    assert_eq!(run(&house.store, TENANT, Some("2026-10-31")).unwrap().reopened, 0);
    assert_eq!(told(&house, "gp2_to_gp3")["status"], "Closed");
}

#[test]
fn what_a_person_closed_stays_closed_and_what_nothing_shows_any_more_goes() {
    let house = october();
    set(&house, "gp2_to_gp3", "recommendation_close", ", note: \"Done\"");
    november(&house, 2, ("2026-11-01", "2026-11-30"));
    late(&house);
    undo(&house, 2);
    assert_eq!(late(&house).reopened, 0);
    assert_eq!(told(&house, "gp2_to_gp3")["note"], "Done");
    let house = october();
    november(&house, 2, ("2026-11-01", "2026-11-30"));
    late(&house);
    undo(&house, 2);
    undo(&house, 1);
    assert_eq!(late(&house).removed, 1);
    assert_eq!(ask(&house, "{ recommendation { id } }")["recommendation"], json!([]));
}

#[test]
fn undoing_the_import_that_opened_a_proved_one_again_closes_it_as_it_was() {
    let house = october();
    set(&house, "gp2_to_gp3", "recommendation_close", ", note: \"Done\"");
    november(&house, 2, ("2026-11-01", "2026-11-30"));
    late(&house);
    let proved = told(&house, "gp2_to_gp3");
    assert_eq!(proved["recommendation"]["verified_saving"]["verdict"], "verified");
    let look = || run(&house.store, TENANT, Some("2027-01-01")).unwrap();
    import(&house, 3, "december.csv", &bill(("2026-12-01", "2026-12-31"), &[GP2, MACHINE]));
    assert_eq!(look().reopened, 1);
    assert_eq!(told(&house, "gp2_to_gp3")["status"], "Open");
    assert_eq!(changes(&look()), [0; 6]);
    undo(&house, 3);
    assert_eq!(look().closed, 1);
    assert_eq!(told(&house, "gp2_to_gp3"), proved);
    assert_eq!(changes(&look()), [0; 6]);
}
