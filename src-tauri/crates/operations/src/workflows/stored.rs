//! Reads stored workflows and converts them to responses.

use super::definition::{Definition, for_response};
use super::{MAX_PAGE_SIZE, PAGE};
use crate::kit::{Arguments, Look, text, uuid};
use automation::plan::FIRST_DECISION;
use graphql::{Call, Refusal};
use serde_json::{Value, json};
use store::query::Test;
use uuid::Uuid;

const COLUMNS: &[&str] = &[
    "id",
    "tenant_id",
    "account_id",
    "name",
    "status",
    "definition",
    "trigger_types",
    "revision",
    "tags",
    "created_at",
    "created_by",
    "updated_at",
    "updated_by",
    "purpose",
    "purpose_id",
];

/// The workflow with that id in the account, if the caller may read it.
pub(super) fn find(call: &Call<'_>, account: Uuid, id: Uuid) -> Result<Option<Value>, Refusal> {
    Look::at(call.rows, "workflow")?.with("id", id)?.with("account_id", account)?.first(COLUMNS)
}

/// Like [`find`], for a request with `account_id` and the workflow's id under `name`. A missing workflow is an error.
pub(super) fn needed(call: &Call<'_>, request: Arguments<'_>, name: &str) -> Result<Value, Refusal> {
    let id = request.needed_id(name)?;
    let missing = || Refusal::not_found(format!("there is no workflow {id} in that account"));
    find(call, request.needed_id("account_id")?, id)?.ok_or_else(missing)
}

/// The definition of a stored workflow or run.
pub(super) fn definition(row: &Value) -> Result<Definition, Refusal> {
    let unreadable = |error| Refusal::new("unexpected", format!("a stored definition: {error}"));
    Definition::read(&row["definition"]).map_err(unreadable)
}

/// Converts the row to the GraphQL type `Workflow`.
pub(super) fn answer(call: &Call<'_>, row: &Value) -> Result<Value, Refusal> {
    let last = last_run(call, row)?.unwrap_or_default();
    let person = |column: &str| match uuid(row, column) {
        Some(id) => Look::at(call.rows, "users")?.with("id", id)?.first(&["id", "display_name"]),
        None => Ok(None),
    };
    Ok(json!({
        "id": row["id"],
        "tenant_id": row["tenant_id"],
        "account_id": row["account_id"],
        "name": row["name"],
        "status": row["status"],
        "definition": for_response(&row["definition"]),
        "tags": row["tags"],
        "created_at": row["created_at"],
        "created_by": row["created_by"],
        "created_by_user": person("created_by")?,
        "updated_at": row["updated_at"],
        "updated_by": row["updated_by"],
        "updated_by_user": person("updated_by")?,
        "last_execution_status": last["status"],
        "last_execution_time": last["start_time"],
        "last_execution_waits_for": waits_for(call, &last)?,
    }))
}

/// Status and time of the latest run.
pub(super) fn last_run(call: &Call<'_>, row: &Value) -> Result<Option<Value>, Refusal> {
    let runs = Look::at(call.rows, "workflow_execution")?;
    let id = uuid(row, "id");
    let latest = runs.with("workflow_id", id)?.ordered("start_time", true)?.limit(1);
    latest.first(&["id", "status", "start_time"])
}

/// What a run waits for that only a person can provide: `approval`, or `decision` if it is not known whether a task took effect.
pub(super) fn waits_for(call: &Call<'_>, run: &Value) -> Result<Option<&'static str>, Refusal> {
    if run["status"] != "RUNNING" {
        return Ok(None);
    }
    let look = Look::at(call.rows, "workflow_wait")?.with("execution_id", uuid(run, "id"))?;
    let open = look.with("is_taken", false)?.that("answer", Test::IsNull)?.rows(&["options"])?;
    let is_decision = |wait: &Value| wait["options"][0] == FIRST_DECISION;
    Ok(match open.as_slice() {
        [] => None,
        waits if waits.iter().any(is_decision) => Some("decision"),
        _ => Some("approval"),
    })
}

/// The page of a request: its number of rows, and the number of rows before it.
pub(super) fn page(request: Arguments<'_>) -> Result<(u64, u64), Refusal> {
    let limit = request.whole("limit").unwrap_or(PAGE);
    if !(1..=MAX_PAGE_SIZE).contains(&limit) {
        return Err(Refusal::invalid(format!("`limit` is {limit}: expected 1 to {MAX_PAGE_SIZE}")));
    }
    let token = request.text("next_page_token").filter(|token| !token.is_empty());
    let wrong = |token: &str| {
        Refusal::invalid(format!(
            "`next_page_token` is \"{token}\": expected what the page before gave, or nothing for the first page"
        ))
    };
    let offset = token.map_or(Ok(0), |token| token.parse().map_err(|_| wrong(token)))?;
    Ok((limit.unsigned_abs(), offset))
}

/// The token for the next page; empty on the last page.
pub(super) fn next_page(offset: u64, limit: u64, total: u64) -> String {
    let next = offset.saturating_add(limit);
    if next < total { next.to_string() } else { String::new() }
}

/// The name of a workflow, for messages.
pub(super) fn named(row: &Value) -> String {
    format!("workflow \"{}\"", text(row, "name"))
}
