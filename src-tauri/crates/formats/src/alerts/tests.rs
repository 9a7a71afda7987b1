//! Tests of reading senders' bodies.

use super::{Alert, AlertError as ReadError, Message, Source, read_body};
use crate::record::{EventSeverity as Severity, EventStatus as Status};

fn message(body: &str) -> Message {
    read_body(body.as_bytes()).unwrap()
}

fn alert(body: &str) -> Alert {
    let mut message = message(body);
    assert_eq!(message.alerts.len(), 1, "{body}");
    message.alerts.remove(0)
}

fn refusal(body: &str) -> ReadError {
    read_body(body.as_bytes()).unwrap_err()
}

const FIRING: &str = r#"{"receiver":"q","status":"firing","alerts":[{"status":"firing",
    "labels":{"alertname":"PodCrashLooping","namespace":"shop","pod":"web-1","severity":"critical","cluster":"prod"},
    "annotations":{"summary":"web-1 restarts","description":"5 restarts in 10 minutes"},
    "startsAt":"2026-05-01T10:00:00Z","endsAt":"0001-01-01T00:00:00Z","fingerprint":"abc"}]}"#;

#[test]
fn an_alert_of_alertmanager_keeps_its_rule_subject_severity_and_start() {
    let alert = alert(FIRING);
    assert_eq!((alert.rule.as_str(), alert.title.as_str()), ("PodCrashLooping", "web-1 restarts"));
    assert_eq!((alert.subject.kind.as_str(), alert.subject.name.as_str()), ("pod", "web-1"));
    assert_eq!(alert.subject.namespace.as_deref(), Some("shop"));
    assert_eq!((alert.severity, alert.status, alert.ends_at), (Some(Severity::High), Status::Firing, None));
    assert_eq!(alert.starts_at, Some(1_777_629_600_000_000));
    assert_eq!((alert.fingerprint.as_str(), alert.cluster.as_deref()), ("abc", Some("prod")));
}

#[test]
fn a_resolved_alert_has_the_fingerprint_of_the_firing_one_and_an_end() {
    let resolved = FIRING
        .replace("firing", "resolved")
        .replace("0001-01-01T00:00:00Z", "2026-05-01T11:00:00Z")
        .replace(r#","fingerprint":"abc""#, "");
    let firing = alert(&FIRING.replace(r#","fingerprint":"abc""#, ""));
    let resolved = alert(&resolved);
    assert_eq!((resolved.status, resolved.ends_at), (Status::Resolved, Some(1_777_633_200_000_000)));
    assert_eq!(resolved.fingerprint, firing.fingerprint);
}

#[test]
fn an_alert_without_severity_says_that_none_was_stated() {
    let alert = alert(&FIRING.replace(r#""severity":"critical","#, ""));
    assert_eq!((alert.severity, alert.stated_severity), (None, None));
}

#[test]
fn grafana_is_told_from_alertmanager() {
    let grafana = FIRING.replace(r#""status":"firing","alerts""#, r#""status":"firing","orgId":1,"alerts""#);
    assert_eq!(message(&grafana).source, Source::Grafana);
    assert_eq!(message(FIRING).source, Source::Alertmanager);
}

#[test]
fn an_alarm_of_cloudwatch_comes_as_json_in_a_notification() {
    let alarm = r#"{\"AlarmName\":\"cpu\",\"AlarmArn\":\"arn:aws:cloudwatch:eu-west-1:1:alarm:cpu\",\"NewStateValue\":\"ALARM\",\"StateChangeTime\":\"2026-05-01T10:00:00.000+0000\",\"Trigger\":{\"Dimensions\":[{\"name\":\"InstanceId\",\"value\":\"i-1\"}]}}"#;
    let body = format!(
        r#"{{"Type":"Notification","TopicArn":"arn:aws:sns:eu-west-1:1:alarms","Message":"{alarm}"}}"#
    );
    let firing = alert(&body);
    assert_eq!(
        (firing.rule.as_str(), firing.status, firing.starts_at),
        ("cpu", Status::Firing, Some(1_777_629_600_000_000))
    );
    assert_eq!((firing.subject.kind.as_str(), firing.subject.name.as_str()), ("InstanceId", "i-1"));
    let over = alert(&body.replace("ALARM\\\"", "OK\\\""));
    assert_eq!((over.status, over.fingerprint), (Status::Resolved, firing.fingerprint));
}

#[test]
fn a_request_of_sns_to_confirm_is_refused_in_words() {
    let body = r#"{"Type":"SubscriptionConfirmation","TopicArn":"arn:aws:sns:eu-west-1:1:alarms","SubscribeURL":"https://sns.example/x"}"#;
    assert!(matches!(refusal(body), ReadError::Confirmation { topic } if topic.ends_with(":alarms")));
}

#[test]
fn opsgenie_closes_by_its_alias() {
    let open = r#"{"action":"Create","alert":{"alertId":"1","alias":"db","message":"Disk full","priority":"P1","createdAt":1777629600000,"entity":"db-1"}}"#;
    let firing = alert(open);
    assert_eq!(
        (firing.severity, firing.starts_at, firing.subject.name.as_str()),
        (Some(Severity::High), Some(1_777_629_600_000_000), "db-1")
    );
    let closed = alert(&open.replace("Create", "Close").replace(r#""alertId":"1""#, r#""alertId":"2""#));
    assert_eq!((closed.status, closed.fingerprint), (Status::Resolved, firing.fingerprint));
}

#[test]
fn a_time_that_lacks_is_not_guessed() {
    assert_eq!(alert(&FIRING.replace("2026-05-01T10:00:00Z", "")).starts_at, None);
}

#[test]
fn what_is_no_alert_is_refused_with_the_names_of_its_keys_and_none_of_its_values() {
    let refusal = refusal(r#"{"password":"hunter2","user":"ada"}"#).to_string();
    assert!(refusal.contains("an object with password, user"), "{refusal}");
    assert!(!refusal.contains("hunter2"));
    assert!(matches!(self::refusal("{"), ReadError::NotJson { line: 1, .. }));
    assert!(matches!(self::refusal("[]"), ReadError::Unknown { .. }));
}

#[test]
fn ten_thousand_brackets_are_refused() {
    assert!(matches!(refusal(&"[".repeat(10_000)), ReadError::NotJson { .. }));
}

#[test]
fn an_incident_of_google_opens_and_closes_one_alert() {
    let open = r#"{"version": "1.2", "incident": {"incident_id": "0.a", "scoping_project_id": "p-1", "url": "https://g", "started_at":
        1777629600, "ended_at": null, "state": "open", "severity": "Critical", "policy_name": "CPU", "condition_name": "above 90%",
        "resource": {"type": "gce_instance", "labels": {"instance_id": "7"}}, "resource_display_name": "web", "summary": "high"}}"#;
    let firing = alert(open);
    assert_eq!(
        (firing.status, firing.severity, firing.starts_at),
        (Status::Firing, Some(Severity::High), Some(1_777_629_600_000_000))
    );
    assert_eq!((firing.cluster.as_deref(), firing.subject.name.as_str()), (Some("p-1"), "web"));
    let closed = alert(&open.replace(r#""open""#, r#""closed""#).replace("null", "1777633200"));
    assert_eq!((closed.status, closed.ends_at), (Status::Resolved, Some(1_777_633_200_000_000)));
    assert_eq!(closed.fingerprint, firing.fingerprint);
    assert_eq!(message(open).source, Source::Google);
}

#[test]
fn incidents_of_servicenow_are_read_alone_and_as_the_table_interface_lists_them() {
    let one = r#"{"sys_id": "s1", "number": "INC0010001", "short_description": "Shop is down", "state": "2", "priority": "1 - Critical",
        "opened_at": "2026-05-01 10:00:00", "cmdb_ci": {"display_value": "shop", "link": "x"}}"#;
    let incident = alert(one);
    assert_eq!((incident.title.as_str(), incident.subject.name.as_str()), ("Shop is down", "shop"));
    assert_eq!((incident.status, incident.severity), (Status::Firing, Some(Severity::High)));
    assert_eq!(incident.starts_at, Some(1_777_629_600_000_000));
    let listed =
        format!(r#"{{"result": [{one}, {}]}}"#, one.replace(r#""state": "2""#, r#""state": "Closed""#));
    let found = message(&listed);
    assert_eq!(
        (found.source, found.alerts.len(), found.alerts[1].status),
        (Source::ServiceNow, 2, Status::Closed)
    );
}

#[test]
fn rules_of_prometheus_are_read_from_files_and_from_its_answer() {
    use crate::kubernetes::tests::RecordCollector;
    use crate::record::Record;
    use crate::{Head, recognise};
    let file = "# rules\ngroups:\n- name: nodes\n  rules:\n  - alert: NodeDown\n    expr: up == 0\n    for: 5m\n    labels:\n      severity: critical\n    \
                annotations:\n      summary: gone\n  - record: job:up\n    expr: sum(up)\n  - alert: NoCondition\n- name: empty\n";
    let answer = r#"{"status":"success","data":{"groups":[{"name":"nodes","file":"a.yml","rules":[
        {"type":"alerting","name":"NodeDown","query":"up == 0","duration":300,"labels":{"severity":"critical"},"annotations":{"summary":"gone"},"alerts":[]},
        {"type":"recording","name":"job:up","query":"sum(up)"}]}]}}"#;
    for (text, skipped) in [(file, 3), (answer, 1)] {
        let format = recognise(&Head::new(text.as_bytes(), true)).expect("a format");
        assert_eq!(format.id, "alerts");
        let mut taken = RecordCollector::default();
        (format.read)(&mut text.as_bytes(), &mut taken).unwrap();
        let [(place, Record::AlertRule(rule))] = taken.records.as_slice() else {
            panic!("{:?}", taken.records)
        };
        assert!(place.ends_with("groups[0].rules[0]"), "{place}");
        assert_eq!(
            (rule.alert.as_str(), rule.group.as_str(), rule.expr.as_str()),
            ("NodeDown", "nodes", "up == 0")
        );
        assert!(matches!(rule.duration.as_deref(), Some("5m" | "300s")), "{rule:?}");
        assert_eq!(rule.labels["severity"], "critical");
        assert_eq!(taken.skipped.len(), skipped, "{:?}", taken.skipped);
    }
}

#[test]
fn of_the_alerts_of_prometheus_the_pending_ones_are_left_out_by_name() {
    use crate::kubernetes::tests::RecordCollector;
    use crate::{Head, recognise};
    let text = r#"{"status":"success","data":{"alerts":[
        {"labels":{"alertname":"A","severity":"warning"},"annotations":{},"state":"firing","activeAt":"2026-05-01T10:00:00Z","value":"1"},
        {"labels":{"alertname":"B"},"annotations":{},"state":"pending","activeAt":"2026-05-01T10:00:00Z","value":"1"}]}}"#;
    let format = recognise(&Head::new(text.as_bytes(), true)).expect("a format");
    let mut taken = RecordCollector::default();
    (format.read)(&mut text.as_bytes(), &mut taken).unwrap();
    assert_eq!((format.id, taken.records.len()), ("alerts", 1));
    assert_eq!(taken.skipped, [("$.data.alerts[1]".to_owned(), "it is pending: it does not fire yet")]);
}
