//! Business numbers: importing, updating and undoing.

use super::kit::{House, format_id};
use crate::State;

const FIRST: &str = "name,group,date,value\norders,web,2026-11-01,120\norders,app,2026-11-01,80.5\norders,web,2026-11-02,130\n";

fn numbers(house: &House) -> Vec<String> {
    house.rows("business_number", &["name", "group", "date", "value"], &[])
}

#[test]
fn a_table_of_numbers_is_imported_and_a_later_one_replaces_what_it_tells() {
    let house = House::new();
    let report = house.import(FIRST);
    assert_eq!((report.state, format_id(&report)), (State::Done, "business-numbers"));
    assert_eq!((report.rows_read, report.rows_written, report.written["business_numbers"]), (3, 3, 3));
    let first = [
        "orders | app | 2026-11-01 | 80.5",
        "orders | web | 2026-11-01 | 120",
        "orders | web | 2026-11-02 | 130",
    ];
    assert_eq!(numbers(&house), first);
    let later = house.import("Date;Name;Group;Value\n2026-11-02;orders;web;131\n2026-11-03;users;;9\n");
    assert_eq!((later.state, later.rows_written), (State::Done, 2));
    assert!(later.notes.iter().any(|note| note.starts_with("1 numbers were there")), "{:?}", later.notes);
    assert_eq!(
        numbers(&house),
        [first[0], first[1], "orders | web | 2026-11-02 | 131", "users |  | 2026-11-03 | 9"]
    );
    house.take_back(2);
    assert_eq!(numbers(&house), first);
    house.take_back(1);
    assert_eq!(numbers(&house), Vec::<String>::new());
}

#[test]
fn what_is_no_number_or_no_day_is_left_out_with_its_line() {
    let house = House::new();
    let report = house.import(
        "name,date,value\norders,2026-11-01,\"1,200\"\norders,1 Nov,5\n,2026-11-01,5\norders,2026-11-01,7\norders,2026-11-01,8\n",
    );
    assert_eq!((report.state, report.rows_written, report.rows_skipped), (State::DoneWithSkips, 1, 4));
    let reasons: Vec<_> = report.reasons.iter().map(|one| one.reason.as_str()).collect();
    for reason in [
        "its value is not a number such as 1234.5",
        "its date is not as 2026-11-20",
        "it has no name",
        "duplicate name, group and date in the file, skipped",
    ] {
        assert!(reasons.contains(&reason), "{reasons:?}");
    }
    assert_eq!(numbers(&house), ["orders |  | 2026-11-01 | 7"]);
}
