//! Counts the events of an account that begin in each hour: by kind and in total.

use super::points::hour_of;
use super::rule::Rule;
use super::{DAYS, EVENTS, Source};
use crate::anomalies::costs::WatchLabel;
use analysis::anomalies::{Grain, Measure, MeasuredSeries, SeriesKey, WatchRule};
use catalogue::Decimal;
use graphql::Refusal;
use model::tables::events;
use model::{Read, TimeUnit, Timestamp, count, row};
use std::collections::BTreeMap;
use store::Transaction;

/// The name of the series of all events of an account.
const ALL: &str = "all events";

row! { struct Event from events { starts_at } }

/// The series of an account that a rule watches, from events that began before `until`.
pub(super) fn read(
    rows: &Transaction<'_>,
    rule: &Rule,
    watch: &WatchRule,
    until: i64,
) -> Result<Vec<Source>, Refusal> {
    let of_account = || {
        rows.query::<Event>()
            .filter(events::cloud_account_id.eq_or_null(Some(rule.cloud_account_id)))
            .filter(events::starts_at.lt(Timestamp(until)))
    };
    let newest = of_account().group((events::starts_at.max(),)).rows()?;
    let Some((Some(Timestamp(newest)),)) = newest.into_iter().next() else { return Ok(Vec::new()) };
    let newest = hour_of(newest);
    let since = Grain::Day.begins(Grain::Hour.day(newest) - DAYS);
    let by_hour = of_account().filter(events::starts_at.ge(Timestamp(since))).group((
        events::aggregation_key.key(),
        events::starts_at.every(TimeUnit::Hour),
        count(),
    ));
    let mut kinds: BTreeMap<String, BTreeMap<i32, i64>> = BTreeMap::new();
    let mut all: BTreeMap<i32, i64> = BTreeMap::new();
    for (kind, begin, count) in by_hour.rows()? {
        let Some(Timestamp(begin)) = begin else { continue };
        *all.entry(hour_of(begin)).or_default() += count;
        *kinds.entry(kind).or_default().entry(hour_of(begin)).or_default() += count;
    }
    // Nothing is known before the account's first event. After it, an hour without events counts as zero for every kind.
    let Some(first) = all.keys().next().copied() else { return Ok(Vec::new()) };
    let source = |name: &str, mut hours: BTreeMap<i32, i64>, is_whole: bool| {
        hours.entry(first).or_default();
        let series = MeasuredSeries {
            key: SeriesKey {
                measure: Measure::Count,
                account: Some(rule.cloud_account_id),
                tag: None,
                name: name.to_owned(),
            },
            hours: hours.into_iter().map(|(hour, count)| (hour, Decimal::from(count))).collect(),
            newest,
            watch: watch.clone(),
            is_whole,
        };
        let watched = WatchLabel {
            config: rule.id.uuid(),
            scope: EVENTS,
            anomaly_type: rule.anomaly_type.to_string(),
            name: name.to_owned(),
            namespace: None,
        };
        Source { series, watched }
    };
    // With only one kind, the total would repeat it.
    let has_several = kinds.len() > 1;
    let mut sources: Vec<Source> =
        kinds.into_iter().map(|(kind, hours)| source(&kind, hours, false)).collect();
    sources.extend(has_several.then(|| source(ALL, all, true)));
    Ok(sources)
}
