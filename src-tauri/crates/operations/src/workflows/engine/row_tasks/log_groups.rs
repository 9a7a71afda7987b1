//! The task `observability.log_groups`: counts log lines of the account that differ only in numbers and names.

use super::super::run_row::RunRow;
use crate::logs;
use automation::duration;
use automation::plan::Call;
use automation::template::to_text;
use catalogue::parse_timestamp;
use graphql::Refusal;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use store::Transaction;

/// Default length of the window, µs.
const HOUR: i64 = 3_600_000_000;
/// Maximum number of lines read, newest first.
const MAX_LINES: i64 = 10_000;
/// Maximum number of groups returned, largest first.
const MAX_GROUPS: usize = 100;
/// Maximum length of a pattern, in characters.
const MAX_LENGTH: usize = 300;

#[derive(Debug, Deserialize)]
struct Line {
    timestamp: String,
    severity: String,
    message: String,
    labels: Map<String, Value>,
}

/// The output of the task.
#[derive(Debug, Serialize)]
pub(super) struct Groups {
    groups: Vec<Group>,
    /// Number of lines read.
    lines: usize,
}

#[derive(Debug, Serialize)]
struct Group {
    /// The common part of the lines, with `*` for the rest.
    pattern: String,
    severity: String,
    count: usize,
    first: String,
    last: String,
    /// The message of the newest line.
    sample: String,
    labels: Map<String, Value>,
}

pub(super) fn read(rows: &Transaction<'_>, run: &RunRow, call: &Call) -> Result<Groups, Refusal> {
    let text = |name: &str| to_text(&call.params[name]).trim().to_owned();
    let time = |name: &str| match text(name).as_str() {
        "" => Ok(None),
        given => parse_timestamp(given).map(Some).ok_or_else(|| {
            Refusal::invalid(format!("{name} is \"{given}\": expected a time such as 2026-11-20T06:38:00Z"))
        }),
    };
    let end = time("end_time")?.unwrap_or(rows.now());
    let start = match text("duration").as_str() {
        "" => time("start_time")?.unwrap_or(end - HOUR),
        given => {
            let span = duration::parse(given).ok_or_else(|| {
                Refusal::invalid(format!("duration is \"{given}\": expected a span such as 1h"))
            })?;
            end.saturating_sub(span)
        }
    };
    let lines = logs::find_lines(rows, run.account, &text("query"), (start, end), MAX_LINES)?;
    let lines: Vec<Line> = serde_json::from_value(lines)
        .map_err(|error| Refusal::new("unexpected", format!("stored log lines: {error}")))?;
    let severities: Vec<String> = text("severity")
        .split(',')
        .map(|one| one.trim().to_lowercase())
        .filter(|one| !one.is_empty())
        .collect();
    Ok(grouped(lines, &severities))
}

/// Groups lines by pattern and severity. If `severities` is not empty, only lines with these are counted.
fn grouped(lines: Vec<Line>, severities: &[String]) -> Groups {
    let mut groups: BTreeMap<(String, String), Group> = BTreeMap::new();
    let mut count = 0;
    let wanted = |line: &Line| severities.is_empty() || severities.contains(&line.severity.to_lowercase());
    // Lines are sorted newest first.
    for line in lines.into_iter().filter(wanted) {
        count += 1;
        let key = (pattern(&line.message), line.severity.clone());
        let group = groups.entry(key.clone()).or_insert_with(|| Group {
            pattern: key.0,
            severity: line.severity,
            count: 0,
            first: String::new(),
            last: line.timestamp.clone(),
            sample: line.message,
            labels: line.labels,
        });
        group.count += 1;
        group.first = line.timestamp;
    }
    let mut groups: Vec<Group> = groups.into_values().collect();
    groups.sort_by(|one, other| other.count.cmp(&one.count).then_with(|| one.pattern.cmp(&other.pattern)));
    groups.truncate(MAX_GROUPS);
    Groups { groups, lines: count }
}

/// The line with `*` for each word that contains a digit or is quoted.
fn pattern(message: &str) -> String {
    let mut made = String::new();
    let mut is_quoted = false;
    for word in message.split_whitespace() {
        let quotes = word.matches('"').count();
        let is_variable = is_quoted || quotes > 0 || word.chars().any(|letter| letter.is_ascii_digit());
        is_quoted ^= quotes % 2 == 1;
        let word = if is_variable { "*" } else { word };
        if !(word == "*" && made.ends_with('*')) {
            if !made.is_empty() {
                made.push(' ');
            }
            made.push_str(word);
        }
        if made.chars().count() > MAX_LENGTH {
            break;
        }
    }
    made.chars().take(MAX_LENGTH).collect()
}

#[cfg(test)]
mod tests {
    use super::{Line, grouped, pattern};

    fn line(time: &str, severity: &str, message: &str) -> Line {
        Line {
            timestamp: time.to_owned(),
            severity: severity.to_owned(),
            message: message.to_owned(),
            labels: serde_json::Map::new(),
        }
    }

    #[test]
    fn lines_that_say_the_same_are_one_group() {
        let lines = vec![
            line("03", "error", "timeout after 30s calling \"GET /cart/7\" from pod web-1"),
            line("02", "info", "started in 120 ms"),
            line("01", "error", "timeout after 5s calling \"GET /cart/9 x\" from pod web-22"),
        ];
        let found = grouped(lines, &["error".to_owned()]);
        assert_eq!((found.lines, found.groups.len()), (2, 1));
        let group = &found.groups[0];
        assert_eq!(group.pattern, "timeout after * calling * from pod *");
        assert_eq!((group.count, group.first.as_str(), group.last.as_str()), (2, "01", "03"));
        assert_eq!(pattern("don't stop"), "don't stop");
    }
}
