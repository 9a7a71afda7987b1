//! Answers the questions of imports, and undoes imports.

use super::{check_writer, parse_id};
use crate::app::App;
use crate::blocking::blocking;
use crate::clock;
use crate::error::Failure;
use crate::guard::caller::SignedIn;
use crate::jobs::findings;
use crate::jobs::questions::Reader;
use crate::jobs::{self, DecideError, Reach};
use crate::rest::JsonBody;
use auth::Person;
use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use catalogue::Caller;
use ingest::undo::{Preview, UndoError, UndoRequest};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::Arc;
use uuid::Uuid;

#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "DecisionAnswer")]
pub struct Choice {
    choice: String,
    /// Whether to apply the answer to the other files of the delivery that wait for the same answer.
    #[serde(default)]
    all: bool,
}

/// Other files that wait for the same answer.
#[derive(Serialize, JsonSchema)]
pub struct SameQuestion {
    file_names: Vec<String>,
}

/// GET: the other files of the delivery that wait for an answer to the same question.
pub async fn same_question(
    State(app): State<Arc<App>>,
    SignedIn(person): SignedIn,
    Path(id): Path<String>,
) -> Result<Json<SameQuestion>, Failure> {
    check_writer(&person)?;
    let (id, store, archive) = (parse_id(&id)?, app.store.clone(), Arc::clone(&app.imports.archive));
    let caller = Caller::system_for(person.tenant);
    let file_names = blocking(move || jobs::same_question(&store, &caller, &archive, id)).await?;
    Ok(Json(SameQuestion { file_names }))
}

/// The state of an import after a decision.
#[derive(Serialize, JsonSchema)]
pub struct DecidedImport {
    id: String,
    state: Option<ingest::State>,
}

/// POST: carries out a user's decision.
pub async fn decide(
    State(app): State<Arc<App>>,
    SignedIn(person): SignedIn,
    Path(id): Path<String>,
    body: JsonBody<Choice>,
) -> Result<Json<DecidedImport>, Failure> {
    check_writer(&person)?;
    let id = parse_id(&id)?;
    let Choice { choice, all } = body.read("an object with the text `choice`")?;
    let (store, archive) = (app.store.clone(), Arc::clone(&app.imports.archive));
    let (caller, most_lower) = (Caller::system_for(person.tenant), app.imports.most_lower);
    let Person { user: owner, name, .. } = person.clone();
    let reach = if all { Reach::SameQuestion } else { Reach::File };
    let reports = blocking(move || {
        jobs::decide(&store, &caller, &archive, (id, owner), (&choice, Some(&name)), reach, most_lower)
    })
    .await?;
    let state = reports.first().map(|report| report.state);
    Ok(Json(DecidedImport { id: id.to_string(), state }))
}

/// GET: the changes that undoing an import would make.
pub async fn preview(
    State(app): State<Arc<App>>,
    SignedIn(person): SignedIn,
    Path(id): Path<String>,
) -> Result<Json<Preview>, Failure> {
    check_writer(&person)?;
    let (id, store, caller) = (parse_id(&id)?, app.store.clone(), Caller::system_for(person.tenant));
    Ok(Json(blocking(move || ingest::undo::preview(&store, &caller, id)).await?))
}

#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "UndoWish")]
pub struct With {
    #[serde(default)]
    with: Vec<Uuid>,
}

/// Ids of the undone imports, newest first.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "UndoneImports")]
pub struct Undone {
    undone: Vec<Uuid>,
}

/// POST: undoes an import, and the named later ones that depend on it.
pub async fn undo(
    State(app): State<Arc<App>>,
    SignedIn(person): SignedIn,
    Path(id): Path<String>,
    body: JsonBody<With>,
) -> Result<Json<Undone>, Failure> {
    check_writer(&person)?;
    let With { with } = body.read("an object with the list `with` of ids")?;
    Ok(Json(Undone { undone: take_back(&app, &person, parse_id(&id)?, with).await? }))
}

/// Cancels an import that waits for a decision.
pub async fn give_up(app: &App, person: &Person, id: Uuid) -> Result<(), Failure> {
    take_back(app, person, id, Vec::new()).await.map(drop)
}

async fn take_back(app: &App, person: &Person, id: Uuid, with: Vec<Uuid>) -> Result<Vec<Uuid>, Failure> {
    let (store, caller) = (app.store.clone(), Caller::system_for(person.tenant));
    let by = UndoRequest { person: Some(person.user), clock: clock::now };
    let (archive, most_lower) = (Arc::clone(&app.imports.archive), app.imports.most_lower);
    blocking(move || {
        findings::undo(&store, &caller, Reader { archive: &archive, most_lower }, (id, &with), by)
    })
    .await
}

impl From<DecideError> for Failure {
    fn from(error: DecideError) -> Self {
        let code = match error {
            DecideError::NotFound => return super::no_such_import(),
            DecideError::NoSuchChoice(..) => return Self::bad_request(error.to_string()),
            DecideError::NothingToDecide(_) => "nothing_to_decide",
            DecideError::Dropped(_) => "file_dropped",
            DecideError::Store(error) => return error.into(),
            DecideError::Import(error) => return Self::fault(&error),
        };
        Self::new(StatusCode::CONFLICT, code, error.to_string())
    }
}

impl From<UndoError> for Failure {
    fn from(error: UndoError) -> Self {
        match error {
            UndoError::NotFound => super::no_such_import(),
            UndoError::Others(ref others) => {
                let list = json!(others);
                Self::new(StatusCode::CONFLICT, "others_rest_on_it", error.to_string()).with("imports", list)
            }
            UndoError::Nothing(_) => Self::new(StatusCode::CONFLICT, "nothing_to_undo", error.to_string()),
            UndoError::Store(error) => error.into(),
            other => Self::fault(&other),
        }
    }
}

impl From<ingest::RecordAtError> for Failure {
    fn from(error: ingest::RecordAtError) -> Self {
        Self::fault(&error)
    }
}
