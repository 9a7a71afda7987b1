//! `event_resolve`: an attempt to resolve an event. A manual attempt resolves it immediately; a ticket or a workflow does later. Anything else is
//! refused with the reason.

use super::status::{self, ChangeContext};
use crate::kit::{Arguments, Look, reply, text, uuid};
use crate::tickets::{self, TicketDraft};
use crate::workflows::engine::{SystemRun, event_inputs, is_on, start_named, start_system_run, until_closed};
use catalogue::{Caller, ValueRef};
use graphql::{Call, Refusal};
use serde::Serialize;
use serde_json::{Map, Value as Json};
use store::eq;
use uuid::Uuid;

/// Names of trackers. `ticket` means the connected tracker, or this product alone if none is connected.
const TRACKERS: [&str; 4] = ["jira", "servicenow", "pagerduty", "zenduty"];
const REPOSITORIES: [&str; 4] = ["github", "gitlab", "bitbucket", "azure_devops"];
const STAYS: &str = "The event stays as it is until it is RESOLVED.";
const FOLLOWED: &str = "Its state there is followed: when it is closed as done, the event is RESOLVED.";

#[derive(Serialize)]
pub(super) struct Answer {
    data: Vec<Attempt>,
}

#[derive(Serialize)]
struct Attempt {
    event_id: Uuid,
    resolution_id: Uuid,
    #[serde(rename = "type")]
    kind: &'static str,
    status: &'static str,
    message: String,
    ticket_id: Option<Uuid>,
    execution_id: Option<Uuid>,
}

/// The additional data stored with an attempt.
#[derive(Serialize)]
struct AttemptData<'a> {
    provider: Option<&'a str>,
    provider_config: Option<&'a Json>,
    data: Option<&'a Json>,
}

pub(super) fn resolve(call: &Call<'_>) -> Result<Answer, Refusal> {
    let object = Arguments(call.arguments).object("object");
    let event = status::find(call.rows, object.needed_id("event_id")?)?;
    let account = object.needed_id("account_id")?;
    if event.account != Some(account) {
        return Err(Refusal::not_found(format!("account {account} has no event {}", event.id)));
    }
    if event.status == "RESOLVED" {
        let message =
            format!("event {} is RESOLVED already; event_update_nb_status opens it again", event.id);
        return Err(Refusal::conflict(message));
    }
    let person = call.caller.user.ok_or_else(Refusal::denied)?;
    let id = Uuid::new_v4();
    let mut attempt = Attempt {
        event_id: event.id,
        resolution_id: id,
        kind: "DeploymentChange",
        status: "InProgress",
        message: String::new(),
        ticket_id: None,
        execution_id: None,
    };
    let provider = object.text("provider").unwrap_or_default().trim().to_ascii_lowercase();
    match provider.as_str() {
        "" => {
            status::set(ChangeContext::call(call), &event, "RESOLVED", None, "resolved by a person")?;
            let over = [("status", "RESOLVED".into()), ("ends_at", ValueRef::Timestamp(call.now))];
            call.rows.update("events", &[eq("id", event.id)], &over)?;
            attempt.status = "Success";
            attempt.message = String::from("resolved by hand");
        }
        name if name == "ticket" || TRACKERS.contains(&name) => {
            let opened = open_ticket(call, &event, account, (name, object.value("provider_config")))?;
            attempt.kind = "Ticket";
            attempt.ticket_id = Some(opened.id);
            attempt.execution_id = follow(call, (account, id), &opened, person)?;
            let then = if attempt.execution_id.is_some() { FOLLOWED } else { STAYS };
            attempt.message = format!("{} {then}", opened.message);
        }
        "workflow" => {
            let workflow = object.value("provider_config").and_then(|config| uuid(config, "workflow_id"));
            let missing = || {
                Refusal::invalid(
                    "`provider_config.workflow_id` is missing: expected the workflow that resolves it",
                )
            };
            let place = (account, workflow.ok_or_else(missing)?);
            let system = Caller::system_for(call.caller.tenant().ok_or_else(Refusal::denied)?);
            let acting = call.rows.as_caller(&system);
            let inputs = Json::Object(event_inputs(call.rows, event.id)?);
            let run = start_named(&acting.without_actor(), place, ("event", id), inputs, person)?;
            attempt.kind = "WorkflowExecution";
            attempt.message =
                String::from("the workflow has begun: when it ends well, the event is RESOLVED");
            attempt.execution_id = Some(run);
        }
        name if REPOSITORIES.contains(&name) => {
            return Err(Refusal::conflict(
                "an event says of no file what to change, so that no pull request is made: leave `provider` out to resolve it by hand",
            ));
        }
        name => {
            return Err(Refusal::invalid(format!(
                "`provider` is \"{name}\": expected nothing, ticket, workflow, {}",
                TRACKERS.join(", ")
            )));
        }
    }
    write(call, object, &attempt, person)?;
    Ok(Answer { data: vec![attempt] })
}

fn open_ticket(
    call: &Call<'_>,
    event: &status::Event,
    account: Uuid,
    (tracker, config): (&str, Option<&Json>),
) -> Result<tickets::TicketRef, Refusal> {
    let named = config.and_then(|config| uuid(config, "integration_id"));
    let integration = match (tracker, named) {
        ("ticket", named) => named,
        (tool, Some(id)) => {
            let known = tickets::connected(call.rows)?;
            if !known.iter().any(|one| one.id == id && one.tool == tool) {
                return Err(Refusal::not_found(format!(
                    "`provider_config.integration_id` is {id}, and no tracker of type {tool} of that id is connected ({})",
                    tickets::list_of(&known)
                )));
            }
            Some(id)
        }
        (tool, None) => Some(tickets::of_tool(call.rows, tool, "provider_config.integration_id")?),
    };
    let columns = ["title", "description", "subject_name", "subject_namespace", "priority"];
    let row = Look::at(call.rows, "events")?.with("id", event.id)?.first(&columns)?.unwrap_or_default();
    let subject = [text(&row, "subject_namespace"), text(&row, "subject_name")];
    let subject: Vec<&str> = subject.into_iter().filter(|part| !part.is_empty()).collect();
    let lines = [text(&row, "description"), &subject.join("/"), text(&row, "priority")];
    let lines: Vec<&str> = lines.into_iter().filter(|line| !line.is_empty()).collect();
    let title = Some(text(&row, "title")).filter(|title| !title.is_empty()).unwrap_or("Event");
    let wanted = TicketDraft {
        title,
        description: &lines.join("\n\n"),
        account,
        integration,
        project: None,
        severity: None,
        source: "event",
    };
    tickets::open(call.rows, &wanted)
}

/// Starts polling the ticket in its tracker until it is closed, if automation is enabled.
fn follow(
    call: &Call<'_>,
    (account, id): (Uuid, Uuid),
    opened: &tickets::TicketRef,
    person: Uuid,
) -> Result<Option<Uuid>, Refusal> {
    if opened.is_local || !is_on(call.rows)? {
        return Ok(None);
    }
    let system = Caller::system_for(call.caller.tenant().ok_or_else(Refusal::denied)?);
    let run = SystemRun {
        account,
        purpose: "event",
        id,
        name: "Resolve an event",
        definition: &until_closed(opened.id).json()?,
        inputs: Json::Object(Map::new()),
        person,
    };
    start_system_run(&call.rows.as_caller(&system).without_actor(), &run).map(Some)
}

fn write(call: &Call<'_>, object: Arguments<'_>, attempt: &Attempt, person: Uuid) -> Result<(), Refusal> {
    let data = AttemptData {
        provider: object.text("provider"),
        provider_config: object.value("provider_config"),
        data: object.value("data"),
    };
    let (data, person) = (reply(&data)?.to_string(), person.to_string());
    let reference = attempt.ticket_id.or(attempt.execution_id).map(|id| id.to_string()).unwrap_or_default();
    call.rows.insert(
        "event_resolution",
        &[
            ("id", attempt.resolution_id.into()),
            ("event_id", attempt.event_id.into()),
            ("resolver_id", person.as_str().into()),
            ("resolver_type", "User".into()),
            ("status", attempt.status.into()),
            ("status_message", attempt.message.as_str().into()),
            ("type", attempt.kind.into()),
            ("type_reference_id", reference.as_str().into()),
            ("data", ValueRef::Json(&data)),
            ("created_at", ValueRef::Timestamp(call.now)),
            ("updated_at", ValueRef::Timestamp(call.now)),
        ],
    )?;
    Ok(())
}
