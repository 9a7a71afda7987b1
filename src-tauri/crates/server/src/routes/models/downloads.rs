//! Settings → Model downloads: available and running downloads, starting and stopping them, importing and exporting files, and progress events. The
//! operations are in [`operations::model_setup::service_models`], shared with GraphQL and the command line.

use super::registry::{hash_file, serve};
use crate::app::App;
use crate::background::registry::{Kind, Outcome};
use crate::blocking::blocking;
use crate::clock;
use crate::error::Failure;
use crate::guard::caller::{PlatformAdmin, Proof};
use crate::rest::{Alphabetical, JsonBody, NoStore};
use crate::routes::instances::certificates_shown;
use auth::saml::certificate::Details;
use auth::saml::time;
use axum::Json;
use axum::body::Body;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::http::HeaderMap;
use axum::response::Response;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::{Stream, StreamExt, stream};
use models::settings::Changes;
use models::{Downloads, ModelName};
use operations::model_setup::{ModelsOverview, PlatformAdmin as By, SetupError, service_models};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::convert::Infallible;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Minimum time between two events.
const NEWS_EVERY: Duration = Duration::from_millis(250);

/// The state of all models.
type ModelsAnswer = NoStore<Alphabetical<ModelsOverview>>;

/// GET: every model with its state, the settings, and the disk space.
pub async fn list(State(app): State<Arc<App>>, _: PlatformAdmin) -> Result<ModelsAnswer, Failure> {
    shown(&app).await
}

/// GET: the same content now and after every change, as server-sent events.
pub async fn events(
    State(app): State<Arc<App>>,
    proof: Proof,
    _: PlatformAdmin,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let mut changed = app.models.downloads.changed();
    changed.mark_changed();
    let stopping = app.stopping.clone();
    let news = stream::unfold(
        (app, proof, changed, stopping),
        |(app, proof, mut changed, mut stopping)| async move {
            tokio::select! {
                biased;
                _ = stopping.wait_for(|stop| *stop) => return None,
                news = changed.changed() => news.ok()?,
            }
            // Ends the stream if the user has signed out.
            proof.check(&app.access).await.ok()?;
            let event = match describe_now(&app).await {
                Ok(shown) => Event::default().event("models").json_data(shown).ok()?,
                Err(_) => Event::default().comment("busy"),
            };
            tokio::time::sleep(NEWS_EVERY).await;
            Some((Ok(event), (app, proof, changed, stopping)))
        },
    );
    Sse::new(news).keep_alive(KeepAlive::new().interval(Duration::from_secs(15)))
}

async fn describe_now(app: &Arc<App>) -> Result<Alphabetical<ModelsOverview>, Failure> {
    let app = Arc::clone(app);
    blocking(move || service_models::overview(&app.models.downloads).map(Alphabetical)).await
}

async fn shown(app: &Arc<App>) -> Result<ModelsAnswer, Failure> {
    Ok(NoStore(describe_now(app).await?))
}

#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "ModelSettingsChange")]
#[serde(deny_unknown_fields)]
pub struct Values {
    values: Changes,
}

/// PUT: saves settings. Null removes a saved value, so that the environment applies again.
pub async fn save(
    State(app): State<Arc<App>>,
    admin: PlatformAdmin,
    body: JsonBody<Values>,
) -> Result<ModelsAnswer, Failure> {
    let Values { values } = body.read("an object with `values`: texts or null by the names of settings")?;
    change(app, admin, move |by, downloads| service_models::save_settings(by, downloads, &values)).await
}

/// The result of testing the registry's address.
#[derive(Serialize, JsonSchema)]
pub struct RegistryLook {
    host: String,
    encrypted: bool,
    /// The certificate chain presented by the registry, its own certificate first.
    certificates: Vec<Details>,
    trouble: Option<RegistryTrouble>,
    checked_at: String,
}

/// Why models cannot be downloaded from the registry.
#[derive(Serialize, JsonSchema)]
struct RegistryTrouble {
    kind: models::Kind,
    message: String,
}

/// POST: checks whether the registry answers, with which certificate, and whether it accepts the key.
pub async fn look(
    State(app): State<Arc<App>>,
    _: PlatformAdmin,
) -> Result<Json<Alphabetical<RegistryLook>>, Failure> {
    let look = app.models.downloads.look().await?;
    let now = clock::now();
    let trouble = look.found.err().map(|failure| RegistryTrouble {
        kind: failure.kind,
        message: format!("{} {}", failure.reason, failure.remedy).trim_end().to_owned(),
    });
    Ok(Json(Alphabetical(RegistryLook {
        host: look.host,
        encrypted: look.is_encrypted,
        certificates: certificates_shown(look.certificates, now),
        trouble,
        checked_at: time::text(now),
    })))
}

#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "ModelFolder")]
#[serde(deny_unknown_fields)]
pub struct Folder {
    path: PathBuf,
}

/// PUT: moves the models to another folder of the service's machine.
pub async fn move_folder(
    State(app): State<Arc<App>>,
    admin: PlatformAdmin,
    body: JsonBody<Folder>,
) -> Result<ModelsAnswer, Failure> {
    let Folder { path } = body.read("an object with `path`, a folder of the service's machine")?;
    change(app, admin, move |by, downloads| service_models::move_to(by, downloads, &path)).await
}

/// POST: starts or resumes a download.
pub async fn start(
    State(app): State<Arc<App>>,
    admin: PlatformAdmin,
    Path(name): Path<String>,
    again: Result<Query<Again>, QueryRejection>,
) -> Result<ModelsAnswer, Failure> {
    let Query(again) =
        again.map_err(|_| Failure::bad_request("Expected nothing or ?again=true in the address"))?;
    act(app, admin, &name, move |by, downloads, name| service_models::pull(by, downloads, name, again.again))
        .await
}

#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "DownloadQuery")]
#[serde(deny_unknown_fields)]
pub struct Again {
    /// Whether to restart the download from the beginning.
    #[serde(default)]
    again: bool,
}

/// POST: pauses a download and keeps the received data.
pub async fn pause(
    State(app): State<Arc<App>>,
    admin: PlatformAdmin,
    Path(name): Path<String>,
) -> Result<ModelsAnswer, Failure> {
    act(app, admin, &name, service_models::pause).await
}

/// DELETE: cancels a download and deletes the received data.
pub async fn cancel(
    State(app): State<Arc<App>>,
    admin: PlatformAdmin,
    Path(name): Path<String>,
) -> Result<ModelsAnswer, Failure> {
    act(app, admin, &name, service_models::cancel).await
}

/// DELETE: removes a model from this machine.
pub async fn remove(
    State(app): State<Arc<App>>,
    admin: PlatformAdmin,
    Path(name): Path<String>,
) -> Result<ModelsAnswer, Failure> {
    act(app, admin, &name, service_models::remove).await
}

#[derive(Deserialize, Default, JsonSchema)]
#[schemars(rename = "ExpectedHash")]
#[serde(deny_unknown_fields, default)]
pub struct DigestRequest {
    sha256: Option<String>,
}

/// POST: hashes a model's file again and compares it with `sha256`, the value that the user expects.
pub async fn verify(
    State(app): State<Arc<App>>,
    admin: PlatformAdmin,
    Path(name): Path<String>,
    body: JsonBody<DigestRequest>,
) -> Result<ModelsAnswer, Failure> {
    let told = if body.bytes.is_empty() {
        DigestRequest::default()
    } else {
        body.read("nothing or an object with `sha256`")?
    };
    act(app, admin, &name, move |by, downloads, name| {
        service_models::verify(by, downloads, name, told.sha256.as_deref(), &mut |_| ()).map(|_| ())
    })
    .await
}

#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "ModelFileName")]
pub struct Naming {
    /// Name of the model file.
    file: String,
    /// The SHA-256 from the accompanying `.sha256` file.
    sha256: Option<String>,
}

/// POST: imports a model from a file of any size.
pub async fn import(
    State(app): State<Arc<App>>,
    admin: PlatformAdmin,
    Path(name): Path<String>,
    naming: Result<Query<Naming>, QueryRejection>,
    body: Body,
) -> Result<ModelsAnswer, Failure> {
    let Query(naming) = naming
        .map_err(|_| Failure::bad_request("Expected the file's name in the address: ?file=svc-slm.gguf"))?;
    let name = parse_name(&name)?;
    let expected = service_models::expected(naming.sha256.as_deref())?;
    // An upload that breaks off is reported with the outcome "stopped".
    let underway = app.jobs.begin(Kind::ModelFile, name.as_str(), clock::now());
    let library = app.models.downloads.library()?;
    let called = name.clone();
    let mut incoming = blocking(move || library.receive(&called)).await?;
    let mut bytes = body.into_data_stream();
    while let Some(piece) = bytes.next().await {
        let piece = piece
            .map_err(|_| Failure::bad_request("The file did not arrive completely; nothing was kept"))?;
        incoming = blocking(move || incoming.write(&piece).map(|()| incoming)).await?;
    }
    let state = Arc::clone(&app);
    blocking(move || {
        let by = admin.setting_up(&app.store);
        let finish = || Ok(incoming.finish(expected, &naming.file, by.now)?);
        let taken = service_models::import_with(&by, &app.models.downloads, &name, finish);
        underway.came_to(if taken.is_ok() { Outcome::Done } else { Outcome::Failed });
        taken
    })
    .await?;
    shown(&state).await
}

/// GET: exports a model as a file.
pub async fn export(
    State(app): State<Arc<App>>,
    _: PlatformAdmin,
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let name = parse_name(&name)?;
    let (model, path) = blocking(move || {
        let library = app.models.downloads.library()?;
        let model = library.find(&name)?;
        let path = library.path(&model);
        Ok::<_, Failure>((model, path))
    })
    .await?;
    serve(&model, path, &headers).await
}

/// GET: the hash file for an exported model.
pub async fn export_hash(
    State(app): State<Arc<App>>,
    _: PlatformAdmin,
    Path(name): Path<String>,
) -> Result<Response, Failure> {
    let name = parse_name(&name)?;
    let model = blocking(move || Ok::<_, Failure>(app.models.downloads.library()?.find(&name)?)).await?;
    Ok(hash_file(&model))
}

/// Performs an operation on a model and returns the resulting state of all models.
async fn act(
    app: Arc<App>,
    admin: PlatformAdmin,
    name: &str,
    work: impl FnOnce(&By, &Downloads, &ModelName) -> Result<(), SetupError> + Send + 'static,
) -> Result<ModelsAnswer, Failure> {
    let name = parse_name(name)?;
    change(app, admin, move |by, downloads| work(by, downloads, &name)).await
}

/// Performs an operation and returns the resulting state of all models.
async fn change(
    app: Arc<App>,
    admin: PlatformAdmin,
    work: impl FnOnce(&By, &Downloads) -> Result<(), SetupError> + Send + 'static,
) -> Result<ModelsAnswer, Failure> {
    let state = Arc::clone(&app);
    blocking(move || work(&admin.setting_up(&app.store), &app.models.downloads)).await?;
    shown(&state).await
}

fn parse_name(text: &str) -> Result<ModelName, Failure> {
    ModelName::parse(text).map_err(|error| Failure::bad_request(error.to_string()))
}
