//! Runs tasks about tickets in trackers.

use crate::background::tickets::TicketDesk;
use crate::clock;
use automation::plan::TaskFailure;
use automation::services::tickets::{TicketAction, TicketEdit, TicketRemark};
use operations::runs::{
    AddedComment, CommentList, TicketCall, TicketDetails, TicketLocation, TicketTarget, TicketUpdate,
};
use outgoing::OutgoingSettings;
use serde::Serialize;
use serde_json::Value;
use std::sync::Arc;
use std::time::{Duration, Instant};
use trackers::issues::{self, Issue, IssueChange, IssueKey, IssueState, MarkedComment};
use trackers::{Failure, Tool, Tracker};

/// How long a task waits for a ticket that has just been opened, and how often it checks.
const ON_ITS_WAY: Duration = Duration::from_secs(30);
const LOOK_AFTER: Duration = Duration::from_millis(250);

fn failed(failure: Failure) -> TaskFailure {
    TaskFailure::new(if failure.is_final { "Tracker" } else { "Network" }, failure.message)
}

fn given(answer: &impl Serialize) -> Result<Value, TaskFailure> {
    serde_json::to_value(answer).map_err(|error| TaskFailure::new("Tracker", error.to_string()))
}

/// Performs the action of a task on a ticket within its timeout.
pub(super) async fn carry_out(desk: &TicketDesk, call: TicketCall) -> Result<Value, TaskFailure> {
    let patience = Duration::from_micros(u64::try_from(call.task.timeout).unwrap_or_default());
    tokio::time::timeout(patience, act(desk, Arc::new(call))).await.unwrap_or_else(|_| {
        Err(TaskFailure {
            kind: "Timeout".to_owned(),
            message: format!("the tracker gave no answer within {} s", patience.as_secs_f32()),
            is_timeout: true,
        })
    })
}

async fn act(desk: &TicketDesk, call: Arc<TicketCall>) -> Result<Value, TaskFailure> {
    let target = Arc::new(find(desk, &call).await?);
    if call.task.is_of_incident() && target.tool != Tool::PagerDuty {
        let message = format!(
            "only incidents of pagerduty are acknowledged, escalated and resolved, and this is a ticket of {}: tickets.transition moves it",
            target.tool.name()
        );
        return Err(TaskFailure::new("InvalidParameters", message));
    }
    let (way, tracker) = desk.line_to(&target).await.map_err(failed)?;
    let there = There { way: &way, tracker: &tracker, target: &target };
    let issue = match &call.task.action {
        TicketAction::Read { until_closed } => {
            let issue = there.read().await?;
            desk.note(&target, &issue).await;
            if *until_closed {
                check_closed(&issue)?;
            }
            return given(&TicketDetails::of(target.id, target.tool.name(), issue));
        }
        TicketAction::ReadComments => {
            let said = issues::comments(&way, &tracker, there.key(), clock::now()).await.map_err(failed)?;
            return given(&CommentList::of(target.number.clone(), said));
        }
        TicketAction::Comment(remark) => {
            let was_there = there.say(remark).await?;
            let (ticket_id, comment) = (target.number.clone(), remark.text.clone());
            return given(&AddedComment { ticket_id, comment, was_there });
        }
        TicketAction::Change(edit) => there.change(&wanted(edit)).await?,
        TicketAction::Acknowledge => there.go_to("acknowledged").await?,
        TicketAction::Resolve(note) => {
            if let Some(note) = note {
                there.say(note).await?;
            }
            there.go_to("resolved").await?
        }
        TicketAction::Escalate { policy, level } => {
            let escalation_policy = policy.clone();
            there
                .change(&IssueChange {
                    escalation_policy,
                    escalation_level: *level,
                    ..IssueChange::default()
                })
                .await?
        }
    };
    desk.note(&target, &issue).await;
    given(&TicketUpdate::of(issue))
}

fn wanted(edit: &TicketEdit) -> IssueChange {
    IssueChange {
        status: edit.status.clone(),
        severity: edit.severity.clone(),
        assignees: edit.assignees.clone(),
        description: edit.description.clone(),
        labels: edit.labels.clone(),
        ..IssueChange::default()
    }
}

/// Finds the ticket in its tracker. A ticket that has just been opened is sent first.
async fn find(desk: &TicketDesk, call: &Arc<TicketCall>) -> Result<TicketTarget, TaskFailure> {
    let until = Instant::now() + ON_ITS_WAY;
    loop {
        let (ticket, why) = match desk.find(Arc::clone(call)).await? {
            TicketLocation::InTracker(target) => return Ok(*target),
            TicketLocation::Local(_) => {
                return Err(TaskFailure::new("TicketPending", "no tracker has the ticket any more"));
            }
            TicketLocation::Pending { ticket, why } => (ticket, why),
        };
        if why.is_some() || Instant::now() >= until {
            let why = why.map(|why| format!(": {why}")).unwrap_or_default();
            let message = format!("the tracker has not taken the ticket yet{why}");
            return Err(TaskFailure::new("TicketPending", message));
        }
        if !desk.send_now(ticket).await {
            tokio::time::sleep(LOOK_AFTER).await;
        }
    }
}

/// A ticket in its tracker.
struct There<'t> {
    way: &'t OutgoingSettings,
    tracker: &'t Tracker,
    target: &'t TicketTarget,
}

impl There<'_> {
    fn key(&self) -> IssueKey<'_> {
        IssueKey { project: &self.target.project, number: &self.target.number }
    }

    async fn read(&self) -> Result<Issue, TaskFailure> {
        let found = issues::read(self.way, self.tracker, self.key(), clock::now()).await.map_err(failed)?;
        let gone = || {
            let message = format!("{} has no ticket {} any more", self.tracker.name, self.target.number);
            TaskFailure::new("TicketGone", message)
        };
        found.ok_or_else(gone)
    }

    async fn say(&self, remark: &TicketRemark) -> Result<bool, TaskFailure> {
        let remark = MarkedComment { text: &remark.text, marker: &remark.marker, found_by: &remark.found_by };
        issues::comment(self.way, self.tracker, self.key(), remark, clock::now()).await.map_err(failed)
    }

    async fn change(&self, wanted: &IssueChange) -> Result<Issue, TaskFailure> {
        issues::change(self.way, self.tracker, self.key(), wanted, clock::now()).await.map_err(failed)
    }

    async fn go_to(&self, status: &str) -> Result<Issue, TaskFailure> {
        self.change(&IssueChange { status: Some(status.to_owned()), ..IssueChange::default() }).await
    }
}

/// Fails unless the ticket was closed as done. An unknown tracker status does not count as closed.
fn check_closed(issue: &Issue) -> Result<(), TaskFailure> {
    let Issue { ticket_id, status, .. } = issue;
    match issue.state {
        IssueState::Done => Ok(()),
        IssueState::Refused => {
            let why = issue.resolution.as_ref().map(|why| format!(" ({why})")).unwrap_or_default();
            let message = format!("the ticket {ticket_id} was closed without being done: {status}{why}");
            Err(TaskFailure::new("TicketRefused", message))
        }
        IssueState::Open => Err(TaskFailure::new("TicketOpen", format!("{ticket_id} is {status}"))),
        IssueState::Unknown => {
            let message = format!("{ticket_id} is {status}, which is not known to be an end");
            Err(TaskFailure::new("TicketOpen", message))
        }
    }
}
