//! Tables of costs that no format knows, read by a mapping.

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
    assert_eq!((told.state, told.format.as_deref()), (State::Done, Some("costs-by-mapping")), "{told:#?}");
    assert_eq!(told.format_title.as_deref(), Some("Costs by the mapping hetzner"));
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
    // A row without the account that it needs is left out under its column's name.
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
