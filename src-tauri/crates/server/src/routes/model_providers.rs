//! Settings → Model providers: who serves models, what each is used for, trying one out. Secrets go in and never come out.

use super::{Sent, parse_body};
use crate::app::{App, blocking};
use crate::caller::Steward;
use crate::clock;
use crate::error::Failure;
use auth::Person;
use auth::saml::time;
use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::header::CACHE_CONTROL;
use axum::response::{IntoResponse, Response};
use llm::{
    Change, Entry, Field, Kept, Override, Provider, ProviderKind, Providers, SaveError, Saving, Sourced,
    Spent,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;
use uuid::Uuid;

/// GET: every provider with where its values come from, the kinds there are, and what there is to run models with.
pub async fn list(State(app): State<Arc<App>>, _: Steward) -> Result<Response, Failure> {
    shown(app).await
}

async fn shown(app: Arc<App>) -> Result<Response, Failure> {
    let body = blocking(move || describe(&app)).await?;
    Ok(([(CACHE_CONTROL, "no-store")], Json(body)).into_response())
}

fn describe(app: &App) -> Result<Value, Failure> {
    let setup = app.providers.setup()?;
    let spent = app.providers.spent()?;
    let downloaded: Vec<String> = app.models.library()?.list()?.into_iter().map(|model| model.name).collect();
    Ok(json!({
        "providers": setup.entries.iter().map(|entry| show(&app.providers, entry, &spent)).collect::<Vec<_>>(),
        "overrides": setup.overrides,
        "kinds": ProviderKind::ALL.map(show_kind),
        "secrets": app.providers.about_secrets(),
        "runner": app.providers.find_runner(),
        "programs": app.providers.programs(),
        "downloaded": downloaded,
    }))
}

fn show_kind(kind: ProviderKind) -> Value {
    let fields = kind.fields().iter().map(|field| {
        json!({
            "name": field.name(),
            "is_secret": field.is_secret(),
            "is_required": kind.required().contains(field),
        })
    });
    json!({
        "name": kind.name(),
        "title": kind.title(),
        "fields": fields.collect::<Vec<_>>(),
        "address": kind.address(),
        "region": kind.region(),
        "chats": kind.chats(),
        "embeds": kind.embeds(),
    })
}

fn show(providers: &Providers, entry: &Entry, spent: &Spent) -> Value {
    let embeds_only = entry.id == llm::FROM_ENVIRONMENT_EMBEDDINGS;
    let fields = Field::ALL.iter().map(|field| {
        let found = entry.values.get(field);
        let plain = found.and_then(|found| match &found.value {
            Kept::Plain(value) if !field.is_secret() => Some(value.as_str()),
            _ => None,
        });
        let variable = if embeds_only { field.of_embeddings() } else { field.of_chat() };
        let value = json!({
            "value": plain,
            "is_set": entry.is_set(*field),
            "source": found.map(|found| found.source),
            "variable": variable.filter(|_| entry.is_given),
        });
        (field.name().to_owned(), value)
    });
    let provider = providers.provider(entry, "").ok();
    json!({
        "id": entry.id,
        "kind": entry.kind.map(ProviderKind::name),
        "named": entry.named,
        "name": entry.name,
        "is_given": entry.is_given,
        "is_saved": entry.is_saved,
        "is_on": sourced(&entry.is_on),
        "may_leave": sourced(&entry.may_leave),
        "is_local": provider.as_ref().is_some_and(Provider::is_local) || is_here(entry.kind),
        "host": provider.map(|provider| provider.host()),
        "chat_model": sourced(&entry.chat_model),
        "small_model": sourced(&entry.small_model),
        "embeddings_model": sourced(&entry.embeddings_model),
        "fallbacks": entry.fallbacks,
        "fields": fields.collect::<serde_json::Map<_, _>>(),
        "missing": entry.missing().into_iter().map(Field::name).collect::<Vec<_>>(),
        "spent": spent.get(&entry.id).map_or_else(|| "0".to_owned(), ToString::to_string),
        "test": entry.test,
        "updated_at": (entry.updated_at > 0).then(|| time::text(entry.updated_at)),
        "updated_by": entry.updated_by,
    })
}

fn is_here(kind: Option<ProviderKind>) -> bool {
    matches!(kind, Some(ProviderKind::Service | ProviderKind::OnDevice))
}

fn sourced<T: Serialize>(found: &Sourced<T>) -> Value {
    json!({ "value": found.value, "source": found.source })
}

const EXPECTED: &str = "an object with what changes of a provider";

/// POST: adds one; answers its id beside how everything stands.
pub async fn add(
    State(app): State<Arc<App>>,
    Steward(person): Steward,
    Sent(body): Sent,
) -> Result<Response, Failure> {
    let change: Change = parse_body(&body, EXPECTED)?;
    let id = Uuid::new_v4().to_string();
    let mut shown = change_with(app, person, move |providers, saving| {
        providers.add(&id, &change, saving).map(|()| Some(id))
    })
    .await?;
    *shown.status_mut() = StatusCode::CREATED;
    Ok(shown)
}

/// PUT: changes one; null takes a saved value back, so that the environment counts again.
pub async fn save(
    State(app): State<Arc<App>>,
    Steward(person): Steward,
    Path(id): Path<String>,
    Sent(body): Sent,
) -> Result<Response, Failure> {
    let change: Change = parse_body(&body, EXPECTED)?;
    change_with(app, person, move |providers, saving| providers.save(&id, &change, saving).map(|()| None))
        .await
}

async fn change_with(
    app: Arc<App>,
    person: Person,
    work: impl FnOnce(&Providers, &mut Saving<'_>) -> Result<Option<String>, SaveError> + Send + 'static,
) -> Result<Response, Failure> {
    let body = blocking(move || {
        let mut rng = rand::rng();
        let by = if person.name.is_empty() { &person.email } else { &person.name };
        let added = work(&app.providers, &mut Saving { by, now: clock::now(), rng: &mut rng })?;
        let mut body = describe(&app)?;
        if let Some(added) = added {
            body["added"] = added.into();
        }
        Ok::<_, Failure>(body)
    })
    .await?;
    Ok(([(CACHE_CONTROL, "no-store")], Json(body)).into_response())
}

/// DELETE: takes one away; of one the environment describes, what was changed here.
pub async fn remove(
    State(app): State<Arc<App>>,
    _: Steward,
    Path(id): Path<String>,
) -> Result<Response, Failure> {
    let state = Arc::clone(&app);
    blocking(move || app.providers.remove(&id)).await?;
    shown(state).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Order {
    ids: Vec<String>,
}

/// PUT: which one is asked first, and which when it fails.
pub async fn order(State(app): State<Arc<App>>, _: Steward, Sent(body): Sent) -> Result<Response, Failure> {
    let Order { ids } = parse_body(&body, "an object with `ids` of providers")?;
    let state = Arc::clone(&app);
    blocking(move || app.providers.order(&ids)).await?;
    shown(state).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Overrides {
    overrides: Vec<Override>,
}

/// PUT: other models for single agents and tiers, in place of all there were.
pub async fn save_overrides(
    State(app): State<Arc<App>>,
    _: Steward,
    Sent(body): Sent,
) -> Result<Response, Failure> {
    let Overrides { overrides } = parse_body(&body, "an object with a list of `overrides`")?;
    let state = Arc::clone(&app);
    blocking(move || app.providers.save_overrides(&overrides)).await?;
    shown(state).await
}

/// POST: one real small call for each model it is used for. What it shows is kept.
pub async fn test(
    State(app): State<Arc<App>>,
    _: Steward,
    Path(id): Path<String>,
) -> Result<Response, Failure> {
    app.providers.test(&id, &time::text(clock::now())).await?;
    shown(app).await
}

/// GET: names of the models there, for choosing; null where the provider does not list them.
pub async fn models(
    State(app): State<Arc<App>>,
    _: Steward,
    Path(id): Path<String>,
) -> Result<Response, Failure> {
    let names = app.providers.models_of(&id).await?;
    Ok(([(CACHE_CONTROL, "no-store")], Json(json!({ "models": names }))).into_response())
}

impl From<SaveError> for Failure {
    fn from(error: SaveError) -> Self {
        let message = error.to_string();
        match error {
            SaveError::Wrong(problems) => {
                let listed = problems.iter().map(|(name, text)| json!({ "setting": name, "message": text }));
                Self::new(StatusCode::BAD_REQUEST, "wrong_value", message).with("problems", listed.collect())
            }
            SaveError::Unknown { .. } => Self::new(StatusCode::NOT_FOUND, "not_found", message),
            SaveError::Failure(failure) => failure.into(),
            SaveError::Store(error) => error.into(),
        }
    }
}

impl From<llm::Failure> for Failure {
    fn from(failure: llm::Failure) -> Self {
        let message = [failure.message.as_str(), &failure.remedy].join(" ").trim_end().to_owned();
        let code = match failure.trouble {
            llm::Trouble::NotConfigured => "not_configured",
            _ => "model_provider",
        };
        Self::new(StatusCode::CONFLICT, code, message)
    }
}
