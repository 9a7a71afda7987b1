//! What an answer rests on: queries with their rows, passages of documents, analyses of events.

use serde_json::{Value, json};

/// Something that was found.
#[derive(Debug, Clone)]
pub(crate) struct EvidenceItem {
    pub kind: Kind,
    pub title: String,
    /// The query, where it can be opened in the API explorer and run again.
    pub query: Option<(String, Value)>,
    /// How many rows or passages there are.
    pub rows: usize,
    /// Table or kind of what `ids` name.
    pub of: String,
    pub ids: Vec<String>,
    /// What the model reads.
    pub told: String,
    /// Numbers in it, as they stand there.
    pub figures: Vec<String>,
}

/// What a piece of evidence is: the letter its name begins with, and its type among references.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Query,
    Passage,
    Event,
}

impl Kind {
    fn letter(self) -> char {
        match self {
            Self::Query => 'Q',
            Self::Passage => 'K',
            Self::Event => 'E',
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Query => "query",
            Self::Passage => "knowledge_base",
            Self::Event => "event",
        }
    }
}

/// A piece of evidence under its name.
#[derive(Debug, Clone)]
pub(crate) struct Evidence {
    /// Such as `Q1`.
    pub id: String,
    pub found: EvidenceItem,
    pub told: String,
}

impl Evidence {
    /// As references show it.
    pub fn shown(&self) -> Value {
        let (query, variables) = match &self.found.query {
            Some((query, variables)) => (Value::from(query.as_str()), variables.clone()),
            None => (Value::Null, Value::Null),
        };
        json!({
            "id": self.id,
            "type": self.found.kind.name(),
            "title": self.found.title,
            "query": query,
            "variables": variables,
            "rows": self.found.rows,
            "of": self.found.of,
            "ids": self.found.ids,
        })
    }
}

/// Evidence in the order in which it was found.
#[derive(Debug, Default)]
pub(crate) struct Collection(Vec<Evidence>);

impl Collection {
    pub fn add(&mut self, found: EvidenceItem) -> &Evidence {
        let number = 1 + self.0.iter().filter(|known| known.found.kind == found.kind).count();
        let id = format!("{}{number}", found.kind.letter());
        let told = found.told.clone();
        self.0.push(Evidence { id, found, told });
        &self.0[self.0.len() - 1]
    }

    pub fn all(&self) -> &[Evidence] {
        &self.0
    }
}

/// Every number of a JSON value, as it is written.
pub(crate) fn figures(value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value {
            Value::Number(number) => found.push(number.to_string()),
            Value::Array(members) => open.extend(members),
            Value::Object(members) => open.extend(members.values()),
            Value::String(text) if text.len() <= 40 && text.parse::<f64>().is_ok() => {
                found.push(text.clone());
            }
            _ => {}
        }
    }
    found
}
