//! `/api/host`: what the window does for its pages; see [`crate::host`].

use crate::app::{App, blocking};
use crate::caller::Browser;
use crate::clock;
use crate::error::Failure;
use crate::forward::Waiting;
use crate::host::{Choice, Choices, Host, HostError, ZOOM};
use crate::routes::imports::file_name;
use crate::routes::{Sent, parse_body};
use auth::Person;
use axum::Json;
use axum::extract::{FromRequestParts, Path, State};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::json;
use std::sync::Arc;
use tokio::io::AsyncReadExt;
use uuid::Uuid;

/// How much of a file is read at a time.
const PIECE_BYTES: usize = 256 << 10;

/// The window, for a page at which the local administrator sits.
pub struct AtTheWindow {
    host: Arc<dyn Host>,
    person: Person,
}

impl FromRequestParts<Arc<App>> for AtTheWindow {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Failure> {
        let Browser(person) = Browser::from_request_parts(parts, app).await?;
        match &app.host {
            Some(host) if app.is_for_this_computer && person.user == app.keeper => {
                Ok(Self { host: Arc::clone(host), person })
            }
            _ => Err(Failure::new(
                StatusCode::NOT_FOUND,
                "no_window",
                "There is no window around this service, or it is somebody else's",
            )),
        }
    }
}

impl From<HostError> for Failure {
    fn from(error: HostError) -> Self {
        Self::new(StatusCode::CONFLICT, "window", error.to_string())
    }
}

/// GET: what was decided about the window, what it can do, and the files that wait.
pub async fn show(State(app): State<Arc<App>>, window: AtTheWindow) -> Response {
    let body = json!({ "choices": window.host.choices(), "tray": window.host.has_tray(), "files": app.forward.list() });
    ([(header::CACHE_CONTROL, "no-store")], Json(body)).into_response()
}

/// PATCH: decides about the window.
pub async fn choose(
    State(_): State<Arc<App>>,
    window: AtTheWindow,
    Sent(body): Sent,
) -> Result<Json<Choices>, Failure> {
    let choice: Choice = parse_body(
        &body,
        "an object with any of \"at_login\": true or false, \"on_close\": \"ask\", \"finish\", \"stay\" or \"stop\", \"zoom\": number",
    )?;
    if let Some(zoom) = choice.zoom
        && !ZOOM.contains(&zoom)
    {
        return Err(Failure::bad_request(format!(
            "`zoom` is {zoom}: expected {} to {}",
            ZOOM.start(),
            ZOOM.end()
        )));
    }
    blocking(move || {
        window.host.choose(choice)?;
        Ok::<_, HostError>(Json(window.host.choices()))
    })
    .await
}

/// POST: opens the dialog for files.
pub async fn choose_files(window: AtTheWindow) -> StatusCode {
    window.host.choose_files();
    StatusCode::ACCEPTED
}

/// POST: opens the dialog for printing.
pub async fn print(window: AtTheWindow) -> Result<StatusCode, Failure> {
    window.host.print()?;
    Ok(StatusCode::ACCEPTED)
}

#[derive(Deserialize)]
struct Shown {
    path: String,
}

/// POST: shows a page of this service in the system's browser.
pub async fn open_in_browser(window: AtTheWindow, Sent(body): Sent) -> Result<StatusCode, Failure> {
    let Shown { path } = parse_body(&body, "an object with the text `path`")?;
    if !path.starts_with('/') || path.starts_with("//") {
        return Err(Failure::bad_request(format!(
            "{path:?} is no page of this service: it begins with one slash"
        )));
    }
    window.host.open_in_browser(&path)?;
    Ok(StatusCode::ACCEPTED)
}

/// POST: shows the folder of the models in the system's file manager. The page names no folder, so it can open no other.
pub async fn open_models_folder(
    State(app): State<Arc<App>>,
    window: AtTheWindow,
) -> Result<StatusCode, Failure> {
    blocking(move || {
        let library = app.models.library()?;
        let folder = library.folder();
        if !folder.is_dir() {
            return Err(Failure::new(
                StatusCode::CONFLICT,
                "no_folder",
                format!(
                    "{} is not there yet: it is made when the first model is downloaded or taken in",
                    folder.display()
                ),
            ));
        }
        window.host.open_folder(folder)?;
        Ok(StatusCode::ACCEPTED)
    })
    .await
}

/// POST: imports a file that waits, as if it had been uploaded.
pub async fn import(
    State(app): State<Arc<App>>,
    window: AtTheWindow,
    Path(id): Path<String>,
) -> Result<Response, Failure> {
    let waiting = take(&app, &id)?;
    let name = file_name(&waiting.name)?;
    match receive(&app, &window.person, &waiting, name.clone()).await {
        Ok(id) => Ok((StatusCode::ACCEPTED, Json(json!({ "id": id.to_string() }))).into_response()),
        Err(error) => Err(Failure::new(
            StatusCode::CONFLICT,
            "unreadable",
            format!("{name} cannot be read: {error}. Nothing was imported; choose it again"),
        )),
    }
}

async fn receive(app: &App, person: &Person, waiting: &Waiting, name: String) -> std::io::Result<Uuid> {
    let mut file = tokio::fs::File::open(&waiting.path).await?;
    let mut incoming = app.jobs.spool().receive(waiting.id).await?;
    let mut piece = vec![0; PIECE_BYTES];
    loop {
        let length = file.read(&mut piece).await?;
        if length == 0 {
            break;
        }
        incoming.write(&piece[..length]).await?;
    }
    let upload = incoming.finish(name, person.tenant, person.user, clock::now()).await?;
    app.jobs.add(upload);
    Ok(waiting.id)
}

/// DELETE: takes a file off the list; the file itself stays where it is.
pub async fn put_back(
    State(app): State<Arc<App>>,
    _: AtTheWindow,
    Path(id): Path<String>,
) -> Result<StatusCode, Failure> {
    take(&app, &id)?;
    Ok(StatusCode::NO_CONTENT)
}

fn take(app: &App, id: &str) -> Result<Waiting, Failure> {
    let waiting = Uuid::parse_str(id).ok().and_then(|id| app.forward.take(id));
    waiting.ok_or_else(|| Failure::new(StatusCode::NOT_FOUND, "not_found", "No such file waits here"))
}
