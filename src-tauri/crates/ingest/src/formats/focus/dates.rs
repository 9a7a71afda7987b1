//! Parses dates as spreadsheets write them: `4/1/25`, `01.04.2025`, `1-Apr-25`, `45748`.

use catalogue::parse_date;
use schemars::JsonSchema;

/// The order of day and month in a date.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DateOrder {
    MonthFirst,
    DayFirst,
}

/// The written form of a date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DateForm {
    /// `4/1/25` or `04-01-2025`: the order of month and day depends on the file.
    Ordered,
    /// `01.04.2025`: the day is first.
    Dotted,
    /// `2025/04/01`
    YearFirst,
    /// `1-Apr-25`
    NamedMonth,
    /// `45748`: days since 1899-12-30, as in Excel.
    Serial,
}

/// The parts of a date whose order of month and day is not decided yet.
#[derive(Debug, Clone, Copy)]
pub struct WrittenDate {
    pub form: DateForm,
    first: u32,
    second: u32,
    year: u32,
    /// Seconds since midnight; for a serial number, since 1970.
    seconds: i64,
}

/// Days from Excel's day 0 to 1970-01-01.
const SERIAL_OF_1970: f64 = 25_569.0;
/// Serial numbers that are accepted as dates: the years 2000 to 2099.
const SERIALS: std::ops::Range<f64> = 36_526.0..73_051.0;
const SECONDS_A_DAY: i64 = 86_400;
const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

impl DateForm {
    /// The display name.
    pub fn name(self, order: Option<DateOrder>) -> &'static str {
        match (self, order) {
            (Self::Ordered, Some(DateOrder::MonthFirst)) => "month/day/year",
            (Self::Ordered, Some(DateOrder::DayFirst)) => "day/month/year",
            (Self::Ordered, None) => "day and month in an order that is not certain",
            (Self::Dotted, _) => "day.month.year",
            (Self::YearFirst, _) => "year/month/day",
            (Self::NamedMonth, _) => "day-month-year, the month by its name",
            (Self::Serial, _) => "days since 1899-12-30, as Excel counts them",
        }
    }
}

impl WrittenDate {
    /// Splits the date in a cell into its parts; `None` for ISO 8601 and for text that is not a date.
    pub fn new(cell: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(cell.trim_ascii()).ok()?;
        if let Some(seconds) = serial(text) {
            return Some(Self { form: DateForm::Serial, first: 0, second: 0, year: 0, seconds });
        }
        let is_between = |at: usize| text.as_bytes()[at] == b' ' || text.as_bytes()[at - 1].is_ascii_digit();
        let end = text.match_indices([' ', 'T']).find(|(at, _)| *at > 0 && is_between(*at));
        let (date, clock) = end.map_or((text, ""), |(at, _)| (&text[..at], &text[at + 1..]));
        let separator = date.chars().find(|c| matches!(c, '/' | '.' | '-'))?;
        let mut numbers = date.split(separator);
        let (first, second, third) = (numbers.next()?, numbers.next()?, numbers.next()?);
        if numbers.next().is_some() {
            return None;
        }
        let seconds = if clock.is_empty() { 0 } else { seconds(clock)? };
        if first.len() == 4 {
            let form = DateForm::YearFirst;
            let is_iso = separator == '-' && second.len() == 2 && third.len() == 2;
            return (!is_iso).then_some(Self {
                form,
                first: day_or_month(second)?,
                second: day_or_month(third)?,
                year: whole(first)?,
                seconds,
            });
        }
        let year = whole(third)?
            + match third.len() {
                2 => 2_000,
                4 => 0,
                _ => return None,
            };
        if let Some(month) = MONTHS.iter().position(|name| second.eq_ignore_ascii_case(name)) {
            let month = u32::try_from(month + 1).ok()?;
            return Some(Self {
                form: DateForm::NamedMonth,
                first: day_or_month(first)?,
                second: month,
                year,
                seconds,
            });
        }
        let form = if separator == '.' { DateForm::Dotted } else { DateForm::Ordered };
        Some(Self { form, first: day_or_month(first)?, second: day_or_month(second)?, year, seconds })
    }

    /// µs since 1970 UTC. `order` is only used for [`DateForm::Ordered`]. `None` for a day that does not exist.
    pub fn time(self, order: DateOrder) -> Option<i64> {
        let order = match self.form {
            DateForm::Serial => return Some(self.seconds * 1_000_000),
            DateForm::Ordered => order,
            DateForm::Dotted | DateForm::NamedMonth => DateOrder::DayFirst,
            DateForm::YearFirst => DateOrder::MonthFirst,
        };
        let (month, day) = match order {
            DateOrder::MonthFirst => (self.first, self.second),
            DateOrder::DayFirst => (self.second, self.first),
        };
        let days = parse_date(&format!("{:04}-{month:02}-{day:02}", self.year))?;
        Some((i64::from(days) * SECONDS_A_DAY + self.seconds) * 1_000_000)
    }
}

/// Seconds since 1970 of an Excel serial number.
fn serial(text: &str) -> Option<i64> {
    let (whole, fraction) = text.split_once(['.', ',']).unwrap_or((text, "0"));
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.len() != 5 || !is_digits(whole) || !is_digits(fraction) {
        return None;
    }
    let days: f64 = format!("{whole}.{fraction}").parse().ok()?;
    // Excel's fractions of a day are inexact: 13:00 is 0.54166666…
    #[expect(clippy::cast_possible_truncation, reason = "the range of days is checked")]
    SERIALS.contains(&days).then(|| ((days - SERIAL_OF_1970) * 86_400.0).round() as i64)
}

/// Parses `13:00`, `13:00:00`, `13:00:00.000`, `1:00:00 PM`, each optionally followed by `Z` or ` UTC`.
fn seconds(clock: &str) -> Option<i64> {
    let clock = clock.strip_suffix('Z').or(clock.strip_suffix(" UTC")).unwrap_or(clock);
    let half = clock.len().checked_sub(3).and_then(|at| clock.split_at_checked(at));
    let (clock, is_afternoon) = match half {
        Some((clock, half)) if half.eq_ignore_ascii_case(" am") => (clock, Some(false)),
        Some((clock, half)) if half.eq_ignore_ascii_case(" pm") => (clock, Some(true)),
        _ => (clock, None),
    };
    let mut numbers = clock.split(':');
    let (hour, minute, second) = (numbers.next()?, numbers.next()?, numbers.next().unwrap_or("0"));
    let (second, fraction) = second.split_once('.').unwrap_or((second, "0"));
    let (hour, minute, second) = (whole(hour)?, whole(minute)?, whole(second)?);
    whole(fraction)?;
    let hour = match is_afternoon {
        None if hour < 24 => hour,
        Some(is_afternoon) if (1..=12).contains(&hour) => hour % 12 + if is_afternoon { 12 } else { 0 },
        _ => return None,
    };
    (numbers.next().is_none() && minute < 60 && second < 60)
        .then(|| i64::from(hour * 3_600 + minute * 60 + second))
}

fn day_or_month(text: &str) -> Option<u32> {
    if text.len() > 2 { None } else { whole(text) }
}

fn whole(text: &str) -> Option<u32> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) { None } else { text.parse().ok() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use catalogue::format_timestamp;

    fn check(order: DateOrder, cell: &str, expected: Option<&str>) {
        let time = WrittenDate::new(cell.as_bytes()).and_then(|written| written.time(order));
        assert_eq!(time.map(format_timestamp).as_deref(), expected, "{cell}");
    }

    #[test]
    fn a_date_is_read_in_the_order_decided_on() {
        check(DateOrder::MonthFirst, "4/1/25", Some("2025-04-01T00:00:00"));
        check(DateOrder::DayFirst, "4/1/25", Some("2025-01-04T00:00:00"));
        check(DateOrder::DayFirst, "04-01-2025", Some("2025-01-04T00:00:00"));
        check(DateOrder::MonthFirst, "12/31/2025 23:30", Some("2025-12-31T23:30:00"));
        check(DateOrder::MonthFirst, "5/1/2026 12:00:00 AM", Some("2026-05-01T00:00:00"));
        check(DateOrder::MonthFirst, "5/1/2026 1:30:00 pm", Some("2026-05-01T13:30:00"));
        check(DateOrder::DayFirst, "12/31/2025", None);
        check(DateOrder::MonthFirst, "2025-04-01", None);
        check(DateOrder::MonthFirst, "4/1/25/7", None);
        check(DateOrder::MonthFirst, "+4/1/25", None);
        check(DateOrder::MonthFirst, "4/1/25 13:00 PM", None);
    }

    #[test]
    fn other_forms_have_one_reading_only() {
        for order in [DateOrder::MonthFirst, DateOrder::DayFirst] {
            check(order, "01.05.2026", Some("2026-05-01T00:00:00"));
            check(order, "1.5.2026 00:00:00", Some("2026-05-01T00:00:00"));
            check(order, "05.13.2026", None);
            check(order, "2026/05/01", Some("2026-05-01T00:00:00"));
            check(order, "2026/5/1T00:00:00", Some("2026-05-01T00:00:00"));
            check(order, "1-May-26", Some("2026-05-01T00:00:00"));
            check(order, "01-OCT-2026 06:00", Some("2026-10-01T06:00:00"));
            check(order, "46143", Some("2026-05-01T00:00:00"));
            check(order, "46143.541666666664", Some("2026-05-01T13:00:00"));
            check(order, "46143,5", Some("2026-05-01T12:00:00"));
            check(order, "20260501", None);
            check(order, "99999", None);
        }
    }
}
