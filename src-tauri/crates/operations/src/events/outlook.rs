//! `event_get_triage`: all triage data of an event in one response.

use super::{related, status};
use crate::kit::Arguments;
use graphql::{Call, Refusal};
use model::operations::{
    EventGetTriageOutput, TriageDuplicateInfo, TriageHistoricalStats, TriageHourlyBucket,
};
use model::tables::events;
use model::{EventStatus, Number, Read as _, Timestamp, row};
use std::collections::BTreeMap;
use std::time::Duration;

/// Events read per series, newest first.
const LONGEST: u64 = 10_000;
/// Hours returned: the latest with at least one event. 168 is one week if every hour has one.
const HOURS: usize = 168;
const HOUR: i64 = 3_600_000_000;
const HOUR_SECONDS: f64 = 3600.0;

/// Statuses that mark an event as noise.
const NOISE: [&str; 3] = ["SUPPRESSED", "DROPPED", "DUPLICATE"];

row! { struct Print from events { fingerprint } }
row! {
    /// An event of a series.
    struct Member from events { created_at, ends_at, nb_status, starts_at, status }
}

impl Member {
    /// When the event began, or when it arrived if that is unknown; µs since 1970 UTC.
    fn start(&self) -> i64 {
        self.starts_at.unwrap_or(self.created_at).micros()
    }

    fn is(&self, status: EventStatus) -> bool {
        self.status == Some(status)
    }
}

/// `event_get_triage`
pub(super) fn triage(call: &Call<'_>) -> Result<EventGetTriageOutput, Refusal> {
    let id = Arguments(call.arguments).needed_id("event_id")?;
    let event = status::find(call.rows, id)?;
    let duplicates = related::duplicates(call)?;
    let correlations = related::correlations(call)?;
    let is_duplicate = duplicates.is_duplicate;
    let info = duplicates.first_event_id.zip(duplicates.occurrence_number);
    let info = info.map(|(first_event_id, occurrence_number)| TriageDuplicateInfo {
        duplicate_chain: duplicates.duplicate_chain,
        first_event_id,
        occurrence_number,
        total_occurrences: duplicates.total_occurrences,
    });
    let print = call.rows.find::<Print>(id)?.and_then(|event| event.fingerprint);
    let series = match (event.account, print.filter(|print| !print.is_empty())) {
        (Some(account), Some(print)) => Some(
            call.rows
                .query::<Member>()
                .filter(events::cloud_account_id.eq(account))
                .filter(events::fingerprint.eq(print))
                .order(events::starts_at.desc())
                .limit(LONGEST)
                .rows()?,
        ),
        _ => None,
    };
    Ok(EventGetTriageOutput {
        correlated_events: correlations.correlated_events,
        correlation_count: correlations.correlation_count,
        duplicate_info: info,
        event_id: id.to_string(),
        historical_stats: series.as_deref().map(history),
        hourly_trend: series.as_deref().map(hours),
        is_duplicate,
    })
}

/// Statistics of a series. Noise is every event that triage suppressed, dropped or marked as duplicate.
fn history(series: &[Member]) -> TriageHistoricalStats {
    let count = |test: &dyn Fn(&Member) -> bool| series.iter().filter(|event| test(event)).count();
    let resolved = count(&|event| event.is(EventStatus::Resolved));
    let closed = count(&|event| event.is(EventStatus::Closed));
    let noise = count(&|event| event.nb_status.as_deref().is_some_and(|status| NOISE.contains(&status)));
    let spans = series.iter().filter_map(|event| u64::try_from(event.ends_at?.micros() - event.start()).ok());
    let spans: Vec<Duration> = spans.map(Duration::from_micros).collect();
    let hours = spans.iter().sum::<Duration>().as_secs_f64() / HOUR_SECONDS;
    let times = || series.iter().map(|event| Timestamp(event.start()));
    TriageHistoricalStats {
        total_events: whole(series.len()),
        firing_count: whole(series.len() - resolved - closed),
        resolved_count: whole(resolved),
        closed_count: whole(closed),
        resolution_rate: share(resolved, series.len()),
        closure_rate: share(closed, series.len()),
        noise_level: share(noise, series.len()),
        avg_duration_hours: Number::Float(if spans.is_empty() {
            0.0
        } else {
            hours / as_number(spans.len())
        }),
        first_seen_at: times().min().map(|time| time.to_string()),
        last_seen_at: times().max().map(|time| time.to_string()),
    }
}

/// `part / whole`; 0 if `whole` is 0.
fn share(part: usize, whole: usize) -> Number {
    Number::Float(if whole == 0 { 0.0 } else { as_number(part) / as_number(whole) })
}

/// The count as a float; at most [`LONGEST`], so the conversion is exact.
fn as_number(count: usize) -> f64 {
    u32::try_from(count).map_or(f64::INFINITY, f64::from)
}

fn whole(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

fn hours(series: &[Member]) -> Vec<TriageHourlyBucket> {
    let mut hours: BTreeMap<i64, TriageHourlyBucket> = BTreeMap::new();
    for event in series {
        let hour = event.start().div_euclid(HOUR) * HOUR;
        let bucket = hours.entry(hour).or_insert_with(|| TriageHourlyBucket {
            hour: Timestamp(hour).to_string(),
            firing_count: 0,
            resolved_count: 0,
            closed_count: 0,
        });
        match event.status {
            Some(EventStatus::Resolved) => bucket.resolved_count += 1,
            Some(EventStatus::Closed) => bucket.closed_count += 1,
            _ => bucket.firing_count += 1,
        }
    }
    let skipped = hours.len().saturating_sub(HOURS);
    hours.into_values().skip(skipped).collect()
}
