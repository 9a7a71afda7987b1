//! `/api/imports`: uploads files, and reports the state of their imports.

pub mod buckets;
pub mod mapping;
pub mod receipt;
pub mod undo;
pub mod watched;

use crate::app::App;
use crate::background::registry::Kind;
use crate::blocking::blocking;
use crate::clock;
use crate::error::Failure;
use crate::guard::caller::SignedIn;
use crate::jobs::{Batch, CancelOutcome, Import, PendingImport};
use crate::rest::{Accepted, Alphabetical, JsonBody};
use crate::routes::sample::check_not_sample;
use axum::Json;
use axum::body::Body;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, NoContent, Response};
use futures_util::StreamExt;
use ingest::ReadableFormat;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use std::sync::Arc;
use uuid::Uuid;

/// Maximum length of a file name, bytes: names are shown in lists and stored with the import.
const NAME_LIMIT_BYTES: usize = 255;
/// Maximum length of a file name with its folders, bytes.
const PATH_LIMIT_BYTES: usize = 4096;
/// Maximum number of files in a batch.
const MOST_FILES: usize = 10_000;

#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "UploadName")]
pub struct Naming {
    /// File name with its extension.
    name: String,
    /// Id of the batch, for files that are uploaded together.
    batch: Option<Uuid>,
    /// Number of files in the batch.
    batch_files: Option<usize>,
}

impl Naming {
    fn batch(&self) -> Result<Option<Batch>, Failure> {
        match (self.batch, self.batch_files) {
            (None, None) => Ok(None),
            (Some(id), Some(files)) if (1..=MOST_FILES).contains(&files) => Ok(Some(Batch { id, files })),
            _ => Err(Failure::bad_request(format!(
                "Expected both `batch`, a UUID, and `batch_files`, a number from 1 to {MOST_FILES}, or none of them"
            ))),
        }
    }
}

/// The final number of files in a batch.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "BatchEnd")]
pub struct Closing {
    files: usize,
}

/// A queued import.
#[derive(Serialize, JsonSchema)]
pub struct QueuedImport {
    id: String,
}

/// POST: receives a file of any size, and queues its import.
pub async fn receive(
    State(app): State<Arc<App>>,
    SignedIn(person): SignedIn,
    naming: Result<Query<Naming>, QueryRejection>,
    body: Body,
) -> Result<Accepted<Json<QueuedImport>>, Failure> {
    check_writer(&person)?;
    check_not_sample(&app, person.tenant).await?;
    let Query(naming) = naming.map_err(|_| {
        Failure::bad_request("Expected the file's name in the address: /api/imports?name=bill.csv")
    })?;
    let name = file_name(&naming.name)?;
    if naming.name.len() > PATH_LIMIT_BYTES {
        let length = naming.name.len();
        return Err(Failure::bad_request(format!(
            "The path of the file has {length} bytes: expected {PATH_LIMIT_BYTES} at most"
        )));
    }
    let batch = naming.batch()?;
    let arriving = batch.map(|batch| app.imports.queue.expect(person.tenant, batch));
    let id = Uuid::new_v4();
    let underway = app.jobs.begin(Kind::Import, &name, clock::now());
    let mut incoming = app.imports.queue.spool().receive(id).await?;
    incoming.came_from(naming.name, batch);
    let mut bytes = body.into_data_stream();
    while let Some(chunk) = bytes.next().await {
        let chunk = chunk.map_err(|error| {
            tracing::info!(%id, "an upload broke off: {error}");
            Failure::bad_request("The file did not arrive completely; nothing was kept")
        })?;
        incoming.write(&chunk).await?;
    }
    let upload = incoming.finish(name, person.tenant, person.user, clock::now()).await?;
    app.imports.queue.add(upload, underway).await?;
    if let Some(arriving) = arriving {
        arriving.arrived();
    }
    Ok(Accepted(Json(QueuedImport { id: id.to_string() })))
}

/// POST: sets the final number of files in a batch. The files that arrived are imported.
pub async fn close_batch(
    State(app): State<Arc<App>>,
    SignedIn(person): SignedIn,
    Path(batch): Path<String>,
    body: JsonBody<Closing>,
) -> Result<NoContent, Failure> {
    check_writer(&person)?;
    let batch = parse_id(&batch)?;
    let closing = body.read("an object with the number `files`")?;
    if app.imports.queue.close_batch(person.tenant, Batch { id: batch, files: closing.files }).await? {
        Ok(NoContent)
    } else {
        let message = "There is no such batch, or all its files are imported";
        Err(Failure::new(StatusCode::NOT_FOUND, "not_found", message))
    }
}

/// GET: the supported formats, how to obtain such files, and which data they provide.
pub async fn formats(SignedIn(_): SignedIn) -> Json<Vec<ReadableFormat>> {
    Json(ingest::readable().collect())
}

/// GET: the state of an import.
pub async fn show(
    State(app): State<Arc<App>>,
    SignedIn(person): SignedIn,
    Path(id): Path<String>,
) -> Result<Response, Failure> {
    let id = parse_id(&id)?;
    if let Some(standing) = app.imports.queue.standing(person.tenant, id).await? {
        return Ok(Json(Alphabetical(in_progress(id, &standing))).into_response());
    }
    let import = find(&app, &person, id).await?;
    let (archive, sha256) = (Arc::clone(&app.imports.archive), import.sha256.clone());
    let file_kept = blocking(move || archive.find(&sha256)).await?.is_some();
    // A report written by an older version is converted to the current format.
    let report: Result<Box<RawValue>, _> = match serde_json::from_str::<ingest::Report>(&import.report) {
        Ok(report) => serde_json::value::to_raw_value(&report),
        Err(_) => RawValue::from_string(import.report),
    };
    let report = report.map_err(|error| Failure::fault(&error))?;
    Ok(Json(ImportStatus {
        id: id.to_string(),
        file_name: import.file_name,
        size_bytes: u64::try_from(import.size_bytes).unwrap_or_default(),
        state: import.state,
        progress: None,
        report: Some(report),
        file_kept: Some(file_kept),
    })
    .into_response())
}

/// DELETE: cancels an import that has not ended. Nothing of it remains.
pub async fn cancel(
    State(app): State<Arc<App>>,
    SignedIn(person): SignedIn,
    Path(id): Path<String>,
) -> Result<NoContent, Failure> {
    check_writer(&person)?;
    let id = parse_id(&id)?;
    match app.imports.queue.cancel(person.tenant, id).await? {
        CancelOutcome::Yes => Ok(NoContent),
        CancelOutcome::NotInQueue => {
            let import = find(&app, &person, id).await?;
            if matches!(import.state.as_str(), "needs_decision" | "waiting_for_parts") {
                undo::give_up(&app, &person, id).await?;
                return Ok(NoContent);
            }
            Err(Failure::new(
                StatusCode::CONFLICT,
                "finished",
                "This import has ended; it can no longer be cancelled",
            ))
        }
    }
}

/// GET: the rows that an import skipped, as CSV; as many as its report contains.
pub async fn skipped(
    State(app): State<Arc<App>>,
    SignedIn(person): SignedIn,
    Path(id): Path<String>,
) -> Result<Response, Failure> {
    let import = find(&app, &person, parse_id(&id)?).await?;
    let report: Value = serde_json::from_str(&import.report).map_err(|error| Failure::fault(&error))?;
    let mut writer = csv::Writer::from_writer(Vec::new());
    let columns = ["line", "column", "value", "reason"];
    let written = writer.write_record(columns).and_then(|()| {
        let rows = report["skipped"].as_array().map(Vec::as_slice).unwrap_or_default();
        rows.iter().try_for_each(|row| {
            // In a document without lines, the location is in `place`.
            let cell = |column: &str| match &row["place"] {
                place @ Value::String(_) if column == "line" => place.clone(),
                _ => row[column].clone(),
            };
            writer.write_record(columns.map(|column| match &cell(column) {
                Value::String(text) => text.clone(),
                Value::Null => String::new(),
                other => other.to_string(),
            }))
        })
    });
    written.map_err(|error| Failure::fault(&error))?;
    let text = writer.into_inner().map_err(|error| Failure::fault(error.error()))?;
    let head = [
        (CONTENT_TYPE, "text/csv; charset=utf-8"),
        (CONTENT_DISPOSITION, "attachment; filename=\"skipped.csv\""),
    ];
    Ok((head, text).into_response())
}

/// The status of an import.
#[derive(Serialize, JsonSchema)]
pub struct ImportStatus {
    id: String,
    file_name: String,
    size_bytes: u64,
    #[schemars(with = "ImportStanding")]
    state: String,
    progress: Option<ImportProgress>,
    /// The import report. Null before the import has ended.
    #[schemars(with = "Option<ingest::Report>")]
    report: Option<Box<RawValue>>,
    /// Whether the file is still stored. Absent before the import has ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "bool")]
    file_kept: Option<bool>,
}

/// The state of an import.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "the words of the column `state` and two more, for the document")]
enum ImportStanding {
    Before(QueueState),
    Ended(ingest::State),
}

/// The state before the import has ended.
#[derive(JsonSchema)]
#[schemars(inline)]
#[serde(rename_all = "snake_case")]
#[expect(dead_code, reason = "for the document")]
enum QueueState {
    Waiting,
    Running,
}

/// The progress of an import.
#[derive(Serialize, JsonSchema)]
pub struct ImportProgress {
    bytes_read: u64,
    bytes_total: u64,
    rows_read: u64,
}

fn in_progress(id: Uuid, standing: &PendingImport) -> ImportStatus {
    ImportStatus {
        id: id.to_string(),
        file_name: standing.file_name.clone(),
        size_bytes: standing.size_bytes,
        state: if standing.is_running { "running" } else { "waiting" }.to_owned(),
        progress: Some(ImportProgress {
            bytes_read: standing.bytes_read,
            bytes_total: standing.size_bytes,
            rows_read: standing.rows_read,
        }),
        report: None,
        file_kept: None,
    }
}

async fn find(app: &App, person: &auth::Person, id: Uuid) -> Result<Import, Failure> {
    let (store, caller) = (app.store.clone(), person.caller());
    blocking(move || crate::jobs::find(&store, &caller, id)).await?.ok_or_else(no_such_import)
}

fn check_writer(person: &auth::Person) -> Result<(), Failure> {
    if person.caller().writes_tenant() {
        return Ok(());
    }
    Err(Failure::new(
        StatusCode::FORBIDDEN,
        "forbidden",
        "Importing needs the role tenant_admin; an administrator of the tenant can give it",
    ))
}

fn parse_id(text: &str) -> Result<Uuid, Failure> {
    Uuid::parse_str(text).map_err(|_| no_such_import())
}

fn no_such_import() -> Failure {
    Failure::new(StatusCode::NOT_FOUND, "not_found", "There is no such import, or it was cancelled")
}

/// The last component of a path: browsers include the folder when a folder was dropped.
pub(super) fn file_name(sent: &str) -> Result<String, Failure> {
    let name = sent.rsplit(['/', '\\']).next().unwrap_or_default().trim();
    if name.is_empty() || name.len() > NAME_LIMIT_BYTES || name.chars().any(char::is_control) {
        return Err(Failure::bad_request(format!(
            "{sent:?} is no name of a file: expected 1 to {NAME_LIMIT_BYTES} bytes without control characters"
        )));
    }
    Ok(name.to_owned())
}
