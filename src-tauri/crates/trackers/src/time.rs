//! Times in the formats of trackers.

use catalogue::parse_timestamp;
use chrono::DateTime;
use std::time::Duration;

/// Parses a time such as `2026-11-21T04:05:06.000+0000` (Jira) or `2026-11-21T04:05:06Z`; µs since 1970 UTC.
pub(crate) fn read(text: &str) -> Option<i64> {
    let by_jira = DateTime::parse_from_str(text, "%Y-%m-%dT%H:%M:%S%.f%z").ok();
    by_jira.map(|time| time.timestamp_micros()).or_else(|| parse_timestamp(text))
}

/// The format for query parameters: `2026-11-21T04:05:06Z`.
pub(crate) fn write(micros: i64) -> String {
    let time = DateTime::from_timestamp_micros(micros).unwrap_or_default();
    time.format("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// Parses `Retry-After`: seconds, or a date (RFC 9110), converted to the remaining time.
pub(crate) fn retry_after(header: &str, now: i64) -> Option<Duration> {
    let header = header.trim();
    if let Ok(seconds) = header.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let until = DateTime::parse_from_rfc2822(header).ok()?.timestamp_micros();
    Some(left(until, now))
}

/// Parses GitHub's reset time, seconds since 1970, converted to the remaining time.
pub(crate) fn until(header: &str, now: i64) -> Option<Duration> {
    let seconds: i64 = header.trim().parse().ok()?;
    Some(left(seconds.checked_mul(1_000_000)?, now))
}

fn left(until: i64, now: i64) -> Duration {
    Duration::from_micros(u64::try_from(until.saturating_sub(now)).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2026-11-21T04:05:06Z
    const TIME: i64 = 1_795_233_906_000_000;

    #[test]
    fn times_are_read_as_every_tracker_writes_them() {
        for text in [
            "2026-11-21T04:05:06.000+0000",
            "2026-11-21T05:05:06+0100",
            "2026-11-21T04:05:06Z",
            "2026-11-21T04:05:06.000Z",
        ] {
            assert_eq!(read(text), Some(TIME), "{text}");
        }
        assert_eq!((read("yesterday"), write(TIME).as_str()), (None, "2026-11-21T04:05:06Z"));
    }

    #[test]
    fn a_wait_is_seconds_or_a_date() {
        assert_eq!(retry_after("30", TIME), Some(Duration::from_secs(30)));
        assert_eq!(retry_after("Sat, 21 Nov 2026 04:06:06 GMT", TIME), Some(Duration::from_mins(1)));
        assert_eq!(retry_after("Fri, 20 Nov 2026 04:06:06 GMT", TIME), Some(Duration::ZERO));
        assert_eq!(retry_after("soon", TIME), None);
        assert_eq!(until("1795233916", TIME), Some(Duration::from_secs(10)));
    }
}
