//! Reads workflows: a single one, a list, and their number.

use super::stored::{answer, find, last_run, next_page, page};
use crate::kit::{Arguments, Look, account, text, uuid};
use graphql::{Call, Refusal};
use serde_json::{Value, json};
use store::query::Test;

/// Handles `workflow_get`.
pub(super) fn get(call: &Call<'_>) -> Result<Value, Refusal> {
    let request = Arguments(call.arguments).object("request");
    let found = find(call, request.needed_id("account_id")?, request.needed_id("id")?)?;
    found.map_or(Ok(Value::Null), |row| answer(call, &row))
}

/// Handles `workflow_get_count`.
pub(super) fn count(call: &Call<'_>) -> Result<Value, Refusal> {
    let request = Arguments(call.arguments).object("request");
    Ok(json!({ "count": fitting(call, request, "trigger_type")?.len() }))
}

/// Handles `workflow_list`.
pub(super) fn list(call: &Call<'_>) -> Result<Value, Refusal> {
    let request = Arguments(call.arguments).object("request");
    let (limit, offset) = page(request)?;
    let account = request.needed_id("account_id")?;
    let fitting = fitting(call, request, "type")?;
    let total = fitting.len() as u64;
    let mut workflows = Vec::new();
    let whole = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    for row in fitting.iter().skip(whole(offset)).take(whole(limit)) {
        let id = uuid(row, "id").unwrap_or_default();
        if let Some(whole) = find(call, account, id)? {
            workflows.push(answer(call, &whole)?);
        }
    }
    let next = next_page(offset, limit, total);
    Ok(json!({ "workflows": workflows, "total_count": total, "next_page_token": next }))
}

/// The workflows of the account that match the request, sorted by name, without their definitions.
/// `trigger` is the request's field for the trigger type.
fn fitting(call: &Call<'_>, request: Arguments<'_>, trigger: &str) -> Result<Vec<Value>, Refusal> {
    let account = account(call, request.needed_id("account_id")?)?;
    // Workflows that the service created for itself are not listed.
    let mut look =
        Look::at(call.rows, "workflow")?.with("account_id", account)?.that("purpose", Test::IsNull)?;
    if let Some(status) = request.text("status") {
        look = look.with("status", status)?;
    }
    let rows = look.ordered("name", false)?.ordered("id", false)?;
    let rows = rows.rows(&["id", "name", "trigger_types", "tags"])?;
    let part = request.text("name").map(str::to_lowercase);
    let tags = request.text("tags").unwrap_or_default();
    let mut fitting = Vec::new();
    for row in rows {
        let has_name = part.as_ref().is_none_or(|part| text(&row, "name").to_lowercase().contains(part));
        let starts =
            |kind: &str| row["trigger_types"].as_array().is_some_and(|list| list.contains(&json!(kind)));
        let fits = has_name && request.text(trigger).is_none_or(starts) && has_tags(&row["tags"], tags);
        let status = request.text("last_execution_status");
        let last = match status.filter(|_| fits) {
            Some(_) => last_run(call, &row)?,
            None => None,
        };
        if fits && status.is_none_or(|status| last.is_some_and(|last| last["status"] == status)) {
            fitting.push(row);
        }
    }
    Ok(fitting)
}

/// Whether tags match `name=value,other`. Tags are an object by name, or a list of names.
fn has_tags(tags: &Value, wanted: &str) -> bool {
    let mut wanted = wanted.split(',').map(str::trim).filter(|part| !part.is_empty());
    wanted.all(|part| match part.split_once('=') {
        Some((name, value)) => match &tags[name.trim()] {
            Value::String(found) => found == value.trim(),
            Value::Null => false,
            other => serde_json::from_str(value.trim()).is_ok_and(|wanted: Value| wanted == *other),
        },
        None => tags.get(part).is_some() || tags.as_array().is_some_and(|list| list.contains(&json!(part))),
    })
}

#[cfg(test)]
mod tests {
    use super::has_tags;
    use serde_json::json;

    #[test]
    fn all_tags_asked_for_must_fit() {
        let tags = json!({ "team": "sea", "tier": 1 });
        assert!(has_tags(&tags, ""));
        assert!(has_tags(&tags, "team=sea, tier=1"));
        assert!(has_tags(&tags, "team"));
        assert!(!has_tags(&tags, "team=sky"));
        assert!(!has_tags(&tags, "team=sea,zone"));
        assert!(has_tags(&json!(["night", "cost"]), "cost"));
    }
}
