//! Checkov: checks of infrastructure as code. One report, or a list with one report for each kind of file.

use super::common::{account_of_tool, finding, owned, put, severity, text};
use crate::format::Format;
use crate::head::{Head, has};
use crate::read_error::ReadError;
use crate::reason;
use crate::record::{Account, Finding, FindingState, Listing, Record, Severity};
use crate::required_parts::missing_part_error;
use crate::shape::{Json, Kind};
use crate::sink::Sink;
use serde_json::Value;
use std::io::Read;

const TOOL: &str = "checkov";

pub const FORMAT: Format = Format {
    id: TOOL,
    title: "Checkov report",
    source: "JSON of `checkov -o json`",
    fills: "recommendations (misconfigurations), resources",
    lacks_currency: false,
    certainty,
    read,
};

fn certainty(head: &Head<'_>) -> u8 {
    let is_report = |report: &Value| has(report, &["check_type", "results"]);
    if is_report(head.object()) || is_report(head.first()) { 98 } else { 0 }
}

fn read(read: &mut dyn Read, sink: &mut dyn Sink) -> Result<(), ReadError> {
    let account = account_of_tool(TOOL, "Checkov", sink);
    let mut json = Json::new(read);
    if json.kind()? == Kind::List {
        json.list(&mut |json, _| report(json, &account, sink))?;
    } else {
        report(&mut json, &account, sink)?;
    }
    json.end()
}

fn report(json: &mut Json<'_>, account: &Account, sink: &mut dyn Sink) -> Result<(), ReadError> {
    let mut kind = String::new();
    let mut has_checks = false;
    json.object(&mut |json, key| match key {
        "check_type" => {
            kind = json.text()?.unwrap_or_default();
            Ok(())
        }
        "results" => json
            .object(&mut |json, key| {
                let state = match key {
                    "passed_checks" => FindingState::Passed,
                    "failed_checks" => FindingState::Open,
                    "skipped_checks" => FindingState::Suppressed,
                    _ => return Ok(()),
                };
                has_checks = true;
                json.list(&mut |json, _| check(json, state, &kind, account, sink)).map(drop)
            })
            .map(drop),
        _ => Ok(()),
    })?;
    // For a folder without anything to check, Checkov writes only a summary.
    if has_checks || kind.is_empty() {
        return Ok(());
    }
    Err(missing_part_error(
        "a report of Checkov",
        "failed_checks, passed_checks or skipped_checks in results",
    ))
}

fn check(
    json: &mut Json<'_>,
    state: FindingState,
    kind: &str,
    account: &Account,
    sink: &mut dyn Sink,
) -> Result<(), ReadError> {
    let place = json.position();
    let check = match json.element()? {
        Ok(check) => check,
        Err(flaw) => return sink.skip(&place, flaw.reason(), ""),
    };
    match finding_of(&check, state, kind, account) {
        Some(finding) => sink.record(&place, Record::Finding(Box::new(finding))),
        None => sink.skip(&place, reason::NO_ID, ""),
    }
}

fn finding_of(check: &Value, state: FindingState, kind: &str, account: &Account) -> Option<Finding> {
    let id = owned(check, "check_id")?;
    let resource = text(check, "resource")?;
    let path = text(check, "repo_file_path").or_else(|| text(check, "file_path")).unwrap_or_default();
    let title = owned(check, "check_name").unwrap_or_else(|| id.clone());
    let subject = format!("{path} {resource}");
    let mut finding = finding(account, Listing::Misconfigurations, subject, id.clone(), title.clone());
    finding.state = state;
    // Checkov states no severity without a platform API key.
    finding.severity = text(check, "severity").map_or(Severity::Medium, severity);
    let resource_kind = resource.split_once('.').map_or(kind, |(kind, _)| kind);
    finding.subject_kind = Some(resource_kind.to_owned());
    finding.subject_name = Some(resource.to_owned());
    let details = &mut finding.details;
    put(details, "category", Some(kind));
    put(details, "message", Some(&title));
    put(details, "kind", Some(resource_kind));
    put(details, "name", Some(resource));
    put(details, "check", Some(&id));
    put(details, "file", Some(path));
    put(details, "url", text(check, "guideline"));
    put(details, "severity_stated", text(check, "severity").or(Some("none")));
    if let Some(lines) = check.get("file_line_range") {
        details.insert("lines".to_owned(), lines.clone());
    }
    Some(finding)
}
