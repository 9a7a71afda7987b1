//! Clocks of places: what they show at a moment, and the moment at which they show something.

use jiff::Timestamp;
use jiff::civil;
use jiff::tz::{AmbiguousOffset, TimeZone};

/// A place's clock.
#[derive(Debug, Clone)]
pub(super) struct Zone(TimeZone);

/// Names that a line may give its time zone by.
const PREFIXES: [&str; 2] = ["CRON_TZ=", "TZ="];

/// The time zone that a line names, and its fields.
pub(super) fn zone_of(line: &str) -> (Option<&str>, &str) {
    let line = line.trim();
    let named = PREFIXES.iter().find_map(|prefix| line.strip_prefix(prefix));
    match named.and_then(|rest| rest.split_once(char::is_whitespace)) {
        Some((zone, fields)) => (Some(zone), fields.trim()),
        None => (None, line),
    }
}

impl Zone {
    /// The zone of that name in the IANA database; none for UTC.
    pub(super) fn find(name: &str) -> Result<Option<Self>, String> {
        if matches!(name, "UTC" | "Etc/UTC" | "GMT" | "Z") {
            return Ok(None);
        }
        let found = TimeZone::get(name).map(|zone| Some(Self(zone)));
        found.map_err(|_| format!("expected a time zone such as Europe/Berlin or UTC, found \"{name}\""))
    }

    /// What the clock shows at a moment, counted as if it showed UTC; µs.
    pub(super) fn clock(&self, moment: i64) -> Option<i64> {
        let moment = Timestamp::from_microsecond(moment).ok()?;
        let offset = self.0.to_offset(moment);
        Some(moment.as_microsecond() + i64::from(offset.seconds()) * 1_000_000)
    }

    /// The first moment after another at which the clock is put forward or back; µs. None where it never is again.
    pub(super) fn change(&self, after: i64) -> Option<i64> {
        let after = Timestamp::from_microsecond(after).ok()?;
        self.0.following(after).next().map(|change| change.timestamp().as_microsecond())
    }

    /// When the clock shows that. Of two moments the first; what it never shows is over when it goes on.
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
