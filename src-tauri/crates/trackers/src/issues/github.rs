//! Existing GitHub issues.

use super::{
    Comment, Issue, IssueChange, IssueKey, IssueState, closes, is_same, pages, says_refused, text, texts,
};
use crate::client::{TrackerClient, needed};
use crate::failure::Failure;
use crate::time;
use serde_json::{Map, Value, json};

fn repository(key: IssueKey<'_>) -> Vec<&str> {
    ["repos"].into_iter().chain(key.project.split('/')).collect()
}

fn place<'p>(key: IssueKey<'p>, rest: &[&'p str]) -> Vec<&'p str> {
    [repository(key).as_slice(), &["issues", key.number], rest].concat()
}

pub(super) async fn read(line: &TrackerClient<'_>, key: IssueKey<'_>) -> Result<Option<Issue>, Failure> {
    let Some(found) = line.find(&place(key, &[]), &[]).await? else {
        // GitHub also answers 404 without permission: the issue is only known to be deleted if the repository is visible.
        line.get(&repository(key), &[]).await?;
        return Ok(None);
    };
    let status = needed(line, &found, "/state")?.to_owned();
    let resolution = text(&found["state_reason"]).map(|reason| reason.replace('_', " "));
    let state = match status.as_str() {
        "open" => IssueState::Open,
        "closed" if resolution.as_deref().is_some_and(says_refused) => IssueState::Refused,
        "closed" => IssueState::Done,
        _ => IssueState::Unknown,
    };
    Ok(Some(Issue {
        ticket_id: format!("#{}", key.number),
        title: text(&found["title"]).unwrap_or_default(),
        description: text(&found["body"]).unwrap_or_default(),
        status,
        state,
        resolution: resolution.filter(|_| state != IssueState::Open),
        severity: None,
        assignees: texts(&found["assignees"], "/login"),
        reporter: text(&found["user"]["login"]),
        labels: texts(&found["labels"], "/name"),
        milestone: text(&found["milestone"]["title"]),
        project: key.project.to_owned(),
        url: needed(line, &found, "/html_url")?.to_owned(),
        created_at: found["created_at"].as_str().and_then(time::read),
        updated_at: found["updated_at"].as_str().and_then(time::read),
    }))
}

pub(super) async fn comments(line: &TrackerClient<'_>, key: IssueKey<'_>) -> Result<Vec<Comment>, Failure> {
    let listed = pages(line, &place(key, &["comments"]), &[]).await?;
    let comment = |one: &Value| Comment {
        id: one["id"].to_string(),
        author: text(&one["user"]["login"]).unwrap_or_default(),
        text: text(&one["body"]).unwrap_or_default(),
        created_at: one["created_at"].as_str().and_then(time::read),
    };
    Ok(listed.iter().map(comment).collect())
}

pub(super) async fn comment(line: &TrackerClient<'_>, key: IssueKey<'_>, text: &str) -> Result<(), Failure> {
    line.post(&place(key, &["comments"]), &[], &json!({ "body": text })).await.map(drop)
}

pub(super) async fn change(
    line: &TrackerClient<'_>,
    key: IssueKey<'_>,
    before: &Issue,
    wanted: &IssueChange,
) -> Result<(), Failure> {
    let mut body = Map::new();
    if let Some(status) = &wanted.status {
        let (state, reason) = match closes(status) {
            Some(true) => ("closed", Some("completed")),
            Some(false) => ("open", None),
            None if is_same(status, "not planned") => ("closed", Some("not_planned")),
            None => {
                let message = format!("status is \"{status}\": GitHub knows open, closed and not_planned.");
                return Err(Failure::lasting(message));
            }
        };
        let is_so = before.status == state
            && reason
                .is_none_or(|reason| before.resolution.as_deref().is_none_or(|known| is_same(known, reason)));
        if !is_so {
            body.insert("state".to_owned(), state.into());
            body.extend(reason.map(|reason| ("state_reason".to_owned(), reason.into())));
        }
    }
    if let Some(description) = &wanted.description {
        body.insert("body".to_owned(), description.as_str().into());
    }
    if let Some(labels) = &wanted.labels {
        body.insert("labels".to_owned(), json!(labels));
    }
    if !wanted.assignees.is_empty() {
        body.insert("assignees".to_owned(), json!(wanted.assignees));
    }
    if body.is_empty() {
        return Ok(());
    }
    let after = line.patch(&place(key, &[]), &[], &Value::Object(body)).await?;
    // GitHub silently ignores users who cannot be assigned.
    let assigned = texts(&after["assignees"], "/login");
    let is_assigned = |login: &&String| assigned.iter().any(|known| known.eq_ignore_ascii_case(login));
    match wanted.assignees.iter().find(|login| !is_assigned(login)) {
        Some(login) => Err(Failure::lasting(format!(
            "{} does not assign issues of {} to {login}.",
            line.who(),
            key.project
        ))),
        None => Ok(()),
    }
}
