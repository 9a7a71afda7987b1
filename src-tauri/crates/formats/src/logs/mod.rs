//! Reads log lines: OpenTelemetry in JSON, JSON lines, klog, logfmt and plain lines with a time.

pub mod line;
mod otlp;
mod time;

use crate::format::Format;
use crate::head::Head;
use crate::kubernetes::json_path;
use crate::read_error::ReadError;
use crate::record::{Account, LogLine, Record};
use crate::shape::{Json, Lines};
use crate::sink::{Position, Sink};
use serde_json::Value;
use std::io::Read;

/// The entry in the list of formats.
pub const FORMAT: Format = Format {
    id: "logs",
    title: "Log lines",
    source: "kubectl logs --timestamps, OpenTelemetry logs in JSON, JSON lines, logfmt, plain lines that begin with a time",
    fills: "logs",
    lacks_currency: false,
    certainty,
    read,
};

/// Lines examined to recognise a log.
const LOOKED_AT: usize = 20;

fn certainty(head: &Head<'_>) -> u8 {
    if let Some(outline) = head.outline() {
        if !json_path::value_at(outline.document(), &["resourceLogs"]).is_null() {
            return 95;
        }
        let first = outline.first();
        let has = |names: &[&str]| names.iter().any(|name| first.get(name).is_some());
        let is_line = has(&["msg", "message", "log"])
            && has(&["time", "timestamp", "@timestamp", "ts"])
            && !has(&["alerts", "labels", "apiVersion", "finding_info", "resource"]);
        return if outline.is_sequence && is_line { 70 } else { 0 };
    }
    let text = String::from_utf8_lossy(head.bytes);
    let mut lines: Vec<&str> = text.lines().take(LOOKED_AT + 1).collect();
    if lines.len() > 1 && !head.is_whole {
        lines.pop();
    }
    lines.retain(|line| !line.trim().is_empty());
    let dated = |line: &&&str| time::leading(line).is_some() || line::read(line, Some(0)).severity.is_some();
    let (found, all) = (lines.iter().filter(dated).count(), lines.len());
    // The rows of a cost table may begin with times too, but its header does not.
    let begins = lines.first().is_some_and(|line| dated(&line));
    if begins && found * 2 > all && all > 0 { 60 } else { 0 }
}

/// The account of lines that do not name one.
fn nobody() -> Account {
    Account {
        provider: "Other".to_owned(),
        number: "imported-logs".to_owned(),
        name: Some("Imported logs".to_owned()),
    }
}

fn read(bytes: &mut dyn Read, sink: &mut dyn Sink) -> Result<(), ReadError> {
    let mut first = Vec::new();
    let mut begin = [0_u8; 1];
    // The bytes read for detection are chained in front of the rest.
    while bytes.read(&mut begin)? == 1 {
        first.push(begin[0]);
        if !begin[0].is_ascii_whitespace() {
            break;
        }
    }
    let is_json = matches!(first.last(), Some(b'{' | b'['));
    let mut all = first.as_slice().chain(bytes);
    let is_anonymous = if is_json { json(&mut all, sink)? } else { plain(&mut all, sink)? };
    if is_anonymous {
        sink.note(
            "The lines name no cluster or account; they were imported into the account \"Imported logs\"."
                .to_owned(),
        );
    }
    Ok(())
}

/// Reads JSON. Returns whether a line had no account of its own.
fn json(bytes: &mut dyn Read, sink: &mut dyn Sink) -> Result<bool, ReadError> {
    let mut json = Json::new(bytes);
    let mut is_anonymous = false;
    while json.next_document()? {
        let place = json.position();
        let document = match json.element()? {
            Ok(document) => document,
            Err(flaw) => {
                sink.skip(&place, flaw.reason(), "")?;
                continue;
            }
        };
        if let Some(resources) = json_path::value_at(&document, &["resourceLogs"]).as_array() {
            for (index, resource) in resources.iter().enumerate() {
                for (path, line) in otlp::resource_logs(resource, &nobody()) {
                    let place = Position(format!("{}.resourceLogs[{index}]{path}", place.0));
                    match line {
                        Ok(line) => {
                            is_anonymous |= line.account == nobody();
                            sink.record(&place, Record::LogLine(line))?;
                        }
                        Err(reason) => sink.skip(&place, reason, "")?,
                    }
                }
            }
            continue;
        }
        let Value::Object(fields) = &document else {
            sink.skip(&place, "no line of a log", "")?;
            continue;
        };
        let line = line::of_fields(fields, &document.to_string());
        is_anonymous |= write(&place, line, None, sink)?;
    }
    Ok(is_anonymous)
}

fn plain(bytes: &mut dyn Read, sink: &mut dyn Sink) -> Result<bool, ReadError> {
    let mut lines = Lines::new(bytes);
    let (mut last, mut latest): (Option<Before>, Option<i64>) = (None, None);
    let mut is_anonymous = false;
    let mut untimed = 0_u64;
    while let Some(line) = lines.next_line()? {
        let text = String::from_utf8_lossy(line.bytes);
        if text.trim().is_empty() {
            continue;
        }
        let place = line.position();
        let read = line::read(&text, latest);
        latest = latest.max(read.at);
        last = match read.at {
            Some(at) => Some(Before { at, lines: 0 }),
            None => last.map(|before| Before { lines: before.lines.saturating_add(1), ..before }),
        };
        untimed += u64::from(read.at.is_none() && last.is_some());
        is_anonymous |= write(&place, read, last, sink)?;
    }
    if untimed > 0 {
        sink.note(untimed_note(untimed));
    }
    Ok(is_anonymous)
}

/// The preceding line, whose time is used for lines without one, such as those of a stack trace.
#[derive(Clone, Copy)]
struct Before {
    at: i64,
    /// Lines since then, including this one.
    lines: i32,
}

/// The import note about lines that use another line's time.
pub(crate) fn untimed_note(lines: u64) -> String {
    let (have, stand) = match lines {
        1 => ("1 line of logs has no time of its own and has".to_owned(), "It stands"),
        lines => (format!("{lines} lines of logs have no time of their own and have"), "They stand"),
    };
    format!(
        "{have} that of the line before, as lines of a stack trace do. {stand} in the order of the file and can be found by own_time=false."
    )
}

/// Writes a line. A line without a time gets that of the preceding line. Returns whether it was written.
fn write(
    place: &Position,
    line: line::Line,
    last: Option<Before>,
    sink: &mut dyn Sink,
) -> Result<bool, ReadError> {
    let own = line.at.map(|at| (at, None));
    let Some((at, untimed_order)) = own.or(last.map(|before| (before.at, Some(before.lines)))) else {
        let quote: String = line.message.chars().take(80).collect();
        return sink
            .skip(place, "no timestamp with a year, on this line or before it", &quote)
            .map(|()| false);
    };
    let record = LogLine {
        account: nobody(),
        at,
        untimed_order,
        severity: line.severity,
        message: line.message,
        labels: line.origin,
    };
    sink.record(place, Record::LogLine(record)).map(|()| true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kubernetes::tests::RecordCollector;

    fn taken(text: &str) -> RecordCollector {
        assert!(certainty(&Head::new(text.as_bytes(), true)) > 50, "not recognised: {text}");
        let mut taken = RecordCollector::default();
        read(&mut text.as_bytes(), &mut taken).unwrap();
        taken
    }

    #[test]
    fn plain_lines_without_a_time_belong_to_the_line_before() {
        let taken =
            taken("2026-01-02 12:00:00 ERROR it broke\n  at shop.rs:7\n\n2026-01-02 12:00:01 INFO on\n");
        let times: Vec<i64> = taken
            .records
            .iter()
            .map(|(_, record)| match record {
                Record::LogLine(line) => line.at,
                _ => 0,
            })
            .collect();
        assert_eq!(times[0], times[1]);
        assert_eq!((times.len(), times[2] - times[0]), (3, 1_000_000));
        let places: Vec<Option<i32>> = taken
            .records
            .iter()
            .map(|(_, record)| match record {
                Record::LogLine(line) => line.untimed_order,
                _ => None,
            })
            .collect();
        assert_eq!(places, [None, Some(1), None]);
        assert!(taken.notes[0].starts_with("1 line of logs has no time of its own"), "{:?}", taken.notes);
        assert_eq!(taken.notes.len(), 2);
    }

    #[test]
    fn klog_without_a_year_is_left_out_by_name() {
        let taken = taken(
            "I1221 09:43:29.498401       1 a.go:1] x\n2026-01-02T12:00:00Z y\nI0102 11:00:00.000000       1 a.go:1] z\n",
        );
        assert_eq!(
            taken.skipped,
            [("line 1".to_owned(), "no timestamp with a year, on this line or before it")]
        );
        assert_eq!(taken.records.len(), 2);
    }

    #[test]
    fn json_lines_are_read_and_tables_are_no_logs() {
        let taken = taken(
            "{\"time\":\"2026-01-02T12:00:00Z\",\"msg\":\"a\"}\n{\"time\":\"2026-01-02T12:00:00Z\",\"msg\":\"b\"}\n",
        );
        assert_eq!(taken.records.len(), 2);
        for text in
            ["date,cost\n2026-01-02 12:00:00,1\n2026-01-03 12:00:00,2\n", "{\"a\":1}", "hello\nworld\n"]
        {
            assert_eq!(certainty(&Head::new(text.as_bytes(), true)), 0, "{text}");
        }
    }
}
