//! Saves changes to providers: validates and encrypts them.

use crate::failure::Failure;
use crate::kind::{Field, ProviderKind, Tier, problem};
use crate::providers::{Providers, purpose_of};
use crate::record::{ENVIRONMENT, ENVIRONMENT_EMBEDDINGS, Entry};
use crate::rows::{self, Override, SavedProvider};
use crate::seal;
use catalogue::Caller;
use rand::CryptoRng;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;
use store::StoreError;

const LONGEST_NAME: usize = 80;

/// Changes to a provider. Omitted fields keep their value. `null` removes the saved value, and the environment applies again.
#[allow(clippy::option_option)] // Omitted, null and set are three different cases.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[schemars(rename = "ProviderChange")]
#[serde(deny_unknown_fields, default)]
pub struct Change {
    #[serde(deserialize_with = "given")]
    pub kind: Option<Option<ProviderKind>>,
    #[serde(deserialize_with = "given")]
    pub name: Option<Option<String>>,
    #[serde(deserialize_with = "given")]
    pub is_on: Option<Option<bool>>,
    #[serde(deserialize_with = "given")]
    pub may_leave: Option<Option<bool>>,
    /// The chat model. Empty if this provider is not used for chat.
    #[serde(deserialize_with = "given")]
    pub chat_model: Option<Option<String>>,
    #[serde(deserialize_with = "given")]
    pub small_model: Option<Option<String>>,
    #[serde(deserialize_with = "given")]
    pub embeddings_model: Option<Option<String>>,
    /// Connection settings by name. Secrets are stored encrypted.
    pub values: BTreeMap<Field, Option<String>>,
}

/// Distinguishes null from an omitted field.
#[allow(clippy::option_option)] // Omitted, null and set are three different cases.
fn given<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<Option<Option<T>>, D::Error> {
    Option::<T>::deserialize(from).map(Some)
}

/// The user and the time of a change.
pub struct Saving<'a> {
    /// Name of the user.
    pub by: &'a str,
    /// µs since 1970 UTC.
    pub now: i64,
    pub rng: &'a mut dyn CryptoRng,
}

/// Why a change was not saved.
#[derive(Debug, thiserror::Error)]
pub enum SaveError {
    /// Invalid values, by field name.
    #[error("{}", .0.first().map(|(name, why)| format!("{name} {why}")).unwrap_or_default())]
    Wrong(Vec<(&'static str, String)>),
    #[error("there is no model provider {id:?}")]
    Unknown { id: String },
    #[error(transparent)]
    Failure(#[from] Failure),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Providers {
    /// Adds a provider with a new id, after all others. Blocks the thread.
    pub fn add(&self, id: &str, change: &Change, saving: &mut Saving<'_>) -> Result<(), SaveError> {
        if change.kind.flatten().is_none() {
            return Err(SaveError::Wrong(vec![(
                "kind",
                "is missing: say what kind of provider it is".to_owned(),
            )]));
        }
        self.change(id, change, saving, true)
    }

    /// Changes a provider. Blocks the thread.
    pub fn save(&self, id: &str, change: &Change, saving: &mut Saving<'_>) -> Result<(), SaveError> {
        self.change(id, change, saving, false)
    }

    fn change(
        &self,
        id: &str,
        change: &Change,
        saving: &mut Saving<'_>,
        is_new: bool,
    ) -> Result<(), SaveError> {
        check(change)?;
        // Encrypt before the transaction starts: reading the key from the keyring can be slow.
        let mut sealed = BTreeMap::new();
        for (field, value) in change.values.iter().filter(|(field, _)| field.is_secret()) {
            if let Some(secret) = value.as_deref().map(str::trim).filter(|secret| !secret.is_empty()) {
                let keys = self.keys.as_deref().ok_or_else(seal::no_key_storage)?;
                sealed.insert(*field, seal::seal(keys, &purpose_of(id, *field), secret, saving.rng)?);
            }
        }
        self.store.transaction(&Caller::system(), |rows| {
            let setup = self.setup_in(rows)?;
            let known = setup.saved.iter().find(|saved| saved.id == id).cloned();
            let is_given = setup.entries.iter().any(|entry| entry.id == id);
            if !is_new && known.is_none() && !is_given {
                return Err(SaveError::Unknown { id: id.to_owned() });
            }
            let last = setup.saved.iter().map(|saved| saved.position).max().unwrap_or(-1);
            let fresh =
                || SavedProvider { id: id.to_owned(), position: last + 1, ..SavedProvider::default() };
            let mut saved = known.unwrap_or_else(fresh);
            apply(&mut saved, change, sealed);
            saved.updated_at = saving.now;
            saving.by.clone_into(&mut saved.updated_by);
            Ok(rows::put(rows, &saved)?)
        })
    }

    /// Removes a provider; for one of the environment, removes only its saved changes. Blocks the thread.
    pub fn remove(&self, id: &str) -> Result<(), SaveError> {
        self.store.transaction(&Caller::system(), |rows| match rows::remove(rows, id)? {
            0 => Err(SaveError::Unknown { id: id.to_owned() }),
            _ => Ok(()),
        })
    }

    /// Stores a test result. Not an error if the provider no longer exists. Blocks the thread.
    pub fn note_test(&self, id: &str, test: serde_json::Value) -> Result<(), SaveError> {
        self.store.transaction(&Caller::system(), |rows| {
            let setup = self.setup_in(rows)?;
            let known = setup.saved.iter().find(|saved| saved.id == id).cloned();
            let is_given = setup.entries.iter().any(|entry| entry.id == id);
            let fresh = || SavedProvider {
                id: id.to_owned(),
                position: i64::from(i32::MAX),
                ..SavedProvider::default()
            };
            let Some(mut saved) = known.or_else(|| is_given.then(fresh)) else { return Ok(()) };
            saved.test = Some(test);
            Ok(rows::put(rows, &saved)?)
        })
    }

    /// Sets the order of preference. Providers that are not listed follow. Blocks the thread.
    pub fn order(&self, ids: &[String]) -> Result<(), SaveError> {
        self.store.transaction(&Caller::system(), |rows| {
            let setup = self.setup_in(rows)?;
            let place = |entry: &Entry| ids.iter().position(|id| *id == entry.id).unwrap_or(ids.len());
            let mut entries: Vec<&Entry> = setup.entries.iter().collect();
            entries.sort_by_key(|entry| place(entry));
            for (position, entry) in (0..).zip(entries) {
                let known = setup.saved.iter().find(|saved| saved.id == entry.id).cloned();
                let mut saved = known
                    .unwrap_or_else(|| SavedProvider { id: entry.id.clone(), ..SavedProvider::default() });
                saved.position = position;
                rows::put(rows, &saved)?;
            }
            Ok(())
        })
    }

    /// Replaces all overrides by agent and tier. Blocks the thread.
    pub fn save_overrides(&self, overrides: &[Override]) -> Result<(), SaveError> {
        self.store.transaction(&Caller::system(), |rows| {
            let setup = self.setup_in(rows)?;
            let mut kept: Vec<Override> = Vec::with_capacity(overrides.len());
            for one in overrides {
                let one = Override { name: one.name.trim().to_lowercase(), ..one.clone() };
                if let Some(why) = wrong_override(&one, &setup.entries) {
                    return Err(SaveError::Wrong(vec![("overrides", why)]));
                }
                if kept.iter().any(|known| (&known.scope, &known.name) == (&one.scope, &one.name)) {
                    return Err(SaveError::Wrong(vec![("overrides", format!("name {} twice", one.name))]));
                }
                kept.push(one);
            }
            Ok(rows::put_overrides(rows, &kept)?)
        })
    }
}

fn wrong_override(one: &Override, entries: &[Entry]) -> Option<String> {
    let is_known = match one.scope.as_str() {
        "tier" => Tier::ALL.iter().any(|tier| tier.name() == one.name),
        "agent" => !one.name.is_empty() && one.name.len() <= 100,
        _ => false,
    };
    if !is_known {
        let expected = "expected tier with reasoning, retrieval or summary, or agent with a name";
        return Some(format!("have {} {:?}: {expected}", one.scope, one.name));
    }
    if !entries.iter().any(|entry| entry.id == one.provider) {
        return Some(format!("name a provider {:?} that there is not", one.provider));
    }
    one.model.trim().is_empty().then(|| format!("have no model for {}", one.name))
}

fn apply(saved: &mut SavedProvider, change: &Change, sealed: BTreeMap<Field, String>) {
    let text = |value: &Option<String>| value.as_deref().map(|value| value.trim().to_owned());
    if let Some(kind) = change.kind {
        saved.kind = kind;
    }
    if let Some(name) = &change.name {
        saved.name = text(name);
    }
    if let Some(is_on) = change.is_on {
        saved.is_on = is_on;
    }
    if let Some(may_leave) = change.may_leave {
        saved.may_leave = may_leave;
    }
    for (kept, wanted) in [
        (&mut saved.chat_model, &change.chat_model),
        (&mut saved.small_model, &change.small_model),
        (&mut saved.embeddings_model, &change.embeddings_model),
    ] {
        if let Some(wanted) = wanted {
            *kept = text(wanted);
        }
    }
    for (field, value) in &change.values {
        saved.values.remove(field);
        saved.sealed.remove(field);
        if let Some(value) = value.as_deref().map(str::trim) {
            match sealed.get(field) {
                Some(sealed) => saved.sealed.insert(*field, sealed.clone()),
                // A value saved as empty unsets it, whatever the environment contains.
                None => saved.values.insert(*field, value.to_owned()),
            };
        }
    }
}

/// Validates a change.
fn check(change: &Change) -> Result<(), SaveError> {
    let mut wrong = Vec::new();
    if let Some(Some(name)) = &change.name
        && (name.chars().count() > LONGEST_NAME || name.chars().any(char::is_control))
    {
        wrong.push(("name", format!("has more than {LONGEST_NAME} letters, or control characters")));
    }
    for (name, model) in [
        ("chat_model", &change.chat_model),
        ("small_model", &change.small_model),
        ("embeddings_model", &change.embeddings_model),
    ] {
        if let Some(Some(model)) = model
            && (model.len() > 400 || model.chars().any(char::is_control))
        {
            wrong.push((name, "is no name of a model: it is too long, or has control characters".to_owned()));
        }
    }
    for (field, value) in &change.values {
        let value = value.as_deref().map(str::trim).filter(|value| !value.is_empty());
        if let Some(why) = value.and_then(|value| problem(*field, value)) {
            wrong.push((field.name(), why));
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(SaveError::Wrong(wrong)) }
}

/// Whether this is the id of a provider of the environment.
pub fn is_of_environment(id: &str) -> bool {
    id == ENVIRONMENT || id == ENVIRONMENT_EMBEDDINGS
}
