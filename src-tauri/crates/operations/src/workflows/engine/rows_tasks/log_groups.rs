//! `observability.log_groups`: lines of the account that say the same but for their numbers and names, counted.

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

/// How far back it looks unless the task says so; µs.
const HOUR: i64 = 3_600_000_000;
/// Lines that are looked at, the newest first.
const MOST_LINES: i64 = 10_000;
/// Groups that are given, the largest first.
const MOST_GROUPS: usize = 100;
/// Letters of a pattern.
const LONGEST: usize = 300;

#[derive(Debug, Deserialize)]
struct Line {
    timestamp: String,
    severity: String,
    message: String,
    labels: Map<String, Value>,
}

/// What the task gives.
#[derive(Debug, Serialize)]
pub(super) struct Groups {
    groups: Vec<Group>,
    /// Lines that were looked at.
    lines: usize,
}

#[derive(Debug, Serialize)]
struct Group {
    /// What the lines have in common, with * for the rest.
    pattern: String,
    severity: String,
    count: usize,
    first: String,
    last: String,
    /// The newest of them.
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
    let lines = logs::find_lines(rows, run.account, &text("query"), (start, end), MOST_LINES)?;
    let lines: Vec<Line> = serde_json::from_value(lines)
        .map_err(|error| Refusal::new("unexpected", format!("stored log lines: {error}")))?;
    let severities: Vec<String> = text("severity")
        .split(',')
        .map(|one| one.trim().to_lowercase())
        .filter(|one| !one.is_empty())
        .collect();
    Ok(grouped(lines, &severities))
}

/// Counts lines by what they have in common. `severities`: only those, where there are some.
fn grouped(lines: Vec<Line>, severities: &[String]) -> Groups {
    let mut groups: BTreeMap<(String, String), Group> = BTreeMap::new();
    let mut count = 0;
    let wanted = |line: &Line| severities.is_empty() || severities.contains(&line.severity.to_lowercase());
    // The newest stands first.
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
    groups.truncate(MOST_GROUPS);
    Groups { groups, lines: count }
}

/// A line with * for each word that has a digit or stands in quotes.
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
        if made.chars().count() > LONGEST {
            break;
        }
    }
    made.chars().take(LONGEST).collect()
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
