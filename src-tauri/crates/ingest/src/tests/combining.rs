//! Files with common charges: these count once if the user chooses so.

use super::kit::{House, PARTIES, focus};
use crate::report::Decision;
use crate::undo::{UndoError, UndoRequest, undo};
use crate::{RowsChoice, State};
use catalogue::ValueRef;
use std::ops::RangeInclusive;
use store::eq;
use uuid::Uuid;

const SHOP: &str = "AWS,100,200,Shop";
const LAB: &str = "AWS,100,300,Lab";

/// One charge per day of May.
fn days(days: RangeInclusive<u32>, cost: &str, account: &str) -> String {
    let rows: Vec<String> = days.map(|day| format!("{cost} USD 2026-05-{day:02}")).collect();
    let rows: Vec<(&str, &str)> = rows.iter().map(|row| (row.as_str(), account)).collect();
    focus(PARTIES, &rows)
}

/// The rows of two files in one file.
fn both(first: &str, second: &str) -> String {
    let rows = second.lines().skip(1).collect::<Vec<_>>().join("\n");
    format!("{}\n{rows}\n", first.trim_end())
}

fn words(decision: &Decision) -> Vec<&str> {
    decision.choices.iter().map(|choice| choice.choice.as_str()).collect()
}

/// The content of the tables that show which import has which rows.
fn stored(house: &House) -> Vec<Vec<String>> {
    let tables: [(&str, &[&str]); 3] = [
        ("spends", &["import_id", "date", "amount"]),
        ("spend_sources", &["id", "import_id", "charge_start", "charge_end"]),
        ("spend_source_keys", &["source_id", "row_count", "charge_count", "billed_cost", "keys"]),
    ];
    tables.into_iter().map(|(table, columns)| house.rows(table, columns, &[])).collect()
}

fn import_id(house: &House, number: usize) -> Uuid {
    let of = [eq("sequence", ValueRef::Int(i64::try_from(number).unwrap()))];
    house.rows("imports", &["id"], &of)[0].parse().unwrap()
}

fn take_back(house: &House, id: Uuid, with: &[Uuid]) -> Result<Vec<Uuid>, UndoError> {
    undo(&house.store, &house.caller, id, with, UndoRequest { person: None, clock: || 0 })
}

#[test]
fn days_that_two_files_tell_count_once_and_the_others_stay() {
    let house = House::new();
    house.import(days(1..=20, "1", SHOP));
    let before = stored(&house);
    let later = days(15..=31, "2", SHOP);
    let asked = house.import(&later);
    let decision = asked.decision.unwrap();
    assert_eq!((asked.state, decision.reason.as_str()), (State::NeedsDecision, "partly_known"));
    assert_eq!(words(&decision), ["add", "replace", "combine"]);
    let total = &decision.choices[2].totals[0];
    assert_eq!((total.before.as_str(), total.after.as_str()), ("20", "48"));
    assert_eq!(house.sum("amount", "USD"), "20", "nothing changes before the answer");

    let report = house.import_as(RowsChoice::Combine, &later);
    assert_eq!((report.state, report.replaced.map(|replaced| replaced.rows)), (State::Done, Some(6)));
    assert_eq!((house.sum("amount", "USD").as_str(), house.count("spends")), ("48", 31));
    assert_eq!(house.rows("imports", &["rows_written"], &[eq("state", "done")]), ["14", "17"]);
    assert_eq!(house.import(&later).state, State::Unchanged);

    let first = house.import(days(1..=20, "1", SHOP));
    assert_eq!((first.state, house.sum("amount", "USD").as_str()), (State::NeedsDecision, "48"));

    take_back(&house, import_id(&house, 2), &[]).unwrap();
    assert_eq!(stored(&house), before);
}

#[test]
fn a_later_month_replaces_both_and_is_taken_back_before_them() {
    let house = House::new();
    house.import(days(1..=20, "1", SHOP));
    let alone = stored(&house);
    house.import_as(RowsChoice::Combine, days(15..=31, "2", SHOP));
    let combined = stored(&house);
    let month = house.import(days(1..=31, "2.5", SHOP));
    assert_eq!((month.state, house.sum("amount", "USD").as_str()), (State::Done, "77.5"));

    let (second, third) = (import_id(&house, 2), import_id(&house, 3));
    assert!(
        matches!(take_back(&house, second, &[]), Err(UndoError::Others(others)) if others[0].id == third)
    );
    take_back(&house, third, &[]).unwrap();
    assert_eq!(stored(&house), combined);
    take_back(&house, second, &[]).unwrap();
    assert_eq!(stored(&house), alone);
}

#[test]
fn who_replaced_the_rest_is_taken_back_with_the_one_that_left_it() {
    let house = House::new();
    house.import(days(1..=20, "1", SHOP));
    house.import_as(RowsChoice::Combine, days(15..=31, "2", SHOP));
    let rest = house.import(days(1..=14, "3", SHOP));
    assert_eq!((rest.state, house.sum("amount", "USD").as_str()), (State::Done, "76"));
    let (second, third) = (import_id(&house, 2), import_id(&house, 3));
    assert!(
        matches!(take_back(&house, second, &[]), Err(UndoError::Others(others)) if others[0].id == third)
    );
    take_back(&house, second, &[third]).unwrap();
    assert_eq!((house.sum("amount", "USD").as_str(), house.count("spends")), ("20", 20));
}

#[test]
fn combining_keeps_accounts_that_the_file_does_not_have() {
    let house = House::new();
    house.import(both(&days(1..=20, "1", SHOP), &days(1..=20, "5", LAB)));
    let later = days(15..=31, "2", SHOP);
    assert_eq!(house.import(&later).state, State::NeedsDecision);
    house.import_as(RowsChoice::Combine, &later);
    assert_eq!(house.sum("amount", "USD"), "148");
}

#[test]
fn three_files_of_a_window_each_add_up() {
    for house in [Some(House::new()), House::on_postgresql()].into_iter().flatten() {
        for (window, sum) in [(1..=10, "10"), (8..=20, "20"), (18..=31, "31")] {
            house.import_as(RowsChoice::Combine, days(window, "1", SHOP));
            assert_eq!(house.sum("amount", "USD"), sum);
        }
        for (number, sum) in [(3, "20"), (2, "10"), (1, "0")] {
            take_back(&house, import_id(&house, number), &[]).unwrap();
            assert_eq!(house.sum("amount", "USD"), sum);
        }
    }
}

#[test]
fn a_file_that_lost_an_account_to_another_one_does_not_count_it_twice_when_it_comes_again() {
    let first = both(&days(1..=20, "1", SHOP), &days(1..=20, "5", LAB));
    let house = House::new();
    house.import(&first);
    house.import_as(RowsChoice::ReplaceAccounts, days(1..=20, "2", SHOP));
    assert_eq!(house.sum("amount", "USD"), "140");
    let again = house.import(&first);
    let sum = house.sum("amount", "USD");
    assert!(
        matches!((again.state, sum.as_str()), (State::Done, "120") | (State::NeedsDecision, "140")),
        "{:?} {sum}",
        again.state
    );
}

#[test]
fn what_cannot_be_told_apart_is_not_offered_to_combine() {
    let house = House::new();
    house.import(days(1..=20, "1", SHOP));
    let credits = days(1..=20, "-1", SHOP);
    let asked = house.import(credits);
    if let Some(decision) = asked.decision {
        assert!(!words(&decision).contains(&"combine"), "{}", decision.reason);
    } else {
        panic!("{:?}", asked.state);
    }
}
