//! Schedules of auto-pilots.

use automation::schedule::Schedule;

/// The categories, each with its default cron line if it has one (semantics §10).
const CATEGORIES: &[(&str, Option<&str>)] = &[
    ("vertical_rightsize", None),
    ("horizontal_rightsize", Some("50 * * * *")),
    ("pvc_rightsize", Some("0 * * * *")),
    ("continuous_rightsize", Some("*/15 * * * *")),
];

/// The category with that name.
pub(super) fn category(name: &str) -> Result<&'static str, String> {
    let names: Vec<&str> = CATEGORIES.iter().map(|(name, _)| *name).collect();
    let found = CATEGORIES.iter().find(|(known, _)| *known == name).map(|(known, _)| *known);
    found.ok_or_else(|| format!("`category` is \"{name}\": expected {}", crate::states::either(&names)))
}

/// A short label for what a category changes.
pub(super) fn words(category: &str) -> &str {
    match category {
        "vertical_rightsize" => "CPU and memory",
        "horizontal_rightsize" => "Replicas",
        "pvc_rightsize" => "Volumes",
        "continuous_rightsize" => "Continuous right-sizing",
        other => other,
    }
}

/// The cron line of an auto-pilot: the given one, or else the default of its category.
pub(super) fn line(category: &str, given: Option<&str>) -> Result<String, String> {
    let usual = CATEGORIES.iter().find(|(known, _)| *known == category).and_then(|(_, usual)| *usual);
    let line = given.map(str::trim).filter(|line| !line.is_empty()).or(usual);
    let missing = || {
        format!(
            "`schedule.frequency` is missing, and {category} has no usual hours: \
             expected a cron line such as \"0 5 * * *\" (UTC), or CRON_TZ=Europe/Berlin and the line"
        )
    };
    let line = line.ok_or_else(missing)?;
    read(line)?;
    Ok(line.to_owned())
}

/// The first time after `after` (µs since 1970 UTC) that matches the cron line.
pub(super) fn next(line: &str, after: i64) -> Result<i64, String> {
    read(line)?.next(after).ok_or_else(|| format!("the schedule \"{line}\" is never due"))
}

/// Parses a cron line in UTC, or with a time zone prefix: `CRON_TZ=Europe/Berlin 0 5 * * *`.
fn read(line: &str) -> Result<Schedule, String> {
    Schedule::read(line, None).map_err(|reason| format!("`schedule.frequency`: {reason}"))
}

#[cfg(test)]
mod tests {
    use super::{category, line, next};
    use catalogue::{format_timestamp, parse_timestamp};

    #[track_caller]
    fn check(line: &str, after: &str, expected: &str) {
        let after = parse_timestamp(after).unwrap();
        assert_eq!(next(line, after).map(format_timestamp), Ok(expected.to_owned()), "{line}");
    }

    #[test]
    fn the_next_time_is_later_than_now() {
        check("0 5 * * *", "2026-11-20T05:00:00", "2026-11-21T05:00:00");
        check("*/15 * * * *", "2026-11-20T05:01:30", "2026-11-20T05:15:00");
        check("0 9 * * 1-5", "2026-11-20T12:00:00", "2026-11-23T09:00:00");
        check("CRON_TZ=Europe/Berlin 30 2 * * *", "2026-03-28T12:00:00", "2026-03-29T01:00:00");
        check("0 0 29 2 *", "2026-11-20T00:00:00", "2028-02-29T00:00:00");
    }

    #[test]
    fn a_category_brings_its_usual_hours() {
        assert_eq!(line("horizontal_rightsize", None), Ok("50 * * * *".to_owned()));
        assert_eq!(line("pvc_rightsize", Some(" ")), Ok("0 * * * *".to_owned()));
        assert_eq!(line("pvc_rightsize", Some("0 3 * * *")), Ok("0 3 * * *".to_owned()));
        let refused = line("vertical_rightsize", None).expect_err("no usual hours");
        assert!(refused.contains("vertical_rightsize has no usual hours"), "{refused}");
    }

    #[test]
    fn what_is_no_category_or_schedule_is_refused() {
        assert_eq!(
            category("diagonal_rightsize"),
            Err("`category` is \"diagonal_rightsize\": expected vertical_rightsize, horizontal_rightsize, \
                 pvc_rightsize or continuous_rightsize"
                .to_owned())
        );
        assert!(line("pvc_rightsize", Some("hourly please")).is_err());
        assert!(line("pvc_rightsize", Some("CRON_TZ=Berlin 0 5 * * *")).is_err());
        assert!(next("0 0 30 2 *", 0).is_err());
    }
}
