//! Formats amounts, days and lists for sentences in notices, digests and reports.

use crate::forecast;
use catalogue::{Decimal, format_date};

/// An amount in messages: `USD 1,209.39`. A non-zero amount that rounds to 0 is `<USD 0.01`, as on the pages.
pub fn money(amount: Decimal, currency: Option<&str>) -> String {
    let currency = currency.unwrap_or_default();
    let rounded = forecast::round(amount, currency);
    if rounded.is_zero() && !amount.is_zero() {
        let (than, sign) = if amount < Decimal::ZERO { ('>', "-") } else { ('<', "") };
        let places = usize::from(forecast::minor_digits(currency));
        let smallest = if places == 0 { "1".to_owned() } else { format!("0.{:0>places$}", 1) };
        return format!("{than}{}", spelled(&format!("{sign}{smallest}"), currency));
    }
    spelled(rounded.to_text().as_str(), currency)
}

/// Formats digits with thousands separators, all decimal places of the currency, and the currency in front.
fn spelled(text: &str, currency: &str) -> String {
    let (sign, digits) = text.strip_prefix('-').map_or(("", text), |digits| ("−", digits));
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let mut grouped = String::new();
    for (place, digit) in whole.chars().enumerate() {
        if place > 0 && (whole.len() - place) % 3 == 0 {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    let places = usize::from(forecast::minor_digits(currency));
    let point = if places > 0 { "." } else { "" };
    let space = if currency.is_empty() { "" } else { " " };
    format!("{currency}{space}{sign}{grouped}{point}{part:0<places$}")
}

/// A day in messages: `18 Nov 2026`.
pub fn day(day: i32) -> String {
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let text = format_date(day);
    let month = text.get(5..7).and_then(|month| month.parse::<usize>().ok()).unwrap_or(1);
    let name = MONTHS.get(month.saturating_sub(1)).copied().unwrap_or_default();
    let of_month = text.get(8..).unwrap_or_default().trim_start_matches('0');
    format!("{of_month} {name} {}", text.get(..4).unwrap_or_default())
}

/// A time range in a sentence, from two times in µs since 1970 UTC: `between 10:30 and 12:30 UTC on 18 Nov 2026`.
pub fn between(from: i64, until: i64) -> String {
    const MINUTE: i64 = 60_000_000;
    const DAY: i64 = 24 * 60 * MINUTE;
    let day_of = |at: i64| day(i32::try_from(at.div_euclid(DAY)).unwrap_or_default());
    let time_of = |at: i64| {
        let minutes = at.rem_euclid(DAY) / MINUTE;
        format!("{:02}:{:02}", minutes / 60, minutes % 60)
    };
    let (first, last) = (day_of(from), day_of(until));
    if first == last {
        return format!("between {} and {} UTC on {first}", time_of(from), time_of(until));
    }
    format!("between {first}, {} and {last}, {} UTC", time_of(from), time_of(until))
}

/// Names in a sentence: `a, b and 3 more`.
pub fn names(all: &[String]) -> String {
    const MOST: usize = 5;
    let shown = all.iter().take(MOST).map(String::as_str).collect::<Vec<_>>().join(", ");
    if all.len() > MOST { format!("{shown} and {} more", all.len() - MOST) } else { shown }
}

/// Days in a sentence: `16–22 Nov 2026`.
pub fn days(first: i32, last: i32) -> String {
    let (from, to) = (day(first), day(last));
    // Both have the same month and year.
    let ends = |text: &str| text.split_once(' ').map(|(_, rest)| rest.to_owned());
    match (from.split_once(' '), ends(&from) == ends(&to)) {
        (Some((of_month, _)), true) => format!("{of_month}–{to}"),
        _ => format!("{from} to {to}"),
    }
}

/// A percentage in sentences: `10.8%`, from a ratio such as 0.108.
pub fn percent(ratio: Decimal) -> String {
    let hundred = ratio.checked_mul_int(100).and_then(|number| crate::numbers::round(number, 1));
    let text = hundred.unwrap_or_default().to_text();
    let text = text.as_str().replacen('-', "−", 1);
    if text.contains('.') { format!("{text}%") } else { format!("{text}.0%") }
}

/// Rises of at least this ratio are written as a multiple, because `+23089.0%` is hard to read.
const LARGE_RISE: i128 = 10;

/// A large rise in sentences: `11.5 times` (as much), from a ratio such as 10.5; `None` for a smaller one.
pub fn times(rise: Decimal) -> Option<String> {
    let whole = |number: i128| Decimal::from_parts(number, 0);
    let all = rise.checked_add(whole(1)?).filter(|_| Some(rise) >= whole(LARGE_RISE))?;
    let text = crate::numbers::round(all, 1)?.to_text();
    Some(format!("{} times", text.as_str()))
}

/// `1 pod`, `3 pods`.
pub fn counted(count: usize, one: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {one}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_and_days_are_told_as_people_write_them() {
        let amount = |text: &str, currency| money(Decimal::parse(text).unwrap(), Some(currency));
        assert_eq!(amount("1209.385", "USD"), "USD 1,209.39");
        assert_eq!(amount("-1234567.5", "EUR"), "EUR −1,234,567.50");
        assert_eq!(amount("820", "USD"), "USD 820.00");
        assert_eq!(amount("1209.5", "JPY"), "JPY 1,210");
        assert_eq!(amount("0.004", "USD"), "<USD 0.01");
        assert_eq!(amount("-0.0049", "EUR"), ">EUR −0.01");
        assert_eq!(amount("0.4", "JPY"), "<JPY 1");
        assert_eq!(amount("0.00", "USD"), "USD 0.00");
        assert_eq!(money(Decimal::parse("0.5").unwrap(), None), "0.50");
        assert_eq!(day(catalogue::parse_date("2026-11-08").unwrap()), "8 Nov 2026");
        let all: Vec<String> = ["a", "b", "c", "d", "e", "f"].map(str::to_owned).into();
        assert_eq!(names(&all), "a, b, c, d, e and 1 more");
        let date = |text| catalogue::parse_date(text).unwrap();
        assert_eq!(days(date("2026-11-16"), date("2026-11-22")), "16–22 Nov 2026");
        assert_eq!(days(date("2026-11-30"), date("2026-12-06")), "30 Nov 2026 to 6 Dec 2026");
        let time = |text| catalogue::parse_timestamp(text).unwrap();
        assert_eq!(
            between(time("2026-11-29T00:00:00"), time("2026-11-29T23:59:00")),
            "between 00:00 and 23:59 UTC on 29 Nov 2026"
        );
        assert_eq!(
            between(time("2026-11-29T23:05:00"), time("2026-11-30T00:10:00")),
            "between 29 Nov 2026, 23:05 and 30 Nov 2026, 00:10 UTC"
        );
        assert_eq!(percent(Decimal::parse("0.1084").unwrap()), "10.8%");
        assert_eq!(percent(Decimal::parse("-1").unwrap()), "−100.0%");
        let large = |text| times(Decimal::parse(text).unwrap());
        assert_eq!(large("10.5"), Some("11.5 times".to_owned()));
        assert_eq!(large("10"), Some("11 times".to_owned()));
        assert_eq!((large("9.9"), large("-10.5")), (None, None));
        assert_eq!((counted(1, "pod"), counted(3, "pod")), ("1 pod".to_owned(), "3 pods".to_owned()));
    }
}
