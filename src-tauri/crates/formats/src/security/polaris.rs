//! Polaris: best-practice checks for the workloads of a cluster or of files.

use super::common::{account_of_tool, cluster, finding, object_id, owned, put, severity, text, time};
use crate::format::Format;
use crate::head::{Head, has};
use crate::read_error::ReadError;
use crate::reason;
use crate::record::{Account, Finding, FindingState, Listing, Record};
use crate::required_parts::missing_part_error;
use crate::shape::Json;
use crate::sink::{Position, Sink};
use serde_json::Value;
use std::io::Read;

const TOOL: &str = "polaris";

pub const FORMAT: Format = Format {
    id: TOOL,
    title: "Polaris report",
    source: "JSON of `polaris audit --format json`",
    fills: "recommendations (misconfigurations), resources",
    lacks_currency: false,
    certainty,
    read,
};

fn certainty(head: &Head<'_>) -> u8 {
    if has(head.object(), &["PolarisOutputVersion"]) { 98 } else { 0 }
}

fn read(read: &mut dyn Read, sink: &mut dyn Sink) -> Result<(), ReadError> {
    let mut json = Json::new(read);
    let (mut source, mut name, mut account) = (None, None, None);
    let mut taken_at = None;
    let mut has_results = false;
    json.object(&mut |json, key| {
        match key {
            "SourceType" => source = json.text()?,
            "DisplayName" | "SourceName" => name = name.take().or(json.text()?),
            "AuditTime" => taken_at = json.element()?.ok().map(|value| serde_json::json!({ "at": value })),
            "Results" => {
                has_results = true;
                json.list(&mut |json, _| {
                    let account = account.get_or_insert_with(|| match (&source, &name) {
                        (Some(source), Some(name)) if source == "Cluster" => cluster(name),
                        _ => account_of_tool(TOOL, "Polaris", sink),
                    });
                    workload(json, account, sink)
                })?;
            }
            _ => {}
        }
        Ok(())
    })?;
    json.end()?;
    if !has_results {
        return Err(missing_part_error("an audit of Polaris", "Results"));
    }
    if let Some(at) = taken_at.as_ref().and_then(|at| time(at, "at")) {
        sink.note(format!("The audit was made at {}Z.", catalogue::format_timestamp(at)));
    }
    Ok(())
}

/// The subject of a check.
struct Workload {
    namespace: Option<String>,
    kind: String,
    name: String,
}

fn workload(json: &mut Json<'_>, account: &Account, sink: &mut dyn Sink) -> Result<(), ReadError> {
    let place = json.position();
    let result = match json.element()? {
        Ok(result) if result.is_object() => result,
        Ok(_) => return sink.skip(&place, reason::NO_OBJECT, ""),
        Err(flaw) => return sink.skip(&place, flaw.reason(), ""),
    };
    let workload = Workload {
        namespace: owned(&result, "Namespace"),
        kind: owned(&result, "Kind").unwrap_or_else(|| "Object".to_owned()),
        name: owned(&result, "Name").unwrap_or_default(),
    };
    checks(&result, &place.0, &workload, None, account, sink)?;
    let Some(pod) = result.get("PodResult").filter(|pod| pod.is_object()) else { return Ok(()) };
    let of_pod = format!("{}.PodResult", place.0);
    checks(pod, &of_pod, &workload, None, account, sink)?;
    let containers = pod.get("ContainerResults").and_then(Value::as_array).into_iter().flatten();
    for (index, container) in containers.enumerate() {
        let at = format!("{of_pod}.ContainerResults[{index}]");
        checks(container, &at, &workload, text(container, "Name"), account, sink)?;
    }
    Ok(())
}

fn checks(
    of: &Value,
    place: &str,
    workload: &Workload,
    container: Option<&str>,
    account: &Account,
    sink: &mut dyn Sink,
) -> Result<(), ReadError> {
    let Some(results) = of.get("Results").and_then(Value::as_object) else { return Ok(()) };
    for (id, check) in results {
        let at = Position(format!("{place}.Results.{id}"));
        if text(check, "Severity") == Some("ignore") {
            sink.skip(&at, reason::NOT_RUN, id)?;
            continue;
        }
        let finding = finding_of(id, check, workload, container, account);
        sink.record(&at, Record::Finding(Box::new(finding)))?;
    }
    Ok(())
}

fn finding_of(
    id: &str,
    check: &Value,
    workload: &Workload,
    container: Option<&str>,
    account: &Account,
) -> Finding {
    let namespace = workload.namespace.as_deref();
    let subject = object_id(namespace, &workload.kind, &workload.name);
    let rule = format!("{id} {}", container.unwrap_or_default()).trim_end().to_owned();
    let message = text(check, "Message").unwrap_or(id);
    let mut finding = finding(account, Listing::Misconfigurations, subject, rule, message.to_owned());
    finding.severity = severity(text(check, "Severity").unwrap_or_default());
    if check.get("Success").and_then(Value::as_bool) == Some(true) {
        finding.state = FindingState::Passed;
    }
    finding.subject_kind = Some(workload.kind.clone());
    finding.subject_name = Some(workload.name.clone());
    finding.namespace.clone_from(&workload.namespace);
    let details = &mut finding.details;
    put(details, "category", text(check, "Category").or(Some("Polaris")));
    put(details, "message", Some(message));
    put(details, "kind", Some(&workload.kind));
    put(details, "name", Some(&workload.name));
    put(details, "namespace", namespace);
    put(details, "container", container);
    put(details, "check", Some(id));
    finding
}
