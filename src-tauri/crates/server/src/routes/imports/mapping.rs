//! `/api/imports/{id}/mapping`: maps the columns of a CSV file of costs, and manages saved mappings.

use super::{check_writer, parse_id};
use crate::app::App;
use crate::blocking::blocking;
use crate::error::Failure;
use crate::guard::caller::SignedIn;
use crate::jobs::mapping::{self as jobs, MappingError};
use crate::rest::JsonBody;
use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::NoContent;
use catalogue::Caller;
use ingest::Report;
use ingest::mapping::{self, Field, Mapping, MappingContent};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A file that needs a column mapping.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "UnmappedTable")]
pub struct Table {
    header: Vec<String>,
    /// The first rows, cell by cell.
    rows: Vec<Vec<String>>,
    /// The mapping suggested from the column names.
    suggestion: MappingContent,
    fields: Vec<FieldName>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "MappingFieldName")]
struct FieldName {
    name: &'static str,
    is_needed: bool,
}

/// A stored mapping.
#[derive(Serialize, JsonSchema)]
pub struct KeptMapping {
    name: String,
    /// Column names of the files that the mapping applies to, in lower case.
    header: Vec<String>,
    content: MappingContent,
}

/// A mapping to store.
#[derive(Deserialize, JsonSchema)]
pub struct NewMapping {
    name: String,
    content: MappingContent,
}

/// GET: the columns and first rows of a waiting file.
pub async fn show(
    State(app): State<Arc<App>>,
    SignedIn(person): SignedIn,
    Path(id): Path<String>,
) -> Result<Json<Table>, Failure> {
    check_writer(&person)?;
    let id = parse_id(&id)?;
    let (store, archive, caller) =
        (app.store.clone(), Arc::clone(&app.imports.archive), Caller::system_for(person.tenant));
    let table = blocking(move || jobs::preview(&store, &caller, &archive, id)).await?;
    let field = |field: Field| FieldName { name: field.name(), is_needed: Field::NEEDED.contains(&field) };
    Ok(Json(Table {
        suggestion: MappingContent::suggest(&table.header),
        fields: Field::ALL.into_iter().map(field).collect(),
        header: table.header,
        rows: table.rows,
    }))
}

/// POST: the report that an import with a mapping would have. Nothing is written.
pub async fn try_out(
    State(app): State<Arc<App>>,
    SignedIn(person): SignedIn,
    Path(id): Path<String>,
    body: JsonBody<MappingContent>,
) -> Result<Json<Report>, Failure> {
    check_writer(&person)?;
    let id = parse_id(&id)?;
    let content = body.read("an object with `columns`, `values` and `tags`")?;
    let (store, archive, most_lower) =
        (app.store.clone(), Arc::clone(&app.imports.archive), app.imports.most_lower);
    let (caller, owner) = (Caller::system_for(person.tenant), person.user);
    let report = blocking(move || jobs::try_out(&store, &caller, &archive, (id, owner), content, most_lower));
    report.await.map(Json)
}

/// POST: saves a mapping under a name, and imports the file with it.
pub async fn keep(
    State(app): State<Arc<App>>,
    SignedIn(person): SignedIn,
    Path(id): Path<String>,
    body: JsonBody<NewMapping>,
) -> Result<Json<Report>, Failure> {
    check_writer(&person)?;
    let id = parse_id(&id)?;
    let NewMapping { name, content } = body.read("an object with `name` and `content`")?;
    let new = Mapping { name: name.trim().to_owned(), content };
    let (store, archive, most_lower) =
        (app.store.clone(), Arc::clone(&app.imports.archive), app.imports.most_lower);
    let (caller, owner, by) = (Caller::system_for(person.tenant), person.user, person.name.clone());
    let reports =
        blocking(move || jobs::keep(&store, &caller, &archive, (id, owner, &by), &new, most_lower)).await?;
    reports.into_iter().next().map(Json).ok_or_else(super::no_such_import)
}

/// GET: the saved mappings.
pub async fn list(
    State(app): State<Arc<App>>,
    SignedIn(person): SignedIn,
) -> Result<Json<Vec<KeptMapping>>, Failure> {
    check_writer(&person)?;
    let (store, caller) = (app.store.clone(), Caller::system_for(person.tenant));
    let kept = blocking(move || store.snapshot(&caller, mapping::all)).await?;
    let kept = kept.into_iter().map(|kept| KeptMapping {
        header: kept.header().map(str::to_owned).collect(),
        name: kept.mapping.name,
        content: kept.mapping.content,
    });
    Ok(Json(kept.collect()))
}

/// DELETE: removes a mapping. Data imported with it remains.
pub async fn forget(
    State(app): State<Arc<App>>,
    SignedIn(person): SignedIn,
    Path(name): Path<String>,
) -> Result<NoContent, Failure> {
    check_writer(&person)?;
    let (store, caller) = (app.store.clone(), Caller::system_for(person.tenant));
    if blocking(move || mapping::delete(&store, &caller, &name)).await? {
        return Ok(NoContent);
    }
    Err(Failure::new(StatusCode::NOT_FOUND, "not_found", "There is no such mapping"))
}

impl From<MappingError> for Failure {
    fn from(error: MappingError) -> Self {
        match error {
            MappingError::Decide(error) => error.into(),
            MappingError::NotAsked | MappingError::NameTaken(_) => {
                Self::new(StatusCode::CONFLICT, "conflict", error.to_string())
            }
            MappingError::Lacks(_) | MappingError::Nameless => Self::bad_request(error.to_string()),
            MappingError::Read(error) => Self::fault(&error),
        }
    }
}
