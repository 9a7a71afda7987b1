//! Queries for the resources and recommendations that auto-pilots cover.

use super::pilots::covered_resources;
use super::resources::{self, ResourceFilter};
use crate::kit::{Arguments, Look, account, text, uuid};
use catalogue::Value as Cell;
use graphql::{Call, Refusal};
use serde_json::{Value, json};
use std::collections::HashMap;
use store::Transaction;
use uuid::Uuid;

/// Handles `auto_optimize_recommendation`: the recommendations for resources that the account's auto-pilots cover.
pub(super) fn recommendations(call: &Call<'_>) -> Result<Value, Refusal> {
    let request = Arguments(call.arguments);
    let account = account(call, request.needed_id("account_id")?)?;
    let mut pilots = Look::at(call.rows, "auto_pilot")?.with("account_id", account)?;
    if let Some(id) = request.id("auto_optimize_id")? {
        pilots = pilots.with("id", id)?;
    }
    if let Some(categories) = words(request, "auto_optimize_categories") {
        pilots = pilots.one_of("category", categories)?;
    }
    let mut filters = Vec::new();
    for pilot in pilots.ordered("id", false)?.rows(&["id"])? {
        filters.extend(covered_resources(call.rows, uuid(&pilot, "id"))?);
    }
    if filters.is_empty() {
        return Ok(json!({ "recommendation": [] }));
    }
    let mut found = Look::at(call.rows, "recommendation")?.with("cloud_account_id", account)?;
    if let Some(rule) = request.text("rule_name") {
        found = found.with("rule_name", rule)?;
    }
    if let Some(statuses) = words(request, "status") {
        found = found.one_of("status", statuses)?;
    }
    let known = known_resources(call.rows, account)?;
    let rows = found.ordered("id", false)?.rows(&["id", "resource_id"])?;
    let is_covered = |row: &&Value| {
        let resource = uuid(row, "resource_id").and_then(|id| known.get(&id));
        resource.is_some_and(|resource| filters.iter().any(|filter| filter.matches(resource)))
    };
    Ok(json!({ "recommendation": rows.iter().filter(is_covered).map(|row| &row["id"]).collect::<Vec<_>>() }))
}

/// Namespace, type and name of an account's resources. They come from the Kubernetes workload if there is one, otherwise from the cloud resource.
pub(super) fn known_resources(
    rows: &Transaction<'_>,
    account: Uuid,
) -> Result<HashMap<Uuid, ResourceFilter>, Refusal> {
    let mut known = HashMap::new();
    let resources = Look::at(rows, "cloud_resourses")?.with("account", account)?;
    for row in resources.rows(&["id", "name", "type", "meta", "tags"])? {
        let namespace =
            [&row["meta"]["namespace"], &row["tags"]["namespace"]].into_iter().find_map(Value::as_str);
        let (kind, name) = (text(&row, "type").to_owned(), text(&row, "name").to_owned());
        let resource = ResourceFilter { namespace: namespace.unwrap_or_default().to_owned(), kind, name };
        known.extend(uuid(&row, "id").map(|id| (id, resource)));
    }
    let workloads = Look::at(rows, "k8s_workloads")?.with("cloud_account_id", account)?;
    for row in workloads.rows(&["cloud_resource_id", "namespace", "kind", "name"])? {
        let part = |column: &str| text(&row, column).to_owned();
        let resource =
            ResourceFilter { namespace: part("namespace"), kind: part("kind"), name: part("name") };
        known.extend(uuid(&row, "cloud_resource_id").map(|id| (id, resource)));
    }
    Ok(known)
}

/// Handles `auto_optimize_workload`: finds an auto-pilot that covers one of the given resources.
pub(super) fn workload(call: &Call<'_>) -> Result<Value, Refusal> {
    let request = Arguments(call.arguments).object("arg1");
    let account = account(call, request.needed_id("account_id")?)?;
    let wanted = resources::list(request.value("resource_filter"))?;
    let mut pilots = Look::at(call.rows, "auto_pilot")?.with("account_id", account)?;
    if let Some(status) = request.text("status") {
        pilots = pilots.with("status", super::PILOTS.named(status)?)?;
    }
    for pilot in pilots.ordered("creation_date", false)?.ordered("id", false)?.rows(&["id"])? {
        let covered = covered_resources(call.rows, uuid(&pilot, "id"))?;
        if wanted.iter().any(|resource| covered.iter().any(|filter| filter.overlaps(resource))) {
            return Ok(json!({ "id": pilot["id"] }));
        }
    }
    Ok(Value::Null)
}

/// Reads a list of texts. `None` if it is absent or empty, which means no restriction.
fn words(request: Arguments<'_>, name: &str) -> Option<Vec<Cell>> {
    let list = request.value(name)?.as_array()?.iter();
    let words: Vec<Cell> = list.filter_map(Value::as_str).map(|text| Cell::Text(text.to_owned())).collect();
    (!words.is_empty()).then_some(words)
}
