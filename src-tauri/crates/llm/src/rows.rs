//! Rows of saved providers and of overrides.

use crate::kind::{Field, ProviderKind};
use catalogue::{Value, ValueRef};
use std::collections::BTreeMap;
use store::{StoreError, Transaction, eq};

const PROVIDERS: &str = "model_provider";
const OVERRIDES: &str = "model_override";
const COLUMNS: [&str; 14] = [
    "id",
    "kind",
    "name",
    "position",
    "is_on",
    "may_leave",
    "chat_model",
    "small_model",
    "embeddings_model",
    "values",
    "sealed",
    "test",
    "updated_at",
    "updated_by",
];

/// A provider as the form saved it. What is `None` of one that the environment describes is as the environment says.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Saved {
    pub id: String,
    pub kind: Option<ProviderKind>,
    pub name: Option<String>,
    /// The lowest is asked first.
    pub position: i64,
    pub is_on: Option<bool>,
    pub may_leave: Option<bool>,
    /// Empty: not from here.
    pub chat_model: Option<String>,
    pub small_model: Option<String>,
    pub embeddings_model: Option<String>,
    pub values: BTreeMap<Field, String>,
    /// Sealed secrets.
    pub sealed: BTreeMap<Field, String>,
    /// What the last test showed, with its time.
    pub test: Option<serde_json::Value>,
    /// µs since 1970 UTC.
    pub updated_at: i64,
    /// Who saved it, by name.
    pub updated_by: String,
}

impl Saved {
    /// Whether it is more than a place in the order and what a test showed.
    pub(crate) fn changes_something(&self) -> bool {
        let (id, position, test) = (self.id.clone(), self.position, self.test.clone());
        let (updated_at, updated_by) = (self.updated_at, self.updated_by.clone());
        *self != Self { id, position, test, updated_at, updated_by, ..Self::default() }
    }
}

/// Another model for one agent or tier.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Override {
    /// `agent` or `tier`.
    pub scope: String,
    /// Of the agent, small letters; or `reasoning`, `retrieval`, `summary`.
    pub name: String,
    pub provider: String,
    pub model: String,
}

fn text(value: &Value) -> Option<String> {
    value.as_text().map(str::to_owned)
}

fn boolean(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(value) => Some(*value),
        _ => None,
    }
}

fn json<T: serde::de::DeserializeOwned + Default>(value: &Value) -> T {
    match value {
        Value::Json(text) | Value::Text(text) => serde_json::from_str(text).unwrap_or_default(),
        _ => T::default(),
    }
}

/// Every saved provider, those first that are asked first.
pub(crate) fn all(rows: &Transaction<'_>) -> Result<Vec<Saved>, StoreError> {
    let mut saved: Vec<Saved> = rows
        .select(PROVIDERS, &COLUMNS, &[])?
        .iter()
        .map(|row| Saved {
            id: text(&row[0]).unwrap_or_default(),
            kind: text(&row[1]).and_then(|kind| ProviderKind::find(&kind)),
            name: text(&row[2]),
            position: match row[3] {
                Value::Int(position) => position,
                _ => 0,
            },
            is_on: boolean(&row[4]),
            may_leave: boolean(&row[5]),
            chat_model: text(&row[6]),
            small_model: text(&row[7]),
            embeddings_model: text(&row[8]),
            values: json(&row[9]),
            sealed: json(&row[10]),
            test: json(&row[11]),
            updated_at: match row[12] {
                Value::Timestamp(at) => at,
                _ => 0,
            },
            updated_by: text(&row[13]).unwrap_or_default(),
        })
        .collect();
    saved.sort_by(|one, other| (one.position, &one.id).cmp(&(other.position, &other.id)));
    Ok(saved)
}

pub(crate) fn put(rows: &Transaction<'_>, saved: &Saved) -> Result<(), StoreError> {
    let write = |value: &BTreeMap<Field, String>| {
        serde_json::to_string(value).map_err(|error| StoreError::Database(Box::new(error)))
    };
    let (values, sealed) = (write(&saved.values)?, write(&saved.sealed)?);
    let test = saved.test.as_ref().map(ToString::to_string);
    let optional = |value: &'_ Option<String>| -> Option<String> { value.clone() };
    let (chat, small, embeddings) =
        (optional(&saved.chat_model), optional(&saved.small_model), optional(&saved.embeddings_model));
    let row = [
        ("id", saved.id.as_str().into()),
        ("kind", saved.kind.map_or(ValueRef::Null, |kind| kind.name().into())),
        ("name", or_null(saved.name.as_deref())),
        ("position", ValueRef::Int(saved.position)),
        ("is_on", saved.is_on.map_or(ValueRef::Null, ValueRef::Bool)),
        ("may_leave", saved.may_leave.map_or(ValueRef::Null, ValueRef::Bool)),
        ("chat_model", or_null(chat.as_deref())),
        ("small_model", or_null(small.as_deref())),
        ("embeddings_model", or_null(embeddings.as_deref())),
        ("values", ValueRef::Json(&values)),
        ("sealed", ValueRef::Json(&sealed)),
        ("test", test.as_deref().map_or(ValueRef::Null, ValueRef::Json)),
        ("updated_at", ValueRef::Timestamp(saved.updated_at)),
        ("updated_by", saved.updated_by.as_str().into()),
    ];
    rows.upsert(PROVIDERS, &["id"], &row, &[])
}

fn or_null(text: Option<&str>) -> ValueRef<'_> {
    text.map_or(ValueRef::Null, Into::into)
}

/// Takes a provider away, and what is asked of it.
pub(crate) fn remove(rows: &Transaction<'_>, id: &str) -> Result<u64, StoreError> {
    rows.delete(OVERRIDES, &[eq("provider", id)])?;
    rows.delete(PROVIDERS, &[eq("id", id)])
}

pub(crate) fn overrides(rows: &Transaction<'_>) -> Result<Vec<Override>, StoreError> {
    let part = |value: &Value| text(value).unwrap_or_default();
    let mut all: Vec<Override> = rows
        .select(OVERRIDES, &["scope", "name", "provider", "model"], &[])?
        .iter()
        .map(|row| Override {
            scope: part(&row[0]),
            name: part(&row[1]),
            provider: part(&row[2]),
            model: part(&row[3]),
        })
        .collect();
    all.sort_by(|one, other| (&one.scope, &one.name).cmp(&(&other.scope, &other.name)));
    Ok(all)
}

/// Puts these in place of all there were.
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
