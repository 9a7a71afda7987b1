//! Popeye: problems in a live cluster, grouped by kind of object.

use super::common::{account_of_tool, cluster, finding, object_id, put, text};
use crate::format::Format;
use crate::head::{Head, has};
use crate::read_error::ReadError;
use crate::reason;
use crate::record::{Account, Finding, FindingState, Listing, Record, Scan, Severity};
use crate::required_parts::missing_part_error;
use crate::shape::Json;
use crate::sink::{Position, Sink};
use serde_json::Value;
use std::io::Read;

const TOOL: &str = "popeye";

pub const FORMAT: Format = Format {
    id: TOOL,
    title: "Popeye report",
    source: "JSON of `popeye -o json`",
    fills: "recommendations (misconfigurations), resources",
    lacks_currency: false,
    certainty,
    read,
};

fn certainty(head: &Head<'_>) -> u8 {
    if head.object().get("popeye").is_some_and(Value::is_object) { 98 } else { 0 }
}

fn read(read: &mut dyn Read, sink: &mut dyn Sink) -> Result<(), ReadError> {
    let mut json = Json::new(read);
    let (mut name, mut account) = (None, None);
    let (mut score, mut grade) = (None, None);
    let mut has_sections = false;
    json.object(&mut |json, key| match key {
        "ClusterName" => {
            name = json.text()?;
            Ok(())
        }
        "popeye" => json
            .object(&mut |json, key| {
                match key {
                    "score" => score = json.element()?.ok(),
                    "grade" => grade = json.text()?,
                    "cluster_name" | "clusterName" => name = json.text()?,
                    // Renamed in version 0.20.
                    "sanitizers" | "sections" => {
                        has_sections = true;
                        json.list(&mut |json, _| {
                            let account = account.get_or_insert_with(|| match &name {
                                Some(name) => cluster(name),
                                None => account_of_tool(TOOL, "Popeye", sink),
                            });
                            section(json, account, sink)
                        })?;
                    }
                    _ => {}
                }
                Ok(())
            })
            .map(drop),
        _ => Ok(()),
    })?;
    json.end()?;
    if !has_sections {
        return Err(missing_part_error("a report of Popeye", "sections (before version 0.20 sanitizers)"));
    }
    if let (Some(score), Some(grade)) = (score, grade) {
        sink.note(format!("Popeye gives the cluster {score} of 100 points, grade {grade}."));
    }
    Ok(())
}

/// The objects of one kind.
fn section(json: &mut Json<'_>, account: &Account, sink: &mut dyn Sink) -> Result<(), ReadError> {
    let place = json.position();
    let section = match json.element()? {
        Ok(section) if has(&section, &["tally"]) || has(&section, &["issues"]) => section,
        Ok(_) => return sink.skip(&place, reason::NO_OBJECT, ""),
        Err(flaw) => return sink.skip(&place, flaw.reason(), ""),
    };
    let kind =
        text(&section, "sanitizer").or_else(|| text(&section, "linter")).unwrap_or("object").to_owned();
    let scan = Scan { account: account.clone(), tool: TOOL, target: kind.clone(), taken_at: None };
    sink.record(&place, Record::Scan(scan))?;
    let Some(issues) = section.get("issues").and_then(Value::as_object) else { return Ok(()) };
    for (object, list) in issues {
        for (index, issue) in list.as_array().into_iter().flatten().enumerate() {
            let at = Position(format!("{}.issues[{object:?}][{index}]", place.0));
            match self::issue(account, &kind, object, issue) {
                Some(mut finding) => {
                    finding.scan = Some((TOOL, kind.clone()));
                    // An object may have the same message several times.
                    finding.rule = format!("{} #{index}", finding.rule);
                    sink.record(&at, Record::Finding(Box::new(finding)))?;
                }
                None => sink.skip(&at, reason::NO_ID, object)?,
            }
        }
    }
    Ok(())
}

fn issue(account: &Account, kind: &str, object: &str, issue: &Value) -> Option<Finding> {
    let level = issue.get("level")?.as_u64()?;
    let stated = text(issue, "message")?;
    let container = text(issue, "group").filter(|group| *group != "__root__");
    // `[POP-106] No resources requests/limits defined`
    let (code, message) = stated
        .strip_prefix('[')
        .and_then(|rest| rest.split_once("] "))
        .map_or(("POP", stated), |(code, message)| (code, message));
    let (namespace, name) =
        object.split_once('/').map_or((None, object), |(namespace, name)| (Some(namespace), name));
    let subject = object_id(namespace, kind, name);
    let rule = format!("{code} {}", container.unwrap_or_default()).trim_end().to_owned();
    let mut finding = finding(account, Listing::Misconfigurations, subject, rule, message.to_owned());
    finding.severity = match level {
        3 => Severity::High,
        2 => Severity::Medium,
        _ => Severity::Info,
    };
    if level == 0 {
        finding.state = FindingState::Passed;
    }
    finding.subject_kind = Some(kind.to_owned());
    finding.subject_name = Some(name.to_owned());
    finding.namespace = namespace.map(str::to_owned);
    let details = &mut finding.details;
    put(details, "category", Some(kind));
    put(details, "message", Some(message));
    put(details, "kind", Some(kind));
    put(details, "name", Some(name));
    put(details, "namespace", namespace);
    put(details, "container", container);
    put(details, "check", Some(code));
    Some(finding)
}
