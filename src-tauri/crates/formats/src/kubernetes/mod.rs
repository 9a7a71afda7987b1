//! Reads the output of `kubectl get … -o json` or `-o yaml`: a list of objects of any kinds, or one object.

mod dump;
mod event;
pub mod json_path;
mod kind;
mod list;
pub mod mask;
mod node;
mod parts;
mod pod;
pub mod quantity;
pub mod rule;
#[cfg(test)]
pub mod tests;
mod times;
mod uses;
pub mod vpa;
mod workload;

pub use dump::Dump;
pub use list::{read as read_documents, read_yaml};

use crate::format::Format;
use crate::head::Head;
use crate::read_error::ReadError;
use crate::shape::{Json, yaml};
use crate::sink::Sink;
use serde_json::Value;
use std::io::Read;

/// The entry in the list of formats.
pub const FORMAT: Format = Format {
    id: "kubernetes",
    title: "Kubernetes objects",
    source: "kubectl get nodes,pods,deployments,events,… -A -o json (or yaml)",
    fills: "the cluster, its nodes, namespaces, workloads, pods, other objects and events",
    lacks_currency: false,
    certainty,
    read,
};

/// API groups whose objects are reports of scanners, which have their own formats.
const FOREIGN: [&str; 3] =
    ["aquasecurity.github.io", "spdx.softwarecomposition.kubescape.io", "wgpolicyk8s.io"];

fn certainty(head: &Head<'_>) -> u8 {
    let Some(outline) = head.outline() else { return certainty_of_yaml(head) };
    let top = outline.document();
    let version = json_path::str_at(top, &["apiVersion"]).unwrap_or_default();
    if FOREIGN.iter().any(|group| version.starts_with(group)) {
        return 0;
    }
    let first = json_path::list_at(top, &["items"]).first().unwrap_or(&Value::Null);
    let object = if first.is_object() { first } else { outline.first() };
    let own_version = json_path::str_at(object, &["apiVersion"]).unwrap_or_default();
    if FOREIGN.iter().any(|group| own_version.starts_with(group)) {
        return 0;
    }
    // Metrics have their own format.
    let kind = json_path::str_at(top, &["kind"]).unwrap_or_default();
    if version.starts_with("metrics.k8s.io") || own_version.starts_with("metrics.k8s.io") {
        return 0;
    }
    let is_object = |object: &Value| {
        json_path::value_at(object, &["metadata"]).is_object() && kind::kind_of(object, None).is_some()
    };
    if kind.ends_with("List") && !json_path::value_at(top, &["items"]).is_null() && !version.is_empty() {
        return 95;
    }
    if !version.is_empty() && !kind.is_empty() && json_path::value_at(top, &["metadata"]).is_object() {
        return 90;
    }
    // A list without a kind, as OpenShift's collector writes it.
    if !json_path::value_at(top, &["items"]).is_null() && is_object(first) {
        return 85;
    }
    let is_versioned = !own_version.is_empty() && json_path::str_at(object, &["kind"]).is_some();
    if is_versioned && json_path::value_at(object, &["metadata"]).is_object() { 80 } else { 0 }
}

/// Recognises YAML written by kubectl, which has these keys at the beginning of a line.
fn certainty_of_yaml(head: &Head<'_>) -> u8 {
    let text = String::from_utf8_lossy(head.bytes);
    let starts = text.lines().find(|line| !line.trim().is_empty() && !line.starts_with(['#', '-']));
    if starts.is_none_or(|line| !line.contains(':')) {
        return 0;
    }
    let value = |key: &str| text.lines().find_map(|line| line.strip_prefix(key)).map(str::trim);
    let version = value("apiVersion:");
    if version.is_none_or(|version| FOREIGN.iter().any(|group| version.starts_with(group))) {
        return 0;
    }
    // In a list, the kind follows the items.
    let is_there = |key: &str| value(key).is_some();
    if is_there("kind:") && is_there("metadata:") || is_there("items:") { 85 } else { 0 }
}

fn read(bytes: &mut dyn Read, sink: &mut dyn Sink) -> Result<(), ReadError> {
    let mut dump = Dump::default();
    let mut start = Vec::new();
    bytes.take(512).read_to_end(&mut start)?;
    let first = String::from_utf8_lossy(&start).trim_start_matches('\u{feff}').trim_start().chars().next();
    let mut all = start.as_slice().chain(bytes);
    if matches!(first, Some('{' | '[')) {
        read_documents(&mut Json::new(&mut all), "", None, &mut dump, sink)?;
    } else {
        read_yaml(&yaml::text(&mut all)?, "", true, &mut dump, sink)?;
    }
    if dump.is_empty() {
        // Events only, or no objects: there is no cluster to assign records to.
        sink.note("No object in the file identifies its cluster.".to_owned());
    }
    dump.finish(sink)?;
    Ok(())
}
