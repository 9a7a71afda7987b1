//! Mappings: user-defined assignments of the columns of a cost CSV to fields. They are saved by name and used automatically for files with
//! the same header.

use crate::ids;
use catalogue::{Caller, Value, ValueRef};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use store::{Store, StoreError, Transaction, eq};

const TABLE: &str = "import_mappings";

/// A field that a column of a cost CSV can be assigned to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "MappingField")]
#[serde(rename_all = "snake_case")]
pub enum Field {
    /// The cost of the charge, in the currency of the row.
    Cost,
    /// The day or time at which the charge begins.
    Date,
    /// The end of the charge, exclusive; the next day without such a column.
    EndDate,
    Currency,
    /// The company that issues the bill.
    Provider,
    Account,
    AccountName,
    Service,
    Region,
    Resource,
    Description,
    Invoice,
    Quantity,
    Unit,
}

impl Field {
    pub const ALL: [Self; 14] = [
        Self::Cost,
        Self::Date,
        Self::EndDate,
        Self::Currency,
        Self::Provider,
        Self::Account,
        Self::AccountName,
        Self::Service,
        Self::Region,
        Self::Resource,
        Self::Description,
        Self::Invoice,
        Self::Quantity,
        Self::Unit,
    ];
    /// Required fields: each needs a column or a fixed value.
    pub const NEEDED: [Self; 5] = [Self::Cost, Self::Date, Self::Provider, Self::Account, Self::Service];

    /// The name used by the interface.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cost => "cost",
            Self::Date => "date",
            Self::EndDate => "end_date",
            Self::Currency => "currency",
            Self::Provider => "provider",
            Self::Account => "account",
            Self::AccountName => "account_name",
            Self::Service => "service",
            Self::Region => "region",
            Self::Resource => "resource",
            Self::Description => "description",
            Self::Invoice => "invoice",
            Self::Quantity => "quantity",
            Self::Unit => "unit",
        }
    }

    /// The field with this name.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|field| field.name() == word)
    }
}

/// A named mapping.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mapping {
    pub name: String,
    pub content: MappingContent,
}

/// A mapping of the columns of a CSV file to fields.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MappingContent {
    /// The column name in the file for each mapped field.
    pub columns: BTreeMap<Field, String>,
    /// Fixed values for fields without a column. They apply to every row.
    #[serde(default)]
    pub values: BTreeMap<Field, String>,
    /// Names of the columns to import as tags.
    #[serde(default)]
    pub tags: Vec<String>,
}

/// The reason a mapping is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MappingError {
    #[error("{0:?} says nothing: expected field=column, field==value or tag=column, with a field of {1}")]
    NotUnderstood(String, String),
    #[error("a mapping needs a column or a fixed value for {0}")]
    Lacks(String),
}

/// Words that suggest a field when they occur in a column name, most reliable first; English and German.
const WORDS: [(Field, &[&str]); 14] = [
    (Field::Currency, &["currency", "währung"]),
    (Field::EndDate, &["end date", "enddate", "end_date", "until"]),
    (Field::Date, &["date", "datum", "day", "tag", "month", "monat", "period", "time"]),
    (Field::Cost, &["cost", "kosten", "amount", "betrag", "charge", "price", "preis", "spend", "total"]),
    (Field::AccountName, &["account name", "account_name", "accountname", "kontoname"]),
    (Field::Account, &["account", "konto", "project", "projekt", "subscription", "tenant"]),
    (Field::Provider, &["provider", "anbieter", "vendor", "supplier"]),
    (Field::Service, &["service", "dienst", "product", "produkt", "category"]),
    (Field::Region, &["region", "location", "standort"]),
    (Field::Resource, &["resource", "ressource", "instance", "server"]),
    (Field::Invoice, &["invoice", "rechnung"]),
    (Field::Quantity, &["quantity", "menge", "usage"]),
    (Field::Unit, &["unit", "einheit"]),
    (Field::Description, &["description", "beschreibung", "text", "note"]),
];

impl MappingContent {
    /// A first suggestion from the column names. A person reviews it before it is used.
    pub fn suggest(header: &[String]) -> Self {
        let mut content = Self::default();
        let mut left: Vec<&String> = header.iter().collect();
        for (field, words) in WORDS {
            let speaks = |word: &str| left.iter().position(|name| name.to_lowercase().contains(word));
            if let Some(place) = words.iter().find_map(|word| speaks(word)) {
                content.columns.insert(field, left.remove(place).clone());
            }
        }
        content
    }

    /// The required fields that have neither a column nor a value.
    pub fn missing_fields(&self) -> Vec<Field> {
        let lacks = |field: &Field| !self.columns.contains_key(field) && !self.values.contains_key(field);
        Field::NEEDED.into_iter().filter(lacks).collect()
    }

    /// Parses a mapping: `cost=Amount` assigns a column, `provider==Hetzner` a fixed value, `tag=Team` a tag column.
    pub fn parse<'w>(words: impl IntoIterator<Item = &'w str>) -> Result<Self, MappingError> {
        let mut content = Self::default();
        for word in words {
            let fields = || Field::ALL.map(Field::name).join(", ");
            let wrong = || MappingError::NotUnderstood(word.to_owned(), fields());
            let (field, meant) = word.split_once('=').ok_or_else(wrong)?;
            if meant.is_empty() || meant == "=" {
                return Err(wrong());
            }
            match (field, Field::parse(field), meant.strip_prefix('=')) {
                ("tag", ..) => content.tags.push(meant.to_owned()),
                (_, Some(field), Some(value)) => drop(content.values.insert(field, value.to_owned())),
                (_, Some(field), None) => drop(content.columns.insert(field, meant.to_owned())),
                (_, None, _) => return Err(wrong()),
            }
        }
        let missing: Vec<&str> = content.missing_fields().into_iter().map(Field::name).collect();
        if missing.is_empty() { Ok(content) } else { Err(MappingError::Lacks(missing.join(", "))) }
    }
}

/// Saves a mapping for files with this header and replaces one with the same name. `header` contains the column names.
pub fn save(store: &Store, caller: &Caller, mapping: &Mapping, header: &[String]) -> Result<(), StoreError> {
    let tenant = caller.tenant().unwrap_or_default();
    let content = serde_json::to_string(&mapping.content).expect("a mapping has text keys only");
    let row = [
        ("id", ids::derived(tenant, "mapping", &[&mapping.name]).into()),
        ("name", (&mapping.name).into()),
        ("header", ValueRef::Text(&key(header))),
        ("content", ValueRef::Json(&content)),
        ("created_by", caller.user.into()),
    ];
    store.transaction(caller, |rows| rows.upsert(TABLE, &["id"], &row, &["created_by"]))
}

/// A saved mapping, with the header of the files it is for.
#[derive(Debug, Clone)]
pub struct SavedMapping {
    pub mapping: Mapping,
    header: String,
}

impl SavedMapping {
    /// The column names of the files it is for, in lower case.
    pub fn header(&self) -> impl Iterator<Item = &str> {
        self.header.lines()
    }

    /// Whether the mapping is for files with this header.
    pub fn is_for(&self, header: &[String]) -> bool {
        self.header == key(header)
    }
}

/// Deletes a mapping; imported rows are not changed. Returns whether it existed.
pub fn delete(store: &Store, caller: &Caller, name: &str) -> Result<bool, StoreError> {
    store.transaction(caller, |rows| rows.delete(TABLE, &[eq("name", name)]).map(|count| count > 0))
}

/// All mappings of the tenant, sorted by name.
pub fn all(rows: &Transaction<'_>) -> Result<Vec<SavedMapping>, StoreError> {
    let found = rows.select(TABLE, &["name", "header", "content"], &[])?;
    let mut all: Vec<SavedMapping> = found
        .iter()
        .filter_map(|row| match row.as_slice() {
            [Value::Text(name), Value::Text(header), content] => Some(SavedMapping {
                mapping: Mapping {
                    name: name.clone(),
                    content: serde_json::from_str(content.as_text()?).ok()?,
                },
                header: header.clone(),
            }),
            _ => None,
        })
        .collect();
    all.sort_by(|left, right| left.mapping.name.cmp(&right.mapping.name));
    Ok(all)
}

fn key(header: &[String]) -> String {
    header.iter().map(|name| name.trim().to_lowercase()).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_say_what_a_column_is() {
        let content = MappingContent::parse([
            "cost=Amount",
            "date=Day",
            "provider==Hetzner",
            "account=Project",
            "service=Product",
            "currency==EUR",
            "tag=Team",
        ])
        .unwrap();
        assert_eq!(content.columns[&Field::Cost], "Amount");
        assert_eq!(content.values[&Field::Provider], "Hetzner");
        assert_eq!(content.tags, ["Team"]);
    }

    #[test]
    fn names_of_columns_suggest_what_they_are() {
        let header = ["Rechnungsdatum", "Betrag", "Projekt", "Produkt", "Farbe"].map(str::to_owned);
        let content = MappingContent::suggest(&header);
        assert_eq!(content.columns[&Field::Date], "Rechnungsdatum");
        assert_eq!(
            (&content.columns[&Field::Cost], &content.columns[&Field::Service]),
            (&header[1], &header[3])
        );
        assert_eq!(content.missing_fields(), [Field::Provider]);
    }

    #[test]
    fn what_lacks_or_says_nothing_is_told() {
        assert_eq!(
            MappingContent::parse(["cost=Amount", "date=Day"]),
            Err(MappingError::Lacks("provider, account, service".to_owned()))
        );
        for word in ["cost", "price=Amount", "cost=", "cost=="] {
            assert!(matches!(MappingContent::parse([word]), Err(MappingError::NotUnderstood(..))), "{word}");
        }
    }
}
