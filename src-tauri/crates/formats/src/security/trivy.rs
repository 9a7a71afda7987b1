//! Trivy: reports of images, folders and repositories (schema 1 and 2) and of clusters, and the Trivy operator's resources.

use super::common::{
    account_of_tool, cluster, finding, members, object_id, owned, put, severity, text, time,
};
use super::trivy_operator;
use crate::format::Format;
use crate::head::{Head, has};
use crate::read_error::ReadError;
use crate::reason;
use crate::record::{Account, Finding, FindingState, Listing, Record, Scan};
use crate::shape::{Json, Kind, OBJECT_BYTES};
use crate::sink::Sink;
use serde_json::Value;
use std::io::Read;

pub const TOOL: &str = "trivy";

pub const FORMAT: Format = Format {
    id: TOOL,
    title: "Trivy report",
    source: "JSON of `trivy image|fs|repo|config|k8s --format json`, and the reports of the Trivy operator \
             (`kubectl get vulnerabilityreports -A -o json`)",
    fills: "recommendations (weaknesses of images, misconfigurations, secrets), resources",
    lacks_currency: false,
    certainty,
    read,
};

fn certainty(head: &Head<'_>) -> u8 {
    let object = head.object();
    let first = head.first();
    let is_report =
        has(object, &["ArtifactName"]) && (has(object, &["ArtifactType"]) || has(object, &["Results"]));
    let of_cluster = ["Vulnerabilities", "Misconfigurations", "Resources", "Findings"];
    let is_cluster = has(object, &["ClusterName"]) && of_cluster.iter().any(|key| has(object, &[key]));
    let is_old = has(first, &["Target"])
        && ["Vulnerabilities", "Misconfigurations", "Class", "Type"].iter().any(|key| has(first, &[key]));
    if is_report || is_cluster || is_old || trivy_operator::is_report(object) { 98 } else { 0 }
}

fn read(read: &mut dyn Read, sink: &mut dyn Sink) -> Result<(), ReadError> {
    let mut json = Json::new(read);
    let mut report = Report::default();
    if json.kind()? == Kind::List {
        report.results(&mut json, &ClusterSubject::default(), sink)?;
        return json.end();
    }
    let mut operator = None;
    json.object(&mut |json, key| {
        match key {
            "ArtifactName" => report.artifact = json.text()?,
            "ArtifactType" => report.kind = json.text()?,
            "CreatedAt" => report.taken_at = json.text()?.and_then(|text| catalogue::parse_timestamp(&text)),
            "Metadata" => {
                let metadata = json.element()?.unwrap_or_default();
                let first = |key: &str| metadata.get(key)?.get(0)?.as_str().map(str::to_owned);
                report.tag = first("RepoTags").or_else(|| first("RepoDigests"));
            }
            "ClusterName" => report.cluster = json.text()?,
            "Results" => {
                report.has_results = true;
                return report.results(json, &ClusterSubject::default(), sink);
            }
            "Vulnerabilities" | "Misconfigurations" | "Resources" | "Findings" => {
                report.has_results = true;
                json.list(&mut |json, _| report.resource(json, sink))?;
            }
            "apiVersion" | "kind" | "metadata" | "report" | "status" | "items" | "spec" => {
                return trivy_operator::part(json, key, &mut operator, sink);
            }
            _ => {}
        }
        Ok(())
    })?;
    json.end()?;
    if let Some(operator) = operator {
        trivy_operator::finish(operator, sink)?;
    } else if !report.has_results {
        return Err(without_results());
    } else if report.account.is_none() {
        // An empty list of results is a scan without findings.
        report.account(sink)?;
    }
    Ok(())
}

/// The object in a cluster that results belong to.
#[derive(Default)]
struct ClusterSubject {
    namespace: Option<String>,
    kind: Option<String>,
    name: Option<String>,
}

/// The parts of a report read so far.
#[derive(Default)]
struct Report {
    artifact: Option<String>,
    kind: Option<String>,
    tag: Option<String>,
    cluster: Option<String>,
    taken_at: Option<i64>,
    account: Option<Account>,
    /// The scanned target, if a later scan of it would have the same name.
    target: Option<String>,
    /// Whether there is a list of results, even an empty one.
    has_results: bool,
}

/// The error for a report without results. Trivy omits the list when it scanned nothing, or found nothing of some kinds; a truncated report
/// looks the same. Treating it as a clean scan would close the findings of earlier scans.
fn without_results() -> ReadError {
    ReadError::Refused {
        message: "The file looks like a Trivy report, but it lacks Results: it does not say what was scanned. Nothing was imported. Scan \
                  again with --list-all-pkgs, which lists what was looked at also where nothing was found."
            .to_owned(),
        expected: "a Trivy report with Results (of a cluster: Resources, Vulnerabilities or Misconfigurations)".to_owned(),
        found: "a Trivy report that lacks Results".to_owned(),
    }
}

/// A list of results of one target.
#[derive(Default)]
struct Results {
    target: String,
    class: String,
}

impl Report {
    /// The account of the findings; emits the scan the first time.
    fn account(&mut self, sink: &mut dyn Sink) -> Result<Account, ReadError> {
        if let Some(account) = &self.account {
            return Ok(account.clone());
        }
        let account = match &self.cluster {
            Some(name) => cluster(name),
            None => account_of_tool(TOOL, "Trivy", sink),
        };
        // A folder called `.` may be a different one in each scan.
        let artifact = self.artifact.as_deref().or(self.tag.as_deref());
        let is_telling = |name: &&str| !matches!(*name, "." | "./" | "/");
        self.target = match (&self.cluster, artifact.filter(is_telling)) {
            (Some(_), _) => Some("cluster".to_owned()),
            (None, Some(artifact)) => Some(artifact.to_owned()),
            (None, None) => self.tag.clone(),
        };
        if let Some(target) = &self.target {
            let scan = Scan {
                account: account.clone(),
                tool: TOOL,
                target: target.clone(),
                taken_at: self.taken_at.filter(|at| *at > 0),
            };
            sink.record(&crate::sink::Position("$".to_owned()), Record::Scan(scan))?;
        }
        self.account = Some(account.clone());
        Ok(account)
    }

    /// One object of a cluster, with its results.
    fn resource(&mut self, json: &mut Json<'_>, sink: &mut dyn Sink) -> Result<(), ReadError> {
        let mut place = ClusterSubject::default();
        json.object(&mut |json, key| {
            match key {
                "Namespace" => place.namespace = json.text()?,
                "Kind" => place.kind = json.text()?,
                "Name" => place.name = json.text()?,
                "Results" => return self.results(json, &place, sink),
                _ => {}
            }
            Ok(())
        })
        .map(drop)
    }

    fn results(
        &mut self,
        json: &mut Json<'_>,
        place: &ClusterSubject,
        sink: &mut dyn Sink,
    ) -> Result<(), ReadError> {
        json.list(&mut |json, _| {
            let mut results = Results::default();
            json.object(&mut |json, key| {
                match key {
                    "Target" => results.target = json.text()?.unwrap_or_default(),
                    "Class" => results.class = json.text()?.unwrap_or_default(),
                    "Vulnerabilities" | "Misconfigurations" | "Secrets" => {
                        let kind = key.to_owned();
                        json.list(&mut |json, _| self.finding(json, &kind, &results, place, sink))?;
                    }
                    "Licenses" => {
                        json.list(&mut |json, _| {
                            sink.skip(&json.position(), reason::NOTHING_TO_DO, "a licence")
                        })?;
                    }
                    _ => {}
                }
                Ok(())
            })
            .map(drop)
        })
        .map(drop)
    }

    fn finding(
        &mut self,
        json: &mut Json<'_>,
        kind: &str,
        results: &Results,
        place: &ClusterSubject,
        sink: &mut dyn Sink,
    ) -> Result<(), ReadError> {
        let at = json.position();
        let found = match json.element()? {
            Ok(found) if found.is_object() => found,
            Ok(_) => return sink.skip(&at, reason::NO_OBJECT, kind),
            Err(flaw) => return sink.skip(&at, flaw.reason(), kind),
        };
        let account = self.account(sink)?;
        let finding = match kind {
            "Vulnerabilities" => self.vulnerability(&account, found, results, place),
            "Misconfigurations" => {
                misconfiguration(&account, found, results, place, self.artifact.as_deref())
            }
            _ => secret(&account, found, results, place),
        };
        let Some(mut finding) = finding else { return sink.skip(&at, reason::NO_ID, kind) };
        finding.scan = self.target.clone().map(|target| (TOOL, target));
        sink.record(&at, Record::Finding(Box::new(finding)))
    }

    fn vulnerability(
        &self,
        account: &Account,
        found: Value,
        results: &Results,
        place: &ClusterSubject,
    ) -> Option<Finding> {
        let image = self.image(results);
        let in_cluster = place.subject();
        let subject = in_cluster.clone().unwrap_or_else(|| image.clone());
        let mut finding = vulnerability(account, found, subject, &image)?;
        finding.subject_kind = Some(place.kind.clone().unwrap_or_else(|| {
            if self.kind.as_deref() == Some("container_image") { "Image" } else { "Files" }.to_owned()
        }));
        finding.subject_name = Some(place.name.clone().unwrap_or(image));
        finding.namespace.clone_from(&place.namespace);
        put(&mut finding.details, "namespace", place.namespace.as_deref());
        put(&mut finding.details, "target", Some(&results.target));
        Some(finding)
    }

    /// The image name as in a pod; for files, the file.
    fn image(&self, results: &Results) -> String {
        let of_target = || {
            let target = results.target.as_str();
            // `nginx:1.25 (debian 12.5)`
            target.rsplit_once(" (").map_or(target, |(image, _)| image).to_owned()
        };
        match (self.kind.as_deref(), &self.artifact) {
            (Some("container_image"), Some(name)) => name.clone(),
            (Some("container_image"), None) => self.tag.clone().unwrap_or_else(of_target),
            _ => of_target(),
        }
    }
}

impl ClusterSubject {
    fn subject(&self) -> Option<String> {
        Some(object_id(self.namespace.as_deref(), self.kind.as_deref()?, self.name.as_deref()?))
    }
}

/// A vulnerability of a package in an image.
pub fn vulnerability(account: &Account, found: Value, subject: String, image: &str) -> Option<Finding> {
    let id = owned(&found, "VulnerabilityID")?;
    let package = text(&found, "PkgName").unwrap_or_default();
    let version = text(&found, "InstalledVersion").unwrap_or_default();
    let path = text(&found, "PkgPath").unwrap_or_default();
    let rule = format!("{id} {package}@{version} {path}").trim_end().to_owned();
    let title = owned(&found, "Title").unwrap_or_else(|| format!("{id} in {package}"));
    let mut finding = finding(account, Listing::Vulnerabilities, subject, rule, title);
    finding.severity = severity(text(&found, "Severity").unwrap_or_default());
    finding.details = members(found, &["Layer", "PkgIdentifier", "VendorIDs"]);
    put(&mut finding.details, "image_name", Some(image));
    Some(finding)
}

fn misconfiguration(
    account: &Account,
    found: Value,
    results: &Results,
    place: &ClusterSubject,
    artifact: Option<&str>,
) -> Option<Finding> {
    let id = owned(&found, "ID").or_else(|| owned(&found, "AVDID"))?;
    let message =
        text(&found, "Message").or_else(|| text(&found, "Description")).unwrap_or_default().to_owned();
    let lines = found.get("CauseMetadata").and_then(|cause| cause.get("StartLine")).and_then(Value::as_u64);
    let rule = match lines {
        Some(line) => format!("{id} {message} (line {line})"),
        None => format!("{id} {message}"),
    };
    let in_files = || match artifact.filter(|name| *name != ".") {
        Some(name) => format!("{name}/{}", results.target),
        None => results.target.clone(),
    };
    let subject = place.subject().unwrap_or_else(in_files);
    let title = owned(&found, "Title").unwrap_or_else(|| id.clone());
    let mut finding = finding(account, Listing::Misconfigurations, subject, rule, title);
    finding.severity = severity(text(&found, "Severity").unwrap_or_default());
    finding.state = match text(&found, "Status") {
        Some("PASS") => FindingState::Passed,
        Some("EXCEPTION") => FindingState::Suppressed,
        _ => FindingState::Open,
    };
    finding.subject_kind = Some(place.kind.clone().unwrap_or_else(|| "File".to_owned()));
    finding.subject_name = Some(place.name.clone().unwrap_or_else(|| results.target.clone()));
    finding.namespace.clone_from(&place.namespace);
    let details = &mut finding.details;
    put(details, "category", text(&found, "Type").or(Some("Misconfiguration")));
    put(details, "message", Some(&message));
    put(details, "kind", finding.subject_kind.as_deref());
    put(details, "name", finding.subject_name.as_deref());
    put(details, "namespace", place.namespace.as_deref());
    put(details, "container", container(&message));
    put(details, "check", Some(&id));
    for (key, its) in [
        ("description", "Description"),
        ("remediation", "Resolution"),
        ("url", "PrimaryURL"),
        ("severity", "Severity"),
    ] {
        put(details, key, text(&found, its));
    }
    Some(finding)
}

/// `Container 'nginx' of Deployment …`
fn container(message: &str) -> Option<&str> {
    message.strip_prefix("Container '")?.split_once('\'').map(|(name, _)| name)
}

/// A secret in a file. Its text is not stored, not even masked.
fn secret(account: &Account, found: Value, results: &Results, place: &ClusterSubject) -> Option<Finding> {
    let id = owned(&found, "RuleID")?;
    let line = found.get("StartLine").and_then(Value::as_u64).unwrap_or_default();
    let subject = place.subject().unwrap_or_else(|| results.target.clone());
    let title = owned(&found, "Title").unwrap_or_else(|| id.clone());
    let rule = format!("{id} (line {line})");
    let mut finding = finding(account, Listing::Recommendations, subject, rule, format!("{title} in a file"));
    finding.severity = severity(text(&found, "Severity").unwrap_or_default());
    finding.subject_kind = Some(place.kind.clone().unwrap_or_else(|| "File".to_owned()));
    finding.subject_name = Some(results.target.clone());
    finding.action = "Delete";
    finding.namespace.clone_from(&place.namespace);
    finding.details = members(found, &["Match", "Code", "Layer"]);
    put(&mut finding.details, "target", Some(&results.target));
    Some(finding)
}

/// The report's own time, for the operator's resources.
pub fn taken_at(report: &Value) -> Option<i64> {
    time(report, "updateTimestamp")
}

/// Maximum size of an operator document that is read as a whole, in bytes.
pub const REPORT_BYTES: usize = 4 * OBJECT_BYTES;
