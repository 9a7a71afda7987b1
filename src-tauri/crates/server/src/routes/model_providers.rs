//! Settings → Model providers: who serves models, what each is used for, trying one out. Secrets go in and never come out. What is done stands in
//! [`operations::model_setup::model_providers`], for GraphQL and the command line as well.

use super::{Sent, parse_body};
use crate::app::App;
use crate::blocking::blocking;
use crate::error::Failure;
use crate::guard::caller::PlatformAdmin;
use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::header::CACHE_CONTROL;
use axum::response::{IntoResponse, Response};
use llm::{Change, Override};
use operations::model_setup::model_providers;
use operations::model_setup::{PlatformAdmin as By, SetupError};
use serde::Deserialize;
use serde_json::json;
use std::sync::Arc;

/// GET: every provider with where its values come from, the kinds there are, and what there is to run models with.
pub async fn list(State(app): State<Arc<App>>, _: PlatformAdmin) -> Result<Response, Failure> {
    shown(app, None).await
}

/// How everything stands; with the id of what was added.
async fn shown(app: Arc<App>, added: Option<String>) -> Result<Response, Failure> {
    let body = blocking(move || {
        let mut body = model_providers::overview(&app.models.providers, &app.models.downloads)?;
        if let Some(added) = added {
            body["added"] = added.into();
        }
        Ok::<_, SetupError>(body)
    })
    .await?;
    Ok(([(CACHE_CONTROL, "no-store")], Json(body)).into_response())
}

/// Does something and answers how everything stands then.
async fn act(
    app: Arc<App>,
    admin: PlatformAdmin,
    work: impl FnOnce(&By, &llm::Providers) -> Result<(), SetupError> + Send + 'static,
) -> Result<Response, Failure> {
    let state = Arc::clone(&app);
    blocking(move || work(&admin.setting_up(&app.store), &app.models.providers)).await?;
    shown(state, None).await
}

const EXPECTED: &str = "an object with what changes of a provider";

/// POST: adds one; answers its id beside how everything stands.
pub async fn add(
    State(app): State<Arc<App>>,
    admin: PlatformAdmin,
    Sent(body): Sent,
) -> Result<Response, Failure> {
    let change: Change = parse_body(&body, EXPECTED)?;
    let state = Arc::clone(&app);
    let id =
        blocking(move || model_providers::add(&admin.setting_up(&app.store), &app.models.providers, &change))
            .await?;
    let mut shown = shown(state, Some(id)).await?;
    *shown.status_mut() = StatusCode::CREATED;
    Ok(shown)
}

/// PUT: changes one; null takes a saved value back, so that the environment counts again.
pub async fn save(
    State(app): State<Arc<App>>,
    admin: PlatformAdmin,
    Path(id): Path<String>,
    Sent(body): Sent,
) -> Result<Response, Failure> {
    let change: Change = parse_body(&body, EXPECTED)?;
    act(app, admin, move |by, providers| model_providers::save(by, providers, &id, &change)).await
}

/// DELETE: takes one away; of one the environment describes, what was changed here.
pub async fn remove(
    State(app): State<Arc<App>>,
    admin: PlatformAdmin,
    Path(id): Path<String>,
) -> Result<Response, Failure> {
    act(app, admin, move |by, providers| model_providers::remove(by, providers, &id)).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Order {
    ids: Vec<String>,
}

/// PUT: which one is asked first, and which when it fails.
pub async fn order(
    State(app): State<Arc<App>>,
    admin: PlatformAdmin,
    Sent(body): Sent,
) -> Result<Response, Failure> {
    let Order { ids } = parse_body(&body, "an object with `ids` of providers")?;
    act(app, admin, move |by, providers| model_providers::order(by, providers, &ids)).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Overrides {
    overrides: Vec<Override>,
}

/// PUT: other models for single agents and tiers, in place of all there were.
pub async fn save_overrides(
    State(app): State<Arc<App>>,
    admin: PlatformAdmin,
    Sent(body): Sent,
) -> Result<Response, Failure> {
    let Overrides { overrides } = parse_body(&body, "an object with a list of `overrides`")?;
    act(app, admin, move |by, providers| model_providers::save_overrides(by, providers, &overrides)).await
}

/// POST: one real small call for each model it is used for. What it shows is kept.
pub async fn test(
    State(app): State<Arc<App>>,
    admin: PlatformAdmin,
    Path(id): Path<String>,
) -> Result<Response, Failure> {
    model_providers::test(&admin.setting_up(&app.store), &app.models.providers, &id).await?;
    shown(app, None).await
}

/// GET: names of the models there, for choosing; null where the provider does not list them.
pub async fn models(
    State(app): State<Arc<App>>,
    _: PlatformAdmin,
    Path(id): Path<String>,
) -> Result<Response, Failure> {
    let names = app.models.providers.models_of(&id).await?;
    Ok(([(CACHE_CONTROL, "no-store")], Json(json!({ "models": names }))).into_response())
}
