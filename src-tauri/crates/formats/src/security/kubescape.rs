//! Kubescape: results of framework controls for the objects of a cluster or of files.

use super::common::{account_of_tool, cluster, finding, object_id, owned, put, text};
use crate::format::Format;
use crate::head::{Head, has};
use crate::read_error::ReadError;
use crate::reason;
use crate::record::{Account, Finding, FindingState, Listing, Record, Severity};
use crate::required_parts::missing_part_error;
use crate::shape::Json;
use crate::sink::{Position, Sink};
use serde_json::Value;
use std::collections::HashMap;
use std::io::Read;

const TOOL: &str = "kubescape";

pub const FORMAT: Format = Format {
    id: TOOL,
    title: "Kubescape report",
    source: "JSON of `kubescape scan --format json`",
    fills: "recommendations (misconfigurations), resources",
    lacks_currency: false,
    certainty,
    read,
};

fn certainty(head: &Head<'_>) -> u8 {
    if has(head.object(), &["summaryDetails"]) { 98 } else { 0 }
}

/// A control, as in the summary.
struct Control {
    factor: Option<f64>,
    category: Option<String>,
}

#[derive(Default)]
struct Report {
    cluster: Option<String>,
    controls: HashMap<String, Control>,
    account: Option<Account>,
}

fn read(read: &mut dyn Read, sink: &mut dyn Sink) -> Result<(), ReadError> {
    let mut json = Json::new(read);
    let mut report = Report::default();
    let mut has_results = false;
    json.object(&mut |json, key| {
        match key {
            "clusterName" => report.cluster = json.text()?.filter(|name| !name.is_empty()),
            "summaryDetails" => {
                json.object(&mut |json, key| match key {
                    "controls" => json.object(&mut |json, id| report.control(json, id)).map(drop),
                    _ => Ok(()),
                })?;
            }
            "results" => {
                has_results = true;
                json.list(&mut |json, _| report.result(json, sink))?;
            }
            _ => {}
        }
        Ok(())
    })?;
    json.end()?;
    if !has_results {
        return Err(missing_part_error("a report of Kubescape", "results"));
    }
    sink.note(format!("{} controls were tried.", report.controls.len()));
    Ok(())
}

impl Report {
    fn control(&mut self, json: &mut Json<'_>, id: &str) -> Result<(), ReadError> {
        let Ok(control) = json.element()? else { return Ok(()) };
        let category = control.get("category").and_then(|category| owned(category, "name"));
        let factor = control.get("scoreFactor").and_then(Value::as_f64);
        self.controls.insert(id.to_owned(), Control { factor, category });
        Ok(())
    }

    /// One object with its controls.
    fn result(&mut self, json: &mut Json<'_>, sink: &mut dyn Sink) -> Result<(), ReadError> {
        let place = json.position();
        let result = match json.element()? {
            Ok(result) => result,
            Err(flaw) => return sink.skip(&place, flaw.reason(), ""),
        };
        let Some(id) = text(&result, "resourceID") else {
            return sink.skip(&place, reason::NO_ID, "");
        };
        if self.account.is_none() {
            self.account = Some(match &self.cluster {
                Some(name) => cluster(name),
                None => account_of_tool(TOOL, "Kubescape", sink),
            });
        }
        let Some(account) = self.account.clone() else { return Ok(()) };
        let controls = result.get("controls").and_then(Value::as_array).into_iter().flatten();
        for (index, control) in controls.enumerate() {
            let at = Position(format!("{}.controls[{index}]", place.0));
            match self.finding(&account, id, control) {
                Ok(finding) => sink.record(&at, Record::Finding(Box::new(finding)))?,
                Err(reason) => sink.skip(&at, reason, text(control, "controlID").unwrap_or_default())?,
            }
        }
        Ok(())
    }

    fn finding(&self, account: &Account, resource: &str, control: &Value) -> Result<Finding, &'static str> {
        let id = owned(control, "controlID").ok_or(reason::NO_ID)?;
        let status = control.get("status").unwrap_or(&Value::Null);
        // A string in older versions, an object in newer ones.
        let status = status.as_str().or_else(|| text(status, "status")).unwrap_or_default();
        // `path=966824446/api=apps/v1/<namespace>/<kind>/<name>`, or without the prefixes.
        let mut parts = resource.rsplit('/');
        let (name, kind, namespace) = (parts.next(), parts.next(), parts.next());
        let (name, kind) = (name.unwrap_or(resource), kind.unwrap_or("Object"));
        let namespace = namespace.filter(|namespace| !namespace.is_empty());
        let title = owned(control, "name").unwrap_or_else(|| id.clone());
        let subject = object_id(namespace, kind, name);
        let mut finding = finding(account, Listing::Misconfigurations, subject, id.clone(), title.clone());
        finding.state = match status.to_ascii_lowercase().as_str() {
            "failed" => FindingState::Open,
            "passed" => FindingState::Passed,
            "excluded" | "exceptions" => FindingState::Suppressed,
            _ => return Err(reason::NOT_RUN),
        };
        let known = self.controls.get(&id);
        finding.severity = match known.and_then(|control| control.factor) {
            Some(factor) if factor >= 9.0 => Severity::Critical,
            Some(factor) if factor >= 7.0 => Severity::High,
            Some(factor) if factor >= 4.0 => Severity::Medium,
            Some(factor) if factor >= 1.0 => Severity::Low,
            _ => Severity::Info,
        };
        finding.subject_kind = Some(kind.to_owned());
        finding.subject_name = Some(name.to_owned());
        finding.namespace = namespace.map(str::to_owned);
        let details = &mut finding.details;
        put(details, "category", known.and_then(|control| control.category.as_deref()).or(Some("Kubescape")));
        put(details, "message", Some(&title));
        put(details, "kind", Some(kind));
        put(details, "name", Some(name));
        put(details, "namespace", namespace);
        put(details, "check", Some(&id));
        put(details, "url", Some(&format!("https://hub.armosec.io/docs/{}", id.to_lowercase())));
        Ok(finding)
    }
}
