//! Reads log lines in time order and stops when enough lines matched.

use super::level::Level;
use super::selector::Selector;
use super::{check_window, moment};
use crate::kit::{Arguments, account};
use catalogue::format_timestamp;
use graphql::{Call, Refusal};
use model::tables::logs;
use model::{Id, Read, Timestamp, row};
use serde_json::{Map, Value, json};
use store::Transaction;
use uuid::Uuid;

/// Length of the first time interval that is read, µs (1 minute). Each further interval is twice as long. Most searches end in the first few.
const FIRST_INTERVAL: i64 = 60_000_000;

/// Maximum number of lines read by one search. Beyond it the request is refused and must be narrowed.
const MAX_READ: u64 = 2_000_000;

row! { struct LogLine from logs { timestamp, id, severity, message, labels } }

/// A search for log lines.
pub(super) struct Search {
    /// `None` searches every account the caller can read.
    pub account: Option<Uuid>,
    pub selector: Selector,
    /// Start of the window (inclusive), µs since 1970 UTC.
    pub start: i64,
    /// End of the window (exclusive), µs since 1970 UTC.
    pub end: i64,
    pub offset: usize,
    pub limit: usize,
    pub is_oldest_first: bool,
}

struct Line {
    time: i64,
    id: Option<Uuid>,
    severity: String,
    message: String,
    labels: Map<String, Value>,
}

/// A line as [`Search::each`] passes it on.
pub(super) struct Entry<'l> {
    pub time: i64,
    pub severity: &'l str,
    pub message: &'l str,
}

impl Search {
    /// Builds a search from the account, selector and window of a request. Times are numbers.
    pub(super) fn in_window(call: &Call<'_>, request: Arguments<'_>) -> Result<Self, Refusal> {
        let (start, end) = (moment(request, "start_time")?, moment(request, "end_time")?);
        check_window(start, end)?;
        let selector = Selector::parse(request.text("query").unwrap_or_default());
        Ok(Self {
            account: request.id("account_id")?.map(|id| account(call, id)).transpose()?,
            selector: selector.map_err(|error| Refusal::invalid(error.to_string()))?,
            start,
            end,
            offset: 0,
            limit: usize::MAX,
            is_oldest_first: true,
        })
    }

    /// Calls `take` for every matching line, in no particular order.
    pub(super) fn each(
        &self,
        rows: &Transaction<'_>,
        mut take: impl FnMut(&Entry<'_>),
    ) -> Result<(), Refusal> {
        let (start, end) = (self.start, self.end);
        self.walk(rows, start, end, &mut 0, |line| {
            take(&Entry { time: line.time, severity: &line.severity, message: &line.message });
        })
    }

    /// Returns the matching lines as a list of objects with `timestamp`, `severity`, `message` and `labels`.
    pub(super) fn run(&self, rows: &Transaction<'_>) -> Result<Value, Refusal> {
        let wanted = self.offset.saturating_add(self.limit);
        let mut found: Vec<Line> = Vec::new();
        let mut read = 0;
        for (from, until) in self.intervals() {
            let mut lines = self.lines(rows, from, until, &mut read)?;
            lines.sort_by_key(|line| (line.time, line.id));
            if !self.is_oldest_first {
                lines.reverse();
            }
            found.extend(lines);
            if found.len() >= wanted {
                break;
            }
        }
        let shown = found.into_iter().skip(self.offset).take(self.limit).map(|line| {
            json!({
                "timestamp": format!("{}Z", format_timestamp(line.time)),
                "severity": line.severity,
                "message": line.message,
                "labels": line.labels,
            })
        });
        Ok(shown.collect())
    }

    /// Splits the window into contiguous intervals, starting at the end whose lines are returned first.
    fn intervals(&self) -> Vec<(i64, i64)> {
        let (mut start, mut end) = (self.start, self.end);
        let mut length = FIRST_INTERVAL;
        let mut stretches = Vec::new();
        while start < end {
            if self.is_oldest_first {
                let until = start.saturating_add(length).min(end);
                stretches.push((start, until));
                start = until;
            } else {
                let from = end.saturating_sub(length).max(start);
                stretches.push((from, end));
                end = from;
            }
            length = length.saturating_mul(2);
        }
        stretches
    }

    fn lines(
        &self,
        rows: &Transaction<'_>,
        from: i64,
        until: i64,
        read: &mut u64,
    ) -> Result<Vec<Line>, Refusal> {
        let mut lines = Vec::new();
        self.walk(rows, from, until, read, |line| lines.push(line))?;
        Ok(lines)
    }

    /// Calls `take` for each matching line between `from` and `until`. `read` counts the lines that were read.
    fn walk(
        &self,
        rows: &Transaction<'_>,
        from: i64,
        until: i64,
        read: &mut u64,
        mut take: impl FnMut(Line),
    ) -> Result<(), Refusal> {
        let stretch = logs::timestamp.ge(Timestamp(from)).and(logs::timestamp.lt(Timestamp(until)));
        let of_account = self.account.map(|account| logs::account_id.eq(Id::new(account)));
        rows.query::<LogLine>().filter(stretch).filter_some(of_account).for_each(|line| {
            *read += 1;
            if *read > MAX_READ {
                let message = format!(
                    "the search has looked at {MAX_READ} lines, which is the most: name an account or a shorter time"
                );
                return Err(Refusal::new("limit-exceeded", message));
            }
            let LogLine { timestamp, id, severity, message, labels } = line;
            let labels: Map<String, Value> = labels.parse().unwrap_or_default();
            if self.selector.matches_line(&labels, Level::of(&severity).name(), &message) {
                take(Line { time: timestamp.micros(), id: Some(id.uuid()), severity, message, labels });
            }
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{FIRST_INTERVAL, Search};
    use crate::logs::selector::Selector;

    fn search(start: i64, end: i64, is_oldest_first: bool) -> Search {
        let selector = Selector::parse("").unwrap();
        Search { account: None, selector, start, end, offset: 0, limit: 1, is_oldest_first }
    }

    #[test]
    fn stretches_cover_the_window_without_gap_from_the_end_that_comes_first() {
        let end = 10 * FIRST_INTERVAL;
        let newest = search(0, end, false).intervals();
        assert_eq!(newest[0], (9 * FIRST_INTERVAL, end));
        assert!(newest.windows(2).all(|pair| pair[0].0 == pair[1].1));
        assert_eq!(newest.last().map(|last| last.0), Some(0));
        let oldest = search(0, end, true).intervals();
        assert_eq!(oldest[0], (0, FIRST_INTERVAL));
        assert!(oldest.windows(2).all(|pair| pair[0].1 == pair[1].0));
        assert_eq!(oldest.last().map(|last| last.1), Some(end));
    }

    #[test]
    fn an_empty_window_has_no_stretch() {
        assert_eq!(search(5, 5, false).intervals(), []);
    }

    #[test]
    fn all_of_time_takes_few_stretches() {
        assert!(search(0, i64::MAX, false).intervals().len() < 64);
    }
}
