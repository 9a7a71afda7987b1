//! Existing Jira issues. A status is reached by a transition; the workflow offers those that are currently possible.

use super::{
    Comment, Issue, IssueChange, IssueKey, IssueState, PAGE, PAGES, closes, is_same, says_refused, text,
    texts,
};
use crate::client::{TrackerClient, needed};
use crate::failure::Failure;
use crate::time;
use outgoing::Method;
use serde_json::{Map, Value, json};

const API: [&str; 3] = ["rest", "api", "2"];
const FIELDS: &str =
    "summary,description,status,resolution,priority,assignee,reporter,labels,project,created,updated";
/// Prefix of the labels that mark the origin of a ticket; they are preserved.
const MARKER: &str = "quarterdeck-";

fn place<'p>(key: IssueKey<'p>, rest: &[&'p str]) -> Vec<&'p str> {
    [API.as_slice(), &["issue", key.number], rest].concat()
}

pub(super) async fn read(line: &TrackerClient<'_>, key: IssueKey<'_>) -> Result<Option<Issue>, Failure> {
    let Some(found) = line.find(&place(key, &[]), &[("fields", FIELDS)]).await? else {
        let project = key.number.rsplit_once('-').map_or(key.number, |(project, _)| project);
        line.get(&[API.as_slice(), &["project", project]].concat(), &[]).await?;
        return Ok(None);
    };
    let number = needed(line, &found, "/key")?;
    let fields = &found["fields"];
    let status = needed(line, fields, "/status/name")?.to_owned();
    let resolution = text(&fields["resolution"]["name"]);
    let refused = says_refused(&status) || resolution.as_deref().is_some_and(says_refused);
    let state = match fields["status"]["statusCategory"]["key"].as_str() {
        Some("new" | "indeterminate") => IssueState::Open,
        Some("done") if refused => IssueState::Refused,
        Some("done") => IssueState::Done,
        _ => IssueState::Unknown,
    };
    let person = |field: &Value| text(&field["displayName"]).or_else(|| text(&field["name"]));
    Ok(Some(Issue {
        ticket_id: number.to_owned(),
        title: text(&fields["summary"]).unwrap_or_default(),
        description: text(&fields["description"]).unwrap_or_default(),
        status,
        state,
        resolution,
        severity: text(&fields["priority"]["name"]),
        assignees: person(&fields["assignee"]).into_iter().collect(),
        reporter: person(&fields["reporter"]),
        labels: texts(&fields["labels"], ""),
        milestone: None,
        project: text(&fields["project"]["key"]).unwrap_or_default(),
        url: line.place(&["browse", number], &[]).into(),
        created_at: fields["created"].as_str().and_then(time::read),
        updated_at: fields["updated"].as_str().and_then(time::read),
    }))
}

pub(super) async fn comments(line: &TrackerClient<'_>, key: IssueKey<'_>) -> Result<Vec<Comment>, Failure> {
    let mut found: Vec<Comment> = Vec::new();
    for _ in 0..PAGES {
        let (start, size) = (found.len().to_string(), PAGE.to_string());
        let query = [("startAt", start.as_str()), ("maxResults", &size), ("orderBy", "created")];
        let listed = line.get(&place(key, &["comment"]), &query).await?;
        let listed = listed["comments"]
            .as_array()
            .ok_or_else(|| Failure::nonsense(line.who(), "it lists no comments"))?;
        found.extend(listed.iter().map(|one| Comment {
            id: text(&one["id"]).unwrap_or_default(),
            author: text(&one["author"]["displayName"]).unwrap_or_default(),
            text: text(&one["body"]).unwrap_or_default(),
            created_at: one["created"].as_str().and_then(time::read),
        }));
        if listed.len() < PAGE {
            break;
        }
    }
    Ok(found)
}

pub(super) async fn comment(line: &TrackerClient<'_>, key: IssueKey<'_>, text: &str) -> Result<(), Failure> {
    line.post(&place(key, &["comment"]), &[], &json!({ "body": text })).await.map(drop)
}

pub(super) async fn change(
    line: &TrackerClient<'_>,
    key: IssueKey<'_>,
    before: &Issue,
    wanted: &IssueChange,
) -> Result<(), Failure> {
    let mut fields = Map::new();
    if let Some(severity) = &wanted.severity {
        fields.insert("priority".to_owned(), json!({ "name": severity }));
    }
    if let Some(description) = &wanted.description {
        fields.insert("description".to_owned(), description.as_str().into());
    }
    if let Some(labels) = &wanted.labels {
        let kept = before.labels.iter().filter(|label| label.starts_with(MARKER));
        let labels: Vec<&String> = labels.iter().chain(kept).collect();
        fields.insert("labels".to_owned(), json!(labels));
    }
    if !fields.is_empty() {
        line.tell(Method::PUT, &place(key, &[]), &[], &json!({ "fields": fields })).await?;
    }
    if let Some(name) = wanted.assignees.first() {
        let person = person(line, name).await?;
        line.tell(Method::PUT, &place(key, &["assignee"]), &[], &person).await?;
    }
    match &wanted.status {
        Some(status) if !is_there(before, status) => transition(line, key, before, status).await,
        _ => Ok(()),
    }
}

fn is_there(before: &Issue, status: &str) -> bool {
    let is_over = matches!(before.state, IssueState::Done | IssueState::Refused);
    is_same(&before.status, status) || closes(status) == Some(true) && is_over
}

/// The reference to a user: Jira Cloud requires an account id, Data Center a name.
async fn person(line: &TrackerClient<'_>, name: &str) -> Result<Value, Failure> {
    let about = line.get(&[API.as_slice(), &["serverInfo"]].concat(), &[]).await?;
    let (asked, field) =
        if about["deploymentType"] == "Cloud" { ("query", "accountId") } else { ("username", "name") };
    if !name.contains('@') {
        return Ok(json!({ field: name }));
    }
    let found = line.get(&[API.as_slice(), &["user", "search"]].concat(), &[(asked, name)]).await?;
    let found: Vec<&Value> = found.as_array().into_iter().flatten().collect();
    let by_address = |user: &&&Value| {
        user["emailAddress"].as_str().is_some_and(|address| address.eq_ignore_ascii_case(name))
    };
    // Cloud may hide addresses, but still finds the user by them.
    let user = found.iter().find(by_address).or_else(|| found.first().filter(|_| found.len() == 1));
    match user.and_then(|user| user[field].as_str()) {
        Some(id) => Ok(json!({ field: id })),
        None => Err(Failure::lasting(format!("{} knows nobody of the address {name}.", line.who()))),
    }
}

async fn transition(
    line: &TrackerClient<'_>,
    key: IssueKey<'_>,
    before: &Issue,
    status: &str,
) -> Result<(), Failure> {
    let found = line.get(&place(key, &["transitions"]), &[]).await?;
    let found = found["transitions"]
        .as_array()
        .ok_or_else(|| Failure::nonsense(line.who(), "it lists no transitions"))?;
    let named = |place: &str| {
        found
            .iter()
            .find(|one| one.pointer(place).and_then(Value::as_str).is_some_and(|name| is_same(name, status)))
    };
    let ends: Vec<&Value> = found.iter().filter(|one| one["to"]["statusCategory"]["key"] == "done").collect();
    let only_end = || match ends.as_slice() {
        [one] if closes(status) == Some(true) => Some(*one),
        _ => None,
    };
    let Some(way) = named("/to/name").or_else(|| named("/name")).or_else(only_end) else {
        let known: Vec<&str> = found.iter().filter_map(|one| one["to"]["name"].as_str()).collect();
        let known = if known.is_empty() { "nowhere".to_owned() } else { known.join(", ") };
        let message = format!(
            "{} is {}, from where its workflow leads to {known}, and not to \"{status}\".",
            before.ticket_id, before.status
        );
        return Err(Failure::lasting(message));
    };
    let body = json!({ "transition": { "id": way["id"] } });
    line.tell(Method::POST, &place(key, &["transitions"]), &[], &body).await
}
