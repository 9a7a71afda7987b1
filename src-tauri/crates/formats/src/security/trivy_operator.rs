//! Resources of the Trivy operator: a report about a workload or the cluster, or a list of reports.

use super::common::{Scans, cluster, finding, object_id, owned, put, severity, text};
use super::trivy::{REPORT_BYTES, TOOL, taken_at, vulnerability};
use crate::read_error::ReadError;
use crate::reason;
use crate::record::{Account, FindingState, Listing, Record};
use crate::shape::Json;
use crate::sink::{Position, Sink};
use serde_json::{Map, Value};

const GROUP: &str = "aquasecurity.github.io";

/// The parts of a document read so far: of a single report, or of a list.
#[derive(Default)]
pub struct Parts {
    object: Map<String, Value>,
    scans: Scans,
    has_items: bool,
}

/// Whether a document is a report of the operator, or a list of them.
pub fn is_report(object: &Value) -> bool {
    let is_its =
        |object: &Value| text(object, "apiVersion").is_some_and(|version| version.starts_with(GROUP));
    is_its(object) || object.get("items").and_then(|items| items.get(0)).is_some_and(is_its)
}

/// Processes one member of the document; the items of a list are read one by one.
pub fn part(
    json: &mut Json<'_>,
    key: &str,
    parts: &mut Option<Parts>,
    sink: &mut dyn Sink,
) -> Result<(), ReadError> {
    let parts = parts.get_or_insert_default();
    if key != "items" {
        // The specification repeats the contents of the status.
        if key != "spec" {
            parts.object.insert(key.to_owned(), json.value(REPORT_BYTES)?);
        }
        return Ok(());
    }
    parts.has_items = true;
    let scans = &mut parts.scans;
    json.list(&mut |json, _| {
        let place = json.position();
        match json.element()? {
            Ok(report) => one(&report, &place.0, scans, sink),
            Err(flaw) => sink.skip(&place, flaw.reason(), "a report"),
        }
    })
    .map(drop)
}

/// Reads the document as a single report, unless it was a list.
pub fn finish(mut parts: Parts, sink: &mut dyn Sink) -> Result<(), ReadError> {
    if parts.has_items {
        return Ok(());
    }
    one(&Value::Object(parts.object), "$", &mut parts.scans, sink)
}

fn one(json: &Value, place: &str, scans: &mut Scans, sink: &mut dyn Sink) -> Result<(), ReadError> {
    let account = cluster("trivy-operator");
    sink.note(
        "Reports of the Trivy operator do not name their cluster: their findings stand under the cluster \
         \u{201c}trivy-operator\u{201d}."
            .to_owned(),
    );
    let kind = text(json, "kind").unwrap_or_default();
    match kind {
        "ClusterComplianceReport" => compliance(&account, json, place, scans, sink),
        "VulnerabilityReport" | "ClusterVulnerabilityReport" => {
            vulnerabilities(&account, json, place, scans, sink)
        }
        "ConfigAuditReport"
        | "ClusterConfigAuditReport"
        | "RbacAssessmentReport"
        | "ClusterRbacAssessmentReport"
        | "InfraAssessmentReport"
        | "ClusterInfraAssessmentReport" => checks(&account, json, place, scans, sink),
        other => sink.skip(&Position(place.to_owned()), reason::NOTHING_TO_DO, other),
    }
}

/// The cluster's benchmark: one finding per control.
fn compliance(
    account: &Account,
    json: &Value,
    place: &str,
    scans: &mut Scans,
    sink: &mut dyn Sink,
) -> Result<(), ReadError> {
    let status = json.get("status").unwrap_or(&Value::Null);
    let report = status.get("detailReport").unwrap_or(&Value::Null);
    let target = text(report, "id").unwrap_or("cis").to_owned();
    if let Some(scan) = scans.next(account, TOOL, &target, taken_at(status)) {
        sink.record(&Position(place.to_owned()), Record::Scan(scan))?;
    }
    let controls = report.get("results").and_then(Value::as_array).into_iter().flatten();
    for (index, control) in controls.enumerate() {
        let at = Position(format!("{place}.status.detailReport.results[{index}]"));
        let Some(id) = owned(control, "id") else {
            sink.skip(&at, reason::NO_ID, "a control")?;
            continue;
        };
        let checks: Vec<&Value> =
            control.get("checks").and_then(Value::as_array).into_iter().flatten().collect();
        let has = |success: bool| checks.iter().any(|check| check.get("success") == Some(&success.into()));
        // A control whose checks have no id is not checked automatically.
        let is_run = checks.iter().any(|check| text(check, "checkID").is_some());
        let title = owned(control, "name").unwrap_or_else(|| id.clone());
        let mut finding =
            finding(account, Listing::Benchmark, "cluster".to_owned(), id.clone(), title.clone());
        finding.severity = severity(text(control, "severity").unwrap_or_default());
        finding.subject_kind = Some("Cluster".to_owned());
        finding.state = match (is_run, has(false)) {
            (false, false) => FindingState::Manual,
            (_, true) => FindingState::Open,
            (true, false) => FindingState::Passed,
        };
        put(&mut finding.details, "Id", Some(&id));
        put(&mut finding.details, "Name", Some(&title));
        put(&mut finding.details, "Description", text(control, "description"));
        put(&mut finding.details, "benchmark", text(report, "title"));
        let failed = checks.iter().filter(|check| check.get("success") == Some(&false.into())).count();
        finding.details.insert("failed_checks".to_owned(), failed.into());
        finding.scan = Some((TOOL, target.clone()));
        sink.record(&at, Record::Finding(Box::new(finding)))?;
    }
    Ok(())
}

/// The report's subject, kind, namespace and name.
fn about(json: &Value) -> (String, String, Option<String>, String) {
    let labels = json.get("metadata").and_then(|metadata| metadata.get("labels")).unwrap_or(&Value::Null);
    let label = |name: &str| owned(labels, &format!("trivy-operator.resource.{name}"));
    let kind = label("kind").unwrap_or_default();
    let namespace = label("namespace").filter(|namespace| !namespace.is_empty());
    let name = label("name")
        .or_else(|| json.get("metadata").and_then(|metadata| owned(metadata, "name")))
        .unwrap_or_default();
    (object_id(namespace.as_deref(), &kind, &name), kind, namespace, name)
}

fn vulnerabilities(
    account: &Account,
    json: &Value,
    place: &str,
    scans: &mut Scans,
    sink: &mut dyn Sink,
) -> Result<(), ReadError> {
    let report = json.get("report").unwrap_or(&Value::Null);
    let artifact = report.get("artifact").unwrap_or(&Value::Null);
    let image = match (text(artifact, "repository"), text(artifact, "tag")) {
        (Some(repository), Some(tag)) => format!("{repository}:{tag}"),
        (Some(repository), None) => repository.to_owned(),
        _ => String::new(),
    };
    let (subject, kind, namespace, name) = about(json);
    let target = format!("{subject} {image}");
    if let Some(scan) = scans.next(account, TOOL, &target, taken_at(report)) {
        sink.record(&Position(place.to_owned()), Record::Scan(scan))?;
    }
    let list = report.get("vulnerabilities").and_then(Value::as_array).into_iter().flatten();
    for (index, found) in list.enumerate() {
        let at = Position(format!("{place}.report.vulnerabilities[{index}]"));
        // The operator spells Trivy's field names differently.
        let mut own = Map::new();
        for (key, its) in [
            ("VulnerabilityID", "vulnerabilityID"),
            ("PkgName", "resource"),
            ("PkgPath", "packagePath"),
            ("InstalledVersion", "installedVersion"),
            ("FixedVersion", "fixedVersion"),
            ("Title", "title"),
            ("Severity", "severity"),
            ("PrimaryURL", "primaryLink"),
        ] {
            put(&mut own, key, text(found, its));
        }
        let Some(mut finding) = vulnerability(account, own.into(), subject.clone(), &image) else {
            sink.skip(&at, reason::NO_ID, "a vulnerability")?;
            continue;
        };
        finding.subject_kind = Some(kind.clone());
        finding.subject_name = Some(name.clone());
        finding.namespace.clone_from(&namespace);
        finding.scan = Some((TOOL, target.clone()));
        put(&mut finding.details, "namespace", namespace.as_deref());
        sink.record(&at, Record::Finding(Box::new(finding)))?;
    }
    Ok(())
}

fn checks(
    account: &Account,
    json: &Value,
    place: &str,
    scans: &mut Scans,
    sink: &mut dyn Sink,
) -> Result<(), ReadError> {
    let report = json.get("report").unwrap_or(&Value::Null);
    let (subject, kind, namespace, name) = about(json);
    let target = format!("{subject} {}", text(json, "kind").unwrap_or_default());
    if let Some(scan) = scans.next(account, TOOL, &target, taken_at(report)) {
        sink.record(&Position(place.to_owned()), Record::Scan(scan))?;
    }
    let list = report.get("checks").and_then(Value::as_array).into_iter().flatten();
    for (index, check) in list.enumerate() {
        let at = Position(format!("{place}.report.checks[{index}]"));
        let Some(id) = owned(check, "checkID") else {
            sink.skip(&at, reason::NO_ID, "a check")?;
            continue;
        };
        let title = owned(check, "title").unwrap_or_else(|| id.clone());
        let mut finding =
            finding(account, Listing::Misconfigurations, subject.clone(), id.clone(), title.clone());
        finding.severity = severity(text(check, "severity").unwrap_or_default());
        finding.state = match check.get("success").and_then(Value::as_bool) {
            Some(true) => FindingState::Passed,
            _ => FindingState::Open,
        };
        finding.subject_kind = Some(kind.clone());
        finding.subject_name = Some(name.clone());
        finding.namespace.clone_from(&namespace);
        finding.scan = Some((TOOL, target.clone()));
        let details = &mut finding.details;
        put(details, "category", text(check, "category").or(Some("Kubernetes Security Check")));
        let messages = check.get("messages").and_then(|list| list.get(0)).and_then(Value::as_str);
        put(details, "message", messages.filter(|text| !text.is_empty()).or(Some(&title)));
        put(details, "kind", Some(&kind));
        put(details, "name", Some(&name));
        put(details, "namespace", namespace.as_deref());
        put(details, "check", Some(&id));
        put(details, "description", text(check, "description"));
        put(details, "remediation", text(check, "remediation"));
        sink.record(&at, Record::Finding(Box::new(finding)))?;
    }
    Ok(())
}
