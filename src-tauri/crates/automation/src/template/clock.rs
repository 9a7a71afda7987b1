//! The current time in templates: `now()`, `date` and similar names, all for the given time in UTC.

use chrono::{DateTime, Utc};
use minijinja::Environment;

/// Names that a template may use without a root.
pub(super) const NAMES: [&str; 8] =
    ["now", "date", "date_iso", "date_us", "time", "time_hms", "datetime", "timestamp_iso"];

pub(super) fn add(environment: &mut Environment<'static>, now: i64) {
    let moment: DateTime<Utc> = DateTime::from_timestamp_micros(now).unwrap_or_default();
    let written = |format: &str| moment.format(format).to_string();
    let iso = written("%Y-%m-%dT%H:%M:%SZ");
    environment.add_function("now", {
        let iso = iso.clone();
        move || iso.clone()
    });
    environment.add_global("date", written("%d%m%Y"));
    environment.add_global("date_iso", written("%Y-%m-%d"));
    environment.add_global("date_us", written("%m/%d/%Y"));
    environment.add_global("time", written("%H:%M"));
    environment.add_global("time_hms", written("%H:%M:%S"));
    environment.add_global("datetime", written("%Y-%m-%d %H:%M:%S"));
    environment.add_global("timestamp_iso", iso);
}
