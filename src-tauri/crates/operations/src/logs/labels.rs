//! Which labels stored lines have, and with which values: what a selector can be made of.

use super::{HOUR, moment};
use crate::kit::{Arguments, account};
use catalogue::ValueRef;
use graphql::{Call, Refusal};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use store::{eq, ge, lt};

/// Names or values of an answer at most.
const MOST: usize = 1000;

/// `logs_list_labels`
pub(super) fn names(call: &Call<'_>) -> Result<Value, Refusal> {
    let found = collect(call, |labels, found| found.extend(labels.keys().cloned()))?;
    Ok(found.into_iter().map(|label| json!({ "label": label })).collect())
}

/// `logs_list_label_values`
pub(super) fn values(call: &Call<'_>) -> Result<Value, Refusal> {
    let name = Arguments(call.arguments).object("request").needed("label_name")?;
    let found = collect(call, |labels, found| {
        found.extend(labels.get(name).map(|value| match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        }));
    })?;
    Ok(found.into_iter().map(|value| json!({ "value": value })).collect())
}

/// What the labels of the lines in the window have, ascending, each once; the window is the last hour unless the request says
/// otherwise.
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
    let window = [
        eq("account_id", account),
        ge("timestamp", ValueRef::Timestamp(start)),
        lt("timestamp", ValueRef::Timestamp(end)),
    ];
    let mut found = BTreeSet::new();
    call.rows.for_each("logs", &["labels"], &window, |row| {
        let labels: Map<String, Value> =
            serde_json::from_str(row[0].as_text().unwrap_or("{}")).unwrap_or_default();
        take(&labels, &mut found);
        while found.len() > MOST {
            found.pop_last();
        }
        Ok::<(), Refusal>(())
    })?;
    Ok(found)
}
