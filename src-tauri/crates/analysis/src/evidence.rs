//! The rows on which an analysis is based, each with a short name that hypotheses cite.

use serde::Serialize;
use std::collections::BTreeMap;

/// The kind of evidence; it determines the first letter of its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Event,
    Change,
    Log,
    /// The state of an object.
    Manifest,
    /// The result of a query.
    Query,
}

impl Kind {
    pub fn letter(self) -> char {
        match self {
            Self::Event => 'E',
            Self::Change => 'C',
            Self::Log => 'L',
            Self::Manifest => 'M',
            Self::Query => 'Q',
        }
    }
}

/// Rows that indicate a cause.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Evidence {
    /// Letter and number, such as `E1`; unique in the analysis.
    pub id: String,
    pub kind: Kind,
    pub title: String,
    /// The table of the rows.
    pub table: String,
    /// The keys of the rows.
    pub rows: Vec<String>,
    /// When it happened, µs since 1970 UTC.
    pub at: Option<i64>,
}

/// Evidence in the order in which rules found it. The same rows always have the same name.
#[derive(Debug, Default)]
pub(crate) struct Collection {
    all: Vec<Evidence>,
    counts: BTreeMap<Kind, usize>,
}

impl Collection {
    /// Adds rows and returns their name.
    pub fn add(
        &mut self,
        kind: Kind,
        table: &str,
        rows: Vec<String>,
        title: String,
        at: Option<i64>,
    ) -> String {
        if let Some(known) = self.all.iter().find(|known| known.table == table && known.rows == rows) {
            return known.id.clone();
        }
        let count = self.counts.entry(kind).or_default();
        *count += 1;
        let id = format!("{}{count}", kind.letter());
        self.all.push(Evidence { id: id.clone(), kind, title, table: table.to_owned(), rows, at });
        id
    }

    /// Only the evidence that is cited.
    pub fn cited(self, is_cited: impl Fn(&str) -> bool) -> Vec<Evidence> {
        self.all.into_iter().filter(|evidence| is_cited(&evidence.id)).collect()
    }
}
