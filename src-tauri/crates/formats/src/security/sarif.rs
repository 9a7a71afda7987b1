//! SARIF: results of static analysis tools, in runs of one tool each.

use super::common::{account_of_tool, finding, owned, put, text};
use crate::format::Format;
use crate::head::Head;
use crate::read_error::ReadError;
use crate::reason;
use crate::record::{Finding, FindingState, Listing, Record, Severity};
use crate::required_parts::missing_part_error;
use crate::shape::{Json, OBJECT_BYTES};
use crate::sink::Sink;
use serde_json::{Map, Value};
use std::io::Read;

const TOOL: &str = "sarif";
/// Maximum size of a tool's rules, in bytes; a tool may have many.
const RULES_BYTES: usize = 2 * OBJECT_BYTES;

pub const FORMAT: Format = Format {
    id: TOOL,
    title: "SARIF results",
    source: "SARIF 2.1 of any scanner (CodeQL, Semgrep, Trivy, tfsec, KICS …)",
    fills: "recommendations, resources",
    lacks_currency: false,
    certainty,
    read,
};

fn certainty(head: &Head<'_>) -> u8 {
    let object = head.object();
    let is_version = text(object, "version").is_some_and(|version| version.starts_with("2.1"));
    let is_schema = text(object, "$schema").is_some_and(|schema| schema.contains("sarif"));
    let has_runs = object.get("runs").is_some_and(Value::is_array);
    if is_schema || has_runs && is_version { 97 } else { 0 }
}

fn read(read: &mut dyn Read, sink: &mut dyn Sink) -> Result<(), ReadError> {
    let mut json = Json::new(read);
    let mut has_runs = false;
    json.object(&mut |json, key| match key {
        "runs" => {
            has_runs = true;
            json.list(&mut |json, _| run(json, sink)).map(drop)
        }
        _ => Ok(()),
    })?;
    json.end()?;
    if has_runs { Ok(()) } else { Err(missing_part_error("a SARIF report", "runs")) }
}

/// The tool of a run: its name, and its rules by id.
#[derive(Default)]
struct Tool {
    name: String,
    rules: Map<String, Value>,
    order: Vec<String>,
}

fn run(json: &mut Json<'_>, sink: &mut dyn Sink) -> Result<(), ReadError> {
    let mut tool = Tool::default();
    json.object(&mut |json, key| {
        match key {
            "tool" => tool = Tool::of(&json.value(RULES_BYTES)?),
            "results" => {
                json.list(&mut |json, _| {
                    let place = json.position();
                    let result = match json.element()? {
                        Ok(result) => result,
                        Err(flaw) => return sink.skip(&place, flaw.reason(), ""),
                    };
                    match tool.finding(&result, sink) {
                        Ok(finding) => sink.record(&place, Record::Finding(Box::new(finding))),
                        Err(reason) => sink.skip(&place, reason, text(&result, "ruleId").unwrap_or_default()),
                    }
                })?;
            }
            _ => {}
        }
        Ok(())
    })
    .map(drop)
}

impl Tool {
    fn of(json: &Value) -> Self {
        let driver = json.get("driver").unwrap_or(&Value::Null);
        let extensions = json.get("extensions").and_then(Value::as_array).into_iter().flatten();
        let mut tool = Self { name: owned(driver, "name").unwrap_or_default(), ..Self::default() };
        for part in std::iter::once(driver).chain(extensions) {
            for rule in part.get("rules").and_then(Value::as_array).into_iter().flatten() {
                let id = owned(rule, "id").unwrap_or_default();
                tool.order.push(id.clone());
                tool.rules.insert(id, rule.clone());
            }
        }
        tool
    }

    fn finding(&self, result: &Value, sink: &mut dyn Sink) -> Result<Finding, &'static str> {
        let index =
            result.get("ruleIndex").and_then(Value::as_u64).and_then(|index| usize::try_from(index).ok());
        let by_index = || index.and_then(|index| self.order.get(index)).cloned();
        let by_rule = || result.get("rule").and_then(|rule| owned(rule, "id"));
        let id = owned(result, "ruleId").or_else(by_rule).or_else(by_index).ok_or(reason::NO_ID)?;
        let state = Self::state(result)?;
        let rule = self.rules.get(&id).unwrap_or(&Value::Null);
        let location = result.get("locations").and_then(|list| list.get(0)).unwrap_or(&Value::Null);
        let physical = location.get("physicalLocation").unwrap_or(&Value::Null);
        let file = physical.get("artifactLocation").and_then(|artifact| owned(artifact, "uri"));
        let line = physical.get("region").and_then(|region| region.get("startLine")).and_then(Value::as_u64);
        let name = if self.name.is_empty() { "SARIF" } else { &self.name };
        let account = account_of_tool(&format!("sarif {}", name.to_lowercase()), name, sink);
        let message = message(result.get("message").unwrap_or(&Value::Null), rule);
        let short = rule.get("shortDescription").and_then(|text| owned(text, "text"));
        let title =
            short.or_else(|| owned(rule, "name")).or_else(|| message.clone()).unwrap_or_else(|| id.clone());
        let subject = file.clone().unwrap_or_else(|| "no file".to_owned());
        let check = line.map_or_else(|| id.clone(), |line| format!("{id} (line {line})"));
        let mut finding = finding(&account, Listing::Recommendations, subject, check, title);
        finding.state = state;
        finding.severity = severity(result, rule);
        finding.subject_kind = Some("File".to_owned());
        finding.subject_name = file;
        let details = &mut finding.details;
        put(details, "message", message.as_deref());
        put(details, "check", Some(&id));
        put(details, "scanner", Some(name));
        put(details, "level", text(result, "level"));
        put(details, "url", text(rule, "helpUri"));
        let full = rule.get("fullDescription").and_then(|full| text(full, "text"));
        put(details, "description", full);
        put(details, "remediation", rule.get("help").and_then(|help| text(help, "text")));
        if let Some(line) = line {
            details.insert("line".to_owned(), line.into());
        }
        Ok(finding)
    }

    fn state(result: &Value) -> Result<FindingState, &'static str> {
        let has_suppression = result
            .get("suppressions")
            .and_then(Value::as_array)
            .is_some_and(|list| list.iter().any(|one| text(one, "status") != Some("rejected")));
        match (text(result, "kind"), text(result, "baselineState")) {
            (Some("pass"), _) | (_, Some("absent")) => Ok(FindingState::Passed),
            (Some("review" | "open"), _) => Ok(FindingState::Manual),
            (Some("notApplicable" | "informational"), _) => Err(reason::NOT_RUN),
            _ if has_suppression => Ok(FindingState::Suppressed),
            _ => Ok(FindingState::Open),
        }
    }
}

/// The text of a message, or the rule's text with that id, with its arguments filled in.
fn message(message: &Value, rule: &Value) -> Option<String> {
    let by_id = || {
        let id = text(message, "id")?;
        owned(rule.get("messageStrings")?.get(id)?, "text")
    };
    let mut words = owned(message, "text").or_else(by_id)?;
    let arguments = message.get("arguments").and_then(Value::as_array).into_iter().flatten();
    for (place, argument) in arguments.enumerate() {
        words = words.replace(&format!("{{{place}}}"), argument.as_str().unwrap_or_default());
    }
    Some(words)
}

/// The severity from the rule's security score, otherwise from the level of the result, otherwise from that of the rule; the default is a
/// warning.
fn severity(result: &Value, rule: &Value) -> Severity {
    let score = |of: &Value| {
        let stated = of.get("properties")?.get("security-severity")?;
        stated.as_f64().or_else(|| stated.as_str()?.parse().ok())
    };
    if let Some(score) = score(result).or_else(|| score(rule)) {
        return match score {
            score if score >= 9.0 => Severity::Critical,
            score if score >= 7.0 => Severity::High,
            score if score >= 4.0 => Severity::Medium,
            score if score > 0.0 => Severity::Low,
            _ => Severity::Info,
        };
    }
    let of_rule = rule.get("defaultConfiguration").and_then(|configuration| text(configuration, "level"));
    match text(result, "level").or(of_rule) {
        Some("error") => Severity::High,
        Some("note") => Severity::Low,
        Some("none") => Severity::Info,
        _ => Severity::Medium,
    }
}
