//! Time spans, and the calendar units that start within them.

use super::index::Entry;
use super::layout::TIME;
use super::pack::NULL;
use super::part::Part;
use crate::query::TimeUnit;
use crate::values::calendar::{next, start_of};

const MINUTE: i64 = 60_000_000;

const HOUR: i64 = 60 * MINUTE;

/// The starts of the units that overlap a span.
pub(super) fn units(unit: TimeUnit, (first, last): (i64, i64)) -> impl Iterator<Item = i64> {
    std::iter::successors(Some(start_of(first, unit)), move |start| next(*start, unit))
        .take_while(move |start| *start <= last)
}

/// An upper bound for the number of units that start within a span, plus one for null.
pub(super) fn starts(unit: TimeUnit, (first, last): (i64, i64)) -> Option<u32> {
    let shortest = match unit {
        TimeUnit::Minute => MINUTE,
        TimeUnit::Hour => HOUR,
        TimeUnit::Day => 24 * HOUR,
        TimeUnit::Week => 7 * 24 * HOUR,
        TimeUnit::Month => 28 * 24 * HOUR,
        TimeUnit::Quarter => 90 * 24 * HOUR,
        TimeUnit::Year => 365 * 24 * HOUR,
    };
    u32::try_from(last.checked_sub(first)? / shortest + 3).ok()
}

/// The first and last time of the data that is read.
pub(super) fn span(entries: &[&Entry], fresh: &[Part]) -> Option<(i64, i64)> {
    let of_fresh = fresh.iter().filter_map(|part| {
        let palette = &part.codes(TIME)?.palette;
        let first = palette.iter().find(|time| **time != NULL)?;
        Some((*first, *palette.last()?))
    });
    let of_entries = entries.iter().filter_map(|entry| Some((entry.earliest?, entry.latest?)));
    of_entries.chain(of_fresh).reduce(|left, right| (left.0.min(right.0), left.1.max(right.1)))
}
