//! Microsoft Defender for Cloud: the CSV of recommendations that the portal and continuous export write.

use super::common::{Scans, finding, put, severity};
use crate::format::Format;
use crate::read_error::ReadError;
use crate::reason;
use crate::record::{Account, Finding, FindingState, Listing, Record};
use crate::shape::{Row, Table};
use crate::sink::Sink;
use serde_json::Value;
use std::io::Read;

pub const TOOL: &str = "microsoft-defender";

/// Required columns.
pub const NEEDED: [&str; 5] =
    ["subscriptionId", "resourceId", "recommendationName", "recommendationDisplayName", "state"];

pub const FORMAT: Format = Format {
    id: TOOL,
    title: "Microsoft Defender for Cloud recommendations",
    source: "CSV of Defender for Cloud \u{2192} Recommendations \u{2192} Download CSV report",
    fills: "recommendations, resources, accounts",
    lacks_currency: false,
    certainty: |head| if head.has_columns(&NEEDED) { 96 } else { 0 },
    read,
};

fn read(read: &mut dyn Read, sink: &mut dyn Sink) -> Result<(), ReadError> {
    let mut table = Table::new(read, b',')?;
    let mut scans = Scans::default();
    while let Some(row) = table.next_row()? {
        let place = row.position();
        match finding_of(&row) {
            Ok(finding) => {
                let taken_at = row.cell("exportedTimestamp").and_then(catalogue::parse_timestamp);
                if let Some((tool, target)) = &finding.scan
                    && let Some(scan) = scans.next(&finding.account, tool, target, taken_at)
                {
                    sink.record(&place, Record::Scan(scan))?;
                }
                sink.record(&place, Record::Finding(Box::new(finding)))?;
            }
            Err(reason) => {
                sink.skip(&place, reason, row.cell("recommendationDisplayName").unwrap_or_default())?;
            }
        }
    }
    Ok(())
}

fn finding_of(row: &Row<'_>) -> Result<Finding, &'static str> {
    if !row.is_whole() {
        return Err("more or fewer cells than the header");
    }
    let check = row.cell("recommendationName").ok_or(reason::NO_ID)?;
    let account = Account {
        provider: "Azure".to_owned(),
        number: row.cell("subscriptionId").ok_or(reason::NO_ID)?.to_owned(),
        name: row.cell("subscriptionName").map(str::to_owned),
    };
    // Azure writes the same id in different cases.
    let resource = row.cell("resourceId").ok_or(reason::NO_ID)?.to_ascii_lowercase();
    let title = row.cell("recommendationDisplayName").unwrap_or(check).to_owned();
    let mut finding = finding(&account, Listing::Recommendations, resource, check.to_owned(), title);
    // The list contains each recommendation with all assessed resources, in every state.
    finding.scan = Some((TOOL, check.to_owned()));
    finding.severity = severity(row.cell("severity").unwrap_or_default());
    finding.state = match row.cell("state").unwrap_or_default().to_ascii_lowercase().as_str() {
        "unhealthy" => FindingState::Open,
        "healthy" => FindingState::Passed,
        "notapplicable" | "not applicable" => return Err(reason::NOT_RUN),
        _ => return Err("an unknown state: neither Unhealthy, Healthy nor NotApplicable"),
    };
    finding.subject_name = row.cell("resourceName").map(str::to_owned);
    finding.subject_kind = row.cell("resourceType").map(str::to_owned);
    let details = &mut finding.details;
    for (key, column) in [
        ("description", "description"),
        ("remediation", "remediationSteps"),
        ("url", "azurePortalRecommendationLink"),
        ("resource_group", "resourceGroup"),
        ("since", "statusChangeDate"),
    ] {
        put(details, key, row.cell(column));
    }
    if let Some(Value::Object(controls)) =
        row.cell("controls").and_then(|text| serde_json::from_str::<Value>(text).ok())
    {
        let names = controls.keys().cloned().map(Value::String).collect();
        details.insert("controls".to_owned(), Value::Array(names));
    }
    Ok(finding)
}
