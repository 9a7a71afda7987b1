//! `event_get_triage`: all that is known for triage of an event, in one answer.

use super::series::start;
use super::{related, status};
use crate::kit::{Arguments, Look, text};
use catalogue::{format_timestamp, parse_timestamp};
use graphql::{Call, Refusal};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::time::Duration;

/// Events of a series that are looked at, the newest ones.
const LONGEST: u64 = 10_000;
/// Hours that are told, the latest in which something happened: a week's worth where it happens all the time.
const HOURS: usize = 168;
const HOUR: i64 = 3_600_000_000;
const HOUR_SECONDS: f64 = 3600.0;

/// Statuses that say an event was noise.
const NOISE: [&str; 3] = ["SUPPRESSED", "DROPPED", "DUPLICATE"];

pub(super) fn triage(call: &Call<'_>) -> Result<Json, Refusal> {
    let id = Arguments(call.arguments).needed_id("event_id")?;
    let event = status::find(call.rows, id)?;
    let duplicates = related::duplicates(call)?;
    let mut answer = related::correlations(call)?;
    answer["is_duplicate"] = duplicates["is_duplicate"].clone();
    if !duplicates["first_event_id"].is_null() {
        answer["duplicate_info"] = duplicates;
    }
    let known = Look::at(call.rows, "events")?.with("id", id)?.first(&["fingerprint"])?.unwrap_or_default();
    let (Some(account), fingerprint) = (event.account, text(&known, "fingerprint")) else {
        return Ok(answer);
    };
    if fingerprint.is_empty() {
        return Ok(answer);
    }
    let look = Look::at(call.rows, "events")?.with("cloud_account_id", account)?;
    let look = look.with("fingerprint", fingerprint)?.ordered("starts_at", true)?.limit(LONGEST);
    let series = look.rows(&["created_at", "ends_at", "nb_status", "starts_at", "status"])?;
    answer["historical_stats"] = history(&series);
    answer["hourly_trend"] = hours(&series);
    Ok(answer)
}

/// What became of the events of a series. Noise is what triage suppressed, dropped or called a duplicate.
fn history(series: &[Json]) -> Json {
    let count = |test: &dyn Fn(&Json) -> bool| series.iter().filter(|event| test(event)).count();
    let resolved = count(&|event| event["status"] == "RESOLVED");
    let closed = count(&|event| event["status"] == "CLOSED");
    let noise = count(&|event| NOISE.contains(&text(event, "nb_status")));
    let spans = series.iter().filter_map(|event| {
        let end = event["ends_at"].as_str().and_then(parse_timestamp)?;
        u64::try_from(end - start(event)?).ok()
    });
    let spans: Vec<Duration> = spans.map(Duration::from_micros).collect();
    let hours = spans.iter().sum::<Duration>().as_secs_f64() / HOUR_SECONDS;
    let times = || series.iter().filter_map(start);
    json!({
        "total_events": series.len(),
        "firing_count": series.len() - resolved - closed,
        "resolved_count": resolved,
        "closed_count": closed,
        "resolution_rate": share(resolved, series.len()),
        "closure_rate": share(closed, series.len()),
        "noise_level": share(noise, series.len()),
        "avg_duration_hours": if spans.is_empty() { 0.0 } else { hours / as_number(spans.len()) },
        "first_seen_at": times().min().map(format_timestamp),
        "last_seen_at": times().max().map(format_timestamp),
    })
}

/// 0 of nothing.
fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { as_number(part) / as_number(whole) }
}

/// Of at most [`LONGEST`] events.
fn as_number(count: usize) -> f64 {
    u32::try_from(count).map_or(f64::INFINITY, f64::from)
}

fn hours(series: &[Json]) -> Json {
    let mut hours: BTreeMap<i64, [u64; 3]> = BTreeMap::new();
    for event in series {
        let Some(time) = start(event) else { continue };
        let place = match text(event, "status") {
            "RESOLVED" => 1,
            "CLOSED" => 2,
            _ => 0,
        };
        hours.entry(time.div_euclid(HOUR) * HOUR).or_default()[place] += 1;
    }
    let skipped = hours.len().saturating_sub(HOURS);
    let told = hours.into_iter().skip(skipped).map(|(hour, [firing, resolved, closed])| {
        json!({
            "hour": format_timestamp(hour),
            "firing_count": firing, "resolved_count": resolved, "closed_count": closed,
        })
    });
    told.collect()
}
