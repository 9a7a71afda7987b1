//! `/api/host`: functions of the window for its pages; see [`crate::window::host`].

use crate::app::App;
use crate::background::registry::{Kind, RunningJob};
use crate::blocking::blocking;
use crate::clock;
use crate::error::Failure;
use crate::guard::caller::Browser;
use crate::jobs::Upload;
use crate::rest::argument::Argument;
use crate::rest::operation::Operation;
use crate::rest::{Accepted, Access, JsonBody, NoStore};
use crate::routes::imports::file_name;
use crate::routes::sample::check_not_sample;
use crate::window::host::{Choice, Choices, Host, HostError, ZOOM};
use crate::window::open_files::{InboxError, OpenFileInbox, Waiting};
use auth::Person;
use axum::Json;
use axum::extract::{FromRequestParts, Path, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::NoContent;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::io::ErrorKind;
use std::sync::Arc;
use tokio::io::AsyncReadExt;
use tokio::sync::oneshot;
use uuid::Uuid;

/// Number of bytes read from a file at a time.
const PIECE_BYTES: usize = 256 << 10;

/// The window, for a page that the local administrator uses. As an argument of a handler, it makes the route refuse everybody else.
pub struct AtTheWindow {
    host: Arc<dyn Host>,
    person: Person,
}

impl FromRequestParts<Arc<App>> for AtTheWindow {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Failure> {
        let Browser(person) = Browser::from_request_parts(parts, app).await?;
        match &app.window.host {
            Some(host) if app.access.is_for_this_computer && person.user == app.instances.keeper => {
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

impl From<InboxError> for Failure {
    fn from(error: InboxError) -> Self {
        Self::new(StatusCode::CONFLICT, "waiting_files", error.to_string())
    }
}

impl From<HostError> for Failure {
    fn from(error: HostError) -> Self {
        Self::new(StatusCode::CONFLICT, "window", error.to_string())
    }
}

/// The state of the desktop window.
#[derive(Serialize, JsonSchema)]
pub struct WindowState {
    choices: Choices,
    files: Vec<Waiting>,
    /// Whether the desktop environment has a system tray.
    tray: bool,
}

impl Argument for AtTheWindow {
    fn describe(operation: &mut Operation) {
        operation.access = Access::Window;
    }
}

/// GET: the choices about the window, its capabilities, and the waiting files.
pub async fn show(State(app): State<Arc<App>>, window: AtTheWindow) -> Result<NoStore<WindowState>, Failure> {
    let list = in_list(&app, OpenFileInbox::list);
    // An unreadable list is logged only: the window works without it, and adding files reports the error.
    let list =
        move || list().inspect_err(|error| tracing::error!("{error}")).or(Ok::<_, Failure>(Vec::new()));
    let files = blocking(list).await?;
    Ok(NoStore(WindowState { choices: window.host.choices(), files, tray: window.host.has_tray() }))
}

/// PATCH: changes choices about the window.
pub async fn choose(
    State(_): State<Arc<App>>,
    window: AtTheWindow,
    body: JsonBody<Choice>,
) -> Result<Json<Choices>, Failure> {
    let choice = body.read(
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

/// POST: opens the file dialog.
pub async fn choose_files(window: AtTheWindow) -> Accepted<()> {
    window.host.choose_files();
    Accepted(())
}

/// The folder that the user chose, if any.
#[derive(Serialize, JsonSchema)]
pub struct ChosenFolder {
    path: Option<String>,
}

/// POST: opens the folder dialog, and answers when it is closed.
pub async fn choose_folder(window: AtTheWindow) -> Json<ChosenFolder> {
    let (tell, chosen) = oneshot::channel();
    window.host.choose_folder(Box::new(move |folder| {
        // The receiver may be gone.
        let _ = tell.send(folder);
    }));
    let path = chosen.await.ok().flatten().map(|folder| folder.to_string_lossy().into_owned());
    Json(ChosenFolder { path })
}

/// POST: opens the print dialog.
pub async fn print(window: AtTheWindow) -> Result<Accepted<()>, Failure> {
    window.host.print()?;
    Ok(Accepted(()))
}

#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "PageToOpen")]
pub struct RevealRequest {
    path: String,
}

/// POST: opens a page of this service in the system's browser.
pub async fn open_in_browser(
    window: AtTheWindow,
    body: JsonBody<RevealRequest>,
) -> Result<Accepted<()>, Failure> {
    let RevealRequest { path } = body.read("an object with the text `path`")?;
    if !path.starts_with('/') || path.starts_with("//") {
        return Err(Failure::bad_request(format!(
            "{path:?} is no page of this service: it begins with one slash"
        )));
    }
    window.host.open_in_browser(&path)?;
    Ok(Accepted(()))
}

/// POST: opens the models folder in the system's file manager. The page cannot name another folder.
pub async fn open_models_folder(
    State(app): State<Arc<App>>,
    window: AtTheWindow,
) -> Result<Accepted<()>, Failure> {
    blocking(move || {
        let library = app.models.downloads.library()?;
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
        Ok(Accepted(()))
    })
    .await
}

#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "ChosenFiles")]
#[serde(deny_unknown_fields)]
pub struct FileSelection {
    ids: Vec<Uuid>,
}

/// The result of starting imports of waiting files.
#[derive(Serialize, Default, JsonSchema)]
#[schemars(rename = "TakenFiles")]
pub struct ImportStart {
    /// Imports that were started. Each import has the id of its waiting file.
    imports: Vec<Waiting>,
    /// Why the remaining files were not imported. They keep waiting.
    refused: Vec<String>,
}

/// POST: imports waiting files in the given order, as if they had been uploaded. A file that cannot be read continues to wait.
///
/// The imports continue even if the page closes.
pub async fn import(
    State(app): State<Arc<App>>,
    window: AtTheWindow,
    body: JsonBody<FileSelection>,
) -> Result<Accepted<Json<ImportStart>>, Failure> {
    check_not_sample(&app, window.person.tenant).await?;
    let FileSelection { ids } = body.read("an object with the list `ids`")?;
    let mut all = blocking(in_list(&app, OpenFileInbox::list)).await?;
    let mut chosen = Vec::new();
    for id in ids {
        let place = all.iter().position(|waiting| waiting.id == id).ok_or_else(waits_not)?;
        let waiting = all.remove(place);
        let name = file_name(&waiting.name)?;
        let underway = app.jobs.begin(Kind::Import, &name, clock::now());
        chosen.push((waiting, name, underway));
    }
    let taken = tokio::spawn(async move {
        let mut taken = ImportStart::default();
        for (waiting, name, underway) in chosen {
            match take(&app, &window.person, &waiting, &name, underway).await {
                Ok(()) => taken.imports.push(waiting),
                Err(why) => taken.refused.push(why),
            }
        }
        taken
    });
    let taken = taken.await.map_err(|error| Failure::fault(&error))?;
    Ok(Accepted(Json(taken)))
}

/// Queues the import of a waiting file and removes it from the list. The error is a message for the user.
async fn take(
    app: &App,
    person: &Person,
    waiting: &Waiting,
    name: &str,
    underway: RunningJob,
) -> Result<(), String> {
    let id = waiting.id;
    // If the file is in the spool, it was queued before but could not be removed from the list.
    if !app.imports.queue.spool().path(id).exists() {
        let received = receive(app, person, waiting, name.to_owned()).await;
        let received = received.map_err(|error| refusal(name, &error))?;
        app.imports.queue.add(received, underway).await.map_err(|error| refusal(name, &error))?;
    }
    // Last, so that the file still waits if the program ends before.
    match tokio::task::spawn_blocking(in_list(app, move |forward| forward.remove(id))).await {
        Ok(Ok(_)) => Ok(()),
        Ok(Err(error)) => Err(error.to_string()),
        Err(panic) => Err(panic.to_string()),
    }
}

/// Wraps `work` on the list of waiting files for a blocking thread.
fn in_list<T>(
    app: &App,
    work: impl FnOnce(&OpenFileInbox) -> Result<T, InboxError> + Send + 'static,
) -> impl FnOnce() -> Result<T, InboxError> + Send + 'static {
    let forward = app.window.inbox.clone();
    move || work(&forward)
}

fn refusal(name: &str, error: &std::io::Error) -> String {
    match error.kind() {
        ErrorKind::AlreadyExists => format!("{name} is on its way already"),
        ErrorKind::NotFound => {
            format!("{name} is not where it was. Bring it back there, or leave it out; it goes on waiting")
        }
        _ => format!("{name} cannot be read: {error}. Nothing was imported; it goes on waiting"),
    }
}

/// Copies a waiting file into the spool.
async fn receive(app: &App, person: &Person, waiting: &Waiting, name: String) -> std::io::Result<Upload> {
    let mut file = tokio::fs::File::open(&waiting.path).await?;
    let mut incoming = app.imports.queue.spool().receive(waiting.id).await?;
    let mut piece = vec![0; PIECE_BYTES];
    loop {
        let length = file.read(&mut piece).await?;
        if length == 0 {
            break;
        }
        incoming.write(&piece[..length]).await?;
    }
    incoming.finish(name, person.tenant, person.user, clock::now()).await
}

/// DELETE: removes a file from the list. The file itself is not touched.
pub async fn put_back(
    State(app): State<Arc<App>>,
    _: AtTheWindow,
    Path(id): Path<String>,
) -> Result<NoContent, Failure> {
    let id = Uuid::parse_str(&id).map_err(|_| waits_not())?;
    let was_there = blocking(in_list(&app, move |forward| forward.remove(id))).await?;
    if was_there { Ok(NoContent) } else { Err(waits_not()) }
}

fn waits_not() -> Failure {
    Failure::new(StatusCode::NOT_FOUND, "not_found", "No such file waits here")
}
