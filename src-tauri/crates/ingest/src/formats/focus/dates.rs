//! Dates a spreadsheet has rewritten, such as `4/1/25`: read only when the whole file leaves one reading.

use super::columns::Column;
use super::layout::Layout;
use crate::cells::filled;
use crate::formats::{Records, Stop};
use catalogue::parse_date;
use csv::ByteRecord;

/// Which of the first two numbers of a date is the month.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DateOrder {
    MonthFirst,
    DayFirst,
}

/// Reason for a date whose order the file leaves open.
pub const AMBIGUOUS: &str = "a date whose order of month and day is not certain";

const DATE_COLUMNS: [Column; 4] = [
    Column::ChargePeriodStart,
    Column::ChargePeriodEnd,
    Column::BillingPeriodStart,
    Column::BillingPeriodEnd,
];

/// Whether a row has dates in a spreadsheet's form.
pub fn has_spreadsheet_dates(layout: &Layout, record: &ByteRecord) -> bool {
    DATE_COLUMNS.iter().any(|column| cell(layout, record, *column).is_some_and(|cell| parts(cell).is_some()))
}

/// Reads the dates of the whole file and decides their order; `None` when both orders or neither are possible.
///
/// An order is possible when every date exists in it. Of two possible ones the one counts under which all billing periods begin
/// and end with a month while the other breaks that.
pub fn decide(layout: &Layout, records: &mut Records<'_>) -> Result<Option<DateOrder>, Stop> {
    let mut evidence = [Evidence::default(); 2];
    let mut record = ByteRecord::new();
    while records.next(&mut record)?.is_some() {
        for column in DATE_COLUMNS {
            let Some(parts) = cell(layout, &record, column).and_then(parts) else { continue };
            let is_billing = matches!(column, Column::BillingPeriodStart | Column::BillingPeriodEnd);
            for (order, evidence) in
                [DateOrder::MonthFirst, DateOrder::DayFirst].into_iter().zip(&mut evidence)
            {
                evidence.see(order.arrange(parts), is_billing);
            }
        }
    }
    let [month_first, day_first] = evidence;
    Ok(match (month_first.is_possible(), day_first.is_possible()) {
        (true, false) => Some(DateOrder::MonthFirst),
        (false, true) => Some(DateOrder::DayFirst),
        (true, true) if month_first.is_monthly() && !day_first.is_monthly() => Some(DateOrder::MonthFirst),
        (true, true) if day_first.is_monthly() && !month_first.is_monthly() => Some(DateOrder::DayFirst),
        _ => None,
    })
}

/// What the dates of a file say about one order.
#[derive(Debug, Clone, Copy, Default)]
struct Evidence {
    impossible: u64,
    billing: u64,
    billing_within_month: u64,
}

impl Evidence {
    fn see(&mut self, date: Civil, is_billing: bool) {
        self.impossible += u64::from(date.days().is_none());
        self.billing += u64::from(is_billing);
        self.billing_within_month += u64::from(is_billing && date.day != 1);
    }

    fn is_possible(self) -> bool {
        self.impossible == 0
    }

    fn is_monthly(self) -> bool {
        self.billing > 0 && self.billing_within_month == 0
    }
}

impl DateOrder {
    /// The sentence for the report.
    pub fn note(self) -> String {
        let order = match self {
            Self::MonthFirst => "month/day/year",
            Self::DayFirst => "day/month/year",
        };
        format!(
            "Dates are written as a spreadsheet writes them; they were read as {order}, the only order that fits all rows."
        )
    }

    /// µs since 1970 UTC of a date (with or without a time) in this order.
    pub fn time(self, cell: &[u8]) -> Option<i64> {
        let parts = parts(cell)?;
        Some((i64::from(self.arrange(parts).days()?) * 86_400 + parts.seconds) * 1_000_000)
    }

    fn arrange(self, parts: Parts) -> Civil {
        let (month, day) = match self {
            Self::MonthFirst => (parts.first, parts.second),
            Self::DayFirst => (parts.second, parts.first),
        };
        Civil { year: parts.year, month, day }
    }
}

#[derive(Debug, Clone, Copy)]
struct Civil {
    year: u32,
    month: u32,
    day: u32,
}

impl Civil {
    /// Days since 1970; `None` for a day that does not exist.
    fn days(self) -> Option<i32> {
        parse_date(&format!("{:04}-{:02}-{:02}", self.year, self.month, self.day))
    }
}

/// A date of the form `4/1/25`, `04/01/2025` or `4/1/2025 13:00[:00]`, before it is known which number means what.
#[derive(Debug, Clone, Copy)]
struct Parts {
    first: u32,
    second: u32,
    year: u32,
    seconds: i64,
}

fn parts(cell: &[u8]) -> Option<Parts> {
    let text = std::str::from_utf8(cell.trim_ascii()).ok()?;
    let (date, clock) = text.split_once(' ').unwrap_or((text, ""));
    let mut numbers = date.split('/');
    let (first, second, year) = (numbers.next()?, numbers.next()?, numbers.next()?);
    if numbers.next().is_some() || first.len() > 2 || second.len() > 2 || !matches!(year.len(), 2 | 4) {
        return None;
    }
    let century = if year.len() == 2 { 2_000 } else { 0 };
    Some(Parts {
        first: whole(first)?,
        second: whole(second)?,
        year: century + whole(year)?,
        seconds: if clock.is_empty() { 0 } else { seconds(clock)? },
    })
}

fn seconds(clock: &str) -> Option<i64> {
    let mut numbers = clock.split(':').map(whole);
    let (hour, minute, second) = (numbers.next()??, numbers.next()??, numbers.next().unwrap_or(Some(0))?);
    (numbers.next().is_none() && hour < 24 && minute < 60 && second < 60)
        .then(|| i64::from(hour * 3_600 + minute * 60 + second))
}

fn whole(text: &str) -> Option<u32> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) { None } else { text.parse().ok() }
}

fn cell<'a>(layout: &Layout, record: &'a ByteRecord, column: Column) -> Option<&'a [u8]> {
    filled(record.get(layout.place(column)?)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use catalogue::format_timestamp;

    fn check(order: DateOrder, cell: &str, expected: Option<&str>) {
        assert_eq!(order.time(cell.as_bytes()).map(format_timestamp).as_deref(), expected, "{cell}");
    }

    #[test]
    fn a_date_is_read_in_the_order_decided_on() {
        check(DateOrder::MonthFirst, "4/1/25", Some("2025-04-01T00:00:00"));
        check(DateOrder::DayFirst, "4/1/25", Some("2025-01-04T00:00:00"));
        check(DateOrder::MonthFirst, "12/31/2025 23:30", Some("2025-12-31T23:30:00"));
        check(DateOrder::DayFirst, "12/31/2025", None);
        check(DateOrder::MonthFirst, "2025-04-01", None);
        check(DateOrder::MonthFirst, "4/1/25/7", None);
        check(DateOrder::MonthFirst, "+4/1/25", None);
    }

    #[test]
    fn whole_months_decide_between_two_possible_orders() {
        let mut month_first = Evidence::default();
        let mut day_first = Evidence::default();
        for cell in ["4/1/25", "5/1/25"] {
            let parts = parts(cell.as_bytes()).unwrap();
            month_first.see(DateOrder::MonthFirst.arrange(parts), true);
            day_first.see(DateOrder::DayFirst.arrange(parts), true);
        }
        assert!(month_first.is_monthly() && day_first.is_possible() && !day_first.is_monthly());
    }
}
