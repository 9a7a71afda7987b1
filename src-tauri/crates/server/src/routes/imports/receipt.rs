//! The stored bytes of an imported file: reads one record or the whole file, and deletes them.

use super::{check_writer, find, parse_id};
use crate::app::App;
use crate::blocking::blocking;
use crate::error::Failure;
use crate::guard::caller::SignedIn;
use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, NoContent, Response};
use schemars::JsonSchema;
use serde::Serialize;
use std::io::Read;
use std::sync::Arc;

/// A record of a file: the number of its first line, its text and its cells.
#[derive(Serialize, JsonSchema)]
pub struct FileRecord {
    line: u64,
    text: String,
    columns: Vec<Cell>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "FileCell")]
struct Cell {
    name: String,
    value: String,
}

/// GET: the record that contains a line of the file.
pub async fn line(
    State(app): State<Arc<App>>,
    SignedIn(person): SignedIn,
    Path((id, line)): Path<(String, u64)>,
) -> Result<Json<FileRecord>, Failure> {
    let import = find(&app, &person, parse_id(&id)?).await?;
    let archive = Arc::clone(&app.imports.archive);
    let found = blocking(move || {
        let path = archive.find(&import.sha256)?.ok_or_else(dropped)?;
        ingest::record_at(&path, line).map_err(Failure::from)
    })
    .await?;
    let found = found.ok_or_else(|| {
        Failure::new(StatusCode::NOT_FOUND, "not_found", format!("The file has fewer than {line} lines"))
    })?;
    let columns = found.columns.into_iter().map(|(name, value)| Cell { name, value }).collect();
    Ok(Json(FileRecord { line: found.line, text: found.text, columns }))
}

/// GET: the original file.
pub async fn file(
    State(app): State<Arc<App>>,
    SignedIn(person): SignedIn,
    Path(id): Path<String>,
) -> Result<Response, Failure> {
    let import = find(&app, &person, parse_id(&id)?).await?;
    let archive = Arc::clone(&app.imports.archive);
    let bytes = blocking(move || {
        let Some(mut reader) = archive.open(&import.sha256)? else { return Ok(None) };
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes)?;
        Ok::<_, std::io::Error>(Some(bytes))
    })
    .await?
    .ok_or_else(dropped)?;
    let name: String =
        import.file_name.chars().map(|c| if c.is_ascii_graphic() && c != '"' { c } else { '_' }).collect();
    let head = [
        (CONTENT_TYPE, "application/octet-stream".to_owned()),
        (CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")),
    ];
    Ok((head, Bytes::from(bytes)).into_response())
}

/// DELETE: deletes the bytes of the file. Imported rows remain.
pub async fn drop_file(
    State(app): State<Arc<App>>,
    SignedIn(person): SignedIn,
    Path(id): Path<String>,
) -> Result<NoContent, Failure> {
    check_writer(&person)?;
    let import = find(&app, &person, parse_id(&id)?).await?;
    if import.state == "needs_decision" {
        let message = "This import waits for a decision, which needs the file. Decide, or give the import up";
        return Err(Failure::new(StatusCode::CONFLICT, "needs_decision", message));
    }
    let archive = Arc::clone(&app.imports.archive);
    if blocking(move || archive.remove(&import.sha256)).await? { Ok(NoContent) } else { Err(dropped()) }
}

fn dropped() -> Failure {
    Failure::new(StatusCode::NOT_FOUND, "file_dropped", "The bytes of this file are not kept here any more")
}
