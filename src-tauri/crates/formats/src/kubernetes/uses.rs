//! The dependencies of a pod or pod template: volumes, configuration and other services.

use super::json_path::{list_at, str_at, value_at};
use super::mask::is_secret_name;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// Maximum number of hosts recorded for one pod.
const MOST_HOSTS: usize = 50;

/// Adds `uses` (objects in the same namespace, by kind and name) and `hosts` (host names in environment variables) to `meta`.
pub fn put(meta: &mut Map<String, Value>, spec: &Value) {
    let uses: Vec<Value> =
        objects(spec).iter().map(|(kind, name)| json!({"kind": kind, "name": name})).collect();
    let hosts: Vec<Value> = hosts(spec).into_iter().map(Value::from).collect();
    for (key, values) in [("uses", uses), ("hosts", hosts)] {
        if !values.is_empty() {
            meta.insert(key.to_owned(), values.into());
        }
    }
}

fn containers(spec: &Value) -> impl Iterator<Item = &Value> {
    ["initContainers", "containers"].into_iter().flat_map(|key| list_at(spec, &[key]))
}

fn objects(spec: &Value) -> BTreeSet<(&'static str, &str)> {
    let mut found = BTreeSet::new();
    for volume in list_at(spec, &["volumes"]) {
        let sources = std::iter::once(volume).chain(list_at(volume, &["projected", "sources"]));
        for source in sources {
            found.extend(
                str_at(source, &["persistentVolumeClaim", "claimName"])
                    .map(|name| ("PersistentVolumeClaim", name)),
            );
            found.extend(str_at(source, &["configMap", "name"]).map(|name| ("ConfigMap", name)));
            let secret =
                str_at(source, &["secret", "secretName"]).or_else(|| str_at(source, &["secret", "name"]));
            found.extend(secret.map(|name| ("Secret", name)));
        }
    }
    for container in containers(spec) {
        for from in list_at(container, &["envFrom"]) {
            found.extend(str_at(from, &["configMapRef", "name"]).map(|name| ("ConfigMap", name)));
            found.extend(str_at(from, &["secretRef", "name"]).map(|name| ("Secret", name)));
        }
        for variable in list_at(container, &["env"]) {
            let from = value_at(variable, &["valueFrom"]);
            found.extend(str_at(from, &["configMapKeyRef", "name"]).map(|name| ("ConfigMap", name)));
            found.extend(str_at(from, &["secretKeyRef", "name"]).map(|name| ("Secret", name)));
        }
    }
    found
}

/// Host names in the values of environment variables, except in secret ones.
fn hosts(spec: &Value) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for variable in containers(spec).flat_map(|container| list_at(container, &["env"])) {
        let is_secret = str_at(variable, &["name"]).is_none_or(is_secret_name);
        let Some(value) = str_at(variable, &["value"]).filter(|_| !is_secret) else { continue };
        found.extend(value.split([',', ' ']).filter_map(host));
        if found.len() >= MOST_HOSTS {
            break;
        }
    }
    found
}

/// The host of `scheme://user@host:port/path` or `host:port`. Only DNS names count, not numbers.
fn host(value: &str) -> Option<String> {
    let (rest, has_scheme) = value.split_once("://").map_or((value, false), |(_, rest)| (rest, true));
    let authority = rest.split(['/', '?', '#']).next()?;
    let authority = authority.rsplit('@').next()?;
    let (name, port) = authority.split_once(':').map_or((authority, None), |(name, port)| (name, Some(port)));
    let has_port = port.is_some_and(|port| port.parse::<u16>().is_ok());
    let is_name = name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.len() <= 253
        && name
            .chars()
            .all(|one| one.is_ascii_lowercase() || one.is_ascii_digit() || matches!(one, '-' | '.'));
    (is_name && (has_scheme || has_port)).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(spec: &Value) -> Map<String, Value> {
        let mut meta = Map::new();
        put(&mut meta, spec);
        meta
    }

    #[test]
    fn what_a_pod_needs_is_named_once() {
        let spec = json!({
            "volumes": [
                {"name": "data", "persistentVolumeClaim": {"claimName": "data-0"}},
                {"name": "all", "projected": {"sources": [{"configMap": {"name": "ca"}}, {"secret": {"name": "keys"}}]}},
            ],
            "containers": [
                {"name": "a", "envFrom": [{"configMapRef": {"name": "ca"}}],
                 "env": [{"name": "X", "valueFrom": {"secretKeyRef": {"name": "db", "key": "k"}}}]},
            ],
        });
        let uses = kept(&spec)["uses"].to_string();
        let expected = json!([
            {"kind": "ConfigMap", "name": "ca"},
            {"kind": "PersistentVolumeClaim", "name": "data-0"},
            {"kind": "Secret", "name": "db"},
            {"kind": "Secret", "name": "keys"},
        ]);
        assert_eq!(uses, expected.to_string());
    }

    #[test]
    fn hosts_are_read_from_addresses_and_not_from_secrets() {
        let variable = |name: &str, value: &str| json!({"name": name, "value": value});
        let spec = json!({"containers": [{"name": "a", "env": [
            variable("PAYMENTS_URL", "http://payments.shop.svc:8080/pay"),
            variable("CACHE", "cache:6379,other:6379"),
            variable("MODE", "fast"),
            variable("LISTEN", "10.0.0.1:80"),
            variable("DB_PASSWORD", "http://hidden"),
        ]}]});
        assert_eq!(kept(&spec)["hosts"], json!(["cache", "other", "payments.shop.svc"]));
        assert!(kept(&json!({})).is_empty());
    }
}
