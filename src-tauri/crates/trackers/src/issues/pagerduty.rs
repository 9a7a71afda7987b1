//! Existing PagerDuty incidents. Their comments are called notes.

use super::{Comment, Issue, IssueChange, IssueKey, IssueState, closes, is_same, text, texts};
use crate::client::{TrackerClient, needed};
use crate::failure::Failure;
use crate::time;
use outgoing::Method;
use serde_json::{Map, Value, json};

pub(super) async fn read(line: &TrackerClient<'_>, key: IssueKey<'_>) -> Result<Option<Issue>, Failure> {
    let Some(found) = line.find(&["incidents", key.number], &[]).await? else {
        line.get(&["services"], &[("limit", "1")]).await?;
        return Ok(None);
    };
    let found = &found["incident"];
    let status = needed(line, found, "/status")?.to_owned();
    let state = match status.as_str() {
        "triggered" | "acknowledged" => IssueState::Open,
        "resolved" => IssueState::Done,
        _ => IssueState::Unknown,
    };
    Ok(Some(Issue {
        ticket_id: needed(line, found, "/id")?.to_owned(),
        title: text(&found["title"]).unwrap_or_default(),
        description: text(&found["description"]).unwrap_or_default(),
        status,
        state,
        resolution: text(&found["resolve_reason"]["type"]),
        severity: text(&found["urgency"]),
        assignees: texts(&found["assignments"], "/assignee/summary"),
        reporter: None,
        labels: Vec::new(),
        milestone: None,
        project: text(&found["service"]["id"]).unwrap_or_default(),
        url: needed(line, found, "/html_url")?.to_owned(),
        created_at: found["created_at"].as_str().and_then(time::read),
        updated_at: found["last_status_change_at"].as_str().and_then(time::read),
    }))
}

pub(super) async fn comments(line: &TrackerClient<'_>, key: IssueKey<'_>) -> Result<Vec<Comment>, Failure> {
    let found = line.get(&["incidents", key.number, "notes"], &[]).await?;
    let notes =
        found["notes"].as_array().ok_or_else(|| Failure::nonsense(line.who(), "it lists no notes"))?;
    let comment = |one: &Value| Comment {
        id: text(&one["id"]).unwrap_or_default(),
        author: text(&one["user"]["summary"]).unwrap_or_default(),
        text: text(&one["content"]).unwrap_or_default(),
        created_at: one["created_at"].as_str().and_then(time::read),
    };
    let mut notes: Vec<Comment> = notes.iter().map(comment).collect();
    notes.sort_by_key(|note| note.created_at);
    Ok(notes)
}

pub(super) async fn comment(line: &TrackerClient<'_>, key: IssueKey<'_>, text: &str) -> Result<(), Failure> {
    let note = json!({ "note": { "content": text } });
    line.post(&["incidents", key.number, "notes"], &[], &note).await.map(drop)
}

pub(super) async fn change(
    line: &TrackerClient<'_>,
    key: IssueKey<'_>,
    before: &Issue,
    wanted: &IssueChange,
) -> Result<(), Failure> {
    let mut body = Map::new();
    if let Some(status) = &wanted.status {
        let status = match closes(status) {
            Some(true) => "resolved",
            _ if is_same(status, "acknowledged") => "acknowledged",
            _ => {
                let message =
                    format!("status is \"{status}\": PagerDuty can be told acknowledged and resolved.");
                return Err(Failure::lasting(message));
            }
        };
        if before.status == "resolved" && status == "acknowledged" {
            let message = format!("{} was resolved, and cannot be acknowledged any more.", before.ticket_id);
            return Err(Failure::lasting(message));
        }
        // PagerDuty refuses a change to the current status.
        if before.status != status {
            body.insert("status".to_owned(), status.into());
        }
    }
    if let Some(severity) = &wanted.severity {
        let urgency = match severity.trim().to_lowercase().as_str() {
            "high" | "critical" => "high",
            "low" | "medium" => "low",
            _ => {
                let message = format!("severity is \"{severity}\": PagerDuty knows high and low.");
                return Err(Failure::lasting(message));
            }
        };
        if before.severity.as_deref() != Some(urgency) {
            body.insert("urgency".to_owned(), urgency.into());
        }
    }
    if let Some(wrong) = wanted.assignees.iter().find(|id| id.contains('@')) {
        let message = format!("assignee is \"{wrong}\": PagerDuty wants the id of a user, such as PXPGF42.");
        return Err(Failure::lasting(message));
    }
    if !wanted.assignees.is_empty() {
        let assignee = |id: &String| json!({ "assignee": { "id": id, "type": "user_reference" } });
        let assignments: Vec<Value> = wanted.assignees.iter().map(assignee).collect();
        body.insert("assignments".to_owned(), assignments.into());
    }
    if let Some(policy) = &wanted.escalation_policy {
        let policy = json!({ "id": policy, "type": "escalation_policy_reference" });
        body.insert("escalation_policy".to_owned(), policy);
    }
    if let Some(level) = wanted.escalation_level {
        body.insert("escalation_level".to_owned(), level.into());
    }
    if body.is_empty() {
        return Ok(());
    }
    body.insert("type".to_owned(), "incident".into());
    line.tell(Method::PUT, &["incidents", key.number], &[], &json!({ "incident": body })).await
}
