//! The effective settings of a provider: saved values override the environment; each value has its source.

use crate::environment::{self, EnvironmentValues, ProviderDescription};
use crate::kind::{Field, ProviderKind};
use crate::rows::SavedProvider;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// Id of the chat provider described by the environment, and of the one for embeddings.
pub const ENVIRONMENT: &str = "environment";
pub const ENVIRONMENT_EMBEDDINGS: &str = "environment-embeddings";

/// The source of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "ProviderValueSource")]
#[serde(rename_all = "lowercase")]
pub enum Source {
    Saved,
    Environment,
    Default,
}

/// A value with its source.
#[derive(Clone, PartialEq, Eq)]
pub struct SourcedValue<T> {
    pub value: T,
    pub source: Source,
}

impl<T> SourcedValue<T> {
    fn of(saved: Option<T>, given: Option<T>, default: T) -> Self {
        match (saved, given) {
            (Some(value), _) => Self { value, source: Source::Saved },
            (None, Some(value)) => Self { value, source: Source::Environment },
            (None, None) => Self { value: default, source: Source::Default },
        }
    }
}

/// A value; secrets are encrypted. Never shown as a whole.
#[derive(Clone, PartialEq, Eq)]
pub enum StoredValue {
    Plain(String),
    Sealed(String),
}

/// The effective settings of one provider.
#[derive(Clone)]
pub struct Entry {
    pub id: String,
    /// `None` if the environment names an unknown kind.
    pub kind: Option<ProviderKind>,
    /// The kind as named in the environment.
    pub named: String,
    pub name: String,
    /// Whether the environment describes it.
    pub is_given: bool,
    /// Whether any of it is saved.
    pub is_saved: bool,
    pub position: i64,
    pub is_on: SourcedValue<bool>,
    pub may_leave: SourcedValue<bool>,
    /// Empty: not used for this.
    pub chat_model: SourcedValue<String>,
    pub small_model: SourcedValue<String>,
    pub embeddings_model: SourcedValue<String>,
    /// Models of the environment to use if the first one fails.
    pub fallbacks: Vec<String>,
    pub values: BTreeMap<Field, SourcedValue<StoredValue>>,
    pub test: Option<serde_json::Value>,
    pub updated_at: i64,
    pub updated_by: String,
}

/// All providers, in order of preference.
pub(crate) fn entries(saved: &[SavedProvider], given: &EnvironmentValues) -> Vec<Entry> {
    let of = |id: &str| saved.iter().find(|saved| saved.id == id);
    let described = [
        (ENVIRONMENT, environment::chat(given, environment::VariableOwner::All)),
        (ENVIRONMENT_EMBEDDINGS, environment::embeddings(given)),
    ];
    let mut entries: Vec<Entry> = Vec::new();
    for (id, described) in &described {
        entries.extend(described.as_ref().map(|described| entry(id, of(id), Some(described))));
    }
    // Saved changes to a provider of the environment are ignored once the environment no longer describes it, unless they are complete.
    let own = saved.iter().filter(|saved| !entries.iter().any(|entry| entry.id == saved.id));
    let own: Vec<Entry> =
        own.filter(|saved| saved.kind.is_some()).map(|saved| entry(&saved.id, Some(saved), None)).collect();
    entries.extend(own);
    entries.sort_by(|one, other| (one.position, &one.id).cmp(&(other.position, &other.id)));
    entries
}

fn entry(id: &str, saved: Option<&SavedProvider>, given: Option<&ProviderDescription>) -> Entry {
    let kind = saved.and_then(|saved| saved.kind).or_else(|| given.and_then(|given| given.kind));
    let is_embeddings = id == ENVIRONMENT_EMBEDDINGS;
    let model = |of: fn(&SavedProvider) -> &Option<String>, is_given: bool| {
        let given = given.filter(|_| is_given).and_then(|given| given.model.clone());
        SourcedValue::of(saved.and_then(|saved| of(saved).clone()), given, String::new())
    };
    let mut values = BTreeMap::new();
    for field in Field::ALL {
        let plain = saved.and_then(|saved| saved.values.get(&field).cloned()).map(StoredValue::Plain);
        let sealed = saved.and_then(|saved| saved.sealed.get(&field).cloned()).map(StoredValue::Sealed);
        let given = given.and_then(|given| given.values.get(&field).cloned()).map(StoredValue::Plain);
        let found = match (sealed.or(plain), given) {
            (Some(value), _) => SourcedValue { value, source: Source::Saved },
            (None, Some(value)) => SourcedValue { value, source: Source::Environment },
            (None, None) => continue,
        };
        values.insert(field, found);
    }
    let named = given.map(|given| given.named.clone()).unwrap_or_default();
    let title = kind.map_or_else(|| named.clone(), |kind| kind.title().to_owned());
    Entry {
        id: id.to_owned(),
        kind,
        named,
        name: saved.and_then(|saved| saved.name.clone()).filter(|name| !name.is_empty()).unwrap_or(title),
        is_given: given.is_some(),
        is_saved: saved.is_some_and(SavedProvider::changes_something),
        // Saved providers come before those of the environment.
        position: saved.map_or(i64::MAX, |saved| saved.position),
        is_on: SourcedValue::of(saved.and_then(|saved| saved.is_on), given.map(|_| true), false),
        may_leave: SourcedValue::of(
            saved.and_then(|saved| saved.may_leave),
            given.map(|given| given.may_leave),
            false,
        ),
        chat_model: model(|saved| &saved.chat_model, !is_embeddings),
        small_model: model(|saved| &saved.small_model, false),
        embeddings_model: model(|saved| &saved.embeddings_model, is_embeddings),
        fallbacks: given.map(|given| given.fallbacks.clone()).unwrap_or_default(),
        values,
        test: saved.and_then(|saved| saved.test.clone()),
        updated_at: saved.map_or(0, |saved| saved.updated_at),
        updated_by: saved.map(|saved| saved.updated_by.clone()).unwrap_or_default(),
    }
}

impl Entry {
    /// Required fields that are not set.
    pub fn missing(&self) -> Vec<Field> {
        let required = self.kind.map(ProviderKind::required).unwrap_or_default();
        required.iter().copied().filter(|field| !self.is_set(*field)).collect()
    }

    pub fn is_set(&self, field: Field) -> bool {
        match self.values.get(&field).map(|found| &found.value) {
            Some(StoredValue::Plain(text)) => !text.trim().is_empty(),
            Some(StoredValue::Sealed(_)) => true,
            None => false,
        }
    }
}

/// The entry of one tier or agent in the environment, with the saved changes of the general provider if it is of the same kind.
pub(crate) fn of_environment(described: &ProviderDescription, general: Option<&Entry>) -> Entry {
    let mut own = entry(ENVIRONMENT, None, Some(described));
    if let Some(general) = general.filter(|general| general.kind == own.kind) {
        let saved = general.values.iter().filter(|(_, found)| found.source == Source::Saved);
        own.values.extend(saved.map(|(field, found)| (*field, found.clone())));
        own.may_leave = general.may_leave.clone();
    }
    own
}
