//! Lists the values that graph filters can use.

use crate::graph::filter::Filter;
use crate::graph::node::{Condition, for_each, text};
use catalogue::format_timestamptz;
use graphql::{Call, Refusal};
use model::operations::{KgFilterOptions, KgFilterValues, KgGetFilterOptionsOutput, KgGetFilterValuesOutput};
use model::tables::knowledge_graph_metadata;
use model::{Read, Timestamp, row};
use serde_json::Value;
use std::collections::BTreeSet;

const MAX_VALUES: usize = 1_000;

row! { struct LastSync from knowledge_graph_metadata { last_sync_at } }

/// Accounts, node types, label keys and attribute keys of the nodes that meet the request's filter.
pub(super) fn list(call: &Call<'_>) -> Result<KgGetFilterOptionsOutput, Refusal> {
    let filter = Filter::read(call.arguments.get("request").unwrap_or(&Value::Null))?;
    let (mut accounts, mut kinds) = (BTreeSet::new(), BTreeSet::new());
    let (mut labels, mut attributes) = (BTreeSet::new(), BTreeSet::new());
    for_each(call.rows, filter.condition(), |node| {
        if filter.matches(&node) {
            accounts.insert(node.account.to_string());
            kinds.insert(node.kind);
            labels.extend(node.labels.into_iter().map(|(key, _)| key));
            attributes.extend(node.attributes.into_iter().map(|(key, _)| key));
        }
    })?;
    kinds.remove("");
    let synced =
        call.rows.query::<LastSync>().group((knowledge_graph_metadata::last_sync_at.max(),)).rows()?;
    let synced = synced.into_iter().find_map(|(newest,)| newest).map(Timestamp::micros);
    let data = KgFilterOptions {
        account_ids: Some(listed(accounts)),
        node_types: Some(listed(kinds)),
        label_keys: Some(listed(labels)),
        attribute_keys: Some(listed(attributes)),
        last_sync_time: synced.map(format_timestamptz),
    };
    Ok(KgGetFilterOptionsOutput { data: Some(data) })
}

fn listed(texts: BTreeSet<String>) -> Vec<String> {
    texts.into_iter().collect()
}

/// The values of one label or attribute key over all nodes.
pub(super) fn values(call: &Call<'_>) -> Result<KgGetFilterValuesOutput, Refusal> {
    let request = call.arguments.get("request").unwrap_or(&Value::Null);
    let given = |name: &str| request.get(name).and_then(Value::as_str).unwrap_or_default();
    let (kind, key) = (given("filter_type"), given("filter_key"));
    if !["label", "attribute"].contains(&kind) {
        return Err(Refusal::invalid(format!("filter_type is {kind:?}: expected label or attribute")));
    }
    if key.trim().is_empty() {
        return Err(Refusal::invalid("filter_key is empty: expected the key of a label or attribute"));
    }
    let mut values = BTreeSet::new();
    for_each(call.rows, Condition::all(), |node| {
        let known = if kind == "label" { &node.labels } else { &node.attributes };
        values.extend(known.get(key).map(text).filter(|value| !value.is_empty()));
        if values.len() > MAX_VALUES {
            values.pop_last();
        }
    })?;
    let data = KgFilterValues {
        filter_type: kind.to_owned(),
        filter_key: key.to_owned(),
        values: Some(listed(values)),
    };
    Ok(KgGetFilterValuesOutput { data: Some(data) })
}
