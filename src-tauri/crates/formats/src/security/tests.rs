//! Tests with small hand-written reports. Real reports are tested in the crate `ingest`.

use crate::record::{Event, Finding, FindingState, Record, Severity};
use crate::{Head, Position, ReadError, Sink, recognise};

#[derive(Default)]
struct Collected {
    findings: Vec<Finding>,
    events: Vec<Event>,
    skipped: Vec<(String, &'static str)>,
    notes: Vec<String>,
}

impl Sink for Collected {
    fn record(&mut self, _: &Position, record: Record) -> Result<(), ReadError> {
        match record {
            Record::Finding(finding) => self.findings.push(*finding),
            Record::Event(event) => self.events.push(*event),
            _ => {}
        }
        Ok(())
    }

    fn skip(&mut self, place: &Position, reason: &'static str, _: &str) -> Result<(), ReadError> {
        self.skipped.push((place.0.clone(), reason));
        Ok(())
    }

    fn note(&mut self, sentence: String) {
        self.notes.push(sentence);
    }
}

fn collect(text: &str) -> (&'static str, Collected) {
    let format = recognise(&Head::new(text.as_bytes(), true)).expect("a format");
    let mut collected = Collected::default();
    (format.read)(&mut text.as_bytes(), &mut collected).unwrap();
    (format.id, collected)
}

#[test]
fn the_message_of_a_sarif_result_comes_from_its_rule_and_security_decides_the_severity() {
    let text = r#"{"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [{
        "tool": {"driver": {"name": "Scan", "rules": [{"id": "R1", "messageStrings": {"default": {"text": "{0} is open"}},
            "properties": {"security-severity": "9.1"}}]}},
        "results": [
            {"ruleId": "R1", "level": "note", "message": {"id": "default", "arguments": ["Port 22"]},
             "locations": [{"physicalLocation": {"artifactLocation": {"uri": "main.tf"}, "region": {"startLine": 7}}}]},
            {"ruleId": "R2", "message": {"text": "x"}, "suppressions": [{"kind": "inSource"}]},
            {"ruleId": "R3", "kind": "notApplicable", "message": {"text": "x"}},
            {"message": {"text": "no rule"}}]}]}"#;
    let (id, found) = collect(text);
    assert_eq!(id, "sarif");
    let first = &found.findings[0];
    assert_eq!(
        (first.severity, first.subject.as_str(), first.rule.as_str()),
        (Severity::Critical, "main.tf", "R1 (line 7)")
    );
    assert_eq!(first.details["message"], "Port 22 is open");
    assert_eq!(
        (found.findings[1].state, found.findings[1].severity),
        (FindingState::Suppressed, Severity::Medium)
    );
    let left: Vec<&str> = found.skipped.iter().map(|(place, _)| place.as_str()).collect();
    assert_eq!(left, ["$.runs[0].results[2]", "$.runs[0].results[3]"]);
}

#[test]
fn an_ocsf_finding_a_line_is_read_and_one_broken_line_does_not_stop_the_others() {
    let one = r#"{"class_uid": 2004, "finding_info": {"uid": "f1", "title": "T"}, "severity_id": 4, "status_code": "FAIL",
        "metadata": {"event_code": "c1"}, "cloud": {"provider": "aws", "account": {"uid": "1"}},
        "resources": [{"uid": "a"}, {"uid": "b"}]}"#
        .replace('\n', "");
    let (id, found) = collect(&format!("{one}\n{{\"a\": oops}}\n{}\n", one.replace("FAIL", "PASS")));
    assert_eq!(id, "prowler");
    let states: Vec<FindingState> = found.findings.iter().map(|finding| finding.state).collect();
    let [open, passed] = [FindingState::Open, FindingState::Passed];
    assert_eq!(states, [open, open, passed, passed]);
    assert_eq!(found.skipped, [("line 2".to_owned(), "not JSON")]);
    assert_eq!(
        (found.findings[0].account.provider.as_str(), found.findings[0].severity),
        ("AWS", Severity::High)
    );
}

#[test]
fn the_text_of_a_secret_never_leaves_the_file() {
    let (_, found) = collect(
        r#"{"SchemaVersion": 2, "ArtifactName": "app", "ArtifactType": "filesystem", "Results": [{"Target": "a.env", "Class": "secret",
        "Secrets": [{"RuleID": "key", "Severity": "HIGH", "Title": "Key", "StartLine": 1, "Match": "KEY=hunter2", "Code": {"x": "hunter2"}}]}]}"#,
    );
    assert_eq!(found.findings.len(), 1);
    assert!(!format!("{:?}", found.findings).contains("hunter2"));
}

#[test]
fn a_weakness_in_a_cluster_names_the_image_its_pods_run() {
    let (id, found) = collect(
        r#"{"ClusterName": "prod", "Resources": [{"Namespace": "shop", "Kind": "Deployment", "Name": "web", "Results": [
        {"Target": "nginx:1.25 (debian 12.5)", "Class": "os-pkgs", "Vulnerabilities": [{"VulnerabilityID": "CVE-1", "PkgName": "zlib",
         "InstalledVersion": "1", "Severity": "CRITICAL"}, 7]}]}]}"#,
    );
    assert_eq!(id, "trivy");
    let finding = &found.findings[0];
    assert_eq!(finding.details["image_name"], "nginx:1.25");
    assert_eq!((finding.subject.as_str(), finding.account.number.as_str()), ("shop/Deployment/web", "prod"));
    assert_eq!(found.skipped[0].0, "$.Resources[0].Results[0].Vulnerabilities[1]");
}

#[test]
fn what_only_looks_like_a_report_is_none() {
    for text in [
        r#"{"Results": []}"#,
        r#"{"runs": [], "version": "1.0"}"#,
        r#"[{"Target": "x"}]"#,
        r#"{"Controls": 5}"#,
        "{}",
        "[]",
        "CHECK_ID,STATUS\n1,FAIL\n",
    ] {
        assert!(recognise(&Head::new(text.as_bytes(), true)).is_none(), "{text}");
    }
}

#[test]
fn recommendations_of_defender_are_open_closed_or_left_out_by_their_state() {
    let text = "exportedTimestamp,subscriptionId,subscriptionName,resourceType,resourceName,resourceId,recommendationName,\
                recommendationDisplayName,severity,state,controls\n\
                2026-05-01T10:00:00Z,s-1,Shop,vm,web,/subscriptions/S-1/vm/Web,r-1,Patch it,High,Unhealthy,\"{\"\"Updates\"\":\"\"id\"\"}\"\n\
                2026-05-01T10:00:00Z,s-1,Shop,vm,db,/subscriptions/s-1/vm/db,r-1,Patch it,High,Healthy,\n\
                2026-05-01T10:00:00Z,s-1,Shop,vm,old,/subscriptions/s-1/vm/old,r-1,Patch it,High,NotApplicable,\n";
    let (id, found) = collect(text);
    assert_eq!(id, "microsoft-defender");
    let states: Vec<FindingState> = found.findings.iter().map(|finding| finding.state).collect();
    assert_eq!(states, [FindingState::Open, FindingState::Passed]);
    let first = &found.findings[0];
    assert_eq!(
        (first.subject.as_str(), first.severity, first.account.number.as_str()),
        ("/subscriptions/s-1/vm/web", Severity::High, "s-1")
    );
    assert_eq!(first.details["controls"], serde_json::json!(["Updates"]));
    assert_eq!(found.skipped, [("line 4".to_owned(), crate::reason::NOT_RUN)]);
}
