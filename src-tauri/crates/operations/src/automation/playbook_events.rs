//! A playbook that a person runs for an event: what its run is given, and what the event's history says of it.

use crate::events::{self, By, Event};
use crate::kit::{reply, text, uuid};
use crate::workflows::engine::event_inputs;
use graphql::{Call, Refusal};
use serde::Serialize;
use serde_json::{Map, Value};
use uuid::Uuid;

/// The event that a playbook runs for.
pub(super) struct PlaybookEvent {
    event: Event,
    /// What a run has that the event starts by itself.
    pub inputs: Map<String, Value>,
}

#[derive(Serialize)]
struct RunNote {
    auto_playbook_id: Option<Uuid>,
    execution_id: Uuid,
}

impl PlaybookEvent {
    /// The event, if the caller meets it. It is of the playbook's account: whoever reads the playbook's runs may read what they are given.
    pub(super) fn find(call: &Call<'_>, playbook: &Value, id: Uuid) -> Result<Self, Refusal> {
        let event = events::find(call.rows, id)?;
        if event.account.is_none() || event.account != uuid(playbook, "account_id") {
            let message =
                format!("the account of the playbook \"{}\" has no event {id}", text(playbook, "name"));
            return Err(Refusal::not_found(message));
        }
        Ok(Self { event, inputs: event_inputs(call.rows, id)? })
    }

    /// Writes the run into the history of the event.
    pub(super) fn note(&self, call: &Call<'_>, playbook: &Value, run: Uuid) -> Result<(), Refusal> {
        let note = reply(&RunNote { auto_playbook_id: uuid(playbook, "id"), execution_id: run })?;
        let change = (&Value::Null, &playbook["name"]);
        events::history(By::call(call), &self.event, events::PLAYBOOK, change, "run by a person", Some(&note))
    }
}
