//! Documents of other tools: real files, and small hand-written ones.

use super::kit::{House, format_id};
use crate::{Report, State};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use store::eq;

fn data() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../../shared/data");
    let near = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/data");
    [PathBuf::from("/work/shared/data"), path, near].into_iter().find(|path| path.is_dir())
}

/// The numbers of written and skipped rows, the written kinds, and the reasons for skipping.
fn counts(report: &Report) -> String {
    let written: Vec<String> = report.written.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
    let reasons: Vec<String> =
        report.reasons.iter().map(|reason| format!("{} {}", reason.count, reason.reason)).collect();
    format!("{} | {}", written.join(", "), reasons.join(", "))
}

/// Stored recommendations by severity and rule.
fn severities(house: &House, rule: Option<&str>) -> BTreeMap<String, usize> {
    let conditions: Vec<_> = rule.map(|rule| eq("rule_name", rule)).into_iter().collect();
    let mut found = BTreeMap::new();
    for severity in house.rows("recommendation", &["severity"], &conditions) {
        *found.entry(severity).or_default() += 1;
    }
    found
}

/// The facts of EXPECTED.md for each file: format, counts of written and skipped rows, severities of stored recommendations.
const FACTS: &[(&str, &str, &str, &str)] = &[
    ("trivy/all_statuses.json", "trivy", "recommendations 8", "Low 8"),
    ("trivy/helm_misconfig.json", "trivy", "recommendations 18", "High 3, Low 11, Medium 4"),
    ("trivy/kubernetes.json", "trivy", "recommendations 20", "Low 14, Medium 6"),
    (
        "trivy/misconfigurations_and_secrets.json",
        "trivy",
        "recommendations 5",
        "Critical 2, High 2, Medium 1",
    ),
    (
        "kube-bench/kube-bench-controls.json",
        "kube-bench",
        "checks_passed 37, recommendations 36 | 49 manual",
        "",
    ),
    ("kube-bench/kube-bench-report-array.json", "kube-bench", "checks_passed 20, recommendations 4", ""),
    ("kubescape/results.json", "kubescape", "checks_passed", ""),
    (
        "popeye/popeye_many.json",
        "popeye",
        "checks_passed 1, recommendations 229",
        "High 12, Info 52, Medium 165",
    ),
    ("polaris/output.json", "polaris", "", ""),
    ("iac/checkov-report-severity.json", "checkov", "recommendations 4", ""),
    ("aws-security-hub/asff_many.json", "aws-security-hub", "recommendations 5", "High 2, Medium 3"),
    ("prowler/example_output_aws.csv", "prowler", "recommendations 2 | 2 manual", ""),
    ("prowler/example_output_aws.ocsf.json", "prowler", "recommendations 2 | 3 manual", ""),
    ("prowler/example_output_kubernetes.csv", "prowler", "checks_passed 1, recommendations 3", ""),
    ("prowler/example_output_kubernetes.ocsf.json", "prowler", "checks_passed 1, recommendations 5", ""),
    ("krr/krr_simple_0.json", "krr", "recommendations 1", "High 1"),
    ("alerts/alertmanager_v2_alerts.json", "alerts", "events 9", ""),
    ("alerts/alertmanager_webhook_v4.json", "alerts", "events 2", ""),
    ("alerts/webhooks/alertmanager_v4_full.json", "alerts", "events 1", ""),
    ("alerts/webhooks/azure_monitor.json", "alerts", "events 1", ""),
    ("alerts/webhooks/datadog_query_alert.json", "alerts", "events 1", ""),
    ("alerts/webhooks/datadog_warn.json", "alerts", "events 1", ""),
    ("alerts/webhooks/dynatrace_davis_event.json", "alerts", "events 1", ""),
    ("alerts/webhooks/newrelic_issue.json", "alerts", "events 1", ""),
    ("alerts/webhooks/newrelic_legacy.json", "alerts", "events 1", ""),
    ("alerts/webhooks/pagerduty_v3.json", "alerts", "events 1", ""),
    ("alerts/webhooks/pagerduty_v3_resolved.json", "alerts", "events 1", ""),
    ("alerts/webhooks/zenduty_grafana.json", "alerts", "events 1", ""),
];

/// Every real file of other tools gives its facts; a second import changes nothing, and an undo leaves nothing.
#[test]
fn real_files_arrive_with_their_facts() {
    let Some(data) = data() else {
        eprintln!("the shared data is not here: not checked");
        return;
    };
    let mut wrong = Vec::new();
    for (file, format, expected, severity) in FACTS {
        let house = House::new();
        let path = data.join(file);
        let report = house.import_file(&path);
        let found = counts(&report);
        let severities: Vec<String> =
            severities(&house, None).iter().map(|(word, count)| format!("{word} {count}")).collect();
        let severities = severities.join(", ");
        println!("{file}: {} | {found} | {severities}", format_id(&report));
        let all = report.rows_written + report.rows_skipped == report.rows_read && report.rows_read > 0;
        let (written, left) = expected.split_once(" | ").unwrap_or((expected, ""));
        let left = left.replace("manual", "manual check");
        let is_right = format_id(&report) == *format
            && written.split(", ").all(|part| found.contains(part))
            && found.contains(&left)
            && (severity.is_empty() || severities == *severity);
        let again = house.import_file(&path).state == State::Unchanged;
        house.take_back(1);
        let left = ["recommendation", "events", "cloud_resourses", "cloud_accounts", "import_changes"]
            .map(|table| house.count(table));
        if !(all && is_right && again && left == [0; 5]) {
            wrong.push(format!(
                "{file}: {found} [{severities}] accounted {all} again {again} left {left:?} error {:?}",
                report.error
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// At most one format is certain about a file.
#[test]
fn at_most_one_format_recognises_each_file() {
    let Some(data) = data() else { return };
    let mut open = vec![data];
    let mut none = Vec::new();
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
                continue;
            }
            let bytes = std::fs::read(&path).unwrap();
            let head = &bytes[..bytes.len().min(crate::limit::HEADER_BYTES)];
            let head = ::formats::Head::new(head, bytes.len() < crate::limit::HEADER_BYTES);
            let sure: Vec<&str> = ::formats::FORMATS
                .iter()
                .filter(|format| (format.certainty)(&head) > 50)
                .map(|format| format.id)
                .collect();
            assert!(sure.len() <= 1, "{}: {sure:?}", path.display());
            if sure.is_empty() {
                none.push(path.display().to_string());
            }
        }
    }
    println!("not a document: {}", none.join("\n"));
}

/// A Trivy report about an image, with these vulnerabilities.
fn trivy(day: &str, ids: &[&str]) -> String {
    let list: Vec<Json> = ids
        .iter()
        .map(|id| json!({ "VulnerabilityID": id, "PkgName": "zlib", "InstalledVersion": "1", "Severity": "HIGH" }))
        .collect();
    json!({
        "SchemaVersion": 2, "CreatedAt": format!("{day}T10:00:00Z"), "ArtifactName": "shop/web:1",
        "ArtifactType": "container_image",
        "Results": [{ "Target": "shop/web:1 (debian 12)", "Class": "os-pkgs", "Vulnerabilities": list }],
    })
    .to_string()
}

fn standing(house: &House) -> Vec<String> {
    house
        .rows("recommendation", &["recommendation", "status", "note"], &[])
        .iter()
        .map(|row| {
            let (details, rest) = row.split_once("} | ").unwrap();
            let details: Json = serde_json::from_str(&format!("{details}}}")).unwrap();
            format!("{} {rest}", details["VulnerabilityID"].as_str().unwrap())
        })
        .collect()
}

#[test]
fn a_weakness_names_the_change_that_settles_all_of_its_package() {
    let house = House::new();
    let fixed = |report: String| report.replace("\"PkgName\"", "\"FixedVersion\":\"2\",\"PkgName\"");
    house.import(fixed(trivy("2026-05-01", &["CVE-1", "CVE-2"])));
    house.import(trivy("2026-05-02", &["CVE-2"]));
    let changes = house.rows("recommendation", &["recommendation"], &[]).into_iter().map(|row| {
        let details: Json = serde_json::from_str(&row).unwrap();
        format!("{} {}", details["VulnerabilityID"].as_str().unwrap(), details["change"].as_str().unwrap())
    });
    assert_eq!(
        changes.collect::<Vec<_>>(),
        ["CVE-1 Upgrade zlib in shop/web:1", "CVE-2 Wait for a fix of zlib in shop/web:1"]
    );
}

#[test]
fn what_a_check_finds_in_many_places_is_one_change() {
    let house = House::new();
    let result = |file: &str| {
        json!({ "ruleId": "R1", "level": "error", "message": { "text": "Set a memory limit" },
            "locations": [{ "physicalLocation": { "artifactLocation": { "uri": file } } }] })
    };
    let rules = json!([{ "id": "R1", "shortDescription": { "text": "Set a memory limit" } }]);
    let report = house.import(
        json!({ "version": "2.1.0", "runs": [{
            "tool": { "driver": { "name": "checker", "rules": rules } }, "results": [result("a.yaml"), result("b.yaml")] }] })
        .to_string(),
    );
    assert_eq!(report.rows_written, 2, "{report:#?}");
    let changes = house.rows("recommendation", &["recommendation"], &[]).into_iter().map(|row| {
        let details: Json = serde_json::from_str(&row).unwrap();
        let details = if details.is_array() { &details[0] } else { &details };
        details["change"].as_str().unwrap_or_default().to_owned()
    });
    let changes: Vec<String> = changes.collect();
    assert!(changes[0] == changes[1] && changes[0].contains("memory limit"), "{changes:?}");
}

#[test]
fn a_newer_scan_closes_what_it_does_not_find_and_undo_opens_it_again() {
    let house = House::new();
    let first = house.import(trivy("2026-05-01", &["CVE-1", "CVE-2"]));
    assert_eq!((first.state, first.rows_written), (State::Done, 2));
    assert_eq!(first.written["resources"], 1);
    let before = house.rows("recommendation", &["id", "recommendation", "status", "note", "updated_at"], &[]);
    let second = house.import(trivy("2026-05-02", &["CVE-2", "CVE-3"]));
    assert!(
        second.notes.iter().any(|note| note.starts_with("1 recommendation was closed")),
        "{:?}",
        second.notes
    );
    let gone = "Closed | Closed by an import: a later scan of the same thing does not find it any more (2026-05-02).";
    assert_eq!(standing(&house), [format!("CVE-1 {gone}"), "CVE-2 Open | -".into(), "CVE-3 Open | -".into()]);
    house.take_back(2);
    assert_eq!(
        house.rows("recommendation", &["id", "recommendation", "status", "note", "updated_at"], &[]),
        before
    );
}

/// Archives all recommendations as duplicates of another one.
fn archive(house: &House) {
    let set: Result<_, store::StoreError> = house.store.transaction(&house.caller, |rows| {
        rows.update("recommendation", &[], &[("status", "Archive".into()), ("note", SAME.into())])
    });
    set.unwrap();
}

const SAME: &str = "The same advice as Resize of another tool, which names it as a witness.";

#[test]
fn what_another_one_stands_for_is_closed_too_when_a_newer_scan_does_not_find_it() {
    let house = House::new();
    house.import(trivy("2026-05-01", &["CVE-1", "CVE-2"]));
    archive(&house);
    house.import(trivy("2026-05-02", &["CVE-2"]));
    let gone = "Closed by an import: a later scan of the same thing does not find it any more (2026-05-02).";
    assert_eq!(
        standing(&house),
        [format!("CVE-1 Closed | {gone} {SAME}"), format!("CVE-2 Archive | {SAME}")]
    );
    house.import(trivy("2026-05-03", &["CVE-1", "CVE-2"]));
    assert_eq!(standing(&house)[0], "CVE-1 Open | -");
    house.take_back(3);
    house.take_back(2);
    assert_eq!(standing(&house)[0], format!("CVE-1 Archive | {SAME}"));
}

#[test]
fn what_another_one_stands_for_is_closed_too_when_its_check_passes() {
    let krr = |severity: &str| {
        let object = json!({ "cluster": "prod", "kind": "Deployment", "name": "web", "namespace": "shop", "container": "app",
            "allocations": { "requests": { "cpu": 1.0, "memory": null }, "limits": {} } });
        let recommended = json!({ "requests": { "cpu": { "value": 0.1, "severity": severity } }, "limits": {}, "info": {} });
        let scan = json!({ "object": object, "recommended": recommended, "severity": severity });
        json!({ "scans": [scan], "strategy": { "name": "simple" } }).to_string()
    };
    let house = House::new();
    let first = house.import(krr("CRITICAL"));
    assert_eq!(first.rows_written, 1, "{first:#?}");
    archive(&house);
    house.import(krr("OK"));
    let rows = house.rows("recommendation", &["status", "note"], &[]);
    assert!(
        rows[0].starts_with("Closed | Closed by an import: the check passes now") && rows[0].ends_with(SAME),
        "{rows:?}"
    );
}

#[test]
fn what_comes_back_is_opened_again_and_an_older_scan_changes_nothing() {
    let house = House::new();
    house.import(trivy("2026-05-01", &["CVE-1"]));
    house.import(trivy("2026-05-02", &[]));
    assert!(standing(&house)[0].starts_with("CVE-1 Closed"));
    let back = house.import(trivy("2026-05-03", &["CVE-1"]));
    assert_eq!(standing(&house), ["CVE-1 Open | -"]);
    assert!(back.notes.iter().any(|note| note.contains("open again")), "{:?}", back.notes);
    let older = house.import(trivy("2026-04-01", &["CVE-1", "CVE-9"]));
    assert_eq!((older.rows_written, older.rows_skipped), (1, 1));
    assert_eq!(standing(&house), ["CVE-1 Open | -", "CVE-9 Open | -"]);
}

#[test]
fn a_status_that_a_person_gave_stays() {
    let house = House::new();
    house.import(trivy("2026-05-01", &["CVE-1"]));
    let set: Result<_, store::StoreError> = house.store.transaction(&house.caller, |rows| {
        rows.update("recommendation", &[], &[("status", "Dismissed".into())])
    });
    set.unwrap();
    house.import(trivy("2026-05-02", &["CVE-1"]));
    house.import(trivy("2026-05-03", &[]));
    assert_eq!(standing(&house), ["CVE-1 Dismissed | -"]);
}

/// The listings of vulnerabilities and misconfigurations show the contents of reports.
#[test]
fn listings_are_full() {
    let house = House::new();
    house.import(trivy("2026-05-01", &["CVE-1"]));
    let found =
        house.rows("recommendation_vulnerabilities", &["image", "vulnerability_id", "package_id"], &[]);
    assert_eq!(found, ["shop/web:1 | CVE-1 | zlib"]);
    let audit = json!({ "PolarisOutputVersion": "1.0", "SourceType": "Cluster", "SourceName": "prod", "Results": [{
        "Name": "web", "Namespace": "shop", "Kind": "Deployment", "Results": {}, "PodResult": { "Results": {},
        "ContainerResults": [{ "Name": "nginx", "Results": { "cpuLimitsMissing": { "ID": "cpuLimitsMissing",
        "Message": "CPU limits should be set", "Success": false, "Severity": "warning", "Category": "Efficiency" } } }] } }] });
    house.import(audit.to_string());
    let columns = [
        "missconfig_category",
        "missconfig_message",
        "resource_type",
        "resource_k8s_namespace",
        "resource_k8s_container",
        "resource_name",
    ];
    let found = house.rows("recommendation_misconfigurations", &columns, &[]);
    assert_eq!(found, ["Efficiency | CPU limits should be set | Deployment | shop | nginx | web"]);
}

fn alert(status: &str, end: &str) -> String {
    json!({ "receiver": "q", "status": status, "groupLabels": {}, "alerts": [{ "status": status,
        "labels": { "alertname": "PodCrashLooping", "pod": "web-1", "namespace": "shop" }, "annotations": {},
        "startsAt": "2026-05-01T10:00:00Z", "endsAt": end, "fingerprint": "abc" }] })
    .to_string()
}

#[test]
fn an_alert_whose_start_cannot_be_read_is_told_in_the_notes() {
    let alert = |start: &str, name: &str| json!({ "status": "firing", "labels": { "alertname": name }, "annotations": {}, "startsAt": start });
    let message = |starts: [&str; 2]| {
        json!({ "receiver": "q", "groupLabels": {}, "alerts": [alert(starts[0], "A"), alert(starts[1], "B")] }).to_string()
    };
    let told = House::new().import(message(["2026-05-01T10:00:00Z", "yesterday"]));
    let note = "Of 1 events no start is stated that can be read: they start when they were imported.";
    assert!(told.notes.iter().any(|found| found == note), "{told:#?}");
    let told = House::new().import(message(["2026-05-01T10:00:00Z", "2026-05-01T11:00:00Z"]));
    assert_eq!(told.notes, [] as [&str; 0]);
}

#[test]
fn a_resolved_alert_ends_the_event_and_undo_lets_it_go_on() {
    let house = House::new();
    let fired = house.import(alert("firing", "0001-01-01T00:00:00Z"));
    assert_eq!(fired.written["events"], 1);
    let columns = ["title", "status", "ends_at", "priority", "subject_name"];
    let before = house.rows("events", &columns, &[]);
    assert_eq!(before, ["PodCrashLooping | FIRING | - | LOW | web-1"]);
    assert!(house.rows("events", &["evidences"], &[])[0].contains("unset"));
    house.import(alert("resolved", "2026-05-01T11:00:00Z"));
    assert_eq!(
        house.rows("events", &columns, &[]),
        ["PodCrashLooping | RESOLVED | 2026-05-01T11:00:00 | LOW | web-1"]
    );
    house.take_back(2);
    assert_eq!(house.rows("events", &columns, &[]), before);
}

#[test]
fn a_report_that_ends_too_early_is_refused_and_leaves_nothing() {
    let house = House::new();
    let text = trivy("2026-05-01", &["CVE-1", "CVE-2"]);
    let report = house.import(&text[..text.len() - 30]);
    assert_eq!(report.state, State::Failed);
    let message = report.error.unwrap().message;
    assert!(message.contains("ends in the middle of $.Results[0]"), "{message}");
    assert_eq!([house.count("recommendation"), house.count("cloud_accounts")], [0, 0]);
}

#[test]
fn what_is_recognised_but_not_read_says_what_it_is() {
    let house = House::new();
    let report = house.import("user,password_enabled,mfa_active,access_key_1_active\na,b,c,d\n");
    let message = report.error.unwrap().message;
    assert!(message.starts_with("The file is a credential report of AWS IAM"), "{message}");
}

#[test]
fn what_only_looks_like_a_format_says_what_it_lacks() {
    for (text, lacks) in [
        (
            r#"{"SchemaVersion": 2, "ArtifactName": "nginx:1", "ArtifactType": "container_image"}"#,
            "it lacks Results",
        ),
        ("recommendationDisplayName,subscriptionId\na,b\n", "it lacks resourceId, recommendationName, state"),
    ] {
        let house = House::new();
        // The result of an earlier scan remains.
        house.import(trivy("2026-05-01", &["CVE-1"]));
        let report = house.import(text);
        let message = report.error.unwrap().message;
        assert!(message.starts_with("The file looks like ") && message.contains(lacks), "{message}");
        assert_eq!(house.rows("recommendation", &["status"], &[]), ["Open"]);
    }
}

#[test]
fn rules_of_prometheus_are_kept_switched_off_when_gone_and_taken_back() {
    let house = House::new();
    let rules = |more: &str| {
        format!(
            "groups:\n- name: nodes\n  rules:\n  - alert: NodeDown\n    expr: up == 0\n    for: 5m\n    labels: {{severity: critical}}\n{more}"
        )
    };
    let second = "  - alert: NodeDown\n    expr: up < 1\n    labels: {severity: warning}\n  - record: a:b\n    expr: sum(up)\n";
    let report = house.import(rules(second));
    assert_eq!(
        (format_id(&report), counts(&report).as_str()),
        ("alerts", "alert_rules 2 | 1 a recording rule: it raises no alert")
    );
    let columns = ["alert", "group", "expr", "duration", "severity", "enabled"];
    let both = house.rows("event_rules", &columns, &[]);
    assert_eq!(
        both,
        [
            "NodeDown (2) | nodes | up < 1 | - | warning | true",
            "NodeDown | nodes | up == 0 | 5m | critical | true"
        ]
    );
    assert_eq!(house.import(rules(second)).state, State::Unchanged);
    let later = house.import(rules("").replace("up == 0", "up{} == 0"));
    assert!(
        later.notes.iter().any(|note| note.starts_with("1 rules that their groups no longer have")),
        "{later:?}"
    );
    assert_eq!(
        house.rows("event_rules", &columns, &[]),
        [
            "NodeDown (2) | nodes | up < 1 | - | warning | false",
            "NodeDown | nodes | up{} == 0 | 5m | critical | true"
        ]
    );
    house.take_back(3);
    assert_eq!(house.rows("event_rules", &columns, &[]), both);
    house.take_back(1);
    assert_eq!([house.count("event_rules"), house.count("cloud_accounts")], [0, 0]);
}

/// Reports of older versions state the format as one word.
#[test]
fn an_older_report_is_still_read() {
    let mut old = serde_json::to_value(Report::of("a.csv", 1)).unwrap();
    old["format"] = json!("aws_compute_optimizer_ebs");
    old["format_title"] = json!("AWS Compute Optimizer, EBS volumes");
    let report: Report = serde_json::from_value(old).unwrap();
    assert_eq!(format_id(&report), "aws-compute-optimizer");
}
