//! Types of `schema/operations/reports.graphql`.

// Written by `UPDATE=1 cargo test -p model` from schema/. Read the change, do not edit.

#[allow(unused_imports, reason = "not every area holds every type")]
use super::prelude::*;

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Deserialize)]
pub struct ReportRequest {
    /// One that is stored; what is left out counts as it is stored.
    pub id: Option<Uuid>,
    /// One that was sent: a row of `scheduled_report_run`.
    pub run_id: Option<Uuid>,
    pub name: Option<String>,
    pub kind: Option<ScheduledReportKind>,
    pub settings: Option<serde_json::Value>,
    /// As `ReportDocument.content` has it.
    pub content: Option<serde_json::Value>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct ReportDocument {
    /// `{title, subtitle, notes, sections: [{title, chart: {unit, labels, series: [{name, values}]}, table: {columns: [{name, kind}], rows, total}}]}`;
    /// kinds of columns are `text`, `amount` and `share`. Cells are texts; amounts have every digit.
    pub content: serde_json::Value,
    /// The PDF, the workbook (XLSX), then a CSV for each table.
    pub files: Vec<ReportFile>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct ReportFile {
    pub name: String,
    pub media_type: String,
    /// The bytes, in base64.
    pub base64: String,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct ReportSent {
    /// The row of `scheduled_report_run`.
    pub run_id: Uuid,
}
