//! `/api/database`: previews moving the rows into PostgreSQL. For platform administrators.

use crate::app::App;
use crate::blocking::blocking;
use crate::error::{Failure, chain};
use crate::guard::caller::PlatformAdmin;
use crate::rest::{JsonBody, NoStore};
use axum::extract::State;
use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use store::moving::{MoveError, MovePreview, TargetState, preview};
use store::{OpenError, StoreError};

/// The target database of a migration.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "MoveTarget")]
#[serde(deny_unknown_fields)]
pub struct Target {
    /// `postgres://user:password@host:5432/database`.
    address: String,
}

/// The state of the target database, and the data to be moved.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "MovePreview")]
pub struct PreviewAnswer {
    /// The address without its password.
    place: String,
    server_version: String,
    target: TargetShown,
    /// Why the target cannot be used. Empty if it can.
    problems: Vec<String>,
    tables: Vec<TableRows>,
    /// Size of the current database file in bytes.
    bytes: u64,
    /// The folder of the current database file.
    data_dir: String,
}

/// The content of the target database.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "MoveTargetState")]
#[serde(rename_all = "snake_case")]
enum TargetShown {
    Empty,
    /// An earlier migration was interrupted. The next one starts over.
    Unfinished,
    /// Contains data of Quarterdeck.
    Filled,
    /// Contains tables of another program.
    Foreign,
}

#[derive(Serialize, JsonSchema)]
struct TableRows {
    table: String,
    rows: u64,
}

/// POST: inspects a PostgreSQL database and the local rows. Changes nothing and does not store the address.
pub async fn preview_move(
    State(app): State<Arc<App>>,
    _: PlatformAdmin,
    body: JsonBody<Target>,
) -> Result<NoStore<PreviewAnswer>, Failure> {
    let target = body.read_secret("{\"address\": text}")?;
    if app.store.is_shared() {
        let message = "The rows are in PostgreSQL already; quarterdeck-server migrate --from moves them back";
        return Err(Failure::new(StatusCode::CONFLICT, "in_postgres", message));
    }
    let data_dir = app.facts.data_dir.display().to_string();
    let look = move || {
        preview(&app.store, target.address.trim()).map_err(|error| Failure::bad_request(reason(&error)))
    };
    let MovePreview { place, server_version, target, problems, tables, bytes } = blocking(look).await?;
    let target = match target {
        TargetState::Empty => TargetShown::Empty,
        TargetState::Unfinished => TargetShown::Unfinished,
        TargetState::Filled => TargetShown::Filled,
        TargetState::Foreign => TargetShown::Foreign,
    };
    let tables = tables.into_iter().map(|(table, rows)| TableRows { table, rows }).collect();
    Ok(NoStore(PreviewAnswer { place, server_version, target, problems, tables, bytes, data_dir }))
}

/// The reason why the inspection failed. The usual message for an unreachable database is about the service's own database and does not apply here.
fn reason(error: &MoveError) -> String {
    match error {
        MoveError::Open(OpenError::Cannot { path, cause: StoreError::Unreachable(cause) }) => {
            format!("{} cannot be reached: {}", path.display(), chain(cause.as_ref()))
        }
        error => chain(error),
    }
}
