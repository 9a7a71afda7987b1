//! Operations that undo imports and decide open questions about imports.

mod handler;

pub use handler::{Imports, NoImports};

use crate::kit::{refuse_inside_request, reply};
use crate::{Function, ImportsFunction};
use graphql::{PreTransactionCall, Refusal};
use model::operations::{ImportDecideResponse, ImportUndoResponse};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use uuid::Uuid;

pub(crate) const FIELDS: &[(&str, Function)] =
    &[("import_undo", refuse_inside_request), ("import_decide", refuse_inside_request)];

pub(crate) const PRE_TRANSACTION_FIELDS: &[(&str, ImportsFunction)] =
    &[("import_undo", undo), ("import_decide", decide)];

/// The arguments as `T`. They are validated, so this fails only if the declaration differs from `T`.
fn arguments<T: DeserializeOwned>(ahead: &PreTransactionCall<'_>) -> Result<T, Refusal> {
    T::deserialize(Value::Object(ahead.arguments.clone()))
        .map_err(|error| Refusal::invalid(format!("{}: {error}", ahead.name)))
}

fn undo(ahead: &PreTransactionCall<'_>, imports: &dyn Imports) -> Result<Value, Refusal> {
    #[derive(Deserialize)]
    struct UndoRequest {
        id: Uuid,
        #[serde(default)]
        with: Option<Vec<Uuid>>,
    }
    let UndoRequest { id, with } = arguments(ahead)?;
    let undone = imports.undo(ahead.caller, id, &with.unwrap_or_default())?;
    reply(&ImportUndoResponse { undone })
}

fn decide(ahead: &PreTransactionCall<'_>, imports: &dyn Imports) -> Result<Value, Refusal> {
    #[derive(Deserialize)]
    struct DecideRequest {
        id: Uuid,
        choice: String,
    }
    let DecideRequest { id, choice } = arguments(ahead)?;
    let state = imports.decide(ahead.caller, id, &choice)?;
    reply(&ImportDecideResponse { id, state })
}
