//! Filters for nodes of the knowledge graph.

use crate::graph::node::{Condition, Node, text};
use crate::kit::values::decoded_list;
use crate::kit::values::escape_like;
use graphql::Refusal;
use model::tables::knowledge_graph_node as nodes;
use serde::Deserialize;
use serde_json::{Map, Value};
use uuid::Uuid;

/// Conditions on nodes. All given conditions must hold; an empty condition always holds.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Filter {
    #[serde(deserialize_with = "decoded_list")]
    account_ids: Vec<String>,
    #[serde(deserialize_with = "decoded_list")]
    node_types: Vec<String>,
    #[serde(deserialize_with = "decoded_list")]
    pub node_ids: Vec<String>,
    /// Values of the property `source`.
    #[serde(deserialize_with = "decoded_list")]
    sources: Vec<String>,
    /// The node must have at least one of these label keys.
    #[serde(deserialize_with = "decoded_list")]
    label_keys: Vec<String>,
    #[serde(deserialize_with = "decoded_list")]
    attribute_keys: Vec<String>,
    /// By key, a value or a list of values of which one must match.
    labels: Option<Map<String, Value>>,
    attributes: Option<Map<String, Value>>,
}

const KNOWN: [&str; 10] = [
    "account_ids",
    "node_types",
    "node_ids",
    "sources",
    "label_keys",
    "attribute_keys",
    "labels",
    "attributes",
    "levels",
    "subgraph",
];

impl Filter {
    /// Reads the conditions from JSON; `null` means no conditions.
    pub fn read(request: &Value) -> Result<Self, Refusal> {
        match request {
            Value::Null => return Ok(Self::default()),
            Value::Object(given) => {
                if let Some(unknown) = given.keys().find(|key| !KNOWN.contains(&key.as_str())) {
                    let known = KNOWN.join(", ");
                    return Err(Refusal::invalid(format!("request has {unknown:?}: expected only {known}")));
                }
            }
            other => return Err(Refusal::invalid(format!("request is {other}: expected an object"))),
        }
        Self::deserialize(request).map_err(|error| {
            let message = "expected lists of texts, and objects of values by key in labels and attributes";
            Refusal::invalid(format!("request: {error}; {message}"))
        })
    }

    /// The part of the conditions that the database can check. [`Self::matches`] checks the rest.
    pub fn condition(&self) -> Condition {
        let mut condition = Condition::all();
        if !self.account_ids.is_empty() {
            let accounts = self.account_ids.iter().filter_map(|account| account.parse::<Uuid>().ok());
            condition = condition.and(nodes::cloud_account_id.one_of(accounts));
        }
        if !self.node_types.is_empty() {
            let is_of_type = |kind: &String| nodes::node_type.ilike(escape_like(kind));
            condition = condition.and(Condition::any_of(self.node_types.iter().map(is_of_type)));
        }
        condition
    }

    pub fn matches(&self, node: &Node) -> bool {
        self.meets_all_but_ids(node) && listed(&self.node_ids, || node.id.to_string())
    }

    pub fn meets_all_but_ids(&self, node: &Node) -> bool {
        listed(&self.account_ids, || node.account.to_string())
            && listed(&self.node_types, || node.kind.clone())
            && listed(&self.sources, || node.source.clone().unwrap_or_default())
            && has_key(&self.label_keys, &node.labels)
            && has_key(&self.attribute_keys, &node.attributes)
            && has_values(self.labels.as_ref(), &node.labels)
            && has_values(self.attributes.as_ref(), &node.attributes)
    }
}

/// Whether the value is in the list, ignoring case; an empty list allows every value.
fn listed(wanted: &[String], value: impl FnOnce() -> String) -> bool {
    if wanted.is_empty() {
        return true;
    }
    let value = value();
    wanted.iter().any(|one| one.eq_ignore_ascii_case(&value))
}

fn has_key(wanted: &[String], known: &Map<String, Value>) -> bool {
    wanted.is_empty() || wanted.iter().any(|key| known.contains_key(key))
}

fn has_values(wanted: Option<&Map<String, Value>>, known: &Map<String, Value>) -> bool {
    wanted.into_iter().flatten().all(|(key, wanted)| {
        let Some(value) = known.get(key) else { return false };
        match wanted {
            Value::Array(several) => several.iter().any(|one| text(one) == text(value)),
            one => text(one) == text(value),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn matches(request: Value) -> bool {
        let object = |value: Value| value.as_object().cloned().unwrap_or_default();
        let node = Node {
            id: Uuid::from_u128(1),
            account: Uuid::from_u128(0xA1),
            kind: "Service".to_owned(),
            name: "web".to_owned(),
            namespace: String::new(),
            labels: object(json!({ "team": "sea", "tier": 1 })),
            attributes: object(json!({ "name": "web" })),
            source: Some("kubernetes".to_owned()),
        };
        Filter::read(&request).unwrap().matches(&node)
    }

    #[test]
    fn every_condition_must_hold() {
        assert!(matches(json!({ "node_types": ["Service", "Database"], "labels": { "team": "sea" } })));
        assert!(!matches(json!({ "node_types": ["Service"], "labels": { "team": "land" } })));
        assert!(matches(json!({ "account_ids": [Uuid::from_u128(0xA1)], "sources": ["kubernetes"] })));
        assert!(!matches(json!({ "sources": ["aws"] })));
    }

    #[test]
    fn a_label_may_have_one_of_several_values_and_numbers_are_read_as_texts() {
        assert!(matches(json!({ "labels": { "team": ["land", "sea"], "tier": "1" } })));
        assert!(!matches(json!({ "labels": { "team": ["land", "air"] } })));
        assert!(!matches(json!({ "labels": { "owner": "sea" } })));
    }

    #[test]
    fn one_of_the_keys_must_be_there() {
        assert!(matches(json!({ "label_keys": ["owner", "team"], "attribute_keys": ["name"] })));
        assert!(!matches(json!({ "label_keys": ["owner"] })));
    }

    #[test]
    fn empty_conditions_hold() {
        assert!(matches(Value::Null));
        assert!(matches(json!({ "node_types": [], "labels": {}, "account_ids": null })));
    }

    #[test]
    fn unknown_conditions_are_named() {
        let refused = |request| Filter::read(&request).unwrap_err().message;
        assert!(
            refused(json!({ "kinds": [] })).starts_with("request has \"kinds\": expected only account_ids, ")
        );
        assert_eq!(refused(json!([1])), "request is [1]: expected an object");
        assert!(refused(json!({ "node_types": "Service" })).contains("expected lists of texts"));
    }
}
