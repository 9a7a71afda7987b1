//! `/api/imports/watched`: folders whose new files are imported automatically.

use super::{check_writer, parse_id};
use crate::app::App;
use crate::blocking::blocking;
use crate::clock;
use crate::error::Failure;
use crate::guard::caller::SignedIn;
use crate::jobs::watched_folders::bucket::BucketSource;
use crate::jobs::watched_folders::{self, state};
use crate::rest::JsonBody;
use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::NoContent;
use buckets::Kind;
use catalogue::format_timestamp;
use operations::model_setup::is_platform_admin;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Seconds between two scans of a folder that a user chose.
const EVERY_SECONDS: i64 = 60;

/// The watched folders and buckets.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "WatchedFolders")]
pub struct FolderList {
    folders: Vec<Folder>,
    /// Whether local folders can be added here. Otherwise the folder is defined in the server's settings.
    may_choose: bool,
    /// Whether the caller may add buckets.
    may_add_buckets: bool,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "WatchedFolder")]
struct Folder {
    id: String,
    path: String,
    /// The bucket. Null for a folder of this computer.
    bucket: Option<Bucket>,
    #[schemars(extend("enum" = ["setting", "person", "command"]))]
    asked_by: String,
    every_seconds: i64,
    last_run_at: Option<String>,
    next_run_at: Option<String>,
    /// The error of the last scan. Null if it succeeded.
    error: Option<String>,
    files_taken: u64,
}

/// A watched bucket. Its secret is never returned.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "WatchedBucket")]
struct Bucket {
    kind: Kind,
    endpoint: Option<String>,
    region: Option<String>,
    /// Whether the credentials come from the environment of the service.
    has_credentials_of_service: bool,
}

impl From<&BucketSource> for Bucket {
    fn from(source: &BucketSource) -> Self {
        Self {
            kind: source.address.kind,
            endpoint: source.address.endpoint.as_ref().map(ToString::to_string),
            region: source.address.region.clone(),
            has_credentials_of_service: source.has_credentials_of_service(),
        }
    }
}

/// The folder to watch.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "FolderToWatch")]
pub struct Choice {
    path: String,
}

/// GET: the watched folders of the tenant, with the times of their last and next scan.
pub async fn list(
    State(app): State<Arc<App>>,
    SignedIn(person): SignedIn,
) -> Result<Json<FolderList>, Failure> {
    check_writer(&person)?;
    let (store, tenant) = (app.store.clone(), person.tenant);
    let folders = blocking(move || state::list(&store, tenant)).await?;
    let time = |micros: Option<i64>| micros.map(|micros| format!("{}Z", format_timestamp(micros)));
    let folders = folders
        .into_iter()
        .map(|folder| Folder {
            id: folder.id.to_string(),
            bucket: folder.bucket.as_ref().map(Bucket::from),
            path: folder.path,
            asked_by: folder.asked_by,
            every_seconds: folder.every_seconds,
            last_run_at: time(folder.last_run_at),
            next_run_at: time(folder.next_run_at),
            error: folder.last_error,
            files_taken: folder.files_taken,
        })
        .collect();
    Ok(Json(FolderList {
        folders,
        may_choose: may_choose(&app, &person),
        may_add_buckets: is_platform_admin(app.access.home, person.tenant, &person.roles),
    }))
}

/// POST: starts watching a folder of this computer. Only in the window of the desktop program: clients that reach a server over the network may not
/// name folders of it.
pub async fn choose(
    State(app): State<Arc<App>>,
    SignedIn(person): SignedIn,
    body: JsonBody<Choice>,
) -> Result<NoContent, Failure> {
    check_writer(&person)?;
    if !may_choose(&app, &person) {
        return Err(Failure::new(
            StatusCode::FORBIDDEN,
            "forbidden",
            "Folders are chosen in the desktop program; on a server the setting watched_folder names one",
        ));
    }
    let Choice { path } = body.read("an object with the text `path`")?;
    let (store, tenant) = (app.store.clone(), person.tenant);
    let path = std::path::PathBuf::from(path.trim());
    if !path.is_absolute() || !path.is_dir() {
        let message = format!("{} is no folder: expected the whole path of one", path.display());
        return Err(Failure::bad_request(message));
    }
    let path = path.to_string_lossy().into_owned();
    blocking(move || state::watch(&store, tenant, &path, watched_folders::PERSON, EVERY_SECONDS)).await?;
    Ok(NoContent)
}

/// POST: makes the next scan due at once.
pub async fn look(
    State(app): State<Arc<App>>,
    SignedIn(person): SignedIn,
    Path(id): Path<String>,
) -> Result<NoContent, Failure> {
    check_writer(&person)?;
    let id = parse_id(&id)?;
    let (store, tenant) = (app.store.clone(), person.tenant);
    found(blocking(move || state::hurry(&store, tenant, id, clock::now())).await?)
}

/// DELETE: stops watching a folder configured by a user or a command. Imported data remains.
pub async fn forget(
    State(app): State<Arc<App>>,
    SignedIn(person): SignedIn,
    Path(id): Path<String>,
) -> Result<NoContent, Failure> {
    check_writer(&person)?;
    let id = parse_id(&id)?;
    let (store, tenant) = (app.store.clone(), person.tenant);
    found(blocking(move || state::forget(&store, tenant, id)).await?)
}

fn found(is_there: bool) -> Result<NoContent, Failure> {
    if is_there {
        return Ok(NoContent);
    }
    let message = "There is no such folder, or the settings of the server name it";
    Err(Failure::new(StatusCode::NOT_FOUND, "not_found", message))
}

/// Whether the request is from the local user's window. Watched folders belong to the home tenant only.
fn may_choose(app: &App, person: &auth::Person) -> bool {
    app.window.host.is_some() && app.access.is_for_this_computer && person.tenant == app.access.home
}
