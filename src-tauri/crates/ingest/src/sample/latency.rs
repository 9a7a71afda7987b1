//! Response times of the sample as a Prometheus range query result: hourly for six weeks. One workload was slow for a few hours.

use super::day_of;
use serde_json::{Value, json};

const DAYS: i64 = 42;
const HOUR_SECONDS: i64 = 3_600;

/// Deployments in the namespace `web` of the shop's cluster, with the usual milliseconds per request.
const WORKLOADS: [(&str, i64); 2] = [("storefront", 180), ("search", 95)];
/// The slow workload: its index, how many hours before the current day the slowness began, how many hours it lasted, and the factor by which
/// requests were slower.
const SLOW: (usize, i64, i64, i64) = (1, 34, 3, 4);

/// The Prometheus response for the six weeks before the day of `now` (µs since 1970 UTC).
pub fn json(now: i64) -> String {
    let end = i64::from(day_of(now)) * 24;
    let series = WORKLOADS.iter().enumerate().map(|(place, (name, usual))| {
        let value = |hour: i64| {
            let milliseconds = milliseconds(*usual, hour, place) * slower(place, end - hour);
            json!([hour * HOUR_SECONDS, format!("{}.{:03}", milliseconds / 1_000, milliseconds % 1_000)])
        };
        json!({
            "metric": { "__name__": "http_request_duration_seconds", "cluster": "shop", "namespace": "web", "deployment": name },
            "values": (end - DAYS * 24..end).map(value).collect::<Vec<Value>>(),
        })
    });
    let result: Vec<Value> = series.collect();
    json!({ "status": "success", "data": { "resultType": "matrix", "result": result } }).to_string()
}

/// Milliseconds per request in an hour: longer during the day, with some variation.
fn milliseconds(usual: i64, hour: i64, place: usize) -> i64 {
    let busy = if (8..20).contains(&hour.rem_euclid(24)) { 130 } else { 100 };
    let seed = hour * 7_919 + i64::try_from(place).expect("a place in a short list") * 104_729;
    usual * busy * (94 + (seed ^ (seed >> 7)).rem_euclid(13)) / 10_000
}

fn slower(place: usize, hours_ago: i64) -> i64 {
    let (slow, from, hours, times) = SLOW;
    if place == slow && hours_ago <= from && hours_ago > from - hours { times } else { 1 }
}
