//! Removes secrets from manifests before they are stored.

use super::json_path::map_at;
use serde_json::{Map, Value};

/// The replacement for a secret.
pub const MASK: &str = "***";
/// Name fragments whose values are treated as secrets.
const SECRET_NAMES: [&str; 17] = [
    "password",
    "passwd",
    "passphrase",
    "pwd",
    "secret",
    "token",
    "credential",
    "apikey",
    "api_key",
    "api-key",
    "access_key",
    "access-key",
    "accesskey",
    "private",
    "auth",
    "dsn",
    "connection",
];
/// Long fields without information about use.
const DROPPED: [&str; 3] = ["managedFields", "selfLink", "generation"];
/// Annotations that repeat the whole object: of kubectl, kapp, Rancher and operators.
const REPEATS: [&str; 5] = [
    "/last-applied-configuration",
    "/last-applied",
    "kapp.k14s.io/original",
    "objectset.rio.cattle.io/applied",
    "deployment.kubernetes.io/original",
];
/// Maximum stored size of one manifest, in bytes.
const MANIFEST_BYTES: usize = 64 << 10;
/// Maximum nesting depth; real manifests are shallower.
const DEEPEST: u32 = 64;

/// Whether a value with this name must be masked.
pub fn is_secret_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    SECRET_NAMES.iter().any(|part| name.contains(part))
        || name == "key"
        || name.ends_with("_key")
        || name.ends_with("pass")
}

/// The object without secrets, as JSON. One that is too long is reduced to its identifying fields.
pub fn manifest(object: &Value, kind: &str) -> String {
    Value::Object(bounded(object, kind)).to_string()
}

/// The object without secrets, as a map. One that is too long is reduced to its identifying fields.
pub fn bounded(object: &Value, kind: &str) -> Map<String, Value> {
    let mut manifest = masked(object, kind);
    // kubectl lists state the kind only once, for all items.
    manifest.entry("kind").or_insert_with(|| kind.into());
    let length = serde_json::to_vec(&manifest).map_or(usize::MAX, |bytes| bytes.len());
    if length > MANIFEST_BYTES {
        manifest.retain(|key, _| matches!(key.as_str(), "apiVersion" | "kind"));
        let mut metadata = map_at(object, &["metadata"]);
        metadata.retain(|key, _| matches!(key.as_str(), "name" | "namespace" | "uid" | "creationTimestamp"));
        manifest.insert("metadata".to_owned(), Value::Object(metadata));
    }
    manifest
}

/// A manifest without secrets. Masks values of Secrets and ConfigMaps, secret variables, and passwords in URLs and arguments.
pub fn masked(object: &Value, kind: &str) -> Map<String, Value> {
    let mut object = object.as_object().cloned().unwrap_or_default();
    if matches!(kind, "Secret" | "ConfigMap") {
        mask_annotations(&mut object);
        for data in ["data", "stringData", "binaryData"] {
            if let Some(Value::Object(entries)) = object.get_mut(data) {
                entries.values_mut().for_each(|value| *value = MASK.into());
            }
        }
    }
    clean_map(&mut object, 0);
    object
}

/// Masks annotations of a Secret or ConfigMap that are long or contain a document: they may repeat its data.
fn mask_annotations(object: &mut Map<String, Value>) {
    const SHORT: usize = 120;
    let annotations = object.get_mut("metadata").and_then(|metadata| metadata.get_mut("annotations"));
    for value in annotations.and_then(Value::as_object_mut).into_iter().flat_map(Map::values_mut) {
        if value.as_str().is_some_and(|text| text.len() > SHORT || text.trim_start().starts_with(['{', '[']))
        {
            *value = MASK.into();
        }
    }
}

fn clean_map(map: &mut Map<String, Value>, depth: u32) {
    for name in DROPPED {
        map.remove(name);
    }
    map.retain(|name, _| !REPEATS.iter().any(|end| name.ends_with(end)));
    // A variable: {"name": "DB_PASSWORD", "value": "…"}.
    let is_secret = map.get("name").and_then(Value::as_str).is_some_and(is_secret_name);
    if is_secret && let Some(value) = map.get_mut("value") {
        *value = MASK.into();
    }
    for (name, value) in map.iter_mut() {
        let is_text = value.is_string();
        let hides =
            is_secret_name(name) && !["Name", "Names", "Ref", "Refs"].iter().any(|end| name.ends_with(end));
        if is_text && hides {
            *value = MASK.into();
        } else if hides && let Value::Array(list) = value {
            for entry in list {
                if entry.is_string() {
                    *entry = MASK.into();
                } else {
                    clean(entry, depth + 1);
                }
            }
        } else {
            clean(value, depth + 1);
        }
    }
}

fn clean(value: &mut Value, depth: u32) {
    if depth > DEEPEST {
        *value = Value::Null;
        return;
    }
    match value {
        Value::Object(map) => clean_map(map, depth),
        Value::Array(list) => {
            let mut hides_next = false;
            for entry in list {
                let Value::String(text) = entry else {
                    clean(entry, depth + 1);
                    continue;
                };
                let is_flag = text.starts_with('-') && !text.contains('=') && is_secret_name(text);
                *text = if hides_next { MASK.to_owned() } else { argument(text) };
                hides_next = is_flag;
            }
        }
        Value::String(text) => *text = address(text),
        _ => {}
    }
}

/// Masks an argument: `--password=…` and URLs with passwords.
fn argument(text: &str) -> String {
    match text.split_once('=') {
        Some((name, _)) if name.len() < 64 && is_secret_name(name) => format!("{name}={MASK}"),
        _ => address(text),
    }
}

/// Removes the password from `scheme://user:password@host`.
pub fn address(text: &str) -> String {
    let Some((before, rest)) = text.split_once("://") else { return text.to_owned() };
    let end = rest.find(['/', ' ', '?', '"']).unwrap_or(rest.len());
    let Some(host) = rest[..end].rfind('@') else { return text.to_owned() };
    match rest[..host].split_once(':') {
        Some((user, _)) => format!("{before}://{user}:{MASK}{}", &rest[host..]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn secrets_are_masked_wherever_they_stand() {
        let pod = json!({
            "metadata": {"annotations": {"kubectl.kubernetes.io/last-applied-configuration": "hunter2"}, "managedFields": []},
            "spec": {"containers": [{
                "env": [
                    {"name": "DB_PASSWORD", "value": "hunter2"},
                    {"name": "DB_URL", "value": "postgres://shop:hunter2@db:5432/shop"},
                    {"name": "LEVEL", "value": "info"},
                ],
                "args": ["--token=hunter2", "--password", "hunter2", "--level=info"],
            }]},
        });
        let text = serde_json::to_string(&masked(&pod, "Pod")).unwrap();
        assert!(!text.contains("hunter2"), "{text}");
        assert!(text.contains("postgres://shop:***@db:5432/shop") && text.contains("--level=info"), "{text}");
        let secret = json!({"data": {"ca.crt": "aHVudGVyMg=="}, "stringData": {"x": "hunter2"}});
        let text = serde_json::to_string(&masked(&secret, "Secret")).unwrap();
        assert!(!text.contains("aHV") && !text.contains("hunter2") && text.contains("ca.crt"), "{text}");
    }

    #[test]
    fn annotations_that_repeat_a_secret_are_masked_too() {
        let secret = json!({"metadata": {"name": "db", "annotations": {
            "kubectl.kubernetes.io/last-applied-configuration": "{\"data\":{\"x\":\"hunter2\"}}",
            "kapp.k14s.io/original": "{\"data\":{\"x\":\"hunter2\"}}",
            "objectset.rio.cattle.io/applied": "H4sIhunter2",
            "example.com/copy": " {\"x\": \"hunter2\"}",
            "example.com/packed": format!("hunter2{}", "A".repeat(200)),
            "example.com/owner": "payments",
        }}, "data": {"x": "hunter2"}, "tokens": ["hunter2"]});
        let text = manifest(&secret, "Secret");
        assert!(!text.contains("hunter2") && text.contains("payments"), "{text}");
        assert!(text.contains("\"kind\":\"Secret\""), "{text}");
    }

    #[test]
    fn a_manifest_that_is_too_long_is_only_named() {
        let object = json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p", "labels": {}}, "spec": "x".repeat(MANIFEST_BYTES)});
        assert_eq!(manifest(&object, "Pod"), r#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"}}"#);
    }

    #[test]
    fn names_of_secrets_stay() {
        let pod = json!({"spec": {"secretName": "tls", "volumes": [{"secret": {"secretName": "tls"}}]}});
        assert_eq!(masked(&pod, "Pod"), *pod.as_object().unwrap());
    }
}
