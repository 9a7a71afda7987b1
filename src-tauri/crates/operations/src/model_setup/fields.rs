//! The root fields: requests read, admin proved, answers in the declared types.

use super::model_providers as providers_of;
use super::service_models as models_of;
use super::{PlatformAdmin, SetupError};
use crate::SetupFunction;
use graphql::{Ahead, Refusal};
use llm::{Change, Override, Providers};
use models::{Downloads, ModelName};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Every root field of models and providers.
pub(crate) const AHEAD: &[(&str, SetupFunction)] = &[
    ("ai_list_service_models", list_models),
    ("ai_check_model_registry", check_registry),
    ("ai_pull_service_model", pull),
    ("ai_pause_service_model", |ahead, providers| one(ahead, providers, models_of::pause)),
    ("ai_cancel_service_model", |ahead, providers| one(ahead, providers, models_of::cancel)),
    ("ai_remove_service_model", |ahead, providers| one(ahead, providers, models_of::remove)),
    ("ai_import_service_model", import),
    ("ai_export_service_model", export),
    ("ai_verify_service_model", verify),
    ("ai_update_service_model_settings", save_settings),
    ("ai_move_service_models", move_to),
    ("ai_list_model_providers", list_providers),
    ("ai_list_provider_models", models_there),
    ("ai_create_model_provider", create),
    ("ai_update_model_provider", update),
    ("ai_delete_model_provider", delete),
    ("ai_check_model_provider", test),
    ("ai_order_model_providers", order),
    ("ai_update_model_overrides", save_overrides),
];

/// The argument `request`. Arguments come checked, so this fails where the declaration differs only.
fn request<T: DeserializeOwned>(ahead: &Ahead<'_>) -> Result<T, Refusal> {
    let given = ahead.arguments.get("request").filter(|given| !given.is_null());
    let given = given.cloned().unwrap_or_else(|| json!({}));
    T::deserialize(given).map_err(|error| Refusal::invalid(format!("{}(request): {error}", ahead.name)))
}

fn downloads(providers: &Providers) -> Result<&Downloads, Refusal> {
    providers.downloads().ok_or_else(|| Refusal::new("not-supported", "nothing keeps models here"))
}

/// Waits for what the service's runtime does.
fn wait<T>(work: impl Future<Output = T>) -> Result<T, Refusal> {
    let none = |_| Refusal::new("not-supported", "nothing waits for other machines here");
    Ok(tokio::runtime::Handle::try_current().map_err(none)?.block_on(work))
}

fn name(text: &str) -> Result<ModelName, SetupError> {
    Ok(ModelName::parse(text)?)
}

// ── service models ──────────────────────────────────────────────────────────────────────────────────────────────────

#[derive(Deserialize)]
struct Named {
    name: String,
}

fn list_models(ahead: &Ahead<'_>, providers: &Providers) -> Result<Value, Refusal> {
    #[derive(Deserialize)]
    struct Wanted {
        names: Option<Vec<Option<String>>>,
    }
    PlatformAdmin::of(ahead)?;
    let wanted: Wanted = request(ahead)?;
    let wanted = wanted.names.map(|names| names.into_iter().flatten().collect::<Vec<_>>());
    let mut all = overview(downloads(providers)?)?;
    if let (Some(wanted), Some(models)) = (wanted, all["models"].as_array_mut()) {
        models.retain(|model| wanted.iter().any(|name| model["name"] == name.as_str()));
    }
    Ok(json!({ "data": all }))
}

/// As the page has it, settings as a list.
fn overview(downloads: &Downloads) -> Result<Value, Refusal> {
    let mut all = json!(models_of::overview(downloads)?);
    all["settings"] = listed(all["settings"].take());
    Ok(all)
}

/// Values by name as a list of values with their names.
fn listed(values: Value) -> Value {
    let Value::Object(values) = values else { return values };
    let one = |(name, mut value): (String, Value)| {
        value["name"] = name.into();
        value
    };
    values.into_iter().map(one).collect()
}

fn check_registry(ahead: &Ahead<'_>, providers: &Providers) -> Result<Value, Refusal> {
    PlatformAdmin::of(ahead)?;
    let look = wait(downloads(providers)?.look())?.map_err(SetupError::from)?;
    let trouble = look.found.err().map(|failure| failure.to_string().trim_end().to_owned());
    Ok(json!({ "data": { "host": look.host, "is_encrypted": look.is_encrypted, "trouble": trouble } }))
}

fn pull(ahead: &Ahead<'_>, providers: &Providers) -> Result<Value, Refusal> {
    #[derive(Deserialize)]
    struct Pull {
        name: String,
        again: Option<bool>,
    }
    let by = PlatformAdmin::of(ahead)?;
    let wanted: Pull = request(ahead)?;
    let (downloads, name) = (downloads(providers)?, name(&wanted.name)?);
    models_of::pull(&by, downloads, &name, wanted.again.unwrap_or(false))?;
    standing(downloads, &name)
}

/// Does something with a model and answers how it stands then.
fn one(
    ahead: &Ahead<'_>,
    providers: &Providers,
    work: fn(&PlatformAdmin, &Downloads, &ModelName) -> Result<(), SetupError>,
) -> Result<Value, Refusal> {
    let by = PlatformAdmin::of(ahead)?;
    let (downloads, name) = (downloads(providers)?, name(&request::<Named>(ahead)?.name)?);
    work(&by, downloads, &name)?;
    standing(downloads, &name)
}

/// How a model stands.
fn standing(downloads: &Downloads, name: &ModelName) -> Result<Value, Refusal> {
    let models = models_of::overview(downloads)?.models;
    match models.into_iter().find(|model| model.name == name.as_str()) {
        Some(found) => Ok(json!({ "data": found })),
        None => Ok(json!({ "data": { "name": name.as_str(), "about": "" } })),
    }
}

fn import(ahead: &Ahead<'_>, providers: &Providers) -> Result<Value, Refusal> {
    #[derive(Deserialize)]
    struct Import {
        file: String,
        name: Option<String>,
        sha256: Option<String>,
    }
    let by = PlatformAdmin::of(ahead)?;
    let wanted: Import = request(ahead)?;
    let called = match &wanted.name {
        Some(text) => name(text)?,
        None => ModelName::of_file(&wanted.file).map_err(SetupError::from)?,
    };
    let downloads = downloads(providers)?;
    models_of::import_laid(&by, downloads, &called, &wanted.file, wanted.sha256.as_deref())?;
    standing(downloads, &called)
}

fn export(ahead: &Ahead<'_>, providers: &Providers) -> Result<Value, Refusal> {
    #[derive(Deserialize)]
    struct Export {
        name: String,
        file: Option<String>,
    }
    let by = PlatformAdmin::of(ahead)?;
    let wanted: Export = request(ahead)?;
    let (downloads, name) = (downloads(providers)?, name(&wanted.name)?);
    Ok(json!({ "data": models_of::export_named(&by, downloads, &name, wanted.file.as_deref())? }))
}

fn verify(ahead: &Ahead<'_>, providers: &Providers) -> Result<Value, Refusal> {
    #[derive(Deserialize)]
    struct Verify {
        name: String,
        sha256: Option<String>,
    }
    let by = PlatformAdmin::of(ahead)?;
    let wanted: Verify = request(ahead)?;
    let (downloads, name) = (downloads(providers)?, name(&wanted.name)?);
    models_of::verify(&by, downloads, &name, wanted.sha256.as_deref(), &mut |_| ())?;
    standing(downloads, &name)
}

#[derive(Deserialize)]
struct Setting {
    name: String,
    value: Option<String>,
}

fn save_settings(ahead: &Ahead<'_>, providers: &Providers) -> Result<Value, Refusal> {
    #[derive(Deserialize)]
    struct Save {
        values: Vec<Setting>,
    }
    let by = PlatformAdmin::of(ahead)?;
    let Save { values } = request(ahead)?;
    let changes = values.into_iter().map(|one| (one.name, one.value)).collect();
    let downloads = downloads(providers)?;
    models_of::save_settings(&by, downloads, &changes)?;
    Ok(json!({ "data": overview(downloads)? }))
}

fn move_to(ahead: &Ahead<'_>, providers: &Providers) -> Result<Value, Refusal> {
    #[derive(Deserialize)]
    struct Move {
        path: PathBuf,
    }
    let by = PlatformAdmin::of(ahead)?;
    let Move { path } = request(ahead)?;
    let downloads = downloads(providers)?;
    models_of::move_to(&by, downloads, &path)?;
    Ok(json!({ "data": overview(downloads)? }))
}

// ── providers ───────────────────────────────────────────────────────────────────────────────────────────────────────

#[derive(Deserialize)]
struct Known {
    id: String,
}

fn list_providers(ahead: &Ahead<'_>, providers: &Providers) -> Result<Value, Refusal> {
    #[derive(Deserialize)]
    struct Wanted {
        ids: Option<Vec<Option<String>>>,
    }
    PlatformAdmin::of(ahead)?;
    let wanted: Wanted = request(ahead)?;
    let wanted = wanted.ids.map(|ids| ids.into_iter().flatten().collect::<Vec<_>>());
    let mut all = providers_overview(providers)?;
    if let (Some(wanted), Some(found)) = (wanted, all["providers"].as_array_mut()) {
        found.retain(|provider| wanted.iter().any(|id| provider["id"] == id.as_str()));
    }
    Ok(json!({ "data": all }))
}

/// As the page has it, the values of a provider as a list.
fn providers_overview(providers: &Providers) -> Result<Value, Refusal> {
    let mut all = json!(providers_of::overview(providers, downloads(providers)?)?);
    for provider in all["providers"].as_array_mut().into_iter().flatten() {
        provider["fields"] = listed(provider["fields"].take());
    }
    Ok(all)
}

/// How a provider stands.
fn provider(providers: &Providers, id: &str) -> Result<Value, Refusal> {
    let mut all = providers_overview(providers)?;
    let all = all["providers"].as_array_mut().map(std::mem::take).unwrap_or_default();
    let found = all.into_iter().find(|provider| provider["id"] == id);
    Ok(json!({ "data": found, "id": id }))
}

fn models_there(ahead: &Ahead<'_>, providers: &Providers) -> Result<Value, Refusal> {
    PlatformAdmin::of(ahead)?;
    let Known { id } = request(ahead)?;
    let names = wait(providers.models_of(&id))?.map_err(SetupError::from)?;
    Ok(json!({ "data": names }))
}

/// The changes of a request; what is left out of it stays, null takes a saved value back.
fn change(ahead: &Ahead<'_>) -> Result<Change, Refusal> {
    let mut given: Map<String, Value> = request(ahead)?;
    given.remove("id");
    if let Some(name) = given.get("kind").and_then(Value::as_str) {
        providers_of::kind(name)?;
    }
    let values: Vec<Setting> = given.remove("values").filter(|values| !values.is_null()).map_or_else(
        || Ok(Vec::new()),
        |values| serde_json::from_value(values).map_err(|error| Refusal::invalid(error.to_string())),
    )?;
    let values = values.into_iter().map(|one| Ok((providers_of::field(&one.name)?, one.value)));
    let values: BTreeMap<_, _> = values.collect::<Result<_, SetupError>>()?;
    let change: Change = serde_json::from_value(Value::Object(given))
        .map_err(|error| Refusal::invalid(format!("{}(request): {error}", ahead.name)))?;
    Ok(Change { values, ..change })
}

fn create(ahead: &Ahead<'_>, providers: &Providers) -> Result<Value, Refusal> {
    let by = PlatformAdmin::of(ahead)?;
    let id = providers_of::add(&by, providers, &change(ahead)?)?;
    provider(providers, &id)
}

fn update(ahead: &Ahead<'_>, providers: &Providers) -> Result<Value, Refusal> {
    let by = PlatformAdmin::of(ahead)?;
    let Known { id } = request(ahead)?;
    providers_of::save(&by, providers, &id, &change(ahead)?)?;
    provider(providers, &id)
}

fn delete(ahead: &Ahead<'_>, providers: &Providers) -> Result<Value, Refusal> {
    let by = PlatformAdmin::of(ahead)?;
    let Known { id } = request(ahead)?;
    providers_of::remove(&by, providers, &id)?;
    provider(providers, &id)
}

fn test(ahead: &Ahead<'_>, providers: &Providers) -> Result<Value, Refusal> {
    let by = PlatformAdmin::of(ahead)?;
    let Known { id } = request(ahead)?;
    wait(providers_of::test(&by, providers, &id))??;
    provider(providers, &id)
}

fn order(ahead: &Ahead<'_>, providers: &Providers) -> Result<Value, Refusal> {
    #[derive(Deserialize)]
    struct Order {
        ids: Vec<String>,
    }
    let by = PlatformAdmin::of(ahead)?;
    let Order { ids } = request(ahead)?;
    providers_of::order(&by, providers, &ids)?;
    Ok(json!({ "data": providers_overview(providers)? }))
}

fn save_overrides(ahead: &Ahead<'_>, providers: &Providers) -> Result<Value, Refusal> {
    #[derive(Deserialize)]
    struct Overrides {
        overrides: Vec<Override>,
    }
    let by = PlatformAdmin::of(ahead)?;
    let Overrides { overrides } = request(ahead)?;
    providers_of::save_overrides(&by, providers, &overrides)?;
    Ok(json!({ "data": providers_overview(providers)? }))
}
