//! Filters for times.
//!
//! In templates a time is a text in RFC 3339 format.

use super::super::values::printed;
use super::wrong;
use crate::duration;
use chrono::format::{Item, StrftimeItems};
use chrono::{DateTime, NaiveDate, NaiveDateTime, SecondsFormat, Utc};
use minijinja::value::{Value as Jinja, ValueKind};
use minijinja::{Environment, Error};

/// Formats of times without a zone, which are taken as UTC.
const WITHOUT_ZONE: [&str; 4] =
    ["%Y-%m-%dT%H:%M:%S%.f", "%Y-%m-%d %H:%M:%S%.f", "%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M"];

/// Go's layouts, by their notation of the time 2006-01-02 15:04:05 -0700; longer ones come before their prefixes.
const LAYOUT: [(&str, &str); 21] = [
    ("January", "%B"),
    ("Monday", "%A"),
    ("Z07:00", "%:z"),
    ("-07:00", "%:z"),
    ("-0700", "%z"),
    (".000000", "%.6f"),
    (".000", "%.3f"),
    ("2006", "%Y"),
    ("Jan", "%b"),
    ("Mon", "%a"),
    ("MST", "%Z"),
    ("01", "%m"),
    ("02", "%d"),
    ("03", "%I"),
    ("04", "%M"),
    ("05", "%S"),
    ("06", "%y"),
    ("15", "%H"),
    ("PM", "%p"),
    ("pm", "%P"),
    ("_2", "%e"),
];

pub(super) fn add(environment: &mut Environment<'static>, now: i64) {
    let now = DateTime::from_timestamp_micros(now).unwrap_or_default();
    environment
        .add_filter("strftime", move |value: Jinja, format: String| written(moment(&value, now)?, &format));
    environment.add_filter("date_format", move |value: Jinja, layout: String| {
        written(moment(&value, now)?, &format_of(&layout))
    });
    environment.add_filter("time_add", move |value: Jinja, span: String| {
        let (back, text) = span.trim().strip_prefix('-').map_or((false, span.trim()), |rest| (true, rest));
        let micros = duration::parse(text)
            .ok_or_else(|| wrong(format!("time_add expected a span of time such as 1h, found \"{span}\"")))?;
        let span = chrono::Duration::microseconds(if back { -micros } else { micros });
        let moved = moment(&value, now)?.checked_add_signed(span);
        moved.map(told).ok_or_else(|| wrong("time_add leaves the calendar"))
    });
    environment.add_filter("to_datetime", move |value: Jinja, format: Option<String>| match format {
        None => moment(&value, now).map(told),
        Some(format) => read(&printed(&value), &format).map(told),
    });
    environment.add_filter("parse_time", move |value: Jinja, layout: Option<String>| match layout {
        None => moment(&value, now).map(told),
        Some(layout) => read(&printed(&value), &format_of(&layout)).map(told),
    });
}

fn told(moment: DateTime<Utc>) -> String {
    moment.to_rfc3339_opts(SecondsFormat::AutoSi, true)
}

/// The time of a value: a text, seconds since 1970, or the name `now`.
fn moment(value: &Jinja, now: DateTime<Utc>) -> Result<DateTime<Utc>, Error> {
    match value.kind() {
        ValueKind::Number => {
            let seconds = f64::try_from(value.clone()).unwrap_or(f64::NAN);
            #[allow(clippy::cast_possible_truncation)]
            let found = DateTime::from_timestamp_micros((seconds * 1e6) as i64);
            found.filter(|_| seconds.is_finite()).ok_or_else(|| wrong("expected seconds since 1970"))
        }
        ValueKind::String => {
            let text = printed(value);
            let text = text.trim();
            let zoned = DateTime::parse_from_rfc3339(text).map(|moment| moment.to_utc()).ok();
            let plain =
                || WITHOUT_ZONE.iter().find_map(|format| NaiveDateTime::parse_from_str(text, format).ok());
            let day = || NaiveDate::parse_from_str(text, "%Y-%m-%d").ok()?.and_hms_opt(0, 0, 0);
            let found = zoned.or_else(|| plain().or_else(day).map(|moment| moment.and_utc()));
            found.ok_or_else(|| {
                wrong(format!("expected a time such as 2026-11-20T06:38:00Z, found \"{text}\""))
            })
        }
        ValueKind::Undefined | ValueKind::None => Err(wrong("expected a time, found nothing")),
        _ => Ok(now),
    }
}

fn written(moment: DateTime<Utc>, format: &str) -> Result<String, Error> {
    let items: Vec<Item<'_>> = StrftimeItems::new(format).collect();
    if items.contains(&Item::Error) {
        return Err(wrong(format!("\"{format}\" is no format of times")));
    }
    Ok(moment.format_with_items(items.iter()).to_string())
}

fn read(text: &str, format: &str) -> Result<DateTime<Utc>, Error> {
    let text = text.trim();
    let zoned = DateTime::parse_from_str(text, format).map(|moment| moment.to_utc()).ok();
    let plain = || NaiveDateTime::parse_from_str(text, format).ok();
    let day = || NaiveDate::parse_from_str(text, format).ok()?.and_hms_opt(0, 0, 0);
    let found = zoned.or_else(|| plain().or_else(day).map(|moment| moment.and_utc()));
    found.ok_or_else(|| wrong(format!("\"{text}\" is no time that is written so: {format}")))
}

/// Converts a Go layout to a format.
fn format_of(layout: &str) -> String {
    let mut format = String::new();
    let mut rest = layout;
    while let Some(letter) = rest.chars().next() {
        if let Some((shown, part)) = LAYOUT.iter().find(|(shown, _)| rest.starts_with(shown)) {
            format.push_str(part);
            rest = &rest[shown.len()..];
        } else {
            if letter == '%' {
                format.push('%');
            }
            format.push(letter);
            rest = &rest[letter.len_utf8()..];
        }
    }
    format
}
