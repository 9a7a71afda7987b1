//! Existing GitLab issues.

use super::{Comment, Issue, IssueChange, IssueKey, IssueState, closes, pages, text, texts};
use crate::client::{TrackerClient, needed};
use crate::failure::Failure;
use crate::time;
use serde_json::{Map, Value, json};

fn project(key: IssueKey<'_>) -> [&str; 4] {
    ["api", "v4", "projects", key.project]
}

fn place<'p>(key: IssueKey<'p>, rest: &[&'p str]) -> Vec<&'p str> {
    [project(key).as_slice(), &["issues", key.number], rest].concat()
}

pub(super) async fn read(line: &TrackerClient<'_>, key: IssueKey<'_>) -> Result<Option<Issue>, Failure> {
    let Some(found) = line.find(&place(key, &[]), &[]).await? else {
        line.get(&project(key), &[]).await?;
        return Ok(None);
    };
    let status = needed(line, &found, "/state")?.to_owned();
    let state = match status.as_str() {
        "opened" => IssueState::Open,
        // It was moved and continues elsewhere.
        "closed" if found["moved_to_id"].is_number() => IssueState::Unknown,
        "closed" => IssueState::Done,
        _ => IssueState::Unknown,
    };
    Ok(Some(Issue {
        ticket_id: format!("#{}", key.number),
        title: text(&found["title"]).unwrap_or_default(),
        description: text(&found["description"]).unwrap_or_default(),
        status,
        state,
        resolution: None,
        severity: None,
        assignees: texts(&found["assignees"], "/username"),
        reporter: text(&found["author"]["username"]),
        labels: texts(&found["labels"], ""),
        milestone: text(&found["milestone"]["title"]),
        project: key.project.to_owned(),
        url: needed(line, &found, "/web_url")?.to_owned(),
        created_at: found["created_at"].as_str().and_then(time::read),
        updated_at: found["updated_at"].as_str().and_then(time::read),
    }))
}

pub(super) async fn comments(line: &TrackerClient<'_>, key: IssueKey<'_>) -> Result<Vec<Comment>, Failure> {
    let order = [("sort", "asc"), ("order_by", "created_at")];
    let listed = pages(line, &place(key, &["notes"]), &order).await?;
    let comment = |one: &Value| Comment {
        id: one["id"].to_string(),
        author: text(&one["author"]["username"]).unwrap_or_default(),
        text: text(&one["body"]).unwrap_or_default(),
        created_at: one["created_at"].as_str().and_then(time::read),
    };
    // GitLab's own notes about changes are not comments.
    Ok(listed.iter().filter(|one| one["system"] != true).map(comment).collect())
}

pub(super) async fn comment(line: &TrackerClient<'_>, key: IssueKey<'_>, text: &str) -> Result<(), Failure> {
    line.post(&place(key, &["notes"]), &[], &json!({ "body": text })).await.map(drop)
}

pub(super) async fn change(
    line: &TrackerClient<'_>,
    key: IssueKey<'_>,
    before: &Issue,
    wanted: &IssueChange,
) -> Result<(), Failure> {
    let mut body = Map::new();
    if let Some(status) = &wanted.status {
        let Some(closes) = closes(status) else {
            let message = format!("status is \"{status}\": GitLab knows opened and closed.");
            return Err(Failure::lasting(message));
        };
        if closes != (before.status == "closed") {
            body.insert("state_event".to_owned(), if closes { "close" } else { "reopen" }.into());
        }
    }
    if let Some(description) = &wanted.description {
        body.insert("description".to_owned(), description.as_str().into());
    }
    if let Some(labels) = &wanted.labels {
        body.insert("labels".to_owned(), labels.join(",").into());
    }
    let mut people = Vec::new();
    for name in &wanted.assignees {
        people.push(person(line, name).await?);
    }
    if !people.is_empty() {
        body.insert("assignee_ids".to_owned(), json!(people));
    }
    if body.is_empty() {
        return Ok(());
    }
    line.put(&place(key, &[]), &Value::Object(body)).await.map(drop)
}

/// The id of a user, which GitLab requires instead of the name.
async fn person(line: &TrackerClient<'_>, name: &str) -> Result<u64, Failure> {
    let name = name.trim_start_matches('@');
    let found = line.get(&["api", "v4", "users"], &[("username", name)]).await?;
    let found = found.as_array().into_iter().flatten().find_map(|user| user["id"].as_u64());
    found.ok_or_else(|| Failure::lasting(format!("{} knows nobody called {name}.", line.who())))
}
