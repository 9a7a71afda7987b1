//! The manifest of an Azure cost export.

use super::{Kind, Manifest, Part, day, text};
use catalogue::parse_timestamp;
use serde_json::Value;

pub fn parse(document: &Value) -> Option<Manifest> {
    text(document, "manifestVersion")?;
    let run = document.get("runInfo")?;
    let config = document.get("exportConfig");
    let of_config = |name| config.and_then(|config| text(config, name));
    let parts = document.get("blobs")?.as_array()?.iter().filter_map(|blob| {
        Some(Part { path: text(blob, "blobName")?, bytes: blob.get("byteCount").and_then(Value::as_u64) })
    });
    let start = text(run, "startDate");
    let end = text(run, "endDate");
    // A month-to-date export ends later with every run but always begins on the same day.
    let name = of_config("resourceId").or_else(|| of_config("exportName")).unwrap_or_default();
    Some(Manifest {
        kind: Kind::Azure,
        export: format!("{name} {}", start.as_deref().map_or("", day)),
        run_id: text(run, "runId")?,
        submitted_at: text(run, "submittedTime").as_deref().and_then(parse_timestamp),
        period: start.zip(end).map(|(start, end)| format!("{} to {}", day(&start), day(&end))),
        parts: parts.collect(),
    })
}
