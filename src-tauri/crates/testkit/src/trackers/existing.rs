//! Reads and changes existing tickets in the format of each tracker.

use super::{Asks, Issue};
use serde_json::{Value, json};

const TIME: &str = "2026-11-21T04:05:06Z";

/// The state of a ticket after it was opened.
#[derive(Debug, Clone, Default)]
pub struct TicketState {
    /// A status name of the tracker; its initial status if unset.
    pub status: Option<String>,
    pub resolution: Option<String>,
    pub assignees: Vec<String>,
    pub labels: Option<Vec<String>>,
    pub severity: Option<String>,
    pub description: Option<String>,
    pub comments: Vec<String>,
    /// PagerDuty only: the target of the escalation.
    pub escalation: Option<Value>,
    pub is_gone: bool,
}

impl TicketState {
    fn status<'s>(&'s self, first: &'s str) -> &'s str {
        self.status.as_deref().unwrap_or(first)
    }
}

type Answer = Option<(u16, Value)>;

fn texts(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

fn category(status: &str) -> &'static str {
    match status {
        "To Do" => "new",
        "In Progress" => "indeterminate",
        "Done" | "Rejected" => "done",
        _ => "undefined",
    }
}

/// Incident states in ServiceNow.
const STATES: [(&str, &str); 6] = [
    ("1", "New"),
    ("2", "In Progress"),
    ("3", "On Hold"),
    ("6", "Resolved"),
    ("7", "Closed"),
    ("8", "Canceled"),
];

impl Asks<'_> {
    /// Runs `work` on an existing ticket.
    fn with<T>(&self, number: Option<usize>, work: impl FnOnce(&mut Issue) -> T) -> Option<T> {
        let mut issues = self.shared.issues.lock().unwrap();
        issues.iter_mut().find(|issue| Some(issue.number) == number && !issue.standing.is_gone).map(work)
    }

    fn text(&self, place: &str) -> Option<String> {
        self.body.pointer(place).and_then(Value::as_str).map(str::to_owned)
    }

    pub(super) fn existing_jira(&self, rest: &[&str]) -> Answer {
        let nothing = || (404, json!({ "errorMessages": ["Issue Does Not Exist"], "errors": {} }));
        let (key, rest) = match rest {
            ["project", project] if *project != "NOPE" => return Some((200, json!({ "key": project }))),
            ["user", "search"] => {
                let is_ada = self.query.contains("ada@example.com");
                let found =
                    if is_ada { json!([{ "accountId": "ada-1", "displayName": "Ada" }]) } else { json!([]) };
                return Some((200, found));
            }
            ["issue", key, rest @ ..] => (*key, rest),
            _ => return None,
        };
        let number = key.rsplit('-').next().and_then(|number| number.parse().ok());
        let answer = self.with(number, |issue| match (self.method, rest) {
            ("GET", []) => (200, jira_issue(issue)),
            ("PUT", []) => {
                let standing = &mut issue.standing;
                if let Some(labels) = self.body.pointer("/fields/labels") {
                    standing.labels = Some(texts(labels));
                }
                standing.severity = self.text("/fields/priority/name").or(standing.severity.take());
                standing.description = self.text("/fields/description").or(standing.description.take());
                (204, Value::Null)
            }
            ("PUT", ["assignee"]) => {
                issue.standing.assignees = self.text("/accountId").into_iter().collect();
                (204, Value::Null)
            }
            ("GET", ["transitions"]) => {
                let now = issue.standing.status("To Do").to_owned();
                let ways = [("11", "Start", "In Progress"), ("31", "Finish", "Done"), ("41", "Refuse", "Rejected")];
                let to = |(id, name, to): &(&str, &str, &str)| {
                    json!({ "id": id, "name": name, "to": { "name": to, "statusCategory": { "key": category(to) } } })
                };
                (200, json!({ "transitions": ways.iter().filter(|(.., to)| *to != now).map(to).collect::<Vec<_>>() }))
            }
            ("POST", ["transitions"]) => {
                let to = match self.body["transition"]["id"].as_str() {
                    Some("11") => "In Progress",
                    Some("31") => "Done",
                    Some("41") => "Rejected",
                    _ => return (400, json!({ "errorMessages": ["It is not a valid transition."], "errors": {} })),
                };
                issue.standing.status = Some(to.to_owned());
                (204, Value::Null)
            }
            ("GET", ["comment"]) => {
                let comment = |(place, text): (usize, &String)| {
                    json!({ "id": place.to_string(), "author": { "displayName": "Service desk" }, "body": text, "created": TIME })
                };
                (200, json!({ "comments": issue.standing.comments.iter().enumerate().map(comment).collect::<Vec<_>>() }))
            }
            ("POST", ["comment"]) => {
                issue.standing.comments.extend(self.text("/body"));
                (201, json!({ "id": "1" }))
            }
            _ => (404, json!({ "errorMessages": ["null for uri"] })),
        });
        Some(answer.unwrap_or_else(nothing))
    }

    pub(super) fn existing_github(&self, rest: &[&str]) -> Answer {
        let (number, rest) = match rest {
            ["repos", _, name] if *name != "NOPE" => return Some((200, json!({ "name": name }))),
            ["repos", _, _, "issues", number, rest @ ..] => (number.parse().ok(), rest),
            _ => return None,
        };
        let answer = self.with(number, |issue| match (self.method, rest) {
            ("GET", []) => (200, github_issue(issue)),
            ("PATCH", []) => {
                let standing = &mut issue.standing;
                if let Some(state) = self.text("/state") {
                    standing.resolution = self.text("/state_reason");
                    standing.status = Some(state);
                }
                standing.description = self.text("/body").or(standing.description.take());
                if let Some(labels) = self.body.get("labels") {
                    standing.labels = Some(texts(labels));
                }
                if let Some(people) = self.body.get("assignees") {
                    // Users who cannot be assigned are silently skipped.
                    standing.assignees = texts(people).into_iter().filter(|login| login != "stranger").collect();
                }
                (200, github_issue(issue))
            }
            ("GET", ["comments"]) => {
                let comment = |(place, text): (usize, &String)| json!({ "id": place, "user": { "login": "desk-bot" }, "body": text, "created_at": TIME });
                (200, issue.standing.comments.iter().enumerate().map(comment).collect::<Vec<_>>().into())
            }
            ("POST", ["comments"]) => {
                issue.standing.comments.extend(self.text("/body"));
                (201, json!({ "id": 1 }))
            }
            _ => (404, json!({ "message": "Not Found" })),
        });
        Some(answer.unwrap_or_else(|| (410, json!({ "message": "This issue was deleted" }))))
    }

    pub(super) fn existing_gitlab(&self, rest: &[&str]) -> Answer {
        let (number, rest) = match rest {
            ["projects", name] if !name.contains("NOPE") => {
                return Some((200, json!({ "path_with_namespace": name })));
            }
            ["users"] => {
                let found = if self.query.contains("ada") {
                    json!([{ "id": 7, "username": "ada" }])
                } else {
                    json!([])
                };
                return Some((200, found));
            }
            ["projects", _, "issues", number, rest @ ..] => (number.parse().ok(), rest),
            _ => return None,
        };
        let answer = self.with(number, |issue| match (self.method, rest) {
            ("GET", []) => (200, gitlab_issue(issue)),
            ("PUT", []) => {
                let standing = &mut issue.standing;
                match self.body["state_event"].as_str() {
                    Some("close") => standing.status = Some("closed".to_owned()),
                    Some("reopen") => standing.status = Some("opened".to_owned()),
                    _ => {}
                }
                standing.description = self.text("/description").or(standing.description.take());
                if let Some(labels) = self.text("/labels") {
                    standing.labels = Some(labels.split(',').map(str::to_owned).collect());
                }
                if self.body["assignee_ids"] == json!([7]) {
                    standing.assignees = vec!["ada".to_owned()];
                }
                (200, gitlab_issue(issue))
            }
            ("GET", ["notes"]) => {
                let note = |(place, text): (usize, &String)| {
                    json!({ "id": place, "author": { "username": "desk-bot" }, "body": text, "created_at": TIME, "system": false })
                };
                let mut notes: Vec<Value> = issue.standing.comments.iter().enumerate().map(note).collect();
                notes.push(json!({ "id": 99, "author": { "username": "desk-bot" }, "body": "changed the description", "system": true }));
                (200, notes.into())
            }
            ("POST", ["notes"]) => {
                issue.standing.comments.extend(self.text("/body"));
                (201, json!({ "id": 1 }))
            }
            _ => (404, json!({ "error": "404 Not Found" })),
        });
        Some(answer.unwrap_or_else(|| (404, json!({ "message": "404 Not found" }))))
    }

    pub(super) fn existing_servicenow(&self, table: &str, rest: &[&str]) -> Answer {
        let list = |found: Vec<Value>| Some((200, json!({ "result": found })));
        match (self.method, table, rest) {
            ("GET", "sys_user", []) => {
                let is_ada = self.query.contains("ada@example.com");
                list(if is_ada { vec![json!({ "sys_id": "ada-1" })] } else { Vec::new() })
            }
            ("GET", "sys_journal_field", []) => {
                let id = self
                    .query
                    .split("element_id=")
                    .nth(1)
                    .and_then(|rest| rest.get(..32))
                    .unwrap_or_default();
                let number = usize::from_str_radix(id, 16).ok();
                let said = self.with(number, |issue| issue.standing.comments.clone()).unwrap_or_default();
                let entry = |(place, text): (usize, &String)| json!({ "sys_id": place.to_string(), "value": text, "sys_created_by": "desk", "sys_created_on": "2026-11-21 04:05:06" });
                list(said.iter().enumerate().map(entry).collect())
            }
            ("GET", _, []) if self.query.contains("number=") => {
                let number =
                    self.query.split("number=INC").nth(1).and_then(|rest| rest.get(..7)?.parse().ok());
                list(self.with(number, |issue| servicenow_record(issue)).into_iter().collect())
            }
            (_, _, [id]) => {
                let number = usize::from_str_radix(id, 16).ok();
                let answer = self.with(number, |issue| {
                    if self.method == "PATCH" {
                        self.servicenow_change(issue);
                    }
                    let said = issue.standing.comments.join("\n\n");
                    (200, json!({ "result": { "comments": said } }))
                });
                let nothing = || (404, json!({ "error": { "message": "No Record found", "detail": "" } }));
                Some(answer.unwrap_or_else(nothing))
            }
            _ => None,
        }
    }

    fn servicenow_change(&self, issue: &mut Issue) {
        let standing = &mut issue.standing;
        standing.comments.extend(self.text("/comments"));
        standing.description = self.text("/description").or(standing.description.take());
        standing.assignees.extend(self.text("/assigned_to"));
        standing.severity =
            self.text("/urgency").map(|urgency| format!("{urgency} - so")).or(standing.severity.take());
        let by_word = self.query.contains("sysparm_input_display_value=true");
        if let Some(state) = self.text("/state") {
            let known = STATES.iter().find(|(number, word)| state == if by_word { *word } else { *number });
            standing.status = known.map(|(_, word)| (*word).to_owned()).or(standing.status.take());
        }
    }

    pub(super) fn existing_pagerduty(&self, rest: &[&str]) -> Answer {
        let [id, rest @ ..] = rest else { return None };
        let number = id.trim_start_matches(['Q', '0']).parse().ok();
        let answer = self.with(number, |issue| match (self.method, rest) {
            ("GET", []) => (200, json!({ "incident": pagerduty_incident(issue) })),
            ("PUT", []) => {
                let standing = &mut issue.standing;
                let status = self.text("/incident/status");
                if status.is_some() && status.as_deref() == Some(standing.status("triggered")) {
                    let said = json!({ "error": { "message": "Incident Already Resolved", "code": 1002 } });
                    return (400, said);
                }
                standing.status = status.or(standing.status.take());
                standing.severity = self.text("/incident/urgency").or(standing.severity.take());
                standing.assignees.extend(self.text("/incident/assignments/0/assignee/id"));
                let policy = self.body.pointer("/incident/escalation_policy/id").cloned();
                let escalation = policy.or_else(|| self.body.pointer("/incident/escalation_level").cloned());
                standing.escalation = escalation.or(standing.escalation.take());
                (200, json!({ "incident": pagerduty_incident(issue) }))
            }
            ("GET", ["notes"]) => {
                let note = |(place, text): (usize, &String)| {
                    json!({ "id": place.to_string(), "user": { "summary": "Desk" }, "content": text, "created_at": TIME })
                };
                (200, json!({ "notes": issue.standing.comments.iter().enumerate().map(note).collect::<Vec<_>>() }))
            }
            ("POST", ["notes"]) => {
                issue.standing.comments.extend(self.text("/note/content"));
                (200, json!({ "note": { "id": "1" } }))
            }
            _ => (404, json!({ "error": { "message": "Not Found" } })),
        });
        Some(answer.unwrap_or_else(|| (404, json!({ "error": { "message": "Not Found", "code": 2100 } }))))
    }
}

fn jira_issue(issue: &Issue) -> Value {
    let standing = &issue.standing;
    let status = standing.status("To Do");
    let labels = standing.labels.clone().unwrap_or_else(|| texts(&issue.body["fields"]["labels"]));
    json!({
        "id": issue.number.to_string(), "key": format!("{}-{}", issue.project, issue.number),
        "fields": {
            "summary": issue.title,
            "description": standing.description.clone().map_or(issue.body["fields"]["description"].clone(), Value::String),
            "status": { "name": status, "statusCategory": { "key": category(status) } },
            "resolution": standing.resolution.as_ref().map(|name| json!({ "name": name })),
            "priority": standing.severity.as_ref().map(|name| json!({ "name": name })),
            "assignee": standing.assignees.first().map(|name| json!({ "displayName": name })),
            "reporter": { "displayName": "Service desk" },
            "labels": labels, "project": { "key": issue.project },
            "created": "2026-11-21T04:05:06.000+0000", "updated": "2026-11-21T04:05:06.000+0000",
        },
    })
}

fn github_issue(issue: &Issue) -> Value {
    let standing = &issue.standing;
    let logins: Vec<Value> = standing.assignees.iter().map(|login| json!({ "login": login })).collect();
    let labels: Vec<Value> = standing.labels.iter().flatten().map(|name| json!({ "name": name })).collect();
    json!({
        "number": issue.number, "title": issue.title, "state": standing.status("open"), "state_reason": standing.resolution,
        "body": standing.description.clone().map_or(issue.body["body"].clone(), Value::String),
        "assignees": logins, "labels": labels, "user": { "login": "desk-bot" }, "milestone": null,
        "created_at": TIME, "updated_at": TIME,
        "html_url": format!("https://git.example.com/{}/issues/{}", issue.project, issue.number),
    })
}

fn gitlab_issue(issue: &Issue) -> Value {
    let standing = &issue.standing;
    let people: Vec<Value> = standing.assignees.iter().map(|name| json!({ "username": name })).collect();
    json!({
        "iid": issue.number, "title": issue.title, "state": standing.status("opened"),
        "description": standing.description.clone().map_or(issue.body["description"].clone(), Value::String),
        "assignees": people, "labels": standing.labels.clone().unwrap_or_default(), "author": { "username": "desk-bot" },
        "milestone": { "title": "Autumn" }, "created_at": TIME, "updated_at": TIME,
        "web_url": format!("https://gitlab.example.com/{}/-/issues/{}", issue.project, issue.number),
    })
}

fn servicenow_record(issue: &Issue) -> Value {
    let standing = &issue.standing;
    let both = |value: &str, words: &str| json!({ "value": value, "display_value": words });
    let said = |words: Option<&str>| both(words.unwrap_or_default(), words.unwrap_or_default());
    let state = standing.status("New");
    let number = STATES.iter().find(|(_, word)| *word == state).map_or("99", |(number, _)| *number);
    let description = standing.description.as_deref().or(issue.body["description"].as_str());
    json!({
        "sys_id": said(Some(&format!("{:032x}", issue.number))), "number": said(Some(&format!("INC{:07}", issue.number))),
        "short_description": said(Some(&issue.title)), "description": said(description), "state": both(number, state),
        "active": both("true", "true"), "priority": said(standing.severity.as_deref()),
        "assigned_to": said(standing.assignees.last().map(String::as_str)), "opened_by": both("1", "Desk"),
        "close_code": said(standing.resolution.as_deref()),
        "sys_created_on": both("2026-11-21 04:05:06", "2026-11-20 20:05:06"),
        "sys_updated_on": both("2026-11-21 04:05:06", "2026-11-20 20:05:06"),
    })
}

fn pagerduty_incident(issue: &Issue) -> Value {
    let standing = &issue.standing;
    let to = |id: &String| json!({ "assignee": { "id": id, "summary": id } });
    json!({
        "id": format!("Q{:06}", issue.number), "title": issue.title, "status": standing.status("triggered"),
        "urgency": standing.severity.as_deref().unwrap_or("high"), "service": { "id": issue.project },
        "description": issue.title, "assignments": standing.assignees.iter().map(to).collect::<Vec<_>>(),
        "created_at": TIME, "last_status_change_at": TIME,
        "html_url": format!("https://acme.pagerduty.com/incidents/Q{:06}", issue.number),
    })
}
