//! Compares two manifests of one object field by field.

use serde_json::{Map, Value as Json, json};
use std::collections::BTreeSet;

/// Maximum number of fields in one comparison.
const FIELDS: usize = 100;
/// Maximum number of stored characters of a value.
const LENGTH: usize = 1_000;
/// Keys that may identify items of a list.
const NAMES: [&str; 3] = ["name", "type", "key"];
/// Fields that Kubernetes itself changes on every update.
const BOOKKEEPING: [&str; 5] = ["resourceVersion", "generation", "managedFields", "selfLink", "uid"];

/// The differences between two manifests.
#[derive(Debug, Default)]
pub struct Difference {
    /// `{path, before, after}`, at most [`FIELDS`].
    pub fields: Vec<Json>,
    /// The total number of differing fields.
    pub count: i64,
}

/// Compares two manifests. Of `status`, only the phase and the state of conditions are compared: the rest changes constantly.
pub fn difference(before: &Json, after: &Json) -> Difference {
    let mut found = Difference::default();
    compare(&mut found, "", &relevant(before), &relevant(after));
    found
}

/// The parts of a manifest that are compared.
fn relevant(manifest: &Json) -> Json {
    let mut manifest = manifest.clone();
    if let Some(metadata) = manifest.get_mut("metadata").and_then(Json::as_object_mut) {
        metadata.retain(|key, _| !BOOKKEEPING.contains(&key.as_str()));
    }
    let Some(fields) = manifest.as_object_mut() else { return manifest };
    let Some(status) = fields.remove("status") else { return manifest };
    let mut kept = Map::new();
    if let Some(phase) = status.get("phase") {
        kept.insert("phase".to_owned(), phase.clone());
    }
    if let Some(conditions) = status.get("conditions").and_then(Json::as_array) {
        let held = conditions.iter().map(|one| json!({"type": one.get("type"), "status": one.get("status")}));
        kept.insert("conditions".to_owned(), held.collect());
    }
    fields.insert("status".to_owned(), Json::Object(kept));
    manifest
}

fn compare(found: &mut Difference, path: &str, before: &Json, after: &Json) {
    match (before, after) {
        _ if before == after => {}
        (Json::Object(before), Json::Object(after)) => {
            let keys: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
            for key in keys {
                let path = join(path, key);
                one(found, &path, before.get(key), after.get(key));
            }
        }
        (Json::Array(before), Json::Array(after)) => items(found, path, before, after),
        _ => found.note(path, Some(before), Some(after)),
    }
}

/// Items with a name are compared with the item of the same name, others by position.
fn items(found: &mut Difference, path: &str, before: &[Json], after: &[Json]) {
    let Some(name) = NAMES.into_iter().find(|name| goes_by(name, before) && goes_by(name, after)) else {
        for at in 0..before.len().max(after.len()) {
            one(found, &format!("{path}[{at}]"), before.get(at), after.get(at));
        }
        return;
    };
    let named = |items: &[Json]| -> BTreeSet<String> {
        items.iter().filter_map(|item| item[name].as_str()).map(str::to_owned).collect()
    };
    for key in named(before).union(&named(after)) {
        let of = |items: &'_ [Json]| items.iter().find(|item| item[name] == key.as_str()).cloned();
        one(found, &format!("{path}[{key}]"), of(before).as_ref(), of(after).as_ref());
    }
}

/// Whether every item has a text under this key, and all differ.
fn goes_by(name: &str, items: &[Json]) -> bool {
    let names: BTreeSet<&str> = items.iter().filter_map(|item| item.get(name)?.as_str()).collect();
    names.len() == items.len()
}

fn one(found: &mut Difference, path: &str, before: Option<&Json>, after: Option<&Json>) {
    match (before, after) {
        (Some(before), Some(after)) => compare(found, path, before, after),
        (before, after) => found.note(path, before, after),
    }
}

/// Joins a path and a key. A key with a dot, bracket or slash is quoted, as in the page's search: `metadata.labels["app.kubernetes.io/name"]`.
fn join(path: &str, key: &str) -> String {
    if key.contains(['.', '[', ']', '/']) {
        format!("{path}[\"{key}\"]")
    } else if path.is_empty() {
        key.to_owned()
    } else {
        format!("{path}.{key}")
    }
}

/// A value truncated to the maximum length.
fn short(value: &Json) -> Json {
    let text = match value {
        Json::String(text) => text.clone(),
        other => other.to_string(),
    };
    match text.char_indices().nth(LENGTH) {
        Some((end, _)) => Json::String(format!("{}…", &text[..end])),
        None => value.clone(),
    }
}

impl Difference {
    fn note(&mut self, path: &str, before: Option<&Json>, after: Option<&Json>) {
        self.count += 1;
        if self.fields.len() == FIELDS {
            return;
        }
        let mut field = Map::from_iter([("path".to_owned(), Json::from(path))]);
        for (side, value) in [("before", before), ("after", after)] {
            if let Some(value) = value {
                field.insert(side.to_owned(), short(value));
            }
        }
        self.fields.push(Json::Object(field));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(before: &Json, after: &Json) -> Vec<String> {
        let fields = difference(before, after).fields;
        let side = |field: &Json, side: &str| field.get(side).map_or("–".to_owned(), Json::to_string);
        fields
            .iter()
            .map(|field| {
                format!(
                    "{} {} {}",
                    field["path"].as_str().unwrap(),
                    side(field, "before"),
                    side(field, "after")
                )
            })
            .collect()
    }

    #[test]
    fn fields_are_compared_by_path_and_items_by_name() {
        let before = json!({"spec": {"replicas": 2, "containers": [
            {"name": "app", "image": "shop:1", "env": [{"name": "A", "value": "1"}]}, {"name": "side", "image": "log:1"}]}});
        let after = json!({"spec": {"replicas": 3, "paused": true, "containers": [
            {"name": "new", "image": "n:1"}, {"name": "app", "image": "shop:2", "env": [{"name": "A", "value": "1"}]}]}});
        assert_eq!(
            told(&before, &after),
            [
                r#"spec.containers[app].image "shop:1" "shop:2""#,
                r#"spec.containers[new] – {"image":"n:1","name":"new"}"#,
                r#"spec.containers[side] {"image":"log:1","name":"side"} –"#,
                "spec.paused – true",
                "spec.replicas 2 3",
            ]
        );
    }

    #[test]
    fn items_without_names_go_by_their_place_and_keys_with_dots_stand_in_quotes() {
        let before = json!({"args": ["a", "b"], "labels": {"app.kubernetes.io/name": "x"}, "ports": [{"name": "p"}, {"name": "p"}]});
        let after = json!({"args": ["a", "c", "d"], "labels": {"app.kubernetes.io/name": "y"}, "ports": [{"name": "p"}]});
        assert_eq!(
            told(&before, &after),
            [
                r#"args[1] "b" "c""#,
                r#"args[2] – "d""#,
                r#"labels["app.kubernetes.io/name"] "x" "y""#,
                r#"ports[1] {"name":"p"} –"#,
            ]
        );
    }

    #[test]
    fn what_changes_at_every_look_is_no_difference() {
        let at = |version: &str, ready: &str, heartbeat: &str| {
            json!({"metadata": {"name": "n1", "resourceVersion": version, "generation": version},
                "status": {"phase": "Active", "conditions": [{"type": "Ready", "status": ready, "lastHeartbeatTime": heartbeat}]}})
        };
        assert!(told(&at("1", "True", "10:00"), &at("2", "True", "11:00")).is_empty());
        assert_eq!(
            told(&at("1", "True", "10:00"), &at("2", "False", "11:00")),
            [r#"status.conditions[Ready].status "True" "False""#]
        );
    }

    #[test]
    fn a_comparison_is_bounded_and_says_how_much_there_was() {
        let before: Json = (0..150).map(|at| json!(at)).collect();
        let after: Json = (0..150).map(|at| json!(format!("{at}{}", "é".repeat(2_000)))).collect();
        let found = difference(&json!({ "list": before }), &json!({ "list": after }));
        assert_eq!((found.fields.len(), found.count), (100, 150));
        assert_eq!(found.fields[0]["after"].as_str().unwrap().chars().count(), LENGTH + 1);
    }
}
