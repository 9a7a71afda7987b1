//! The GraphQL root fields: parse the request, check for a platform administrator, and return the declared types.

use super::model_providers as providers_of;
use super::service_models::{self as models_of, ExportedFile};
use super::shown::{FieldValue, ModelsOverview, ProviderShown, ProvidersOverview, ServiceModel};
use super::{PlatformAdmin, SetupError};
use crate::SetupFunction;
use crate::kit::reply;
use graphql::{PreTransactionCall, Refusal};
use llm::{Change, Override, Providers};
use models::settings::SettingView;
use models::{Downloads, ModelName};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Adapts a function with a typed result to the signature in the registry.
macro_rules! setup {
    ($function:path) => {
        |ahead, providers| reply(&$function(ahead, providers)?)
    };
}

/// All root fields for models and providers.
pub(crate) const PRE_TRANSACTION_FIELDS: &[(&str, SetupFunction)] = &[
    ("ai_list_service_models", setup!(list_models)),
    ("ai_check_model_registry", setup!(check_registry)),
    ("ai_pull_service_model", setup!(pull)),
    ("ai_pause_service_model", |ahead, providers| reply(&one(ahead, providers, models_of::pause)?)),
    ("ai_cancel_service_model", |ahead, providers| reply(&one(ahead, providers, models_of::cancel)?)),
    ("ai_remove_service_model", |ahead, providers| reply(&one(ahead, providers, models_of::remove)?)),
    ("ai_import_service_model", setup!(import)),
    ("ai_export_service_model", setup!(export)),
    ("ai_verify_service_model", setup!(verify)),
    ("ai_update_service_model_settings", setup!(save_settings)),
    ("ai_move_service_models", setup!(move_to)),
    ("ai_list_model_providers", setup!(list_providers)),
    ("ai_list_provider_models", setup!(installed_models)),
    ("ai_create_model_provider", setup!(create)),
    ("ai_update_model_provider", setup!(update)),
    ("ai_delete_model_provider", setup!(delete)),
    ("ai_check_model_provider", setup!(test)),
    ("ai_order_model_providers", setup!(order)),
    ("ai_update_model_overrides", setup!(save_overrides)),
];

/// A response with a single `data` field.
#[derive(Serialize)]
struct Data<T> {
    data: T,
}

/// A value with its name.
#[derive(Serialize)]
struct NamedValue<T> {
    name: &'static str,
    #[serde(flatten)]
    value: T,
}

/// Converts values by name to a list, sorted by name.
fn listed<T>(values: BTreeMap<&'static str, T>) -> Vec<NamedValue<T>> {
    values.into_iter().map(|(name, value)| NamedValue { name, value }).collect()
}

/// Parses the argument `request`. Arguments were validated before; this fails only if the declaration differs from `T`.
fn request<T: DeserializeOwned>(ahead: &PreTransactionCall<'_>) -> Result<T, Refusal> {
    let given = ahead.arguments.get("request").filter(|given| !given.is_null());
    let given = given.cloned().unwrap_or_else(|| Value::Object(Map::new()));
    T::deserialize(given).map_err(|error| Refusal::invalid(format!("{}(request): {error}", ahead.name)))
}

fn downloads(providers: &Providers) -> Result<&Downloads, Refusal> {
    providers.downloads().ok_or_else(|| Refusal::new("not-supported", "nothing keeps models here"))
}

/// Blocks until `work` completes on the service's runtime.
fn wait<T>(work: impl Future<Output = T>) -> Result<T, Refusal> {
    let none = |_| Refusal::new("not-supported", "nothing waits for other machines here");
    Ok(tokio::runtime::Handle::try_current().map_err(none)?.block_on(work))
}

fn name(text: &str) -> Result<ModelName, SetupError> {
    Ok(ModelName::parse(text)?)
}

// ── service models ──────────────────────────────────────────────────────────────────────────────────────────────────

#[derive(Deserialize)]
struct NameRequest {
    name: String,
}

/// All models as the page shows them. The list `settings` replaces the map of the overview.
#[derive(Serialize)]
struct ModelsListed {
    #[serde(flatten)]
    overview: ModelsOverview,
    settings: Vec<NamedValue<SettingView>>,
}

fn list_models(ahead: &PreTransactionCall<'_>, providers: &Providers) -> Result<Data<ModelsListed>, Refusal> {
    #[derive(Deserialize)]
    struct SelectionRequest {
        names: Option<Vec<Option<String>>>,
    }
    PlatformAdmin::of(ahead)?;
    let wanted: SelectionRequest = request(ahead)?;
    let mut all = models_listed(downloads(providers)?)?;
    if let Some(names) = wanted.names {
        all.overview.models.retain(|model| names.iter().flatten().any(|name| *name == model.name));
    }
    Ok(Data { data: all })
}

fn models_listed(downloads: &Downloads) -> Result<ModelsListed, Refusal> {
    let mut overview = models_of::overview(downloads)?;
    let settings = listed(std::mem::take(&mut overview.settings));
    Ok(ModelsListed { overview, settings })
}

/// The host of the model registry, and whether it can be reached.
#[derive(Serialize)]
struct RegistryCheck {
    host: String,
    is_encrypted: bool,
    trouble: Option<String>,
}

fn check_registry(
    ahead: &PreTransactionCall<'_>,
    providers: &Providers,
) -> Result<Data<RegistryCheck>, Refusal> {
    PlatformAdmin::of(ahead)?;
    let look = wait(downloads(providers)?.look())?.map_err(SetupError::from)?;
    let trouble = look.found.err().map(|failure| failure.to_string().trim_end().to_owned());
    Ok(Data { data: RegistryCheck { host: look.host, is_encrypted: look.is_encrypted, trouble } })
}

fn pull(ahead: &PreTransactionCall<'_>, providers: &Providers) -> Result<Data<ServiceModel>, Refusal> {
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

/// Runs an operation on a model and returns the model's state afterwards.
fn one(
    ahead: &PreTransactionCall<'_>,
    providers: &Providers,
    work: fn(&PlatformAdmin, &Downloads, &ModelName) -> Result<(), SetupError>,
) -> Result<Data<ServiceModel>, Refusal> {
    let by = PlatformAdmin::of(ahead)?;
    let (downloads, name) = (downloads(providers)?, name(&request::<NameRequest>(ahead)?.name)?);
    work(&by, downloads, &name)?;
    standing(downloads, &name)
}

/// The current state of a model.
fn standing(downloads: &Downloads, name: &ModelName) -> Result<Data<ServiceModel>, Refusal> {
    let models = models_of::overview(downloads)?.models;
    let found = models.into_iter().find(|model| model.name == name.as_str());
    let none = || ServiceModel { name: name.as_str().to_owned(), about: "", here: None, download: None };
    Ok(Data { data: found.unwrap_or_else(none) })
}

fn import(ahead: &PreTransactionCall<'_>, providers: &Providers) -> Result<Data<ServiceModel>, Refusal> {
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
    models_of::import_from_folder(&by, downloads, &called, &wanted.file, wanted.sha256.as_deref())?;
    standing(downloads, &called)
}

fn export(ahead: &PreTransactionCall<'_>, providers: &Providers) -> Result<Data<ExportedFile>, Refusal> {
    #[derive(Deserialize)]
    struct Export {
        name: String,
        file: Option<String>,
    }
    let by = PlatformAdmin::of(ahead)?;
    let wanted: Export = request(ahead)?;
    let (downloads, name) = (downloads(providers)?, name(&wanted.name)?);
    Ok(Data { data: models_of::export_named(&by, downloads, &name, wanted.file.as_deref())? })
}

fn verify(ahead: &PreTransactionCall<'_>, providers: &Providers) -> Result<Data<ServiceModel>, Refusal> {
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

fn save_settings(
    ahead: &PreTransactionCall<'_>,
    providers: &Providers,
) -> Result<Data<ModelsListed>, Refusal> {
    #[derive(Deserialize)]
    struct Save {
        values: Vec<Setting>,
    }
    let by = PlatformAdmin::of(ahead)?;
    let Save { values } = request(ahead)?;
    let changes = values.into_iter().map(|one| (one.name, one.value)).collect();
    let downloads = downloads(providers)?;
    models_of::save_settings(&by, downloads, &changes)?;
    Ok(Data { data: models_listed(downloads)? })
}

fn move_to(ahead: &PreTransactionCall<'_>, providers: &Providers) -> Result<Data<ModelsListed>, Refusal> {
    #[derive(Deserialize)]
    struct Move {
        path: PathBuf,
    }
    let by = PlatformAdmin::of(ahead)?;
    let Move { path } = request(ahead)?;
    let downloads = downloads(providers)?;
    models_of::move_to(&by, downloads, &path)?;
    Ok(Data { data: models_listed(downloads)? })
}

// ── providers ───────────────────────────────────────────────────────────────────────────────────────────────────────

#[derive(Deserialize)]
struct IdRequest {
    id: String,
}

/// All providers as the page shows them, with the values of each as a list.
#[derive(Serialize)]
struct ProvidersListed {
    #[serde(flatten)]
    overview: ProvidersOverview,
    /// Replaces the providers of the overview, whose values are maps.
    providers: Vec<ProviderListed>,
}

#[derive(Serialize)]
struct ProviderListed {
    #[serde(flatten)]
    provider: ProviderShown,
    fields: Vec<NamedValue<FieldValue>>,
}

fn list_providers(
    ahead: &PreTransactionCall<'_>,
    providers: &Providers,
) -> Result<Data<ProvidersListed>, Refusal> {
    #[derive(Deserialize)]
    struct SelectionRequest {
        ids: Option<Vec<Option<String>>>,
    }
    PlatformAdmin::of(ahead)?;
    let wanted: SelectionRequest = request(ahead)?;
    let mut all = providers_listed(providers)?;
    if let Some(ids) = wanted.ids {
        all.providers.retain(|one| ids.iter().flatten().any(|id| *id == one.provider.id));
    }
    Ok(Data { data: all })
}

fn providers_listed(providers: &Providers) -> Result<ProvidersListed, Refusal> {
    let mut overview = providers_of::overview(providers, downloads(providers)?)?;
    let one = |mut provider: ProviderShown| {
        let fields = std::mem::take(&mut provider.fields).into_iter();
        let fields = listed(fields.map(|(field, value)| (field.name(), value)).collect());
        ProviderListed { provider, fields }
    };
    let providers = std::mem::take(&mut overview.providers).into_iter().map(one).collect();
    Ok(ProvidersListed { overview, providers })
}

/// The current state of a provider; `data` is null if it does not exist.
#[derive(Serialize)]
struct ProviderStanding {
    data: Option<ProviderListed>,
    id: String,
}

fn provider(providers: &Providers, id: &str) -> Result<ProviderStanding, Refusal> {
    let all = providers_listed(providers)?.providers;
    let found = all.into_iter().find(|one| one.provider.id == id);
    Ok(ProviderStanding { data: found, id: id.to_owned() })
}

fn installed_models(
    ahead: &PreTransactionCall<'_>,
    providers: &Providers,
) -> Result<Data<Option<Vec<String>>>, Refusal> {
    PlatformAdmin::of(ahead)?;
    let IdRequest { id } = request(ahead)?;
    let names = wait(providers.models_of(&id))?.map_err(SetupError::from)?;
    Ok(Data { data: names })
}

/// Reads the changes in a request. A missing value is left unchanged; `null` removes the saved value.
fn change(ahead: &PreTransactionCall<'_>) -> Result<Change, Refusal> {
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

fn create(ahead: &PreTransactionCall<'_>, providers: &Providers) -> Result<ProviderStanding, Refusal> {
    let by = PlatformAdmin::of(ahead)?;
    let id = providers_of::add(&by, providers, &change(ahead)?)?;
    provider(providers, &id)
}

fn update(ahead: &PreTransactionCall<'_>, providers: &Providers) -> Result<ProviderStanding, Refusal> {
    let by = PlatformAdmin::of(ahead)?;
    let IdRequest { id } = request(ahead)?;
    providers_of::save(&by, providers, &id, &change(ahead)?)?;
    provider(providers, &id)
}

fn delete(ahead: &PreTransactionCall<'_>, providers: &Providers) -> Result<ProviderStanding, Refusal> {
    let by = PlatformAdmin::of(ahead)?;
    let IdRequest { id } = request(ahead)?;
    providers_of::remove(&by, providers, &id)?;
    provider(providers, &id)
}

fn test(ahead: &PreTransactionCall<'_>, providers: &Providers) -> Result<ProviderStanding, Refusal> {
    let by = PlatformAdmin::of(ahead)?;
    let IdRequest { id } = request(ahead)?;
    wait(providers_of::test(&by, providers, &id))??;
    provider(providers, &id)
}

fn order(ahead: &PreTransactionCall<'_>, providers: &Providers) -> Result<Data<ProvidersListed>, Refusal> {
    #[derive(Deserialize)]
    struct Order {
        ids: Vec<String>,
    }
    let by = PlatformAdmin::of(ahead)?;
    let Order { ids } = request(ahead)?;
    providers_of::order(&by, providers, &ids)?;
    Ok(Data { data: providers_listed(providers)? })
}

fn save_overrides(
    ahead: &PreTransactionCall<'_>,
    providers: &Providers,
) -> Result<Data<ProvidersListed>, Refusal> {
    #[derive(Deserialize)]
    struct Overrides {
        overrides: Vec<Override>,
    }
    let by = PlatformAdmin::of(ahead)?;
    let Overrides { overrides } = request(ahead)?;
    providers_of::save_overrides(&by, providers, &overrides)?;
    Ok(Data { data: providers_listed(providers)? })
}
