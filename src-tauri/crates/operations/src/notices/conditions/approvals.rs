//! Notices about open questions of workflow runs, raised when a question is asked and again if nobody answers.

use super::{DAY, day};
use crate::kit::{Look, text, uuid};
use crate::notices::raise::{ActiveCondition, Cause};
use catalogue::{ValueRef, format_timestamp, parse_timestamp};
use channels::Severity;
use graphql::Refusal;
use serde_json::Value as Json;
use store::Transaction;
use uuid::Uuid;

/// Delay of the reminder for a question without a time-out, µs.
const PATIENCE: i64 = DAY;

/// One notice per open question, and a reminder after half of its time.
pub(in crate::notices) fn approvals(rows: &Transaction<'_>) -> Result<Vec<ActiveCondition>, Refusal> {
    let look =
        Look::at(rows, "workflow_wait")?.with("answered_at", ValueRef::Null)?.with("is_taken", false)?;
    let columns = ["id", "account_id", "execution_id", "asked_at", "due_at", "default_answer"];
    let mut found = Vec::new();
    for row in look.ordered("asked_at", false)?.rows(&columns)? {
        let Some(id) = uuid(&row, "id") else { continue };
        let (workflow, account) = names(rows, &row)?;
        let asked = parse_timestamp(text(&row, "asked_at")).unwrap_or_default();
        let due = row["due_at"].as_str().and_then(parse_timestamp);
        let again = due.map_or(asked + PATIENCE, |due| asked + (due - asked).min(2 * PATIENCE) / 2);
        let is_late = rows.now() >= again;
        let one = |key: String, severity, title: String, is_recent| ActiveCondition {
            subject: "approval",
            key,
            severity,
            title,
            text: ending(due, row["default_answer"].as_str()),
            link: Some(format!("/automation/approvals?id={id}")),
            is_recent,
            cause: Cause::Other,
        };
        let title = format!("{workflow} in {account} waits for approval");
        found.push(one(format!("approval:{id}"), Severity::Info, title, !is_late));
        if is_late {
            let since = day(i32::try_from(asked.div_euclid(DAY)).unwrap_or(i32::MAX));
            let title = format!("{workflow} in {account} still waits for approval, since {since}");
            found.push(one(format!("approval:{id}:again"), Severity::Warning, title, true));
        }
    }
    Ok(found)
}

/// The names of the question's workflow and account.
fn names(rows: &Transaction<'_>, wait: &Json) -> Result<(String, String), Refusal> {
    let named = |table: &str, id: Option<Uuid>, column: &str| -> Result<Json, Refusal> {
        let row = Look::at(rows, table)?.with("id", id)?.first(&[column])?.unwrap_or_default();
        Ok(row[column].clone())
    };
    let run = Look::at(rows, "workflow_execution")?.with("id", uuid(wait, "execution_id"))?;
    let run = run.first(&["workflow_id"])?.unwrap_or_default();
    let workflow = named("workflow", uuid(&run, "workflow_id"), "name")?;
    let account = named("cloud_accounts", uuid(wait, "account_id"), "account_name")?;
    let or = |name: Json, otherwise: &str| name.as_str().unwrap_or(otherwise).to_owned();
    Ok((or(workflow, "A workflow"), or(account, "an account")))
}

/// Describes what happens if nobody answers.
fn ending(due: Option<i64>, default: Option<&str>) -> String {
    let Some(due) = due else { return "Nothing goes on until somebody answers.".to_owned() };
    let at = format_timestamp(due).replace('T', " ");
    let at = at.split('.').next().unwrap_or(&at);
    match default {
        Some(answer) => format!("Without an answer it is decided as {answer} on {at} UTC."),
        None => format!("Without an answer it times out on {at} UTC."),
    }
}
