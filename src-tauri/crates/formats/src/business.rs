//! Reads business numbers, such as orders or active users, that costs are divided by to give unit costs.
//!
//! The file is a table with the columns `name`, `date` and `value`, and optionally `group`. A table with any other column is not recognised:
//! it was probably not meant as business numbers.

use crate::format::Format;
use crate::head::Head;
use crate::read_error::ReadError;
use crate::record::{BusinessNumber, Record};
use crate::shape::Table;
use crate::sink::Sink;
use catalogue::{Decimal, parse_date, parse_timestamp};
use std::io::Read;

const NEEDED: [&str; 3] = ["name", "date", "value"];
const GROUP: &str = "group";
/// Bytes read to detect the delimiter.
const HEAD_BYTES: u64 = 64 << 10;
/// Microseconds in a day.
const DAY: i64 = 86_400_000_000;

pub const FORMAT: Format = Format {
    id: "business-numbers",
    title: "Business numbers",
    source: "A CSV of your own with the columns name, date and value, and group if you tell them apart",
    fills: "unit costs, allocation by usage",
    lacks_currency: false,
    certainty,
    read,
};

fn certainty(head: &Head<'_>) -> u8 {
    let Some((_, columns)) = head.columns() else { return 0 };
    let is_known =
        |column: &String| NEEDED.iter().chain([&GROUP]).any(|name| column.eq_ignore_ascii_case(name));
    let is_all = head.has_columns(&NEEDED) && columns.iter().all(is_known);
    if is_all { 95 } else { 0 }
}

fn read(bytes: &mut dyn Read, sink: &mut dyn Sink) -> Result<(), ReadError> {
    let mut head = Vec::new();
    (&mut *bytes).take(HEAD_BYTES).read_to_end(&mut head)?;
    let delimiter = Table::columns_of(&head).map_or(b',', |(delimiter, _)| delimiter);
    let mut whole = head.as_slice().chain(bytes);
    let mut table = Table::new(&mut whole, delimiter)?;
    while let Some(row) = table.next_row()? {
        let place = row.position();
        let Some(name) = row.cell("name") else {
            sink.skip(&place, "it has no name", "")?;
            continue;
        };
        let date = row.cell("date").unwrap_or_default();
        let Some(day) = day(date) else {
            sink.skip(&place, "its date is not as 2026-11-20", date)?;
            continue;
        };
        let value = row.cell("value").unwrap_or_default();
        let Ok(number) = Decimal::parse(value) else {
            sink.skip(&place, "its value is not a number such as 1234.5", value)?;
            continue;
        };
        let group = row.cell(GROUP).unwrap_or_default().to_owned();
        let number = BusinessNumber { name: name.to_owned(), group, day, value: number };
        sink.record(&place, Record::BusinessNumber(number))?;
    }
    Ok(())
}

/// Days since 1970 of a date, or of a timestamp at midnight.
fn day(text: &str) -> Option<i32> {
    let at_midnight = || {
        let time = parse_timestamp(text).filter(|time| time.rem_euclid(DAY) == 0)?;
        i32::try_from(time.div_euclid(DAY)).ok()
    };
    parse_date(text).or_else(at_midnight)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_sure(text: &str) -> bool {
        certainty(&Head::new(text.as_bytes(), true)) > 50
    }

    #[test]
    fn a_table_is_one_of_numbers_by_its_columns_alone() {
        assert!(is_sure("name,date,value\norders,2026-11-01,5\n"));
        assert!(is_sure("Name;Group;Date;Value\norders;web;2026-11-01;5\n"));
        assert!(!is_sure("name,date,value,cost\norders,2026-11-01,5,1\n"));
        assert!(!is_sure("name,date\norders,2026-11-01\n"));
        assert!(!is_sure(r#"[{"name": "orders", "date": "2026-11-01", "value": 5}]"#));
    }

    #[test]
    fn a_day_may_be_a_time_at_its_beginning() {
        assert_eq!(day("2026-11-01"), parse_date("2026-11-01"));
        assert_eq!(day("2026-11-01T00:00:00Z"), parse_date("2026-11-01"));
        assert_eq!((day("2026-11-01T10:00:00Z"), day("1.11.2026"), day("")), (None, None, None));
    }
}
