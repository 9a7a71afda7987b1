//! Converts values of a dump to column values.

use ::formats::record::{Container, Owner};
use catalogue::ValueRef;
use serde_json::{Map, Value as Json, json};

const MIB: u64 = 1 << 20;

/// Containers in the JSON shape that lists show.
pub fn containers(containers: &[Container]) -> Json {
    let all = containers.iter().map(|container| {
        json!({
            "name": container.name,
            "image": container.image,
            "init": container.is_init,
            "state": container.state,
            "requests": {"cpu": container.cpu_request.map(cores), "memory": container.memory_request.map(mebibytes)},
            "limits": {"cpu": container.cpu_limit.map(cores), "memory": container.memory_limit.map(mebibytes)},
        })
    });
    all.collect()
}

/// Inserts a text, if there is one.
pub fn put(meta: &mut Map<String, Json>, key: &str, value: Option<&str>) {
    if let Some(value) = value {
        meta.insert(key.to_owned(), value.into());
    }
}

/// Inserts the whole manifest, which is stored with the resource; rows of lists stay short.
pub fn put_manifest(meta: &mut Map<String, Json>, manifest: &str) {
    if let Ok(manifest) = serde_json::from_str(manifest) {
        meta.insert("manifest".to_owned(), manifest);
    }
}

/// Inserts the owner of the object.
pub fn put_owner(meta: &mut Map<String, Json>, owner: Option<&Owner>) {
    if let Some(owner) = owner {
        meta.insert("owner".to_owned(), json!({"kind": owner.kind, "name": owner.name}));
    }
}

/// A time in µs since 1970 UTC as a column value.
pub fn time(at: Option<i64>) -> ValueRef<'static> {
    at.map_or(ValueRef::Null, ValueRef::Timestamp)
}

/// A floating-point column value.
pub fn float(value: f64) -> ValueRef<'static> {
    ValueRef::Float(value)
}

/// Millicores as cores.
#[allow(clippy::cast_precision_loss)] // Columns of cores are floating-point numbers.
pub fn cores(milli: u64) -> f64 {
    milli as f64 / 1_000.0
}

/// Bytes as whole MiB.
pub fn mib(bytes: u64) -> i64 {
    i64::try_from(bytes / MIB).unwrap_or(i64::MAX)
}

/// Bytes as MiB, with fractions.
#[allow(clippy::cast_precision_loss)] // Columns of requests are floating-point numbers.
pub fn mebibytes(bytes: u64) -> f64 {
    bytes as f64 / MIB as f64
}
