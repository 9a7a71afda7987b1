//! Prowler: its semicolon-separated CSV, and OCSF findings in JSON.

use super::common::{Scans, finding, put, severity};
use super::ocsf;
use crate::format::Format;
use crate::head::Head;
use crate::read_error::ReadError;
use crate::reason;
use crate::record::{Account, Finding, FindingState, Listing, Record};
use crate::shape::{Row, Table};
use crate::sink::Sink;
use std::io::Read;

pub const TOOL: &str = "prowler";

pub const FORMAT: Format = Format {
    id: TOOL,
    title: "Prowler findings",
    source: "CSV (with semicolons) or OCSF JSON of `prowler aws|azure|gcp|kubernetes …`",
    fills: "recommendations, resources, accounts",
    lacks_currency: false,
    certainty,
    read,
};

fn certainty(head: &Head<'_>) -> u8 {
    let is_table = head.has_columns(&["CHECK_ID", "STATUS"])
        && (head.has_columns(&["FINDING_UID"]) || head.has_columns(&["FINDING_UNIQUE_ID"]));
    if is_table || ocsf::is_of_prowler(head) { 97 } else { 0 }
}

fn read(read: &mut dyn Read, sink: &mut dyn Sink) -> Result<(), ReadError> {
    // The first byte distinguishes JSON from CSV.
    let mut first = [0];
    let count = read.read(&mut first)?;
    let mut whole = first[..count].chain(read);
    if count == 1 && matches!(first[0], b'[' | b'{' | b' ' | b'\n' | b'\r' | b'\t') {
        return ocsf::read(&mut whole, sink);
    }
    let mut table = Table::new(&mut whole, b';')?;
    let mut scans = Scans::default();
    while let Some(row) = table.next_row()? {
        let place = row.position();
        let finding = match finding_of(&row) {
            Ok(finding) => finding,
            Err(reason) => {
                sink.skip(&place, reason, row.cell("CHECK_ID").unwrap_or_default())?;
                continue;
            }
        };
        let taken_at = row.cell("TIMESTAMP").and_then(catalogue::parse_timestamp);
        if let Some((tool, target)) = &finding.scan
            && let Some(scan) = scans.next(&finding.account, tool, target, taken_at)
        {
            sink.record(&place, Record::Scan(scan))?;
        }
        sink.record(&place, Record::Finding(Box::new(finding)))?;
    }
    Ok(())
}

fn finding_of(row: &Row<'_>) -> Result<Finding, &'static str> {
    if !row.is_whole() {
        return Err("more or fewer cells than the header");
    }
    let check = row.cell("CHECK_ID").ok_or(reason::NO_ID)?;
    let any = |names: &[&str]| names.iter().find_map(|name| row.cell(name));
    let number = any(&["ACCOUNT_UID", "ACCOUNT_ID", "SUBSCRIPTION_ID", "PROJECT_ID"]);
    let provider = provider(row.cell("PROVIDER").unwrap_or_default());
    let account = Account {
        provider: provider.to_owned(),
        number: number.unwrap_or(TOOL).to_owned(),
        name: row.cell("ACCOUNT_NAME").map(str::to_owned),
    };
    let resource =
        any(&["RESOURCE_UID", "RESOURCE_ARN", "RESOURCE_ID", "RESOURCE_NAME"]).ok_or(reason::NO_ID)?;
    let region = row.cell("REGION");
    let title = row.cell("CHECK_TITLE").unwrap_or(check).to_owned();
    let mut finding =
        finding(&account, Listing::Recommendations, resource.to_owned(), check.to_owned(), title);
    finding.scan = Some((TOOL, check.to_owned()));
    finding.severity = severity(row.cell("SEVERITY").unwrap_or_default());
    let is_muted = row.cell("MUTED").is_some_and(|muted| muted.eq_ignore_ascii_case("true"));
    finding.state = match row.cell("STATUS").unwrap_or_default().to_ascii_uppercase().as_str() {
        "FAIL" if is_muted => FindingState::Suppressed,
        "FAIL" => FindingState::Open,
        "PASS" => FindingState::Passed,
        "MANUAL" | "INFO" => FindingState::Manual,
        "MUTED" => FindingState::Suppressed,
        _ => return Err("an unknown status: neither FAIL, PASS nor MANUAL"),
    };
    finding.subject_name = row.cell("RESOURCE_NAME").map(str::to_owned);
    finding.subject_kind = row.cell("RESOURCE_TYPE").map(str::to_owned);
    // For Kubernetes, Prowler writes `namespace: kube-system` as the region.
    let namespace = region.and_then(|region| region.strip_prefix("namespace: "));
    finding.namespace = namespace.map(str::to_owned);
    finding.region = region.filter(|_| namespace.is_none()).map(str::to_owned);
    finding.service_name = row.cell("SERVICE_NAME").map(str::to_owned);
    let details = &mut finding.details;
    for (key, column) in [
        ("message", "STATUS_EXTENDED"),
        ("description", "DESCRIPTION"),
        ("risk", "RISK"),
        ("remediation", "REMEDIATION_RECOMMENDATION_TEXT"),
        ("url", "REMEDIATION_RECOMMENDATION_URL"),
        ("command", "REMEDIATION_CODE_CLI"),
        ("compliance", "COMPLIANCE"),
    ] {
        put(details, key, row.cell(column));
    }
    put(details, "namespace", namespace);
    Ok(finding)
}

/// The provider's name as used in accounts.
pub fn provider(word: &str) -> &'static str {
    match word.to_ascii_lowercase().as_str() {
        "aws" => "AWS",
        "azure" | "microsoft365" | "m365" => "Azure",
        "gcp" | "google" => "GCP",
        "kubernetes" => "K8s",
        "github" => "Github",
        _ => "Other",
    }
}
