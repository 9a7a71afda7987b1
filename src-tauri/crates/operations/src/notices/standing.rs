//! What notices are about, each read from its own rows.

mod anomalies;
mod approvals;
mod budgets;
mod findings;
mod stale;

pub(super) use anomalies::anomalies;
pub(super) use approvals::approvals;
pub(super) use budgets::budgets;
pub(super) use findings::findings;
pub(super) use stale::stale;

use catalogue::{Decimal, format_date};

/// µs of a day.
const DAY: i64 = 86_400_000_000;

/// The day of a time, in days since 1970.
fn day_of(time: i64) -> i32 {
    i32::try_from(time.div_euclid(DAY)).unwrap_or(i32::MAX)
}

/// An amount as messages have it: `USD 1,209.39`.
fn money(amount: Decimal, currency: Option<&str>) -> String {
    let currency = currency.unwrap_or_default();
    let text = analysis::forecast::round(amount, currency).to_text();
    let text = text.as_str();
    let (sign, digits) = text.strip_prefix('-').map_or(("", text), |digits| ("−", digits));
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let mut grouped = String::new();
    for (place, digit) in whole.chars().enumerate() {
        if place > 0 && (whole.len() - place) % 3 == 0 {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    let places = usize::from(analysis::forecast::minor_digits(currency));
    let point = if places > 0 { "." } else { "" };
    let space = if currency.is_empty() { "" } else { " " };
    format!("{currency}{space}{sign}{grouped}{point}{part:0<places$}")
}

/// A day as messages have it: `18 Nov 2026`.
fn day(day: i32) -> String {
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let text = format_date(day);
    let month = text.get(5..7).and_then(|month| month.parse::<usize>().ok()).unwrap_or(1);
    let name = MONTHS.get(month.saturating_sub(1)).copied().unwrap_or_default();
    let of_month = text.get(8..).unwrap_or_default().trim_start_matches('0');
    format!("{of_month} {name} {}", text.get(..4).unwrap_or_default())
}

/// Names in a sentence: `a, b and 3 more`.
fn names(all: &[String]) -> String {
    const MOST: usize = 5;
    let shown = all.iter().take(MOST).map(String::as_str).collect::<Vec<_>>().join(", ");
    if all.len() > MOST { format!("{shown} and {} more", all.len() - MOST) } else { shown }
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
        assert_eq!(money(Decimal::parse("0.5").unwrap(), None), "0.50");
        assert_eq!(day(catalogue::parse_date("2026-11-08").unwrap()), "8 Nov 2026");
        let all: Vec<String> = ["a", "b", "c", "d", "e", "f"].map(str::to_owned).into();
        assert_eq!(names(&all), "a, b, c, d, e and 1 more");
    }
}
