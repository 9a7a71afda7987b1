//! Results of troubleshoot's analyzers.

use crate::kubernetes::json_path::{list_at, map_at, str_at, string_at};
use crate::record::{Account, Insight};
use serde_json::{Map, Value};

/// Reads one entry of `analysis.json`; `Err` names the missing part.
pub fn insight(entry: &Value, account: &Account) -> Result<Insight, &'static str> {
    let name = string_at(entry, &["insight", "name"])
        .or_else(|| string_at(entry, &["name"]))
        .ok_or("it has no name")?;
    let title = str_at(entry, &["insight", "primary"]).unwrap_or(&name).to_owned();
    let detail = str_at(entry, &["insight", "detail"]).or_else(|| str_at(entry, &["error"]));
    let word = str_at(entry, &["severity"]).or_else(|| str_at(entry, &["insight", "severity"]));
    let severity = match word {
        Some("error") => Some("High"),
        Some("warn") => Some("Medium"),
        Some("debug" | "info") => None,
        _ => return Err("its severity is none of error, warn, info, debug"),
    };
    let mut rule = Map::new();
    rule.insert("name".to_owned(), name.as_str().into());
    if let Some(detail) = detail {
        rule.insert("detail".to_owned(), detail.into());
    }
    let mut labels = map_at(entry, &["insight", "labels"]);
    labels.retain(|key, _| !key.starts_with("icon"));
    if !labels.is_empty() {
        rule.insert("labels".to_owned(), Value::Object(labels));
    }
    let objects = list_at(entry, &["insight", "involvedObject"]);
    if !objects.is_empty() {
        rule.insert("objects".to_owned(), objects.into());
    }
    Ok(Insight {
        account: account.clone(),
        unique_id: format!("support-bundle/{name}"),
        source: "support_bundle",
        kind: "analysis",
        title: detail.filter(|_| severity.is_some()).unwrap_or(&title).to_owned(),
        severity,
        is_open: severity.is_some(),
        rule,
    })
}
