//! Settings → Model downloads: what is here and on its way, starting and stopping, files in and out, and progress as it comes.

use super::instances::certificates_shown;
use super::model_registry::{hash_file, serve};
use super::{Sent, parse_body};
use crate::app::{App, blocking};
use crate::caller::{Proof, Steward};
use crate::clock;
use crate::error::Failure;
use auth::saml::time;
use axum::Json;
use axum::body::Body;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::http::header::CACHE_CONTROL;
use axum::http::{HeaderMap, StatusCode};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::{Stream, StreamExt, stream};
use models::settings::{self, ALL, Changes};
use models::{Checked, Downloads, ModelName, OFFERED, Trust};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::convert::Infallible;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// News come no more often than this.
const NEWS_EVERY: Duration = Duration::from_millis(250);

/// GET: every model with how it stands, the settings, and the disk.
pub async fn list(State(app): State<Arc<App>>, _: Steward) -> Result<Response, Failure> {
    Ok(shown(&app).await?.into_response())
}

/// GET: the same now and whenever it changes, as server-sent events.
pub async fn events(
    State(app): State<Arc<App>>,
    proof: Proof,
    _: Steward,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let mut changed = app.models.changed();
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
            // Whoever was signed out since hears nothing more.
            proof.check(&app).await.ok()?;
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

/// What pages are told.
#[derive(Serialize)]
struct Shown {
    models: Vec<Value>,
    settings: Value,
    /// Where secrets are, as people are told.
    secrets: Option<&'static str>,
    /// What downloading needs and is not set, by the names of settings.
    missing: Vec<&'static str>,
    folder: String,
    used_bytes: u64,
    /// What running downloads will still take.
    reserved_bytes: u64,
    free_bytes: Option<u64>,
}

async fn describe_now(app: &Arc<App>) -> Result<Shown, Failure> {
    let app = Arc::clone(app);
    blocking(move || describe(&app.models)).await
}

async fn shown(app: &Arc<App>) -> Result<impl IntoResponse + use<>, Failure> {
    Ok(([(CACHE_CONTROL, "no-store")], Json(describe_now(app).await?)))
}

fn describe(downloads: &Downloads) -> Result<Shown, Failure> {
    let settings = downloads.settings()?;
    let library = downloads.library()?;
    let (here, coming) = (library.list()?, downloads.list()?);
    let names: BTreeSet<&str> = here
        .iter()
        .map(|model| model.name.as_str())
        .chain(coming.iter().map(|status| status.name.as_str()))
        .filter(|name| OFFERED.iter().all(|(offered, _)| offered != name))
        .collect();
    let names =
        OFFERED.iter().map(|(name, about)| (*name, *about)).chain(names.into_iter().map(|name| (name, "")));
    let one = |(name, about)| {
        json!({
            "name": name,
            "about": about,
            "here": here.iter().find(|model| model.name == name).map(with_times),
            "download": coming.iter().find(|status| status.name == name).map(with_times),
        })
    };
    let missing = [settings::REGISTRY_URL, settings::LICENSE_KEY];
    Ok(Shown {
        models: names.map(one).collect(),
        settings: json!(settings.shown()),
        secrets: downloads.about_secrets(),
        missing: missing.into_iter().filter(|name| settings.value(name).is_none()).collect(),
        folder: library.folder().display().to_string(),
        used_bytes: library.used_bytes()?,
        reserved_bytes: coming
            .iter()
            .filter(|status| status.state.is_active())
            .map(|status| status.size_bytes.unwrap_or(0).saturating_sub(status.kept_bytes))
            .sum(),
        free_bytes: downloads.free_bytes(library.folder()).ok(),
    })
}

/// As JSON, with times as pages and scripts read them.
pub fn with_times(value: &impl Serialize) -> Value {
    let mut value = json!(value);
    for name in ["started_at", "updated_at", "installed_at", "checked_at"] {
        if let Some(at) = value[name].as_i64() {
            value[name] = time::text(at).into();
        }
    }
    for notice in value["notices"].as_array_mut().into_iter().flatten() {
        if let Some(at) = notice["at"].as_i64() {
            notice["at"] = time::text(at).into();
        }
    }
    value
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Values {
    values: Changes,
}

/// PUT: saves settings; null takes a saved value back, so that the environment counts again.
pub async fn save(State(app): State<Arc<App>>, _: Steward, Sent(body): Sent) -> Result<Response, Failure> {
    let Values { values } =
        parse_body(&body, "an object with `values`: texts or null by the names of settings")?;
    let known = |name: &str| settings::definition(name).is_some() && name != settings::FOLDER;
    if let Some(unknown) = values.keys().find(|name| !known(name)) {
        let names: Vec<&str> = ALL.iter().map(|one| one.name).filter(|name| known(name)).collect();
        return Err(Failure::bad_request(format!(
            "there is no setting {unknown:?} to save here; there is {}",
            names.join(", ")
        )));
    }
    let state = Arc::clone(&app);
    blocking(move || {
        let after = app.models.settings()?.with(&values);
        let problems: Vec<(&String, String)> =
            values.keys().filter_map(|name| Some((name, after.problem(name)?))).collect();
        if let Some((name, problem)) = problems.first() {
            let listed =
                problems.iter().map(|(name, text)| json!({ "setting": name, "message": text })).collect();
            return Err(Failure::new(StatusCode::BAD_REQUEST, "wrong_value", format!("{name} {problem}"))
                .with("problems", Value::Array(listed)));
        }
        Ok(app.models.save_settings(&values)?)
    })
    .await?;
    Ok(shown(&state).await?.into_response())
}

/// POST: looks whether the registry answers, with which certificate, and whether it takes the key.
pub async fn look(State(app): State<Arc<App>>, _: Steward) -> Result<Json<Value>, Failure> {
    let look = app.models.look().await?;
    let now = clock::now();
    let trouble = look.found.err().map(|failure| {
        json!({ "kind": failure.kind, "message": format!("{} {}", failure.reason, failure.remedy).trim_end() })
    });
    Ok(Json(json!({
        "host": look.host,
        "encrypted": look.is_encrypted,
        "certificates": certificates_shown(look.certificates, now),
        "trouble": trouble,
        "checked_at": time::text(now),
    })))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Folder {
    path: PathBuf,
}

/// PUT: moves the models to another folder of the machine the service runs on.
pub async fn move_folder(
    State(app): State<Arc<App>>,
    _: Steward,
    Sent(body): Sent,
) -> Result<Response, Failure> {
    let Folder { path } = parse_body(&body, "an object with `path`, a folder of the service's machine")?;
    if !path.is_absolute() {
        return Err(Failure::bad_request(format!(
            "{} is no whole path: expected one such as /var/lib/models",
            path.display()
        )));
    }
    let state = Arc::clone(&app);
    blocking(move || {
        app.models.library()?.move_to(&path, clock::now())?;
        app.models.tell();
        Ok::<_, Failure>(())
    })
    .await?;
    Ok(shown(&state).await?.into_response())
}

/// POST: starts a download, or goes on with it.
pub async fn start(
    State(app): State<Arc<App>>,
    _: Steward,
    Path(name): Path<String>,
    again: Result<Query<Again>, QueryRejection>,
) -> Result<Response, Failure> {
    let Query(again) =
        again.map_err(|_| Failure::bad_request("Expected nothing or ?again=true in the address"))?;
    act(app, &name, move |downloads, name| {
        if again.again {
            downloads.cancel(name)?;
        }
        Ok(downloads.start(name)?)
    })
    .await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Again {
    /// From the beginning, whatever came before.
    #[serde(default)]
    again: bool,
}

/// POST: pauses a download; what came is kept.
pub async fn pause(
    State(app): State<Arc<App>>,
    _: Steward,
    Path(name): Path<String>,
) -> Result<Response, Failure> {
    act(app, &name, |downloads, name| Ok(downloads.pause(name)?)).await
}

/// DELETE: forgets a download and what came of it.
pub async fn cancel(
    State(app): State<Arc<App>>,
    _: Steward,
    Path(name): Path<String>,
) -> Result<Response, Failure> {
    act(app, &name, |downloads, name| Ok(downloads.cancel(name)?)).await
}

/// DELETE: removes a model from this machine.
pub async fn remove(
    State(app): State<Arc<App>>,
    _: Steward,
    Path(name): Path<String>,
) -> Result<Response, Failure> {
    act(app, &name, |downloads, name| {
        downloads.library()?.remove(name)?;
        downloads.tell();
        Ok(())
    })
    .await
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct Told {
    sha256: Option<String>,
}

/// POST: hashes a model's file again; `sha256` is what a person says it should be.
pub async fn verify(
    State(app): State<Arc<App>>,
    _: Steward,
    Path(name): Path<String>,
    Sent(body): Sent,
) -> Result<Response, Failure> {
    let told: Told = if body.is_empty() {
        Told::default()
    } else {
        parse_body(&body, "nothing or an object with `sha256`")?
    };
    act(app, &name, move |downloads, name| {
        let checked = downloads.library()?.verify(name, told.sha256.as_deref(), clock::now(), &mut |_| ())?;
        downloads.tell();
        match checked {
            Checked::Sound(_) => Ok(()),
            Checked::Broken { found, kept } => Err(Failure::new(
                StatusCode::CONFLICT,
                "mismatch",
                format!(
                    "The file changed on disk: its hash is {found}. It is not used any more and is kept as {}",
                    kept.display()
                ),
            )),
        }
    })
    .await
}

#[derive(Deserialize)]
pub struct Naming {
    /// Name of the file it came from.
    file: String,
    /// What the `.sha256` file beside it says.
    sha256: Option<String>,
}

/// POST: takes a model in from a file, however long.
pub async fn import(
    State(app): State<Arc<App>>,
    _: Steward,
    Path(name): Path<String>,
    naming: Result<Query<Naming>, QueryRejection>,
    body: Body,
) -> Result<Response, Failure> {
    let Query(naming) = naming
        .map_err(|_| Failure::bad_request("Expected the file's name in the address: ?file=svc-slm.gguf"))?;
    let name = parse_name(&name)?;
    let expected = match &naming.sha256 {
        Some(text) => Some((
            models::of_sidecar(text).ok_or_else(|| {
                Failure::bad_request("Expected a SHA-256 as sha256sum writes it in `sha256`")
            })?,
            Trust::File,
        )),
        None => None,
    };
    let library = app.models.library()?;
    let mut incoming = blocking(move || library.receive(&name)).await?;
    let mut bytes = body.into_data_stream();
    while let Some(piece) = bytes.next().await {
        let piece = piece
            .map_err(|_| Failure::bad_request("The file did not arrive completely; nothing was kept"))?;
        incoming = blocking(move || incoming.write(&piece).map(|()| incoming)).await?;
    }
    let state = Arc::clone(&app);
    blocking(move || {
        incoming.finish(expected, &naming.file, clock::now())?;
        app.models.tell();
        Ok::<_, Failure>(())
    })
    .await?;
    Ok(shown(&state).await?.into_response())
}

/// GET: a model as a file, to be carried elsewhere.
pub async fn export(
    State(app): State<Arc<App>>,
    _: Steward,
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let name = parse_name(&name)?;
    let (model, path) = blocking(move || {
        let library = app.models.library()?;
        let model = library.find(&name)?;
        let path = library.path(&model);
        Ok::<_, Failure>((model, path))
    })
    .await?;
    serve(&model, path, &headers).await
}

/// GET: the hash to carry beside it.
pub async fn export_hash(
    State(app): State<Arc<App>>,
    _: Steward,
    Path(name): Path<String>,
) -> Result<Response, Failure> {
    let name = parse_name(&name)?;
    let model = blocking(move || Ok::<_, Failure>(app.models.library()?.find(&name)?)).await?;
    Ok(hash_file(&model))
}

/// Does something with a model and answers how everything stands then.
async fn act(
    app: Arc<App>,
    name: &str,
    work: impl FnOnce(&Downloads, &ModelName) -> Result<(), Failure> + Send + 'static,
) -> Result<Response, Failure> {
    let name = parse_name(name)?;
    let state = Arc::clone(&app);
    blocking(move || work(&app.models, &name)).await?;
    Ok(shown(&state).await?.into_response())
}

fn parse_name(text: &str) -> Result<ModelName, Failure> {
    ModelName::parse(text).map_err(|error| Failure::bad_request(error.to_string()))
}
