//! Events and recommendations that start workflows, in the transaction that adds them: each starts a workflow once.

use super::begin::{COLUMNS, Start, start};
use super::power;
use crate::kit::{Look, text, uuid};
use crate::workflows::definition::{Definition, Trigger, each};
use crate::workflows::inputs::complete;
use automation::template::Renderer;
use catalogue::{Caller, Value as Cell};
use graphql::Refusal;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use store::{StoreError, Transaction};
use uuid::Uuid;

/// Rows that are read at once.
const BATCH: usize = 500;

/// A kind of row that starts workflows.
struct Source {
    table: &'static str,
    /// The trigger's type, and what the row is called among the inputs.
    trigger: &'static str,
    input: &'static str,
    tenant: &'static str,
    columns: &'static [&'static str],
    /// Whether the parameters that are no filter fit the row.
    fits: fn(&Map<String, Value>, &Value) -> bool,
}

const EVENTS: Source = Source {
    table: "events",
    trigger: "event",
    input: "event",
    tenant: "tenant",
    columns: &[
        "id",
        "tenant",
        "cloud_account_id",
        "aggregation_key",
        "category",
        "cluster",
        "description",
        "finding_id",
        "finding_type",
        "fingerprint",
        "labels",
        "nb_status",
        "priority",
        "source",
        "starts_at",
        "status",
        "subject_name",
        "subject_namespace",
        "subject_node",
        "subject_owner",
        "subject_type",
        "title",
        "created_at",
    ],
    fits: |params, row| {
        is_among(params, "event_type", &[&row["aggregation_key"], &row["finding_type"], &row["category"]])
    },
};

const RECOMMENDATIONS: Source = Source {
    table: "recommendation",
    trigger: "optimization",
    input: "recommendation",
    tenant: "tenant_id",
    columns: &[
        "id",
        "tenant_id",
        "cloud_account_id",
        "account_object_id",
        "category",
        "estimated_savings",
        "recommendation",
        "recommendation_action",
        "resource_id",
        "rule_name",
        "severity",
        "status",
        "created_at",
    ],
    fits: |params, row| {
        is_among(params, "categories", &[&row["category"]])
            && is_among(params, "rule_names", &[&row["rule_name"]])
            && is_among(params, "clusters", &[&row["cloud_account_id"]])
    },
};

/// Whether one of the values is what a parameter, a text or a list of them, asks for; yes without the parameter.
fn is_among(params: &Map<String, Value>, name: &str, values: &[&Value]) -> bool {
    let asked: Vec<&str> = match params.get(name) {
        Some(Value::String(text)) if !text.is_empty() => vec![text],
        Some(Value::Array(list)) if !list.is_empty() => list.iter().filter_map(Value::as_str).collect(),
        _ => return true,
    };
    values.iter().filter_map(|value| value.as_str()).any(|value| asked.contains(&value))
}

/// Starts the workflows of events that were just added.
pub(crate) fn events_arrived(rows: &Transaction<'_>, ids: &[Uuid]) -> Result<(), StoreError> {
    arrived(rows, &EVENTS, ids).map_err(Refusal::into_error)
}

/// Starts the workflows of recommendations that were just added.
pub(crate) fn recommendations_arrived(rows: &Transaction<'_>, ids: &[Uuid]) -> Result<(), StoreError> {
    arrived(rows, &RECOMMENDATIONS, ids).map_err(Refusal::into_error)
}

fn arrived(rows: &Transaction<'_>, source: &Source, ids: &[Uuid]) -> Result<(), Refusal> {
    if !power::is_on(rows)? {
        return Ok(());
    }
    let listeners = listeners(rows, source)?;
    if listeners.is_empty() {
        return Ok(());
    }
    let renderer = Renderer::new(rows.now());
    for ids in ids.chunks(BATCH) {
        let ids = ids.iter().map(|id| Cell::Uuid(*id)).collect();
        for row in Look::at(rows, source.table)?.one_of("id", ids)?.rows(source.columns)? {
            let Some(place) = uuid(&row, source.tenant).zip(uuid(&row, "cloud_account_id")) else { continue };
            for (workflow, definition) in listeners.get(&place).into_iter().flatten() {
                if each(definition.triggers.as_ref()).any(|trigger| is_met(source, trigger, &row, &renderer))
                {
                    begin(rows, source, place.0, (workflow, definition), &row)?;
                }
            }
        }
    }
    Ok(())
}

type Listeners = BTreeMap<(Uuid, Uuid), Vec<(Value, Definition)>>;

/// Active workflows with such a trigger, by tenant and account.
fn listeners(rows: &Transaction<'_>, source: &Source) -> Result<Listeners, Refusal> {
    let mut found = Listeners::new();
    for row in Look::at(rows, "workflow")?.with("status", "ACTIVE")?.rows(COLUMNS)? {
        let kinds = row["trigger_types"].as_array().into_iter().flatten();
        if !kinds.into_iter().any(|kind| kind == source.trigger) {
            continue;
        }
        let place = uuid(&row, "tenant_id").zip(uuid(&row, "account_id"));
        if let (Some(place), Ok(definition)) = (place, Definition::read(&row["definition"])) {
            found.entry(place).or_default().push((row, definition));
        }
    }
    Ok(found)
}

fn is_met(source: &Source, trigger: &Trigger, row: &Value, renderer: &Renderer) -> bool {
    if trigger.kind != source.trigger {
        return false;
    }
    let params = trigger.params.as_ref().and_then(Value::as_object).cloned().unwrap_or_default();
    let filter =
        params.get("filter").filter(|filter| filter.as_str().is_some_and(|text| !text.trim().is_empty()));
    // A filter that fails does not hold: the row it is about must not be lost over it.
    let holds = || filter.is_none_or(|filter| renderer.holds(filter, &seen(source, row)).unwrap_or(false));
    (source.fits)(&params, row) && holds()
}

/// What a filter sees: the row by its name, its columns, and both as inputs.
fn seen(source: &Source, row: &Value) -> Map<String, Value> {
    let mut seen = row.as_object().cloned().unwrap_or_default();
    seen.insert(source.input.to_owned(), row.clone());
    seen.insert("Inputs".to_owned(), json!({ source.input: row }));
    seen
}

fn begin(
    rows: &Transaction<'_>,
    source: &Source,
    tenant: Uuid,
    (workflow, definition): (&Value, &Definition),
    row: &Value,
) -> Result<(), Refusal> {
    let house = Caller::house_for(tenant);
    let acting = rows.acting_as(&house);
    let given = json!({ source.input: row });
    let inputs = complete(definition, Some(&given)).unwrap_or(given);
    let key = format!("{}:{}", source.trigger, text(row, "id"));
    let run = Start {
        workflow: Some(workflow),
        inputs,
        trigger: source.trigger,
        key: Some(&key),
        ..Start::default()
    };
    start(&acting.derived(), &run).map(|_| ())
}
