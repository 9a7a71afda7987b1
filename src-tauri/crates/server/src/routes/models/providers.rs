//! Settings → Model providers: lists, changes and tests them. Secrets can be set, but are never returned. The operations are in
//! [`operations::model_setup::model_providers`], shared with GraphQL and the command line.

use crate::app::App;
use crate::blocking::blocking;
use crate::error::Failure;
use crate::guard::caller::PlatformAdmin;
use crate::rest::{Alphabetical, Created, JsonBody, NoStore};
use axum::extract::{Path, State};
use llm::{Change, Override};
use operations::model_setup::model_providers;
use operations::model_setup::{PlatformAdmin as By, ProvidersOverview, SetupError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The state of all providers.
type ProvidersAnswer = NoStore<Alphabetical<ProvidersOverview>>;

/// GET: every provider with the origins of its values, the supported kinds, and the local models.
pub async fn list(State(app): State<Arc<App>>, _: PlatformAdmin) -> Result<ProvidersAnswer, Failure> {
    shown(app, None).await
}

/// The state of all providers, with the id of an added one.
async fn shown(app: Arc<App>, added: Option<String>) -> Result<ProvidersAnswer, Failure> {
    let body = blocking(move || {
        let overview = model_providers::overview(&app.models.providers, &app.models.downloads)?;
        Ok::<_, SetupError>(ProvidersOverview { added, ..overview })
    })
    .await?;
    Ok(NoStore(Alphabetical(body)))
}

/// Performs an operation and returns the resulting state of all providers.
async fn act(
    app: Arc<App>,
    admin: PlatformAdmin,
    work: impl FnOnce(&By, &llm::Providers) -> Result<(), SetupError> + Send + 'static,
) -> Result<ProvidersAnswer, Failure> {
    let state = Arc::clone(&app);
    blocking(move || work(&admin.setting_up(&app.store), &app.models.providers)).await?;
    shown(state, None).await
}

const EXPECTED: &str = "an object with what changes of a provider";

/// POST: adds a provider. Returns its id with the state of all providers.
pub async fn add(
    State(app): State<Arc<App>>,
    admin: PlatformAdmin,
    body: JsonBody<Change>,
) -> Result<Created<ProvidersAnswer>, Failure> {
    let change = body.read(EXPECTED)?;
    let state = Arc::clone(&app);
    let id =
        blocking(move || model_providers::add(&admin.setting_up(&app.store), &app.models.providers, &change))
            .await?;
    Ok(Created(shown(state, Some(id)).await?))
}

/// PUT: changes a provider. Null removes a saved value, so that the environment applies again.
pub async fn save(
    State(app): State<Arc<App>>,
    admin: PlatformAdmin,
    Path(id): Path<String>,
    body: JsonBody<Change>,
) -> Result<ProvidersAnswer, Failure> {
    let change = body.read(EXPECTED)?;
    act(app, admin, move |by, providers| model_providers::save(by, providers, &id, &change)).await
}

/// DELETE: removes a provider; for one defined by the environment, the changes made to it here.
pub async fn remove(
    State(app): State<Arc<App>>,
    admin: PlatformAdmin,
    Path(id): Path<String>,
) -> Result<ProvidersAnswer, Failure> {
    act(app, admin, move |by, providers| model_providers::remove(by, providers, &id)).await
}

#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "ProviderOrder")]
#[serde(deny_unknown_fields)]
pub struct Order {
    ids: Vec<String>,
}

/// PUT: sets the order in which providers are tried.
pub async fn order(
    State(app): State<Arc<App>>,
    admin: PlatformAdmin,
    body: JsonBody<Order>,
) -> Result<ProvidersAnswer, Failure> {
    let Order { ids } = body.read("an object with `ids` of providers")?;
    act(app, admin, move |by, providers| model_providers::order(by, providers, &ids)).await
}

#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "ProviderOverrides")]
#[serde(deny_unknown_fields)]
pub struct Overrides {
    overrides: Vec<Override>,
}

/// PUT: replaces all overrides of models for single agents and tiers.
pub async fn save_overrides(
    State(app): State<Arc<App>>,
    admin: PlatformAdmin,
    body: JsonBody<Overrides>,
) -> Result<ProvidersAnswer, Failure> {
    let Overrides { overrides } = body.read("an object with a list of `overrides`")?;
    act(app, admin, move |by, providers| model_providers::save_overrides(by, providers, &overrides)).await
}

/// POST: tests a provider with a small real call to each of its models. The result is stored.
pub async fn test(
    State(app): State<Arc<App>>,
    admin: PlatformAdmin,
    Path(id): Path<String>,
) -> Result<ProvidersAnswer, Failure> {
    model_providers::test(&admin.setting_up(&app.store), &app.models.providers, &id).await?;
    shown(app, None).await
}

/// The models of a provider.
#[derive(Serialize, JsonSchema)]
pub struct ModelNames {
    /// Names of the models. Null if the provider cannot list them.
    models: Option<Vec<String>>,
}

/// GET: the names of the provider's models, for selection; null if the provider does not list them.
pub async fn models(
    State(app): State<Arc<App>>,
    _: PlatformAdmin,
    Path(id): Path<String>,
) -> Result<NoStore<ModelNames>, Failure> {
    Ok(NoStore(ModelNames { models: app.models.providers.models_of(&id).await? }))
}
