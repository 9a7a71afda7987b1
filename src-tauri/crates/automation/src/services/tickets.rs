//! Tasks about existing tickets.
//!
//! Nothing is sent to a tracker here.

use crate::call::{Call, TaskFailure};
use crate::template::to_text;
use serde_json::Value;

/// Creates a ticket in the transaction of the journal, not by a [`TicketTask`].
const OPENING: &str = "tickets.create";

/// A task on a ticket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TicketTask {
    /// Number in the tracker, or the id returned by `tickets.create`.
    pub ticket: String,
    /// The tracker integration, by id or name.
    pub integration: Option<String>,
    pub project: Option<String>,
    pub action: TicketAction,
    /// µs.
    pub timeout: i64,
}

/// The action of a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TicketAction {
    /// `until_closed` fails while it is open, so that a retry policy checks again.
    Read {
        until_closed: bool,
    },
    ReadComments,
    Comment(TicketRemark),
    Change(TicketEdit),
    /// Incidents only; with an optional note.
    Resolve(Option<TicketRemark>),
    /// Incidents only.
    Acknowledge,
    /// Incidents only.
    Escalate {
        policy: Option<String>,
        level: Option<u32>,
    },
}

/// A comment that is posted once, even with several attempts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TicketRemark {
    pub text: String,
    /// Posted with the text; identifies the comment.
    pub marker: String,
    /// Common prefix of the markers of all attempts.
    pub found_by: String,
}

/// Changes to a ticket; `None` and empty fields stay unchanged.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TicketEdit {
    pub status: Option<String>,
    pub severity: Option<String>,
    pub assignees: Vec<String>,
    pub description: Option<String>,
    pub labels: Option<Vec<String>>,
}

fn wrong(message: impl Into<String>) -> TaskFailure {
    TaskFailure::new("InvalidParameters", message)
}

/// Whether a task is about an existing ticket.
pub fn is_one(kind: &str) -> bool {
    kind.starts_with("tickets.") && kind != OPENING
}

impl TicketTask {
    /// Reads a call with rendered parameters.
    pub fn read(execution: &str, call: &Call) -> Result<Self, TaskFailure> {
        let given = |name: &str| given(&call.params, name);
        let ticket = given("ticket_id").ok_or_else(|| {
            wrong("ticket_id: expected the number of a ticket, or the id that tickets.create gave")
        })?;
        Ok(Self {
            ticket,
            integration: given("integration_id"),
            project: given("project_key"),
            action: action(execution, call)?,
            timeout: call.timeout,
        })
    }

    /// Describes the task.
    pub fn told(&self) -> String {
        let ticket = &self.ticket;
        match &self.action {
            TicketAction::Read { .. } => format!("Read the ticket {ticket}"),
            TicketAction::ReadComments => format!("Read the comments of the ticket {ticket}"),
            TicketAction::Comment(remark) => format!("Say on the ticket {ticket}:\n\n{}", remark.text),
            TicketAction::Change(edit) => format!("Change the ticket {ticket}:\n\n{}", edit.told()),
            TicketAction::Resolve(None) => format!("Resolve the incident {ticket}"),
            TicketAction::Resolve(Some(note)) => {
                format!("Resolve the incident {ticket} with the note:\n\n{}", note.text)
            }
            TicketAction::Acknowledge => format!("Acknowledge the incident {ticket}"),
            TicketAction::Escalate { policy, level } => {
                let level = level.map(|level| format!(" to level {level}")).unwrap_or_default();
                let policy =
                    policy.as_ref().map(|policy| format!(" by the policy {policy}")).unwrap_or_default();
                format!("Escalate the incident {ticket}{level}{policy}")
            }
        }
    }

    /// Whether only incident trackers support it.
    pub fn is_of_incident(&self) -> bool {
        matches!(
            self.action,
            TicketAction::Resolve(_) | TicketAction::Acknowledge | TicketAction::Escalate { .. }
        )
    }
}

impl TicketEdit {
    fn told(&self) -> String {
        let assignees = Some(self.assignees.join(", ")).filter(|names| !names.is_empty());
        let labels = self.labels.as_ref().map(|labels| labels.join(", "));
        let lines = [
            ("status", self.status.clone()),
            ("severity", self.severity.clone()),
            ("assignee", assignees),
            ("labels", labels),
            ("description", self.description.clone()),
        ];
        let line = |(name, value): (&str, Option<String>)| value.map(|value| format!("{name}: {value}"));
        lines.into_iter().filter_map(line).collect::<Vec<_>>().join("\n")
    }

    fn is_nothing(&self) -> bool {
        *self == Self::default()
    }
}

fn given(params: &Value, name: &str) -> Option<String> {
    Some(to_text(&params[name]).trim().to_owned()).filter(|text| !text.is_empty())
}

/// A list of texts, or a single text.
fn list(params: &Value, name: &str) -> Vec<String> {
    let items = match &params[name] {
        Value::Array(items) => items.iter().map(to_text).collect(),
        other => vec![to_text(other)],
    };
    items.into_iter().map(|item| item.trim().to_owned()).filter(|item| !item.is_empty()).collect()
}

fn action(execution: &str, call: &Call) -> Result<TicketAction, TaskFailure> {
    let given = |name: &str| given(&call.params, name);
    let needed = |name: &str| given(name).ok_or_else(|| wrong(format!("{name}: expected a text")));
    let remark = |text: String| {
        let found_by = format!("qd:{execution}:{}:", call.path);
        TicketRemark { text, marker: format!("{found_by}{}", call.attempt), found_by }
    };
    match call.kind.as_str() {
        "tickets.get" => match given("until").as_deref() {
            None => Ok(TicketAction::Read { until_closed: false }),
            Some("closed") => Ok(TicketAction::Read { until_closed: true }),
            Some(other) => Err(wrong(format!("until: expected closed or nothing, found \"{other}\""))),
        },
        "tickets.get_comments" => Ok(TicketAction::ReadComments),
        "tickets.add_comment" => Ok(TicketAction::Comment(remark(needed("comment")?))),
        "tickets.transition" => {
            Ok(TicketAction::Change(TicketEdit { status: Some(needed("status")?), ..TicketEdit::default() }))
        }
        "tickets.assign" => {
            let assignees = list(&call.params, "assignee");
            if assignees.is_empty() {
                return Err(wrong("assignee: expected a name, or a list of names"));
            }
            Ok(TicketAction::Change(TicketEdit { assignees, ..TicketEdit::default() }))
        }
        "tickets.update" => {
            let labels = (!call.params["labels"].is_null()).then(|| list(&call.params, "labels"));
            let edit = TicketEdit {
                status: given("status"),
                severity: given("severity"),
                assignees: list(&call.params, "assignee"),
                description: given("description"),
                labels,
            };
            if edit.is_nothing() {
                return Err(wrong(
                    "nothing changes: expected at least one of status, severity, assignee, description and labels",
                ));
            }
            Ok(TicketAction::Change(edit))
        }
        "tickets.acknowledge" => Ok(TicketAction::Acknowledge),
        "tickets.resolve" => Ok(TicketAction::Resolve(given("resolution").map(remark))),
        "tickets.escalate" => {
            let level = given("escalation_level").map(|text| {
                let level = text.parse::<u32>().ok().filter(|level| *level > 0);
                level.ok_or_else(|| wrong(format!("escalation_level: expected 1 or more, found \"{text}\"")))
            });
            let (policy, level) = (given("escalation_policy"), level.transpose()?);
            if policy.is_none() && level.is_none() {
                return Err(wrong(
                    "expected escalation_policy (the id of a policy) or escalation_level (a level of the policy that the incident has)",
                ));
            }
            Ok(TicketAction::Escalate { policy, level })
        }
        other => Err(wrong(format!("{other} is no task about tickets"))),
    }
}

#[cfg(test)]
mod tests {
    use super::{TicketAction, TicketTask};
    use crate::call::{Call, TaskFailure};
    use serde_json::{Value, json};

    fn made(kind: &str, params: Value, attempt: u32) -> Result<TicketTask, TaskFailure> {
        let call = Call {
            path: "tell".to_owned(),
            task_id: "tell".to_owned(),
            kind: kind.to_owned(),
            attempt,
            secrets: std::collections::BTreeSet::new(),
            params,
            timeout: 10_000_000,
        };
        TicketTask::read("run-1", &call)
    }

    #[test]
    fn every_try_finds_what_another_has_said() {
        let said = |attempt| {
            let task =
                made("tickets.add_comment", json!({ "ticket_id": "OPS-1", "comment": "Hello" }), attempt);
            let TicketAction::Comment(remark) = task.unwrap().action else { panic!("no comment") };
            remark
        };
        assert_eq!(said(2).marker, "qd:run-1:tell:2");
        assert_eq!(said(1).found_by, said(2).found_by);
        assert!(said(3).marker.starts_with(&said(1).found_by));
    }

    #[test]
    fn a_change_is_told_line_by_line() {
        let params =
            json!({ "ticket_id": "#7", "status": "closed", "assignee": ["ada", "bob"], "labels": [] });
        let task = made("tickets.update", params, 1).unwrap();
        assert_eq!(task.told(), "Change the ticket #7:\n\nstatus: closed\nassignee: ada, bob\nlabels: ");
        let one = made("tickets.assign", json!({ "ticket_id": "#7", "assignee": "ada" }), 1).unwrap();
        assert_eq!(one.told(), "Change the ticket #7:\n\nassignee: ada");
    }

    #[test]
    fn what_says_nothing_is_refused() {
        for (kind, params, words) in [
            ("tickets.get", json!({}), "ticket_id: expected the number of a ticket"),
            ("tickets.get", json!({ "ticket_id": "1", "until": "merged" }), "until: expected closed"),
            ("tickets.update", json!({ "ticket_id": "1" }), "nothing changes"),
            ("tickets.transition", json!({ "ticket_id": "1" }), "status: expected a text"),
            ("tickets.assign", json!({ "ticket_id": "1", "assignee": [" "] }), "assignee: expected a name"),
            ("tickets.add_comment", json!({ "ticket_id": "1", "comment": " " }), "comment: expected a text"),
            ("tickets.escalate", json!({ "ticket_id": "1" }), "expected escalation_policy"),
            ("tickets.escalate", json!({ "ticket_id": "1", "escalation_level": "0" }), "escalation_level"),
        ] {
            let failure = made(kind, params, 1).unwrap_err();
            assert!(failure.message.starts_with(words), "{}", failure.message);
        }
    }
}
