//! Ticket trackers on loopback: a real HTTP server with the protocols of Jira, GitHub, GitLab, ServiceNow and PagerDuty, which stores tickets and
//! has faults on demand.

mod existing;

pub use crate::http::ReceivedRequest;
pub use existing::TicketState;

use crate::http;
use crate::loopback::Loopback;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::io::Read;
use std::net::TcpStream;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The user name, where one is required, and the key for all of them.
pub const NAME: &str = "desk@example.com";
pub const KEY: &str = "test-tracker-key-0123456789";
/// `NAME:KEY`
const BASIC: &str = "Basic ZGVza0BleGFtcGxlLmNvbTp0ZXN0LXRyYWNrZXIta2V5LTAxMjM0NTY3ODk=";

/// A fault when a ticket is opened.
#[derive(Debug, Clone)]
pub enum Fault {
    /// A status with this body and, if set, `Retry-After` in seconds; no ticket is opened.
    Status(u16, String, Option<u32>),
    /// The ticket is opened, and the connection closes before the response.
    CutOff,
    /// The ticket is opened, and no response is sent until the client disconnects.
    Stalls,
    /// The ticket is opened, and the response is delayed by this time.
    Slow(Duration),
    /// An invalid response with a success status; no ticket is opened.
    Nonsense,
}

/// A ticket opened here.
#[derive(Debug, Clone)]
pub struct Issue {
    pub number: usize,
    pub project: String,
    pub title: String,
    /// The whole request body.
    pub body: Value,
    /// Its current state.
    pub standing: TicketState,
}

impl Issue {
    fn has(&self, marker: &str) -> bool {
        self.body.to_string().contains(marker)
    }
}

#[derive(Default)]
struct Shared {
    faults: Mutex<VecDeque<Fault>>,
    issues: Mutex<Vec<Issue>>,
    seen: Mutex<Vec<ReceivedRequest>>,
}

/// Trackers that run until this value is dropped. A project whose name contains NOPE does not exist.
pub struct Trackers {
    /// `http://127.0.0.1:PORT` of all of them.
    pub address: String,
    shared: Arc<Shared>,
    _door: Loopback,
}

impl Trackers {
    pub fn start() -> Self {
        let shared = Arc::<Shared>::default();
        let theirs = Arc::clone(&shared);
        let door = Loopback::on(Loopback::listener(), move |stream| serve(&theirs, stream));
        Self { address: door.address.clone(), shared, _door: door }
    }

    /// Sets the status of a ticket, with a name of the tracker.
    pub fn set(&self, number: usize, status: &str, resolution: Option<&str>) {
        self.edit(number, |standing| {
            standing.status = Some(status.to_owned());
            standing.resolution = resolution.map(str::to_owned);
        });
    }

    /// Deletes a ticket.
    pub fn remove(&self, number: usize) {
        self.edit(number, |standing| standing.is_gone = true);
    }

    fn edit(&self, number: usize, change: impl FnOnce(&mut TicketState)) {
        let mut issues = self.shared.issues.lock().unwrap();
        change(&mut issues.iter_mut().find(|issue| issue.number == number).unwrap().standing);
    }

    /// Sets the faults of the next requests that change something, one each.
    pub fn fail(&self, faults: impl IntoIterator<Item = Fault>) {
        self.shared.faults.lock().unwrap().extend(faults);
    }

    /// All tickets that were opened.
    pub fn issues(&self) -> Vec<Issue> {
        self.shared.issues.lock().unwrap().clone()
    }

    /// All requests so far.
    pub fn seen(&self) -> Vec<ReceivedRequest> {
        self.shared.seen.lock().unwrap().clone()
    }
}

fn serve(shared: &Shared, mut stream: TcpStream) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let mut reader = std::io::BufReader::new(stream.try_clone()?);
    while let Some(asked) = http::read(&mut reader)? {
        shared.seen.lock().unwrap().push(asked.clone());
        let fault = if asked.method == "GET" { None } else { shared.faults.lock().unwrap().pop_front() };
        if let Some(Fault::Status(status, body, wait)) = &fault {
            http::plain(&mut stream, *status, body, *wait)?;
            continue;
        }
        if let Some(Fault::Nonsense) = fault {
            http::plain(&mut stream, 200, "<html>It works!</html>", None)?;
            continue;
        }
        let (status, body) = answer(shared, &asked);
        match fault {
            Some(Fault::CutOff) => return Ok(()),
            Some(Fault::Stalls) => {
                // Wait until the client closes the connection.
                let _ = reader.read(&mut [0])?;
                return Ok(());
            }
            Some(Fault::Slow(time)) => std::thread::sleep(time),
            _ => {}
        }
        let body = if body.is_null() { String::new() } else { body.to_string() };
        http::plain(&mut stream, status, &body, None)?;
    }
    Ok(())
}

/// Answers a request. Without the key, answers with the tracker's error.
fn answer(shared: &Shared, asked: &ReceivedRequest) -> (u16, Value) {
    let says = asked.headers.get("authorization").map_or("", String::as_str);
    let (path, query) = asked.path.split_once('?').unwrap_or((&asked.path, ""));
    let parts: Vec<String> = path.split('/').skip(1).map(plain).collect();
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let bearer = says == format!("Bearer {KEY}");
    let asks = Asks {
        shared,
        method: &asked.method,
        is_post: asked.method == "POST",
        query: plain(query),
        body: &asked.body,
    };
    match parts.as_slice() {
        ["rest", "api", "2", rest @ ..] if bearer || says == BASIC => asks.jira(rest),
        ["rest", ..] => (401, json!({ "errorMessages": ["You are not authenticated."], "errors": {} })),
        ["api", "v3", rest @ ..] if bearer => asks.github(rest),
        ["api", "v3", ..] => (401, json!({ "message": "Bad credentials" })),
        ["api", "v4", rest @ ..] if bearer => asks.gitlab(rest),
        ["api", "v4", ..] => (401, json!({ "message": "401 Unauthorized" })),
        ["api", "now", "table", table, rest @ ..] if bearer || says == BASIC => asks.servicenow(table, rest),
        ["api", "now", ..] => {
            (401, json!({ "error": { "message": "User Not Authenticated", "detail": null } }))
        }
        [place @ ("incidents" | "services"), rest @ ..] if says == format!("Token token={KEY}") => {
            asks.pagerduty(place, rest, asked)
        }
        ["incidents" | "services", ..] => (401, json!({ "error": "Unauthorized" })),
        _ => (404, json!({ "message": "Not Found" })),
    }
}

struct Asks<'a> {
    shared: &'a Shared,
    method: &'a str,
    is_post: bool,
    query: String,
    body: &'a Value,
}

impl Asks<'_> {
    /// Stores a ticket, if its project exists.
    fn open(&self, project: &str, title: &Value) -> Option<Issue> {
        if project.contains("NOPE") {
            return None;
        }
        let mut issues = self.shared.issues.lock().unwrap();
        let (number, title) = (issues.len() + 1, title.as_str().unwrap_or_default().to_owned());
        let standing = TicketState::default();
        let issue = Issue { number, project: project.to_owned(), title, body: self.body.clone(), standing };
        issues.push(issue.clone());
        Some(issue)
    }

    /// Tickets whose marker is in the query.
    fn searched(&self) -> Vec<Issue> {
        let marker =
            self.query.split(['"', '&', '=']).find(|word| word.starts_with("quarterdeck-")).unwrap_or("-");
        self.shared.issues.lock().unwrap().iter().filter(|issue| issue.has(marker)).cloned().collect()
    }

    fn jira(&self, rest: &[&str]) -> (u16, Value) {
        if let Some(answer) = self.existing_jira(rest) {
            return answer;
        }
        let issue = |issue: &Issue| {
            json!({ "id": issue.number.to_string(), "key": format!("{}-{}", issue.project, issue.number), "fields":
                { "status": { "name": "To Do" }, "updated": "2026-11-21T04:05:06.000+0000" } })
        };
        match rest {
            ["myself"] => (200, json!({ "name": "desk", "displayName": "Service desk" })),
            ["serverInfo"] => (200, json!({ "deploymentType": "Cloud" })),
            ["search", "jql"] => {
                (200, json!({ "issues": self.searched().iter().map(issue).collect::<Vec<_>>() }))
            }
            ["issue"] if self.is_post => {
                let fields = &self.body["fields"];
                match self.open(fields["project"]["key"].as_str().unwrap_or_default(), &fields["summary"]) {
                    Some(made) => {
                        let made = issue(&made);
                        (201, json!({ "id": made["id"], "key": made["key"], "self": "…" }))
                    }
                    None => (
                        400,
                        json!({ "errorMessages": [], "errors": { "project": "valid project is required" } }),
                    ),
                }
            }
            // The old search API, with the response of today's Jira Cloud.
            ["search"] => (410, json!({ "errorMessages": ["The requested API has been removed."] })),
            _ => (404, json!({ "errorMessages": ["null for uri"] })),
        }
    }

    fn github(&self, rest: &[&str]) -> (u16, Value) {
        if let Some(answer) = self.existing_github(rest) {
            return answer;
        }
        let issue = |issue: &Issue| {
            json!({ "number": issue.number, "state": "open", "body": issue.body["body"], "updated_at": "2026-11-21T04:05:06Z",
                "html_url": format!("https://git.example.com/{}/issues/{}", issue.project, issue.number) })
        };
        match rest {
            ["user"] => (200, json!({ "login": "desk-bot" })),
            ["repos", owner, name, "issues"] if self.is_post => {
                match self.open(&format!("{owner}/{name}"), &self.body["title"]) {
                    Some(made) => (201, issue(&made)),
                    None => (404, json!({ "message": "Not Found" })),
                }
            }
            ["repos", _, _, "issues"] => {
                (200, self.shared.issues.lock().unwrap().iter().map(issue).collect::<Vec<_>>().into())
            }
            _ => (404, json!({ "message": "Not Found" })),
        }
    }

    fn gitlab(&self, rest: &[&str]) -> (u16, Value) {
        if let Some(answer) = self.existing_gitlab(rest) {
            return answer;
        }
        let issue = |issue: &Issue| {
            json!({ "iid": issue.number, "state": "opened", "description": issue.body["description"],
                "updated_at": "2026-11-21T04:05:06.000Z",
                "web_url": format!("https://gitlab.example.com/{}/-/issues/{}", issue.project, issue.number) })
        };
        match rest {
            ["user"] => (200, json!({ "username": "desk-bot" })),
            ["projects", project, "issues"] if self.is_post => {
                match self.open(project, &self.body["title"]) {
                    Some(made) => (201, issue(&made)),
                    None => (404, json!({ "message": "404 Project Not Found" })),
                }
            }
            ["projects", _, "issues"] => (200, self.searched().iter().map(issue).collect::<Vec<_>>().into()),
            _ => (404, json!({ "error": "404 Not Found" })),
        }
    }

    fn servicenow(&self, table: &str, rest: &[&str]) -> (u16, Value) {
        if let Some(answer) = self.existing_servicenow(table, rest) {
            return answer;
        }
        let record = |issue: &Issue| json!({ "sys_id": format!("{:032x}", issue.number), "number": format!("INC{:07}", issue.number), "state": "New" });
        if self.is_post {
            return match self.open(table, &self.body["short_description"]) {
                Some(made) => (201, json!({ "result": record(&made) })),
                None => {
                    (400, json!({ "error": { "message": format!("Invalid table {table}"), "detail": null } }))
                }
            };
        }
        (200, json!({ "result": self.searched().iter().map(record).collect::<Vec<_>>() }))
    }

    fn pagerduty(&self, place: &str, rest: &[&str], asked: &ReceivedRequest) -> (u16, Value) {
        if let Some(answer) = self.existing_pagerduty(rest) {
            return answer;
        }
        let incident = |issue: &Issue| {
            json!({ "id": format!("Q{:06}", issue.number), "status": "triggered",
                "incident_key": issue.body["incident"]["incident_key"], "last_status_change_at": "2026-11-21T04:05:06Z",
                "html_url": format!("https://acme.pagerduty.com/incidents/Q{:06}", issue.number) })
        };
        let wrong = |words: &str| {
            (
                400,
                json!({ "error": { "message": "Invalid Input Provided", "code": 2001, "errors": [words] } }),
            )
        };
        if place == "services" {
            return (200, json!({ "services": [] }));
        }
        if !self.is_post {
            return (200, json!({ "incidents": self.searched().iter().map(incident).collect::<Vec<_>>() }));
        }
        if asked.headers.get("from").is_none_or(|from| from != NAME) {
            return wrong("Requester User Not Found");
        }
        let new = &self.body["incident"];
        match self.open(new["service"]["id"].as_str().unwrap_or_default(), &new["title"]) {
            Some(made) => (201, json!({ "incident": incident(&made) })),
            None => wrong("Service not found"),
        }
    }
}

/// Decodes percent-encoding.
pub(crate) fn plain(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        let mut digit = || rest.next().and_then(|byte| (byte as char).to_digit(16));
        match byte {
            b'%' => {
                bytes.extend(digit().zip(digit()).and_then(|(high, low)| u8::try_from(high * 16 + low).ok()));
            }
            b'+' => bytes.push(b' '),
            byte => bytes.push(byte),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
