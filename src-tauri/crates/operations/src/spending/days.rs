//! Parses days in requests.

use crate::kit::Arguments;
use catalogue::format_date;
use graphql::Refusal;

/// One day in µs.
pub(super) const DAY: i64 = 86_400_000_000;

/// The day of a time, in days since 1970-01-01 UTC.
pub(super) fn day_of(time: i64) -> i32 {
    i32::try_from(time.div_euclid(DAY)).unwrap_or(i32::MAX)
}

/// The start of a day, µs since 1970 UTC.
pub(super) fn start(day: i32) -> i64 {
    i64::from(day) * DAY
}

/// The last whole day in a request: the given day, or the day before if a time of day shows that it is not over.
pub(super) fn last_day(request: Arguments<'_>, name: &str) -> Result<Option<i32>, Refusal> {
    let Some(time) = request.time(name)? else { return Ok(None) };
    let is_midnight = time.rem_euclid(DAY) == 0;
    Ok(Some(if is_midnight { day_of(time) } else { day_of(time) - 1 }))
}

/// The first and last day of an interval; both are required.
pub(super) fn interval(request: Arguments<'_>, (from, to): (&str, &str)) -> Result<(i32, i32), Refusal> {
    let missing =
        |name: &str| Refusal::invalid(format!("`{name}` is missing: expected a day such as 2026-11-20"));
    let first = day_of(request.time(from)?.ok_or_else(|| missing(from))?);
    let last = last_day(request, to)?.ok_or_else(|| missing(to))?;
    if last < first {
        let message = format!(
            "`{to}` is {} and `{from}` is {}: an interval ends on the day it begins or later",
            format_date(last),
            format_date(first)
        );
        return Err(Refusal::invalid(message));
    }
    Ok((first, last))
}
