//! Database rows of saved providers and overrides.

use crate::kind::{Field, ProviderKind};
use catalogue::ValueRef;
use model::tables::{model_override, model_provider};
use model::{ModelOverride, ModelProvider, Read as _};
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use store::{StoreError, Transaction, eq};

const PROVIDERS: &str = "model_provider";
const OVERRIDES: &str = "model_override";

/// The saved settings of a provider. For a provider of the environment, `None` means that the environment's value applies.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SavedProvider {
    pub id: String,
    pub kind: Option<ProviderKind>,
    pub name: Option<String>,
    /// The lowest comes first.
    pub position: i64,
    pub is_on: Option<bool>,
    pub may_leave: Option<bool>,
    /// Empty: not used for this.
    pub chat_model: Option<String>,
    pub small_model: Option<String>,
    pub embeddings_model: Option<String>,
    pub values: BTreeMap<Field, String>,
    /// Encrypted secrets.
    pub sealed: BTreeMap<Field, String>,
    /// The last test result, with its time.
    pub test: Option<serde_json::Value>,
    /// µs since 1970 UTC.
    pub updated_at: i64,
    /// The name of the user who saved it.
    pub updated_by: String,
}

impl SavedProvider {
    /// Whether it contains more than a position and a test result.
    pub(crate) fn changes_something(&self) -> bool {
        let (id, position, test) = (self.id.clone(), self.position, self.test.clone());
        let (updated_at, updated_by) = (self.updated_at, self.updated_by.clone());
        *self != Self { id, position, test, updated_at, updated_by, ..Self::default() }
    }
}

/// A model override for one agent or tier.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[schemars(rename = "ModelOverride")]
#[serde(deny_unknown_fields)]
pub struct Override {
    #[schemars(extend("enum" = ["agent", "tier"]))]
    pub scope: String,
    /// Name of the agent in lower case, or the tier: `reasoning`, `retrieval` or `summary`.
    pub name: String,
    pub provider: String,
    pub model: String,
}

/// The parsed document; the default if this version cannot parse it.
fn document<T: DeserializeOwned + Default>(json: &model::Json) -> T {
    json.parse().unwrap_or_default()
}

/// Every saved provider, in order of preference.
pub(crate) fn all(rows: &Transaction<'_>) -> Result<Vec<SavedProvider>, StoreError> {
    let found = rows
        .query::<ModelProvider>()
        .order(model_provider::position.asc())
        .order(model_provider::id.asc())
        .rows()?;
    let saved = |row: ModelProvider| SavedProvider {
        id: row.id,
        kind: row.kind.as_deref().and_then(ProviderKind::find),
        name: row.name,
        position: row.position,
        is_on: row.is_on,
        may_leave: row.may_leave,
        chat_model: row.chat_model,
        small_model: row.small_model,
        embeddings_model: row.embeddings_model,
        values: document(&row.values),
        sealed: document(&row.sealed),
        test: row.test.as_ref().and_then(document),
        updated_at: row.updated_at.micros(),
        updated_by: row.updated_by,
    };
    Ok(found.into_iter().map(saved).collect())
}

pub(crate) fn put(rows: &Transaction<'_>, saved: &SavedProvider) -> Result<(), StoreError> {
    let write = |value: &BTreeMap<Field, String>| {
        serde_json::to_string(value).map_err(|error| StoreError::Database(Box::new(error)))
    };
    let (values, sealed) = (write(&saved.values)?, write(&saved.sealed)?);
    let test = saved.test.as_ref().map(ToString::to_string);
    let row = [
        ("id", saved.id.as_str().into()),
        ("kind", saved.kind.map(ProviderKind::name).into()),
        ("name", saved.name.as_ref().into()),
        ("position", ValueRef::Int(saved.position)),
        ("is_on", saved.is_on.into()),
        ("may_leave", saved.may_leave.into()),
        ("chat_model", saved.chat_model.as_ref().into()),
        ("small_model", saved.small_model.as_ref().into()),
        ("embeddings_model", saved.embeddings_model.as_ref().into()),
        ("values", ValueRef::Json(&values)),
        ("sealed", ValueRef::Json(&sealed)),
        ("test", test.as_deref().map_or(ValueRef::Null, ValueRef::Json)),
        ("updated_at", ValueRef::Timestamp(saved.updated_at)),
        ("updated_by", saved.updated_by.as_str().into()),
    ];
    rows.upsert(PROVIDERS, &["id"], &row, &[])
}

/// Removes a provider and its overrides.
pub(crate) fn remove(rows: &Transaction<'_>, id: &str) -> Result<u64, StoreError> {
    rows.delete(OVERRIDES, &[eq("provider", id)])?;
    rows.delete(PROVIDERS, &[eq("id", id)])
}

pub(crate) fn overrides(rows: &Transaction<'_>) -> Result<Vec<Override>, StoreError> {
    let found = rows
        .query::<ModelOverride>()
        .order(model_override::scope.asc())
        .order(model_override::name.asc())
        .rows()?;
    let one = |row: ModelOverride| Override {
        scope: row.scope,
        name: row.name,
        provider: row.provider,
        model: row.model,
    };
    Ok(found.into_iter().map(one).collect())
}

/// Replaces all overrides.
pub(crate) fn put_overrides(rows: &Transaction<'_>, all: &[Override]) -> Result<(), StoreError> {
    rows.delete(OVERRIDES, &[])?;
    for one in all {
        let row = [
            ("scope", one.scope.as_str().into()),
            ("name", one.name.as_str().into()),
            ("provider", one.provider.as_str().into()),
            ("model", one.model.as_str().into()),
        ];
        rows.insert(OVERRIDES, &row)?;
    }
    Ok(())
}
