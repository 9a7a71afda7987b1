//! Playbooks that a person runs for an event: the inputs of the run, and the entry in the event's history.

use crate::events::{self, ChangeContext, Event};
use crate::kit::{reply, text, uuid};
use crate::workflows::engine::event_inputs;
use graphql::{Call, Refusal};
use serde::Serialize;
use serde_json::{Map, Value};
use uuid::Uuid;

/// The event that a playbook runs for.
pub(super) struct PlaybookEvent {
    event: Event,
    /// The inputs, equal to those of a run that the event itself triggers.
    pub inputs: Map<String, Value>,
}

#[derive(Serialize)]
struct RunNote {
    auto_playbook_id: Option<Uuid>,
    execution_id: Uuid,
}

impl PlaybookEvent {
    /// Loads the event, if the caller may read it. It must belong to the playbook's account,
    /// because whoever may read the playbook's runs may also read their inputs.
    pub(super) fn find(call: &Call<'_>, playbook: &Value, id: Uuid) -> Result<Self, Refusal> {
        let event = events::find(call.rows, id)?;
        if event.account.is_none() || event.account != uuid(playbook, "account_id") {
            let message =
                format!("the account of the playbook \"{}\" has no event {id}", text(playbook, "name"));
            return Err(Refusal::not_found(message));
        }
        Ok(Self { event, inputs: event_inputs(call.rows, id)? })
    }

    /// Adds the run to the history of the event.
    pub(super) fn note(&self, call: &Call<'_>, playbook: &Value, run: Uuid) -> Result<(), Refusal> {
        let note = reply(&RunNote { auto_playbook_id: uuid(playbook, "id"), execution_id: run })?;
        let change = (&Value::Null, &playbook["name"]);
        events::history(
            ChangeContext::call(call),
            &self.event,
            events::PLAYBOOK,
            change,
            "run by a person",
            Some(&note),
        )
    }
}
