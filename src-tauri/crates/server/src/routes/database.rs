//! `/api/database`: what moving the rows into PostgreSQL would find. For the administrators of the whole service.

use crate::app::App;
use crate::blocking::blocking;
use crate::error::{Failure, chain};
use crate::guard::caller::PlatformAdmin;
use crate::routes::Sent;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CACHE_CONTROL;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use store::moving::{MoveError, MovePreview, TargetState, preview};
use store::{OpenError, StoreError};

/// Where the rows are to go.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Target {
    /// `postgres://user:password@host:5432/database`.
    address: String,
}

/// What is there, and what would be moved.
#[derive(Serialize)]
struct PreviewAnswer {
    /// The address without its password.
    place: String,
    server_version: String,
    /// `empty`, `unfinished`, `filled` or `foreign`.
    target: &'static str,
    problems: Vec<String>,
    tables: Vec<TableRows>,
    /// Size of the file.
    bytes: u64,
    /// The folder that holds it.
    data_dir: String,
}

#[derive(Serialize)]
struct TableRows {
    table: String,
    rows: u64,
}

/// POST: looks at a database of PostgreSQL and at the rows that are here. Changes nothing, and keeps no address.
pub async fn preview_move(
    State(app): State<Arc<App>>,
    _: PlatformAdmin,
    Sent(body): Sent,
) -> Result<Response, Failure> {
    // What does not fit may be the password: it is not in the answer.
    let target: Target = serde_json::from_slice(&body)
        .map_err(|_| Failure::bad_request("Expected {\"address\": text} as a JSON body"))?;
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
        TargetState::Empty => "empty",
        TargetState::Unfinished => "unfinished",
        TargetState::Filled => "filled",
        TargetState::Foreign => "foreign",
    };
    let tables = tables.into_iter().map(|(table, rows)| TableRows { table, rows }).collect();
    let answer = PreviewAnswer { place, server_version, target, problems, tables, bytes, data_dir };
    Ok(([(CACHE_CONTROL, "no-store")], Json(answer)).into_response())
}

/// Why nothing could be looked at. What messages of a service that runs say of its requests does not fit.
fn reason(error: &MoveError) -> String {
    match error {
        MoveError::Open(OpenError::Cannot { path, cause: StoreError::Unreachable(cause) }) => {
            format!("{} cannot be reached: {}", path.display(), chain(cause.as_ref()))
        }
        error => chain(error),
    }
}
