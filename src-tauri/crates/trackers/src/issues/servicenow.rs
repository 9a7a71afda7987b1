//! Existing ServiceNow records, found by their number in the Table API.

use super::{Comment, Issue, IssueChange, IssueKey, IssueState, is_same, says_refused, text};
use crate::client::{TrackerClient, needed};
use crate::failure::Failure;
use crate::time;
use outgoing::Method;
use serde_json::{Map, Value, json};

const FIELDS: &str = "sys_id,number,short_description,description,state,active,priority,assigned_to,opened_by,close_code,\
                      sys_created_on,sys_updated_on";
/// Numbers of incident states; other tables have their own.
const INCIDENT: [(&str, &str); 6] = [
    ("New", "1"),
    ("In Progress", "2"),
    ("On Hold", "3"),
    ("Resolved", "6"),
    ("Closed", "7"),
    ("Canceled", "8"),
];
const OPEN: [&str; 9] = [
    "new",
    "open",
    "pending",
    "in progress",
    "work in progress",
    "on hold",
    "assess",
    "authorize",
    "scheduled",
];
const DONE: [&str; 5] = ["resolved", "closed", "closed complete", "complete", "completed"];

fn table(name: &str) -> [&str; 4] {
    ["api", "now", "table", name]
}

fn record<'p>(key: IssueKey<'p>, id: &'p str) -> [&'p str; 5] {
    ["api", "now", "table", key.project, id]
}

async fn rows(line: &TrackerClient<'_>, name: &str, query: &[(&str, &str)]) -> Result<Vec<Value>, Failure> {
    let mut found = line.get(&table(name), query).await?;
    match found["result"].take() {
        Value::Array(found) => Ok(found),
        _ => Err(Failure::nonsense(line.who(), "it lists no records")),
    }
}

async fn row(line: &TrackerClient<'_>, key: IssueKey<'_>) -> Result<Option<Value>, Failure> {
    let wanted = format!("number={}", key.number);
    // Both values and display values: only the values of times are in UTC.
    let query = [
        ("sysparm_query", wanted.as_str()),
        ("sysparm_fields", FIELDS),
        ("sysparm_display_value", "all"),
        ("sysparm_limit", "1"),
    ];
    Ok(rows(line, key.project, &query).await?.into_iter().next())
}

/// The sys_id of a record, which is needed to change it.
async fn id(line: &TrackerClient<'_>, key: IssueKey<'_>) -> Result<String, Failure> {
    let missing = || Failure {
        is_absent: true,
        ..Failure::lasting(format!("{} has no record {}, or does not show it.", line.who(), key.number))
    };
    let row = row(line, key).await?.ok_or_else(missing)?;
    Ok(needed(line, &row, "/sys_id/value")?.to_owned())
}

/// Parses `2026-11-21 04:05:06`, UTC.
fn utc(value: &Value) -> Option<i64> {
    value.as_str().and_then(|text| time::read(&format!("{}Z", text.replacen(' ', "T", 1))))
}

pub(super) async fn read(line: &TrackerClient<'_>, key: IssueKey<'_>) -> Result<Option<Issue>, Failure> {
    let Some(found) = row(line, key).await? else { return Ok(None) };
    let said = |field: &str| text(&found[field]["display_value"]);
    let status = needed(line, &found, "/state/display_value")?.to_owned();
    let plain = status.to_lowercase();
    let state = if says_refused(&plain) {
        IssueState::Refused
    } else if DONE.contains(&plain.as_str()) {
        IssueState::Done
    } else if OPEN.contains(&plain.as_str()) {
        IssueState::Open
    } else {
        IssueState::Unknown
    };
    let place = format!("{}.do?sys_id={}", key.project, needed(line, &found, "/sys_id/value")?);
    Ok(Some(Issue {
        ticket_id: needed(line, &found, "/number/value")?.to_owned(),
        title: said("short_description").unwrap_or_default(),
        description: said("description").unwrap_or_default(),
        status,
        state,
        resolution: said("close_code"),
        severity: said("priority"),
        assignees: said("assigned_to").into_iter().collect(),
        reporter: said("opened_by"),
        labels: Vec::new(),
        milestone: None,
        project: key.project.to_owned(),
        url: line.place(&["nav_to.do"], &[("uri", &place)]).into(),
        created_at: utc(&found["sys_created_on"]["value"]),
        updated_at: utc(&found["sys_updated_on"]["value"]),
    }))
}

pub(super) async fn comments(line: &TrackerClient<'_>, key: IssueKey<'_>) -> Result<Vec<Comment>, Failure> {
    let wanted = format!("element_id={}^element=comments^ORDERBYsys_created_on", id(line, key).await?);
    let query = [
        ("sysparm_query", wanted.as_str()),
        ("sysparm_fields", "sys_id,value,sys_created_by,sys_created_on"),
        ("sysparm_limit", "1000"),
    ];
    let comment = |one: &Value| Comment {
        id: text(&one["sys_id"]).unwrap_or_default(),
        author: text(&one["sys_created_by"]).unwrap_or_default(),
        text: text(&one["value"]).unwrap_or_default(),
        created_at: utc(&one["sys_created_on"]),
    };
    Ok(rows(line, "sys_journal_field", &query).await?.iter().map(comment).collect())
}

/// Whether one of the record's comments contains that marker.
pub(super) async fn was_said(
    line: &TrackerClient<'_>,
    key: IssueKey<'_>,
    marker: &str,
) -> Result<bool, Failure> {
    let id = id(line, key).await?;
    let query = [("sysparm_fields", "comments"), ("sysparm_display_value", "true")];
    let found = line.get(&record(key, &id), &query).await?;
    Ok(found["result"]["comments"].as_str().is_some_and(|said| said.contains(marker)))
}

pub(super) async fn comment(line: &TrackerClient<'_>, key: IssueKey<'_>, text: &str) -> Result<(), Failure> {
    let id = id(line, key).await?;
    line.tell(Method::PATCH, &record(key, &id), &[], &json!({ "comments": text })).await
}

pub(super) async fn change(
    line: &TrackerClient<'_>,
    key: IssueKey<'_>,
    before: &Issue,
    wanted: &IssueChange,
) -> Result<(), Failure> {
    let id = id(line, key).await?;
    let mut fields = Map::new();
    if let Some(severity) = &wanted.severity {
        // ServiceNow derives the priority from urgency and impact.
        let urgency = match severity.trim().to_lowercase().as_str() {
            "1" | "critical" | "high" => "1",
            "2" | "medium" | "moderate" => "2",
            "3" | "low" => "3",
            _ => {
                let message = format!("severity is \"{severity}\": ServiceNow knows high, medium and low.");
                return Err(Failure::lasting(message));
            }
        };
        fields.insert("urgency".to_owned(), urgency.into());
    }
    if let Some(description) = &wanted.description {
        fields.insert("description".to_owned(), description.as_str().into());
    }
    if let Some(name) = wanted.assignees.first() {
        fields.insert("assigned_to".to_owned(), person(line, name).await?.into());
    }
    if !fields.is_empty() {
        line.tell(Method::PATCH, &record(key, &id), &[], &Value::Object(fields)).await?;
    }
    let Some(status) = wanted.status.as_deref().filter(|status| !is_same(status, &before.status)) else {
        return Ok(());
    };
    let known = INCIDENT.iter().find(|(name, _)| key.project == "incident" && is_same(name, status));
    let number = known.map(|(_, number)| *number).or_else(|| status.parse::<i64>().ok().map(|_| status));
    let by_word = [("sysparm_input_display_value", "true")];
    let query: &[(&str, &str)] = if number.is_some() { &[] } else { &by_word };
    let body = json!({ "state": number.unwrap_or(status) });
    line.tell(Method::PATCH, &record(key, &id), query, &body).await?;
    // ServiceNow silently ignores a state that its table does not know.
    match read(line, key).await? {
        Some(after) if number.is_none() && !is_same(&after.status, status) => Err(Failure::lasting(format!(
            "{} is {} and did not become \"{status}\": the table {} knows no such state, or its rules forbid it.",
            after.ticket_id, after.status, key.project
        ))),
        _ => Ok(()),
    }
}

/// The sys_id of a user, given as such, or by address or name.
async fn person(line: &TrackerClient<'_>, name: &str) -> Result<String, Failure> {
    if name.len() == 32 && name.chars().all(|letter| letter.is_ascii_hexdigit()) {
        return Ok(name.to_owned());
    }
    let nobody = || Failure::lasting(format!("{} knows nobody called {name}.", line.who()));
    // `^` separates conditions of a query.
    if name.contains('^') {
        return Err(nobody());
    }
    let wanted = format!("email={name}^ORuser_name={name}");
    let query = [("sysparm_query", wanted.as_str()), ("sysparm_fields", "sys_id"), ("sysparm_limit", "2")];
    match rows(line, "sys_user", &query).await?.as_slice() {
        [one] => Ok(needed(line, one, "/sys_id")?.to_owned()),
        [] => Err(nobody()),
        _ => Err(Failure::lasting(format!("{} knows several called {name}: give the sys_id.", line.who()))),
    }
}
