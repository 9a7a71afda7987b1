//! Calendar months, with dates in days since 1970-01-01.

use catalogue::{format_date, parse_date};

/// Year, month and day of the month.
pub(super) fn parts(date: i32) -> (i32, u32, u32) {
    let text = format_date(date);
    let mut parts = text.rsplitn(3, '-').map(|part| part.parse::<u32>().unwrap_or_default());
    let (day, month) = (parts.next().unwrap_or(1), parts.next().unwrap_or(1));
    (parts.next().and_then(|year| i32::try_from(year).ok()).unwrap_or_default(), month, day)
}

/// The date of a day of a month; the month's last day if it has no such day.
pub(super) fn day_of(year: i32, month: u32, day: u32) -> i32 {
    let find = |day: u32| parse_date(&format!("{year:04}-{month:02}-{day:02}"));
    (1..=day.clamp(1, 31)).rev().find_map(find).unwrap_or_default()
}

/// The first day of the month of a day.
pub fn start_of_month(date: i32) -> i32 {
    let (year, month, _) = parts(date);
    day_of(year, month, 1)
}

/// The same day `months` months later; the month's last day if it has no such day.
pub fn day_after_months(date: i32, months: u32) -> i32 {
    let (year, month, day) = parts(date);
    let months = month - 1 + months;
    day_of(year + i32::try_from(months / 12).unwrap_or_default(), months % 12 + 1, day)
}

/// The first day of the month after that of a day.
pub fn first_of_next(date: i32) -> i32 {
    let (year, month, _) = parts(date);
    if month == 12 { day_of(year + 1, 1, 1) } else { day_of(year, month + 1, 1) }
}

/// The same day of the month before; the month's last day if it has no such day.
pub fn month_before(date: i32) -> i32 {
    let (year, month, day) = parts(date);
    if month == 1 { day_of(year - 1, 12, day) } else { day_of(year, month - 1, day) }
}
