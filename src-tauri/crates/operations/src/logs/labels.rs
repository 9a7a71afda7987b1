//! Lists the label names and values of stored log lines, which selectors can use.

use super::{HOUR, moment};
use crate::kit::{Arguments, account};
use graphql::{Call, Refusal};
use model::tables::logs;
use model::{Id, Read, Timestamp, row};
use serde::Serialize;
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// Maximum names or values per response.
const MAX_ENTRIES: usize = 1000;

row! { struct LogLabels from logs { labels } }

/// A label name that occurs in stored lines.
#[derive(Serialize)]
pub(super) struct LabelName {
    label: String,
}

/// A value that occurs in stored lines for the requested label.
#[derive(Serialize)]
pub(super) struct LabelValue {
    value: String,
}

/// Handles `logs_list_labels`.
pub(super) fn names(call: &Call<'_>) -> Result<Vec<LabelName>, Refusal> {
    let found = collect(call, |labels, found| found.extend(labels.keys().cloned()))?;
    Ok(found.into_iter().map(|label| LabelName { label }).collect())
}

/// Handles `logs_list_label_values`.
pub(super) fn values(call: &Call<'_>) -> Result<Vec<LabelValue>, Refusal> {
    let name = Arguments(call.arguments).object("request").needed("label_name")?;
    let found = collect(call, |labels, found| {
        found.extend(labels.get(name).map(|value| match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        }));
    })?;
    Ok(found.into_iter().map(|value| LabelValue { value }).collect())
}

/// The distinct texts that `take` extracts from the labels of the lines in the window, ascending. The default window is the last hour.
fn collect(
    call: &Call<'_>,
    take: impl Fn(&Map<String, Value>, &mut BTreeSet<String>),
) -> Result<BTreeSet<String>, Refusal> {
    let request = Arguments(call.arguments).object("request");
    let account = account(call, request.needed_id("account_id")?)?;
    let time = |name: &str| request.value(name).map(|_| moment(request, name)).transpose();
    let end = time("end_time")?.unwrap_or(call.now);
    let start = time("start_time")?.unwrap_or(end - HOUR);
    super::check_window(start, end)?;
    let window = logs::timestamp.ge(Timestamp(start)).and(logs::timestamp.lt(Timestamp(end)));
    let lines = call.rows.query::<LogLabels>().filter(logs::account_id.eq(Id::new(account))).filter(window);
    let mut found = BTreeSet::new();
    lines.for_each(|line| {
        let labels: Map<String, Value> = line.labels.parse().unwrap_or_default();
        take(&labels, &mut found);
        while found.len() > MAX_ENTRIES {
            found.pop_last();
        }
        Ok::<(), Refusal>(())
    })?;
    Ok(found)
}
