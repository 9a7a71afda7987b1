//! Types of `schema/operations/imports.graphql`.

// Written by `UPDATE=1 cargo test -p model` from schema/. Read the change, do not edit.

#[allow(unused_imports, reason = "not every area holds every type")]
use super::prelude::*;

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct ImportUndoResponse {
    /// All that were taken back, the newest first.
    pub undone: Vec<Uuid>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct ImportDecideResponse {
    pub id: Uuid,
    /// The state it is in now.
    pub state: String,
}
