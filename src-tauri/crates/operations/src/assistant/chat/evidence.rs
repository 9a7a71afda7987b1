//! The evidence of an answer: queries with their rows, passages of documents, analyses of events.

use serde_json::{Value, json};

/// A result that can serve as evidence.
#[derive(Debug, Clone)]
pub(crate) struct EvidenceItem {
    pub kind: Kind,
    pub title: String,
    /// The query and its variables, to open it in the API explorer and run it again.
    pub query: Option<(String, Value)>,
    /// Number of rows or passages.
    pub rows: usize,
    /// The table or type of the objects in `ids`.
    pub of: String,
    pub ids: Vec<String>,
    /// The text that the model reads.
    pub text: String,
    /// The numbers it contains, as written there.
    pub figures: Vec<String>,
}

/// The type of evidence. It determines the first letter of its id and its type among the references.
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

/// A piece of evidence with its id.
#[derive(Debug, Clone)]
pub(crate) struct Evidence {
    /// For example `Q1`.
    pub id: String,
    pub item: EvidenceItem,
}

impl Evidence {
    /// The evidence in the form of the references.
    pub fn shown(&self) -> Value {
        let (query, variables) = match &self.item.query {
            Some((query, variables)) => (Value::from(query.as_str()), variables.clone()),
            None => (Value::Null, Value::Null),
        };
        json!({
            "id": self.id,
            "type": self.item.kind.name(),
            "title": self.item.title,
            "query": query,
            "variables": variables,
            "rows": self.item.rows,
            "of": self.item.of,
            "ids": self.item.ids,
        })
    }
}

/// Evidence in the order in which it was found.
#[derive(Debug, Default)]
pub(crate) struct Collection(Vec<Evidence>);

impl Collection {
    pub fn add(&mut self, item: EvidenceItem) -> &Evidence {
        let number = 1 + self.0.iter().filter(|known| known.item.kind == item.kind).count();
        let id = format!("{}{number}", item.kind.letter());
        self.0.push(Evidence { id, item });
        &self.0[self.0.len() - 1]
    }

    pub fn all(&self) -> &[Evidence] {
        &self.0
    }
}

/// Every number in a JSON value, as written there.
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
