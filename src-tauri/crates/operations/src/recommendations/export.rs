//! `recommendation_export`: the recommendations of an account as a file.

use crate::kit::{Arguments, Look, account};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use graphql::{Call, Refusal};
use model::operations::ExportRecommendationResponse;
use serde_json::Value;

/// The largest number of rows in a file.
const MOST: u64 = 50_000;

/// The filters of a request and their columns.
const FILTERS: [(&str, &str); 6] = [
    ("category", "category"),
    ("namespace", "resource_k8s_namespace"),
    ("rule_name", "rule_name"),
    ("status", "status"),
    ("workload_name", "resource_name"),
    ("workload_type", "resource_type"),
];

/// The columns of a file.
const COLUMNS: [&str; 18] = [
    "id",
    "account_name",
    "category",
    "rule_name",
    "severity",
    "status",
    "estimated_savings",
    "recommendation_action",
    "resource_name",
    "resource_type",
    "resource_cloud_service",
    "resource_region",
    "resource_k8s_namespace",
    "recommendation",
    "created_at",
    "updated_at",
    CURRENCY,
    "is_primary_recommendation",
];
/// The currency of the savings, from the recommendation's details.
const CURRENCY: &str = "currency";

pub(super) fn export(call: &Call<'_>) -> Result<ExportRecommendationResponse, Refusal> {
    let request = Arguments(call.arguments).object("request");
    let account = account(call, request.needed_id("account_id")?)?;
    let format = request.word("format", &["csv", "json"])?.unwrap_or("csv");
    let mut look = Look::at(call.rows, "recommendations_placed")?.with("cloud_account_id", account)?;
    for (name, column) in FILTERS {
        if let Some(text) = request.text(name).filter(|text| !text.is_empty()) {
            look = look.with(column, text)?;
        }
    }
    let total = look.count()?;
    if total > MOST {
        let message = format!("{total} recommendations are more than the {MOST} of a file: filter them");
        return Err(Refusal::new("limit-exceeded", message));
    }
    let look = look.ordered_as("estimated_savings", "desc_nulls_last")?.ordered("id", false)?;
    let stored: Vec<&str> = COLUMNS.into_iter().filter(|column| *column != CURRENCY).collect();
    let mut rows = look.rows(&stored)?;
    for row in &mut rows {
        row[CURRENCY] = row["recommendation"][CURRENCY].clone();
    }
    let (content_type, file) = match format {
        "json" => ("application/json", Value::Array(rows).to_string()),
        _ => ("text/csv", csv(&rows)),
    };
    Ok(ExportRecommendationResponse {
        content_type: content_type.to_owned(),
        file_data: STANDARD.encode(file),
        filename: format!("recommendations.{format}"),
        record_count: i64::try_from(total).ok(),
    })
}

fn csv(rows: &[Value]) -> String {
    let mut file = COLUMNS.join(",");
    for row in rows {
        file.push_str("\r\n");
        let cells: Vec<String> = COLUMNS.iter().map(|column| cell(&row[*column])).collect();
        file.push_str(&cells.join(","));
    }
    file.push_str("\r\n");
    file
}

/// A CSV cell (RFC 4180). Text that a spreadsheet would treat as a formula gets a leading apostrophe.
fn cell(value: &Value) -> String {
    let text = match value {
        Value::Null => return String::new(),
        Value::String(text) if text.starts_with(['=', '+', '-', '@', '\t', '\r']) => format!("'{text}"),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

#[cfg(test)]
mod tests {
    use super::cell;
    use serde_json::json;

    #[test]
    fn cells_are_quoted_where_they_must_be_and_are_never_formulas() {
        for (value, expected) in [
            (json!(null), ""),
            (json!(12.50), "12.5"),
            (json!(-3), "-3"),
            (json!("a, b"), "\"a, b\""),
            (json!("say \"so\""), "\"say \"\"so\"\"\""),
            (json!("=1+1"), "'=1+1"),
            (json!({"to": "t3"}), "\"{\"\"to\"\":\"\"t3\"\"}\""),
        ] {
            assert_eq!(cell(&value), expected);
        }
    }
}
