//! Findings in the Open Cybersecurity Schema Framework, as Prowler and others write them: a list, or one per line.

use super::common::{Scans, finding, owned, put, text};
use super::prowler::{TOOL, provider};
use crate::format::Format;
use crate::head::{Head, has};
use crate::read_error::ReadError;
use crate::reason;
use crate::record::{Account, Finding, FindingState, Listing, Record, Severity};
use crate::shape::{Flaw, Json, Kind};
use crate::sink::Sink;
use serde_json::Value;
use std::io::Read;

pub const FORMAT: Format = Format {
    id: "ocsf",
    title: "OCSF findings",
    source: "findings of any tool in the Open Cybersecurity Schema Framework: a JSON list, or a line each",
    fills: "recommendations, resources, accounts",
    lacks_currency: false,
    certainty,
    read,
};

fn certainty(head: &Head<'_>) -> u8 {
    if finding_in(head).is_some() && !is_of_prowler(head) { 96 } else { 0 }
}

/// Whether a file is a list of Prowler findings, or a single one.
pub fn is_of_prowler(head: &Head<'_>) -> bool {
    finding_in(head).is_some_and(|finding| tool(finding).eq_ignore_ascii_case(TOOL))
}

/// The first finding of a file.
fn finding_in<'h>(head: &'h Head<'_>) -> Option<&'h Value> {
    let is_one = |finding: &&Value| {
        has(finding, &["finding_info", "severity_id", "class_uid"])
            || has(finding, &["finding_info", "severity_id", "status_code"])
    };
    [head.first(), head.object()].into_iter().find(is_one)
}

/// The product that reported the finding. A file without a product name but with Prowler's own status codes is from Prowler.
fn tool(finding: &Value) -> &str {
    let product = finding.get("metadata").and_then(|metadata| metadata.get("product"));
    let name = product.and_then(|product| text(product, "name"));
    name.unwrap_or(if finding.get("status_code").is_some() { TOOL } else { "ocsf" })
}

pub fn read(read: &mut dyn Read, sink: &mut dyn Sink) -> Result<(), ReadError> {
    let mut json = Json::new(read);
    let mut scans = Scans::default();
    while json.next_document()? {
        if json.kind()? == Kind::List {
            json.list(&mut |json, _| take(json, &mut scans, sink))?;
        } else {
            take(&mut json, &mut scans, sink)?;
        }
    }
    Ok(())
}

fn take(json: &mut Json<'_>, scans: &mut Scans, sink: &mut dyn Sink) -> Result<(), ReadError> {
    let place = json.position();
    let found = match json.element()? {
        Ok(found) => found,
        Err(flaw @ (Flaw::TooLong | Flaw::TooDeep | Flaw::NotJson)) => {
            return sink.skip(&place, flaw.reason(), "");
        }
    };
    let resources = found.get("resources").and_then(Value::as_array);
    let Some(resources) = resources.filter(|list| !list.is_empty()) else {
        return sink.skip(&place, reason::NO_ID, "a finding without resources");
    };
    let taken_at = time(&found);
    for resource in resources {
        let finding = match finding_of(&found, resource) {
            Ok(finding) => finding,
            Err(reason) => {
                sink.skip(&place, reason, text(resource, "uid").unwrap_or_default())?;
                continue;
            }
        };
        if let Some((tool, target)) = &finding.scan
            && let Some(scan) = scans.next(&finding.account, tool, target, taken_at)
        {
            sink.record(&place, Record::Scan(scan))?;
        }
        sink.record(&place, Record::Finding(Box::new(finding)))?;
    }
    Ok(())
}

/// The time of the finding: seconds or milliseconds since 1970, or a text.
fn time(found: &Value) -> Option<i64> {
    let stated = found.get("time_dt").or_else(|| found.get("time"))?;
    match stated {
        Value::String(text) => catalogue::parse_timestamp(text),
        number => {
            let number = number.as_i64()?;
            Some(if number > 100_000_000_000 { number.checked_mul(1_000)? } else { number * 1_000_000 })
        }
    }
}

fn finding_of(found: &Value, resource: &Value) -> Result<Finding, &'static str> {
    let info = found.get("finding_info").ok_or(reason::NO_OBJECT)?;
    let metadata = found.get("metadata").unwrap_or(&Value::Null);
    let check = text(metadata, "event_code")
        .or_else(|| text(info, "product_uid").filter(|_| text(info, "uid").is_none()))
        .or_else(|| text(info, "uid"))
        .ok_or(reason::NO_ID)?;
    let subject = text(resource, "uid").or_else(|| text(resource, "name")).ok_or(reason::NO_ID)?;
    let cloud = found.get("cloud").unwrap_or(&Value::Null);
    let unmapped = found.get("unmapped").unwrap_or(&Value::Null);
    let account = cloud.get("account").unwrap_or(&Value::Null);
    let word = text(cloud, "provider").or_else(|| text(unmapped, "provider"));
    let is_cluster = resource.get("namespace").is_some() || text(unmapped, "provider") == Some("kubernetes");
    let number = text(account, "uid").or_else(|| text(unmapped, "provider_uid"));
    let account = Account {
        provider: word.map_or(if is_cluster { "K8s" } else { "Other" }, provider).to_owned(),
        number: number.unwrap_or(tool(found)).to_owned(),
        name: owned(account, "name"),
    };
    let title = owned(info, "title").unwrap_or_else(|| check.to_owned());
    let mut finding =
        finding(&account, Listing::Recommendations, subject.to_owned(), check.to_owned(), title);
    // The scope of other tools' scans is unknown: only a resolved finding closes an earlier one.
    finding.scan = tool(found).eq_ignore_ascii_case(TOOL).then(|| (TOOL, check.to_owned()));
    finding.severity = match found.get("severity_id").and_then(Value::as_u64) {
        Some(5 | 6) => Severity::Critical,
        Some(4) => Severity::High,
        Some(3) => Severity::Medium,
        Some(2) => Severity::Low,
        _ => Severity::Info,
    };
    // `status_id` states whether a finding was suppressed or resolved.
    finding.state = match (text(found, "status_code"), found.get("status_id").and_then(Value::as_u64)) {
        (Some("FAIL") | None, Some(3)) => FindingState::Suppressed,
        (Some("FAIL"), _) | (None, Some(1 | 2)) => FindingState::Open,
        (Some("PASS"), _) | (None, Some(4)) => FindingState::Passed,
        (Some("MANUAL"), _) => FindingState::Manual,
        _ => return Err("an unknown status: neither FAIL, PASS nor MANUAL"),
    };
    finding.subject_name = owned(resource, "name");
    finding.subject_kind = owned(resource, "type");
    finding.region = owned(resource, "region").or_else(|| owned(cloud, "region"));
    finding.namespace = owned(resource, "namespace");
    finding.service_name = resource.get("group").and_then(|group| owned(group, "name"));
    let remediation = found.get("remediation").unwrap_or(&Value::Null);
    let details = &mut finding.details;
    put(details, "message", text(found, "status_detail").or_else(|| text(found, "message")));
    put(details, "description", text(info, "desc"));
    put(details, "risk", text(found, "risk_details"));
    put(details, "remediation", text(remediation, "desc"));
    put(details, "finding_uid", text(info, "uid"));
    put(details, "namespace", text(resource, "namespace"));
    if let Some(references) = remediation.get("references") {
        details.insert("references".to_owned(), references.clone());
    }
    if let Some(compliance) = unmapped.get("compliance") {
        details.insert("compliance".to_owned(), compliance.clone());
    }
    Ok(finding)
}
