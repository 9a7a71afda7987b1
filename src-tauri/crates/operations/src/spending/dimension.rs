//! Dimensions of charges: the names in requests and budgets, and their columns.

use catalogue::{Table, Value};
use graphql::Refusal;
use serde_json::Value as Json;
use store::StoreError;
use store::query::{Filter, Key, Subject, Test};
use uuid::Uuid;

/// Names and their columns. Messages use the first name of a column.
const COLUMNS: [(&str, &str); 13] = [
    ("account_ids", "cloud_account"),
    ("account_id", "cloud_account"),
    ("account", "cloud_account"),
    ("cloud_account", "cloud_account"),
    ("service_name", "service_name"),
    ("resource_service_name", "service_name"),
    ("service", "service_name"),
    ("service_category", "service_category"),
    ("region", "region"),
    ("resource_region", "region"),
    ("provider_name", "provider_name"),
    ("charge_category", "charge_category"),
    ("billing_account_id", "billing_account_id"),
];
const TAGS: &str = "tags.";
/// The prefix of keys of virtual tags; keys in files never have it.
pub(crate) const VIRTUAL: &str = "virtual:";
/// Tags that replace a null column, as in listings.
const ELSE: [(&str, &str); 2] =
    [("service_name", "$.nb_service_name[0]"), ("region", "$.nb_resource_region_code[0]")];

/// A column or a tag of charges.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Dimension {
    Column(&'static str),
    Tag(String),
}

impl Dimension {
    /// The dimension with that name; `place` is the field that contains the name, for the refusal.
    pub(crate) fn find(name: &str, place: &str) -> Result<Self, Refusal> {
        if let Some((_, column)) = COLUMNS.iter().find(|(known, _)| *known == name) {
            return Ok(Self::Column(column));
        }
        if let Some(key) = name.strip_prefix(TAGS).filter(|key| !key.is_empty()) {
            return Ok(Self::Tag(key.to_owned()));
        }
        Err(Refusal::invalid(format!(
            "`{place}` names \"{name}\": expected one of account_ids, service_name, service_category, region, provider_name, \
             charge_category, billing_account_id, or tags.KEY with the key of a tag"
        )))
    }

    /// Whether it is a virtual tag.
    pub(super) fn is_virtual(&self) -> bool {
        matches!(self, Self::Tag(key) if key.starts_with(VIRTUAL))
    }

    /// The key of its value in a charge.
    pub(crate) fn key(&self, charges: &Table) -> Result<Key, StoreError> {
        Ok(match self {
            Self::Column(name) => {
                let own = Key::Column(column(charges, name)?);
                match ELSE.iter().find(|(known, _)| known == name) {
                    Some((_, path)) => {
                        Key::First(vec![own, Key::JsonPath(column(charges, "tags")?, (*path).to_owned())])
                    }
                    None => own,
                }
            }
            Self::Tag(key) => Key::JsonKey(column(charges, "tags")?, key.clone()),
        })
    }

    /// The condition that its value is one of these texts.
    pub(super) fn is_one_of(&self, charges: &Table, values: &[String]) -> Result<Filter, Refusal> {
        let values = values.iter().map(|text| self.value(text)).collect::<Result<_, _>>()?;
        Ok(Filter::Test { subject: self.subject(charges)?, test: Test::OneOf(values) })
    }

    /// The condition that its value is none of these texts or missing.
    pub(super) fn is_none_of(&self, charges: &Table, values: &[String]) -> Result<Filter, Refusal> {
        let is_missing = Filter::Test { subject: self.subject(charges)?, test: Test::IsNull };
        Ok(Filter::Or(vec![is_missing, Filter::Not(Box::new(self.is_one_of(charges, values)?))]))
    }

    /// The condition that its value is one of these texts, or with `is_not`, none of them. An empty text stands for a missing value.
    pub(crate) fn has_value(
        &self,
        charges: &Table,
        values: &[String],
        is_not: bool,
    ) -> Result<Filter, Refusal> {
        let named: Vec<String> = values.iter().filter(|value| !value.is_empty()).cloned().collect();
        let has_missing = named.len() < values.len();
        let is_missing = self.is_missing(charges)?;
        let is_named = self.is_one_of(charges, &named)?;
        Ok(match (is_not, named.is_empty(), has_missing) {
            (false, false, true) => Filter::Or(vec![is_named, is_missing]),
            (false, true, true) => is_missing,
            (false, _, false) => is_named,
            (true, true, true) => Filter::Not(Box::new(is_missing)),
            (true, false, true) => {
                Filter::And(vec![Filter::Not(Box::new(is_missing)), Filter::Not(Box::new(is_named))])
            }
            (true, _, false) => Filter::Or(vec![is_missing, Filter::Not(Box::new(is_named))]),
        })
    }

    /// The condition that the value is missing. An empty tag counts as missing.
    fn is_missing(&self, charges: &Table) -> Result<Filter, Refusal> {
        let is_null = Filter::Test { subject: self.subject(charges)?, test: Test::IsNull };
        Ok(match self {
            Self::Column(_) => is_null,
            Self::Tag(_) => Filter::Or(vec![is_null, self.is_one_of(charges, &[String::new()])?]),
        })
    }

    fn subject(&self, charges: &Table) -> Result<Subject, Refusal> {
        Ok(match self {
            Self::Column(name) if ELSE.iter().all(|(known, _)| known != name) => {
                Subject::Column(column(charges, name)?)
            }
            _ => Subject::Key(self.key(charges)?),
        })
    }

    /// A value in the column's type.
    pub(super) fn value(&self, text: &str) -> Result<Value, Refusal> {
        if !matches!(self, Self::Column("cloud_account" | "business_unit")) {
            return Ok(Value::Text(text.to_owned()));
        }
        let wrong =
            |_| Refusal::invalid(format!("`account_ids` has \"{text}\": expected the UUID of an account"));
        Uuid::parse_str(text).map(Value::Uuid).map_err(wrong)
    }
}

pub(super) fn column(table: &Table, name: &str) -> Result<catalogue::ColumnId, StoreError> {
    let unknown = || StoreError::UnknownColumn { table: table.name.clone(), column: name.to_owned() };
    table.find_column(name).ok_or_else(unknown)
}

/// The texts of a list, or a single text.
pub(super) fn texts(value: &Json) -> Option<Vec<String>> {
    match value {
        Json::String(text) => Some(vec![text.clone()]),
        Json::Array(items) => items.iter().map(|item| item.as_str().map(str::to_owned)).collect(),
        _ => None,
    }
}
