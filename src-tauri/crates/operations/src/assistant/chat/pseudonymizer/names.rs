//! An index of names for searching in texts, and the tables that contain them.
//!
//! The index is shared by all questions of a tenant until a name changes in any process: see [`store::Transaction::cached_by_marks`].

use crate::kit::in_account::tenant_attribute;
use graphql::Refusal;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use store::{StoreError, Transaction};

pub(super) const TABLE: &str = "llm_alias";
/// Minimum length of a name; shorter ones are common words.
const MIN_LENGTH: usize = 3;
/// Maximum length of a name, in bytes; an ARN has at most 2,048.
const MAX_LENGTH: usize = 2_048;

/// The tables and columns that contain names, with the kind of their tokens. Each column is marked in the catalogue.
const NAME_COLUMNS: [(&str, &[(&str, &str)]); 6] = [
    ("cloud_accounts", &[("account", "account_name"), ("number", "account_number")]),
    ("tenant", &[("tenant", "name")]),
    ("users", &[("person", "display_name"), ("person", "username")]),
    (
        "cloud_resourses",
        &[
            ("resource", "name"),
            ("resource", "resourse_id"),
            ("resource", "arn"),
            ("resource", "external_resource_id"),
        ],
    ),
    ("k8s_workloads", &[("workload", "name"), ("namespace", "namespace")]),
    ("llm_knowledgebase", &[("document", "name")]),
];

/// Sorted names without duplicates, each with a value. All are in one text, because a tenant can have a hundred thousand.
#[derive(Debug)]
pub(super) struct Names<T> {
    text: String,
    all: Vec<(u32, u32, T)>,
}

impl<T> Default for Names<T> {
    fn default() -> Self {
        Self { text: String::new(), all: Vec::new() }
    }
}

impl<T: Copy> Names<T> {
    /// Builds the index. Of equal names, the first one is used.
    pub fn new<'a>(names: impl IntoIterator<Item = (&'a str, T)>) -> Self {
        let mut assigned: Vec<(&str, T)> = names.into_iter().collect();
        assigned.sort_by_key(|(name, _)| *name);
        assigned.dedup_by_key(|(name, _)| *name);
        let mut names = Self::default();
        for (name, what) in assigned {
            // Names beyond 4 GB are not replaced; no tenant has that many.
            let (Ok(begin), Ok(length)) = (u32::try_from(names.text.len()), u32::try_from(name.len())) else {
                break;
            };
            names.text.push_str(name);
            names.all.push((begin, length, what));
        }
        names
    }

    fn name(&self, (begin, length, _): &(u32, u32, T)) -> &str {
        &self.text[*begin as usize..(*begin + *length) as usize]
    }

    pub fn iter(&self) -> impl Iterator<Item = (&str, T)> {
        self.all.iter().map(|known| (self.name(known), known.2))
    }

    pub fn get(&self, name: &str) -> Option<T> {
        let place = self.all.binary_search_by(|known| self.name(known).cmp(name)).ok()?;
        Some(self.all[place].2)
    }

    /// The longest name at the start of a text that ends at a word boundary: its length in bytes, and its value.
    pub fn find(&self, text: &str) -> Option<(usize, T)> {
        let mut within = &text[..text.floor_char_boundary(MAX_LENGTH)];
        while !within.is_empty() {
            // A name that is a prefix of the text sorts before the text, and everything that sorts between them starts with that name.
            let behind = self.all.partition_point(|known| self.name(known) <= within);
            let known = &self.all[behind.checked_sub(1)?];
            let name = self.name(known);
            let same = name.bytes().zip(within.bytes()).take_while(|(one, other)| one == other).count();
            let is_name = same == name.len();
            if is_name && ends_at_boundary(name, text[same..].chars().next()) {
                return Some((same, known.2));
            }
            within = &within[..within.floor_char_boundary(if is_name { same - 1 } else { same })];
        }
        None
    }
}

pub(super) fn is_word(c: Option<char>) -> bool {
    c.is_some_and(|c| c.is_alphanumeric() || c == '_')
}

/// Whether a name ends at a word boundary.
fn ends_at_boundary(name: &str, after: Option<char>) -> bool {
    !(is_word(after) && name.ends_with(char::is_alphanumeric))
}

/// The names of a tenant, with the kind of their tokens.
pub(super) type TenantNames = Names<&'static str>;

pub(super) fn of_tenant(rows: &Transaction<'_>) -> Result<Arc<TenantNames>, Refusal> {
    let tables = NAME_COLUMNS.map(|(table, _)| table);
    rows.cached_by_marks(&tables, |rows| {
        let mut found: Vec<(String, &'static str)> = Vec::new();
        for (table, columns) in NAME_COLUMNS {
            let names: Vec<&str> = columns.iter().map(|(_, column)| *column).collect();
            rows.for_each(table, &names, |row| {
                let before = found.len();
                for ((kind, _), cell) in columns.iter().zip(&row) {
                    if let Some(name) = cell.as_text().map(str::trim)
                        && name.chars().nth(MIN_LENGTH - 1).is_some()
                        // Many rows have the same name in two columns.
                        && found[before..].iter().all(|(known, _)| known != name)
                    {
                        found.push((name.to_owned(), kind));
                    }
                }
                Ok::<_, StoreError>(())
            })?;
        }
        Ok(Names::new(found.iter().map(|(name, kind)| (name.as_str(), *kind))))
    })
}

/// Names that have tokens.
#[derive(Debug, Default)]
pub(in crate::assistant::chat) struct TokenNames {
    pub(super) names: Names<usize>,
    /// Pairs of name and token.
    pub all: Vec<(String, String)>,
    /// The index of a token in `all`.
    pub(super) index_by_token: HashMap<String, usize>,
    /// The highest number in use for each kind.
    pub(super) last: BTreeMap<String, usize>,
}

/// Loads the names that have tokens, with the tokens that replace them in requests.
pub(in crate::assistant::chat) fn assigned_tokens(
    rows: &Transaction<'_>,
) -> Result<Arc<TokenNames>, Refusal> {
    rows.cached_by_marks(&[TABLE], |rows| {
        let mut all = Vec::new();
        rows.for_each(TABLE, &["name", "token"], |row| {
            let mut texts = row.iter().map(|cell| cell.as_text().unwrap_or_default().to_owned());
            all.extend(texts.next().zip(texts.next()));
            Ok::<_, StoreError>(())
        })?;
        Ok(TokenNames::new(all))
    })
}

impl TokenNames {
    fn new(all: Vec<(String, String)>) -> Self {
        let mut assigned = Self {
            names: Names::new(all.iter().enumerate().map(|(place, (name, _))| (name.as_str(), place))),
            ..Self::default()
        };
        for (place, (_, token)) in all.iter().enumerate() {
            assigned.index_by_token.insert(token.clone(), place);
            if let Some((kind, number)) = token.rsplit_once('-') {
                let last = assigned.last.entry(kind.to_owned()).or_default();
                *last = (*last).max(number.parse().unwrap_or_default());
            }
        }
        Self { all, ..assigned }
    }
}

/// Words that users want to be replaced besides names (tenant attribute `assistant_replace_words`, a JSON list).
pub(super) fn words(rows: &Transaction<'_>) -> Result<Vec<String>, Refusal> {
    let list = tenant_attribute(rows, "assistant_replace_words")?;
    Ok(list.and_then(|list| serde_json::from_str(&list).ok()).unwrap_or_default())
}
