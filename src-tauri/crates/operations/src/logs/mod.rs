//! Searches stored log lines by labels, words and time.
//!
//! Both forms of `logs_query` get the same response: the documented query (times as numbers) and the contract's mutation (times as texts).

mod labels;
mod level;
mod patterns;
mod search;
mod selector;
mod summary;

use crate::Function;
use crate::kit::{Arguments, account, typed};
use catalogue::Root;
use graphql::{Call, Refusal};
use search::Search;
pub(crate) use selector::Selector;
use serde_json::Value;
use store::Transaction;
use uuid::Uuid;

pub(crate) const FIELDS: &[(&str, Function)] = &[
    ("logs_query", query),
    ("logs_list_labels", typed!(labels::names)),
    ("logs_list_label_values", typed!(labels::values)),
    ("logs_summarise", typed!(summary::summarise)),
];

/// Lines per response: the default and the maximum.
const LINES: i64 = 1000;
const MAX_LINES: i64 = 10_000;

/// The default window, 1 hour in µs: how far a request without a start time looks back.
const HOUR: i64 = 3_600_000_000;

fn check_window(start: i64, end: i64) -> Result<(), Refusal> {
    if start <= end {
        return Ok(());
    }
    let shown = catalogue::format_timestamp;
    let message =
        format!("the window ends ({}) before it starts ({}): expected a later end", shown(end), shown(start));
    Err(Refusal::invalid(message))
}

/// Returns the newest lines of `account` that `selector` matches, between two times in µs since 1970 UTC.
pub(crate) fn find_lines(
    rows: &Transaction<'_>,
    account: Uuid,
    selector: &str,
    (start, end): (i64, i64),
    limit: i64,
) -> Result<Value, Refusal> {
    check_window(start, end)?;
    let selector = Selector::parse(selector).map_err(|error| Refusal::invalid(error.to_string()))?;
    let limit = usize::try_from(limit.clamp(1, MAX_LINES)).unwrap_or_default();
    Search { account: Some(account), selector, start, end, offset: 0, limit, is_oldest_first: false }
        .run(rows)
}

fn query(call: &Call<'_>) -> Result<Value, Refusal> {
    let request = Arguments(call.arguments).object("request");
    let (start, end) = match call.root {
        Root::Query => (moment(request, "start_time")?, moment(request, "end_time")?),
        Root::Mutation => {
            let end = request.time("end")?.unwrap_or(call.now);
            (request.time("start")?.unwrap_or(end - HOUR), end)
        }
    };
    check_window(start, end)?;
    let limit = request.whole("limit").unwrap_or(LINES);
    if !(1..=MAX_LINES).contains(&limit) {
        return Err(Refusal::invalid(format!("`limit` is {limit}: expected 1 to {MAX_LINES}")));
    }
    let offset = request.whole("offset").unwrap_or(0);
    if !(0..=MAX_LINES * 100).contains(&offset) {
        return Err(Refusal::invalid(format!("`offset` is {offset}: expected 0 to {}", MAX_LINES * 100)));
    }
    let selector = Selector::parse(request.text("query").unwrap_or_default());
    let account = request.id("account_id")?.map(|id| account(call, id)).transpose()?;
    let search = Search {
        account,
        selector: selector.map_err(|error| Refusal::invalid(error.to_string()))?,
        start,
        end,
        offset: usize::try_from(offset).unwrap_or_default(),
        limit: usize::try_from(limit).unwrap_or_default(),
        is_oldest_first: is_oldest_first(request)?,
    };
    search.run(call.rows)
}

/// Reads a time given as a number of seconds since 1970 UTC, or of milliseconds if the number is too large for seconds. Returns µs.
fn moment(request: Arguments<'_>, name: &str) -> Result<i64, Refusal> {
    // 1e11 seconds is the year 5138; 1e11 milliseconds is March 1973, which is older than any log.
    const SECONDS_END: f64 = 1e11;
    let found = request.value(name).and_then(Value::as_f64).unwrap_or_default();
    let micros = if found.abs() < SECONDS_END { found * 1e6 } else { found * 1e3 };
    if !(0.0..=9e15).contains(&micros) {
        let message =
            format!("`{name}` is {found}: expected seconds or milliseconds since 1970, such as 1795149480");
        return Err(Refusal::invalid(message));
    }
    #[expect(clippy::cast_possible_truncation, reason = "whole microseconds, within the range checked above")]
    Ok(micros.round() as i64)
}

/// Reads the sort direction from `sort_fields`. Lines can only be sorted by time.
fn is_oldest_first(request: Arguments<'_>) -> Result<bool, Refusal> {
    let mut is_oldest_first = false;
    for field in request.value("sort_fields").and_then(Value::as_array).into_iter().flatten() {
        let (column, order) = (field["column_name"].as_str(), field["order"].as_str().map(str::to_lowercase));
        is_oldest_first = match (column, order.as_deref()) {
            (None, _) => continue,
            (Some("timestamp"), Some("asc")) => true,
            (Some("timestamp"), Some("desc")) => false,
            _ => {
                let message = format!("`sort_fields` has {field}: expected timestamp, asc or desc");
                return Err(Refusal::invalid(message));
            }
        };
    }
    Ok(is_oldest_first)
}
