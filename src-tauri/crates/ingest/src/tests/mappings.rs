//! Cost tables of unknown format, read with a mapping.

use super::kit::House;
use crate::mapping::{Mapping, MappingContent, save};
use crate::{State, table_header};

const TABLE: &str =
    "Day;Project;Product;Team;Amount\n2026-05-01;shop;Server CX22;core;4,51\n2026-05-02;shop;Volume;;0,50\n";

fn keep(house: &House, words: &[&str]) {
    let content = MappingContent::parse(words.iter().copied()).unwrap();
    let mapping = Mapping { name: "hetzner".to_owned(), content };
    let header = table_header(&house.file("header.csv", TABLE.as_bytes())).unwrap().unwrap();
    save(&house.store, &house.caller, &mapping, &header).unwrap();
}

const WORDS: [&str; 7] = [
    "cost=Amount",
    "date=Day",
    "provider==Hetzner",
    "account=Project",
    "service=Product",
    "currency==EUR",
    "tag=Team",
];

#[test]
fn a_table_of_costs_asks_for_a_mapping_and_is_read_by_it_from_then_on() {
    let house = House::new();
    let told = house.import(TABLE);
    let decision = told.decision.expect("a question");
    assert_eq!((told.state, decision.reason.as_str()), (State::NeedsDecision, "mapping"));
    assert!(
        decision.question.contains("columns Day, Project, Product, Team, Amount"),
        "{}",
        decision.question
    );
    keep(&house, &WORDS);
    let told = house.import(TABLE);
    assert_eq!(
        (told.state, told.format.as_ref().map(|format| format.id.as_str())),
        (State::Done, Some("costs-by-mapping")),
        "{told:#?}"
    );
    assert_eq!(
        told.format.as_ref().map(|format| format.title.as_str()),
        Some("Costs by the mapping hetzner")
    );
    assert_eq!(
        house.rows(
            "spends",
            &["billed_cost", "unit", "service_name", "date", "period_end", "billing_period_start", "tags"],
            &[]
        ),
        [
            "0.5 | EUR | Volume | 2026-05-02T00:00:00 | 2026-05-03T00:00:00 | 2026-05-01T00:00:00 | -",
            r#"4.51 | EUR | Server CX22 | 2026-05-01T00:00:00 | 2026-05-02T00:00:00 | 2026-05-01T00:00:00 | {"Team":"core"}"#,
        ]
    );
    assert_eq!(house.import(TABLE).state, State::Unchanged);
    let path = house.file("file.csv", TABLE.as_bytes());
    assert_eq!(crate::record_at(&path, 3).unwrap().unwrap().columns[2].1, "Volume");
}

#[test]
fn a_mapping_is_for_its_header_only_and_a_newer_one_takes_its_place() {
    let house = House::new();
    keep(&house, &WORDS);
    let other = TABLE.replace("Amount", "Total amount");
    assert_eq!(house.import(other).decision.unwrap().reason, "mapping");
    keep(
        &house,
        &["cost=Amount", "date=Day", "provider==Other", "account=Team", "service=Product", "currency==EUR"],
    );
    let told = house.import(TABLE);
    // A row without the required account is skipped, with the file's column name.
    assert_eq!((told.rows_written, told.reasons[0].column.as_str()), (1, "Team"), "{told:#?}");
}

#[test]
fn a_currency_that_no_column_says_is_asked_for() {
    let house = House::new();
    keep(&house, &WORDS.iter().copied().filter(|word| !word.starts_with("currency")).collect::<Vec<_>>());
    assert_eq!(house.import(TABLE).decision.unwrap().reason, "currency");
}

#[test]
fn a_table_without_costs_stays_unknown() {
    let told = House::new().import("name,size\na,1\n");
    assert_eq!(told.error.unwrap().found, "a CSV with the columns name, size");
}

/// Imports a table with local times, with a mapping of all its columns.
fn import_local(house: &House, rows: &[[&str; 4]]) -> crate::Report {
    let header = "From,Until,Project,Product,Amount";
    let content = MappingContent::parse([
        "cost=Amount",
        "date=From",
        "end_date=Until",
        "provider==Hetzner",
        "account=Project",
        "service=Product",
        "currency==EUR",
    ])
    .unwrap();
    let mapping = Mapping { name: "local".to_owned(), content };
    save(&house.store, &house.caller, &mapping, &header.split(',').map(str::to_owned).collect::<Vec<_>>())
        .unwrap();
    let row =
        |[from, until, product, amount]: &[&str; 4]| format!("{from},{until},shop,{product},{amount}\n");
    house.import(format!("{header}\n{}", rows.iter().map(row).collect::<String>()))
}

#[test]
fn a_column_that_fills_two_of_focus_is_reported_once() {
    let house = House::new();
    keep(&house, &WORDS);
    let told = house.import(TABLE);
    let columns: Vec<&str> = told.column_formats.iter().map(|format| format.column.as_str()).collect();
    assert_eq!(columns, ["Amount"]);
}

#[test]
fn what_is_left_out_is_told_in_the_words_of_the_file_and_its_mapping() {
    let house = House::new();
    keep(&house, &WORDS);
    let told = house.import(TABLE.replace("4,51", "4,51 USD"));
    assert_eq!(
        (told.reasons[0].column.as_str(), told.reasons[0].reason.as_str()),
        ("Amount", "a cost in another currency than its row has")
    );
    let words = WORDS.map(|word| if word.starts_with("currency") { "currency==Euro" } else { word });
    keep(&house, &words);
    let told = house.import(TABLE);
    assert_eq!(told.reasons[0].column, "currency==Euro of the mapping");
}

#[test]
fn times_with_an_offset_count_on_the_day_that_they_name() {
    let house = House::new();
    let told = import_local(
        &house,
        &[
            ["2026-06-01T00:00:00+02:00", "2026-06-02T00:00:00+02:00", "a day", "1"],
            ["2026-06-30T23:00:00-05:00", "2026-07-01T00:00:00-05:00", "the last hour", "2"],
            // The day with 25 hours, and both of its hours from 2 to 3.
            ["2026-10-25T00:00:00+02:00", "2026-10-26T00:00:00+01:00", "the long day", "4"],
            ["2026-10-25T02:00:00+02:00", "2026-10-25T02:00:00+01:00", "the first hour", "8"],
            ["2026-10-25T02:30:00+02:00", "2026-10-25T02:15:00+01:00", "across", "16"],
            ["2026-10-25T02:00:00+01:00", "2026-10-25T03:00:00+01:00", "the second hour", "32"],
            // The day with 23 hours.
            ["2026-03-29T00:00:00+01:00", "2026-03-30T00:00:00+02:00", "the short day", "64"],
            ["2026-03-29T12:00:00Z", "2026-03-29T13:00:00Z", "in UTC", "128"],
        ],
    );
    assert_eq!((told.state, told.rows_written), (State::Done, 8), "{told:#?}");
    assert!(
        told.notes.iter().any(|note| note.contains("count on the day that they name")),
        "{:?}",
        told.notes
    );
    assert_eq!(
        house.rows("spends", &["date", "period_end", "billing_period_start", "amount"], &[]),
        [
            "2026-03-29T00:00:00 | 2026-03-30T00:00:00 | 2026-03-01T00:00:00 | 64",
            "2026-03-29T12:00:00 | 2026-03-29T13:00:00 | 2026-03-01T00:00:00 | 128",
            "2026-06-01T00:00:00 | 2026-06-02T00:00:00 | 2026-06-01T00:00:00 | 1",
            "2026-06-30T23:00:00 | 2026-07-01T00:00:00 | 2026-06-01T00:00:00 | 2",
            "2026-10-25T00:00:00 | 2026-10-26T00:00:00 | 2026-10-01T00:00:00 | 4",
            "2026-10-25T02:00:00 | 2026-10-25T02:00:00 | 2026-10-01T00:00:00 | 8",
            "2026-10-25T02:00:00 | 2026-10-25T03:00:00 | 2026-10-01T00:00:00 | 32",
            "2026-10-25T02:30:00 | 2026-10-25T03:15:00 | 2026-10-01T00:00:00 | 16",
        ]
    );
}
