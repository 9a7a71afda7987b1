//! Providers of language models: lists, adds, changes, orders and tests them.
//!
//! Each value is shown with its source. Secrets can be set but are never returned.

use super::shown::{FieldNeeded, FieldValue, KindShown, ProviderShown, ProvidersOverview};
use super::{PlatformAdmin, SetupError};
use auth::saml::time;
use llm::{
    Change, Entry, Field, Override, Provider, ProviderCheck, ProviderCosts, ProviderKind, Providers, Saving,
    StoredValue,
};
use models::Downloads;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use uuid::Uuid;

const PROVIDER: &str = "model_provider";

/// All providers with the sources of their values, the available kinds, and the local runners and models. Blocks.
pub fn overview(providers: &Providers, downloads: &Downloads) -> Result<ProvidersOverview, SetupError> {
    let setup = providers.setup()?;
    let spent = providers.spent()?;
    let downloaded = downloads.library()?.list()?.into_iter().map(|model| model.name).collect();
    Ok(ProvidersOverview {
        providers: setup.entries.iter().map(|entry| show(providers, entry, &spent)).collect(),
        given_overrides: setup.given_overrides(),
        overrides: setup.overrides,
        kinds: ProviderKind::ALL.into_iter().map(show_kind).collect(),
        secrets: providers.about_secrets(),
        runner: providers.find_runner(),
        programs: providers.programs(),
        downloaded,
        added: None,
    })
}

fn show_kind(kind: ProviderKind) -> KindShown {
    let fields = kind.fields().iter().map(|field| FieldNeeded {
        name: *field,
        is_secret: field.is_secret(),
        is_required: kind.required().contains(field),
    });
    KindShown {
        name: kind,
        title: kind.title(),
        fields: fields.collect(),
        address: kind.address(),
        region: kind.region(),
        chats: kind.chats(),
        embeds: kind.embeds(),
    }
}

fn show(providers: &Providers, entry: &Entry, spent: &ProviderCosts) -> ProviderShown {
    let provider = providers.provider(entry, "").ok();
    ProviderShown {
        id: entry.id.clone(),
        kind: entry.kind,
        named: entry.named.clone(),
        name: entry.name.clone(),
        is_given: entry.is_given,
        is_saved: entry.is_saved,
        is_on: (&entry.is_on).into(),
        may_leave: (&entry.may_leave).into(),
        is_local: provider.as_ref().is_some_and(Provider::is_local) || is_on_this_machine(entry.kind),
        host: provider.map(|provider| provider.host()),
        chat_model: (&entry.chat_model).into(),
        small_model: (&entry.small_model).into(),
        embeddings_model: (&entry.embeddings_model).into(),
        fallbacks: entry.fallbacks.clone(),
        fields: values(entry),
        missing: entry.missing().into_iter().collect(),
        spent: spent.get(&entry.id).map_or_else(|| "0".to_owned(), ToString::to_string),
        test: entry.test.clone(),
        updated_at: (entry.updated_at > 0).then(|| time::text(entry.updated_at)),
        updated_by: entry.updated_by.clone(),
    }
}

/// All connection values of a provider by name, with their sources. Secret values are not shown.
pub fn values(entry: &Entry) -> BTreeMap<Field, FieldValue> {
    let embeds_only = entry.id == llm::FROM_ENVIRONMENT_EMBEDDINGS;
    let one = |field: Field| {
        let variable = if embeds_only { field.of_embeddings() } else { field.of_chat() };
        let value = FieldValue {
            value: plain(entry, field).map(str::to_owned),
            is_set: entry.is_set(field),
            source: entry.values.get(&field).map(|found| found.source),
            variable: variable.filter(|_| entry.is_given),
        };
        (field, value)
    };
    Field::ALL.into_iter().map(one).collect()
}

fn is_on_this_machine(kind: Option<ProviderKind>) -> bool {
    matches!(kind, Some(ProviderKind::Service | ProviderKind::OnDevice))
}

/// The value of a field, if it is not secret.
fn plain(entry: &Entry, field: Field) -> Option<&str> {
    match &entry.values.get(&field)?.value {
        StoredValue::Plain(value) if !field.is_secret() => Some(value),
        _ => None,
    }
}

/// The provider kind with that name.
pub fn kind(name: &str) -> Result<ProviderKind, SetupError> {
    let none = || {
        let known: Vec<&str> = ProviderKind::ALL.iter().map(|kind| kind.name()).collect();
        SetupError::Wrong(format!("{name:?} is no kind of provider; there is {}", known.join(", ")))
    };
    ProviderKind::find(name).ok_or_else(none)
}

/// The connection field with that name.
pub fn field(name: &str) -> Result<Field, SetupError> {
    let none = || {
        let known: Vec<&str> = Field::ALL.iter().map(|field| field.name()).collect();
        SetupError::Wrong(format!("there is no value {name:?}; there is {}", known.join(", ")))
    };
    Field::find(name).ok_or_else(none)
}

/// Adds a provider and returns its id. Blocks.
pub fn add(by: &PlatformAdmin, providers: &Providers, change: &Change) -> Result<String, SetupError> {
    let id = Uuid::new_v4().to_string();
    save_with_audit(by, "ai_create_model_provider", providers, &id, change, |saving| {
        providers.add(&id, change, saving)
    })?;
    Ok(id)
}

/// Changes a provider. `None` removes a saved value, and the value from the environment applies again. Blocks.
pub fn save(by: &PlatformAdmin, providers: &Providers, id: &str, change: &Change) -> Result<(), SetupError> {
    save_with_audit(by, "ai_update_model_provider", providers, id, change, |saving| {
        providers.save(id, change, saving)
    })
}

fn save_with_audit(
    by: &PlatformAdmin,
    operation: &str,
    providers: &Providers,
    id: &str,
    change: &Change,
    work: impl FnOnce(&mut Saving<'_>) -> Result<(), llm::SaveError>,
) -> Result<(), SetupError> {
    let before = audit_values(providers, id)?;
    let mut rng = rand::rng();
    work(&mut Saving { by: &by.name, now: by.now, rng: &mut rng })?;
    let mut after = audit_values(providers, id)?;
    // Record only that a secret was changed, not its value.
    let secrets: Vec<&str> =
        change.values.keys().filter(|field| field.is_secret()).map(|field| field.name()).collect();
    if !secrets.is_empty() {
        after.insert("secrets_given".to_owned(), secrets.into());
    }
    by.note_difference(operation, row(id), before, after)
}

/// Removes a provider. For a provider defined by the environment, only the saved changes are removed. Blocks.
pub fn remove(by: &PlatformAdmin, providers: &Providers, id: &str) -> Result<(), SetupError> {
    let before = audit_values(providers, id)?;
    providers.remove(id)?;
    by.note_difference("ai_delete_model_provider", row(id), before, audit_values(providers, id)?)
}

/// Sets the order in which providers are tried. Blocks.
pub fn order(by: &PlatformAdmin, providers: &Providers, ids: &[String]) -> Result<(), SetupError> {
    let before = positions(providers)?;
    providers.order(ids)?;
    let after = positions(providers)?;
    for (id, place) in after {
        let of = |place: usize| Map::from_iter([("place".to_owned(), place.into())]);
        let was =
            before.iter().find(|(known, _)| *known == id).map_or_else(Map::new, |(_, place)| of(*place));
        by.note_difference("ai_order_model_providers", row(&id), was, of(place))?;
    }
    Ok(())
}

fn positions(providers: &Providers) -> Result<Vec<(String, usize)>, SetupError> {
    Ok(providers.setup()?.entries.into_iter().enumerate().map(|(place, entry)| (entry.id, place)).collect())
}

/// Replaces all model overrides of agents and tiers. Blocks.
pub fn save_overrides(
    by: &PlatformAdmin,
    providers: &Providers,
    overrides: &[Override],
) -> Result<(), SetupError> {
    let before = providers.setup()?.overrides;
    providers.save_overrides(overrides)?;
    let after = providers.setup()?.overrides;
    let key = |one: &Override| (one.scope.clone(), one.name.clone());
    let mut keys: Vec<_> = before.iter().chain(&after).map(key).collect();
    keys.sort();
    keys.dedup();
    for (scope, name) in keys {
        let of = |all: &[Override]| {
            let found = all.iter().find(|one| one.scope == scope && one.name == name);
            let values = found.map(|one| [("provider", &one.provider), ("model", &one.model)]);
            values
                .into_iter()
                .flatten()
                .map(|(name, value)| (name.to_owned(), value.as_str().into()))
                .collect()
        };
        let row = ("model_override", json!({ "scope": scope, "name": name }));
        by.note_difference("ai_update_model_overrides", row, of(&before), of(&after))?;
    }
    Ok(())
}

/// Tests a provider with one small real call per model in use, and stores the result with the time.
pub async fn test(by: &PlatformAdmin, providers: &Providers, id: &str) -> Result<ProviderCheck, SetupError> {
    Ok(providers.test(id, &time::text(by.now)).await?)
}

fn row(id: &str) -> (&'static str, Value) {
    (PROVIDER, json!({ "id": id }))
}

/// The values of a provider for the audit trail, without secrets; empty if it does not exist.
fn audit_values(providers: &Providers, id: &str) -> Result<Map<String, Value>, SetupError> {
    let entries = providers.setup()?.entries;
    let Some(entry) = entries.iter().find(|entry| entry.id == id) else { return Ok(Map::new()) };
    let mut values = Map::new();
    let mut put = |name: &str, value: Value| values.insert(name.to_owned(), value);
    put("kind", entry.kind.map(ProviderKind::name).into());
    put("name", entry.name.as_str().into());
    put("is_on", entry.is_on.value.into());
    put("may_leave", entry.may_leave.value.into());
    for (name, model) in [
        ("chat_model", &entry.chat_model),
        ("small_model", &entry.small_model),
        ("embeddings_model", &entry.embeddings_model),
    ] {
        put(name, model.value.as_str().into());
    }
    for field in Field::ALL.into_iter().filter(|field| entry.values.contains_key(field)) {
        let value = plain(entry, field).map_or_else(|| json!({ "is_set": entry.is_set(field) }), Value::from);
        put(field.name(), value);
    }
    Ok(values)
}
