//! Time zones: converts between UTC and local time.

use jiff::Timestamp;
use jiff::civil;
use jiff::tz::{AmbiguousOffset, TimeZone};

/// A time zone other than UTC.
#[derive(Debug, Clone)]
pub(super) struct Zone(TimeZone);

/// Prefixes that set the time zone in a cron expression.
const PREFIXES: [&str; 2] = ["CRON_TZ=", "TZ="];

/// The time zone in a cron expression, and its fields.
pub(super) fn zone_of(line: &str) -> (Option<&str>, &str) {
    let line = line.trim();
    let named = PREFIXES.iter().find_map(|prefix| line.strip_prefix(prefix));
    match named.and_then(|rest| rest.split_once(char::is_whitespace)) {
        Some((zone, fields)) => (Some(zone), fields.trim()),
        None => (None, line),
    }
}

impl Zone {
    /// The IANA time zone with that name; `None` for UTC.
    pub(super) fn find(name: &str) -> Result<Option<Self>, String> {
        if matches!(name, "UTC" | "Etc/UTC" | "GMT" | "Z") {
            return Ok(None);
        }
        let found = TimeZone::get(name).map(|zone| Some(Self(zone)));
        found.map_err(|_| format!("expected a time zone such as Europe/Berlin or UTC, found \"{name}\""))
    }

    /// The local time at a UTC time, as µs as if it were UTC.
    pub(super) fn clock(&self, moment: i64) -> Option<i64> {
        let moment = Timestamp::from_microsecond(moment).ok()?;
        let offset = self.0.to_offset(moment);
        Some(moment.as_microsecond() + i64::from(offset.seconds()) * 1_000_000)
    }

    /// The first change of the UTC offset after a time; µs. `None` if there is none.
    pub(super) fn change(&self, after: i64) -> Option<i64> {
        let after = Timestamp::from_microsecond(after).ok()?;
        self.0.following(after).next().map(|change| change.timestamp().as_microsecond())
    }

    /// The UTC time of a local time. If it occurs twice, the first; if it is skipped, the end of the gap.
    pub(super) fn moment(&self, clock: i64) -> Option<i64> {
        let shown: civil::DateTime = TimeZone::UTC.to_datetime(Timestamp::from_microsecond(clock).ok()?);
        let at = |offset: jiff::tz::Offset| offset.to_timestamp(shown).ok();
        let found = match self.0.to_ambiguous_timestamp(shown).offset() {
            AmbiguousOffset::Unambiguous { offset } => at(offset)?,
            AmbiguousOffset::Fold { before, .. } => at(before)?,
            AmbiguousOffset::Gap { after, .. } => self.0.following(at(after)?).next()?.timestamp(),
        };
        Some(found.as_microsecond())
    }
}
