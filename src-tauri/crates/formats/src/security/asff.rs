//! AWS Security Hub: findings in the AWS Security Finding Format, as a list or as the response of `get-findings`.

use super::common::{finding, owned, put, text};
use crate::format::Format;
use crate::head::{Head, has};
use crate::read_error::ReadError;
use crate::reason;
use crate::record::{Account, Finding, FindingState, Listing, Record, Severity};
use crate::shape::{Json, Kind};
use crate::sink::Sink;
use serde_json::Value;
use std::io::Read;

pub const FORMAT: Format = Format {
    id: "aws-security-hub",
    title: "AWS Security Hub findings",
    source: "JSON of `aws securityhub get-findings`, or a list of findings in ASFF (also Prowler's `-M json-asff`)",
    fills: "recommendations, resources, accounts",
    lacks_currency: false,
    certainty,
    read,
};

fn certainty(head: &Head<'_>) -> u8 {
    let listed = head.object().get("Findings").and_then(|list| list.get(0)).unwrap_or(&Value::Null);
    let is_finding = |finding: &Value| has(finding, &["SchemaVersion", "ProductArn", "GeneratorId"]);
    if is_finding(head.first()) || is_finding(listed) { 98 } else { 0 }
}

fn read(read: &mut dyn Read, sink: &mut dyn Sink) -> Result<(), ReadError> {
    let mut json = Json::new(read);
    while json.next_document()? {
        if json.kind()? == Kind::List {
            json.list(&mut |json, _| take(json, sink))?;
            continue;
        }
        // A single finding on its own line, or the response of the API.
        let place = json.position();
        let mut single = serde_json::Map::new();
        json.object(&mut |json, key| {
            if key == "Findings" {
                return json.list(&mut |json, _| take(json, sink)).map(drop);
            }
            if let Ok(value) = json.element()? {
                single.insert(key.to_owned(), value);
            }
            Ok(())
        })?;
        if single.contains_key("GeneratorId") {
            hand_on(&Value::Object(single), &place, sink)?;
        }
    }
    Ok(())
}

fn take(json: &mut Json<'_>, sink: &mut dyn Sink) -> Result<(), ReadError> {
    let place = json.position();
    match json.element()? {
        Ok(found) => hand_on(&found, &place, sink),
        Err(flaw) => sink.skip(&place, flaw.reason(), ""),
    }
}

fn hand_on(found: &Value, place: &crate::sink::Position, sink: &mut dyn Sink) -> Result<(), ReadError> {
    let resources = found.get("Resources").and_then(Value::as_array).filter(|list| !list.is_empty());
    let Some(resources) = resources else {
        return sink.skip(place, reason::NO_ID, text(found, "Title").unwrap_or_default());
    };
    for resource in resources {
        match finding_of(found, resource) {
            Some(finding) => sink.record(place, Record::Finding(Box::new(finding)))?,
            None => sink.skip(place, reason::NO_ID, text(found, "Title").unwrap_or_default())?,
        }
    }
    Ok(())
}

fn finding_of(found: &Value, resource: &Value) -> Option<Finding> {
    let account = Account {
        provider: "AWS".to_owned(),
        number: owned(found, "AwsAccountId")?,
        name: owned(found, "AwsAccountName"),
    };
    let subject = owned(resource, "Id")?;
    let title = owned(found, "Title").or_else(|| owned(found, "Id"))?;
    let compliance = found.get("Compliance").unwrap_or(&Value::Null);
    // One generator of Inspector or GuardDuty reports many kinds of findings; the finding's id or title distinguishes them.
    let generator = text(found, "GeneratorId")?;
    let rule = match text(compliance, "SecurityControlId") {
        Some(control) => control.to_owned(),
        None if compliance.get("Status").is_some_and(Value::is_string) => generator.to_owned(),
        None => format!("{generator} {}", text(found, "Id").unwrap_or(&title)),
    };
    let mut finding = finding(&account, Listing::Recommendations, subject.clone(), rule, title);
    finding.severity = severity(found.get("Severity").unwrap_or(&Value::Null));
    let workflow = found.get("Workflow").and_then(|workflow| text(workflow, "Status"));
    finding.state = match (text(found, "RecordState"), workflow, text(compliance, "Status")) {
        (Some("ARCHIVED"), ..) | (_, Some("RESOLVED"), _) | (_, _, Some("PASSED")) => FindingState::Passed,
        (_, Some("SUPPRESSED"), _) => FindingState::Suppressed,
        (_, _, Some("NOT_AVAILABLE")) => FindingState::Manual,
        _ => FindingState::Open,
    };
    finding.subject_name = Some(subject.rsplit(['/', ':']).next().unwrap_or(&subject).to_owned());
    finding.subject_kind = owned(resource, "Type");
    finding.region = owned(resource, "Region").or_else(|| owned(found, "Region"));
    finding.service_name = owned(found, "ProductName");
    let remediation = found
        .get("Remediation")
        .and_then(|remediation| remediation.get("Recommendation"))
        .unwrap_or(&Value::Null);
    let details = &mut finding.details;
    put(details, "description", text(found, "Description"));
    put(details, "remediation", text(remediation, "Text"));
    put(details, "url", text(remediation, "Url").or_else(|| text(found, "SourceUrl")));
    put(details, "finding_id", text(found, "Id"));
    put(details, "generator", Some(generator));
    for key in ["FirstObservedAt", "LastObservedAt", "UpdatedAt"] {
        put(details, key, text(found, key));
    }
    for key in ["Types", "Vulnerabilities", "Compliance"] {
        if let Some(value) = found.get(key) {
            details.insert(key.to_owned(), value.clone());
        }
    }
    Some(finding)
}

/// The severity from the label, otherwise from the number 0 to 100.
fn severity(stated: &Value) -> Severity {
    match text(stated, "Label") {
        Some("CRITICAL") => return Severity::Critical,
        Some("HIGH") => return Severity::High,
        Some("MEDIUM") => return Severity::Medium,
        Some("LOW") => return Severity::Low,
        Some(_) => return Severity::Info,
        None => {}
    }
    match stated.get("Normalized").and_then(Value::as_f64) {
        Some(number) if number >= 90.0 => Severity::Critical,
        Some(number) if number >= 70.0 => Severity::High,
        Some(number) if number >= 40.0 => Severity::Medium,
        Some(number) if number >= 1.0 => Severity::Low,
        _ => Severity::Info,
    }
}
