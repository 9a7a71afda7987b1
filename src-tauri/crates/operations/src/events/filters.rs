//! `event_get_filter_values`: the values of the stored events, for use as filters.

use crate::kit::{Arguments, Key, Look, Part};
use catalogue::Value;
use graphql::{Call, Refusal};
use model::operations::{EventFilterResult, EventFilterValueItem, EventFilterValuesResponse};
use model::tables::events;
use model::{Read, Timestamp, row};
use serde_json::Value as Json;
use std::collections::BTreeSet;
use store::query::{Operator, Test};
use store::{StoreError, eq};
use uuid::Uuid;

/// Filter kinds and their columns.
const COLUMNS: [(&str, &str); 8] = [
    ("namespace", "subject_namespace"),
    ("workload", "subject_owner"),
    ("subject_type", "subject_type"),
    ("aggregation_key", "aggregation_key"),
    ("source", "source"),
    ("priority", "priority"),
    ("nb_status", "nb_status"),
    ("cluster", "cluster"),
];
const LABEL_KEY: &str = "label_key";
const LABEL_VALUE: &str = "label_value";
/// Highest first. All are returned, even if no event has them.
const PRIORITIES: [&str; 5] = ["HIGH", "MEDIUM", "LOW", "INFO", "DEBUG"];
const DEFAULT_LIMIT: usize = 500;
const LARGEST_LIMIT: i64 = 1000;

/// The events whose values are returned.
struct Scope {
    account: Option<Uuid>,
    start: Option<i64>,
    end: Option<i64>,
    limit: usize,
}

pub(super) fn values(call: &Call<'_>) -> Result<EventFilterValuesResponse, Refusal> {
    let request = Arguments(call.arguments).object("request");
    let limit = request.whole("limit").filter(|limit| (1..=LARGEST_LIMIT).contains(limit));
    let scope = Scope {
        account: request.id("account_id")?,
        start: request.time("start_time")?,
        end: request.time("end_time")?,
        limit: limit.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(DEFAULT_LIMIT),
    };
    if scope.start.zip(scope.end).is_some_and(|(start, end)| end < start) {
        return Err(Refusal::invalid("`end_time` is before `start_time`: the window ends before it begins"));
    }
    check_accounts(call, scope.account)?;
    let types: Vec<&str> = request
        .value("filter_types")
        .and_then(Json::as_array)
        .into_iter()
        .flatten()
        .filter_map(Json::as_str)
        .collect();
    if types.is_empty() {
        return Err(Refusal::invalid(format!("`filter_types` is empty: expected some of {}", known())));
    }
    let mut filters = Vec::with_capacity(types.len());
    for kind in types {
        let found = found(call, &scope, kind, request.text("label_key"))?;
        filters.push(EventFilterResult {
            filter_type: kind.to_owned(),
            total: i64::try_from(found.len()).unwrap_or(i64::MAX),
            values: found.into_iter().map(|value| EventFilterValueItem { count: None, value }).collect(),
        });
    }
    Ok(EventFilterValuesResponse { account_id: scope.account.map(|id| id.to_string()), filters })
}

fn known() -> String {
    let columns = COLUMNS.iter().map(|(kind, _)| *kind);
    columns.chain([LABEL_KEY, LABEL_VALUE]).collect::<Vec<_>>().join(", ")
}

fn check_accounts(call: &Call<'_>, account: Option<Uuid>) -> Result<(), Refusal> {
    match account {
        Some(account) if call.rows.count("cloud_accounts", &[eq("id", account)])? == 0 => {
            Err(Refusal::not_found(format!("there is no account {account}")))
        }
        None if call.rows.count("cloud_accounts", &[])? == 0 => {
            Err(Refusal::not_found("there is no account whose events you may read"))
        }
        _ => Ok(()),
    }
}

/// The values of one kind, sorted, without empty ones.
fn found(call: &Call<'_>, scope: &Scope, kind: &str, label: Option<&str>) -> Result<Vec<String>, Refusal> {
    let key = match (kind, label) {
        ("priority", _) => return Ok(PRIORITIES.map(str::to_owned).to_vec()),
        (LABEL_KEY, _) => return label_keys(call, scope),
        (LABEL_VALUE, Some(label)) if !label.is_empty() => Key::Json("labels", label),
        (LABEL_VALUE, _) => {
            return Err(Refusal::invalid("filter type label_value needs `label_key`: whose values?"));
        }
        _ => {
            let unknown =
                || Refusal::invalid(format!("unknown filter type \"{kind}\": expected one of {}", known()));
            let found = COLUMNS.iter().find(|(known, _)| *known == kind).ok_or_else(unknown)?;
            Key::Column(found.1)
        }
    };
    let since = |operator, time| Test::Compare(operator, Value::Timestamp(time));
    let mut look = Look::at(call.rows, "events")?;
    if let Some(account) = scope.account {
        look = look.with("cloud_account_id", account)?;
    }
    if let Some(start) = scope.start {
        look = look.that("created_at", since(Operator::GreaterOrEqual, start))?;
    }
    if let Some(end) = scope.end {
        look = look.that("created_at", since(Operator::LessOrEqual, end))?;
    }
    // Two more rows than the limit: null and the empty text are removed below.
    let limit = u64::try_from(scope.limit + 2).unwrap_or(u64::MAX);
    let rows = look.limit(limit).grouped(&[("value", Part::Key(key))], &[(Part::Key(key), false)])?;
    let texts = rows.iter().filter_map(|row| row["value"].as_str()).filter(|text| !text.is_empty());
    Ok(texts.take(scope.limit).map(str::to_owned).collect())
}

row! { struct EventLabels from events { labels } }

fn label_keys(call: &Call<'_>, scope: &Scope) -> Result<Vec<String>, Refusal> {
    let seen = call.rows.query::<EventLabels>();
    let seen =
        seen.filter_some(scope.account.map(|account| events::cloud_account_id.eq_or_null(Some(account))));
    let seen = seen.filter_some(scope.start.map(|start| events::created_at.ge(Timestamp(start))));
    let seen = seen.filter_some(scope.end.map(|end| events::created_at.le(Timestamp(end))));
    let mut keys = BTreeSet::new();
    seen.for_each(|event| {
        if let Some(Json::Object(labels)) = event.labels.map(|labels| labels.value()) {
            keys.extend(labels.into_iter().map(|(key, _)| key).filter(|key| !key.is_empty()));
        }
        Ok::<(), StoreError>(())
    })?;
    Ok(keys.into_iter().take(scope.limit).collect())
}
