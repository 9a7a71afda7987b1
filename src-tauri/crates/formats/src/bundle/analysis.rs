//! Results of troubleshoot's analyzers.

use crate::kubernetes::look::{list, map, owned, text};
use crate::record::{Account, Insight};
use serde_json::{Map, Value};

/// Reads one entry of `analysis.json`; `Err` names the missing part.
pub fn insight(entry: &Value, account: &Account) -> Result<Insight, &'static str> {
    let name =
        owned(entry, &["insight", "name"]).or_else(|| owned(entry, &["name"])).ok_or("it has no name")?;
    let title = text(entry, &["insight", "primary"]).unwrap_or(&name).to_owned();
    let detail = text(entry, &["insight", "detail"]).or_else(|| text(entry, &["error"]));
    let word = text(entry, &["severity"]).or_else(|| text(entry, &["insight", "severity"]));
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
    let mut labels = map(entry, &["insight", "labels"]);
    labels.retain(|key, _| !key.starts_with("icon"));
    if !labels.is_empty() {
        rule.insert("labels".to_owned(), Value::Object(labels));
    }
    let objects = list(entry, &["insight", "involvedObject"]);
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
