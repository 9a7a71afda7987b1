//! Alerts of the sample, in the form of Alertmanager's API.

use super::before;
use serde_json::{Value, json};

/// Name, severity, cluster, namespace, subject, summary, minutes since the start, and minutes since the end.
type Alert =
    (&'static str, &'static str, &'static str, &'static str, &'static str, &'static str, i64, Option<i64>);

const ALERTS: [Alert; 8] = [
    (
        "KubePodCrashLooping",
        "critical",
        "shop",
        "payments",
        "checkout-5c9d8f7b6-x2x4p",
        "checkout restarts again and again since its new version",
        190,
        None,
    ),
    (
        "HighErrorRate",
        "critical",
        "shop",
        "payments",
        "checkout",
        "12% of requests to checkout fail",
        185,
        None,
    ),
    (
        "KubeDeploymentReplicasMismatch",
        "warning",
        "shop",
        "payments",
        "checkout",
        "checkout has 1 of 3 replicas",
        180,
        None,
    ),
    (
        "NodeMemoryPressure",
        "warning",
        "shop",
        "",
        "ip-10-0-3-17",
        "Node ip-10-0-3-17 is short of memory",
        900,
        None,
    ),
    (
        "PersistentVolumeFillingUp",
        "warning",
        "analytics",
        "warehouse",
        "clickhouse-0",
        "The volume of clickhouse-0 is full in four days",
        2_600,
        None,
    ),
    (
        "CertificateExpiry",
        "info",
        "shop",
        "web",
        "shop.example",
        "The certificate of shop.example ends in 13 days",
        1_500,
        None,
    ),
    (
        "KubeJobFailed",
        "warning",
        "analytics",
        "jobs",
        "nightly-report",
        "The job nightly-report failed",
        3_100,
        Some(1_700),
    ),
    (
        "TargetDown",
        "warning",
        "shop",
        "monitoring",
        "node-exporter",
        "A third of node-exporter does not answer",
        7_300,
        Some(6_900),
    ),
];

/// The alerts as JSON.
pub fn alerts(now: i64) -> String {
    Value::from(ALERTS.iter().map(|alert| entry(now, alert)).collect::<Vec<_>>()).to_string()
}

fn entry(now: i64, alert: &Alert) -> Value {
    let (name, severity, cluster, namespace, subject, summary, began, ended) = *alert;
    // Alertmanager gives firing alerts an end in the future.
    let end = before(now, ended.unwrap_or(-2_880));
    json!({
        "labels": { "alertname": name, "severity": severity, "cluster": cluster, "namespace": namespace, "pod": subject },
        "annotations": { "summary": summary, "description": format!("{summary}. Made up for the sample.") },
        "startsAt": before(now, began),
        "endsAt": end,
        "updatedAt": before(now, ended.unwrap_or(0)),
        "status": { "state": "active", "inhibitedBy": [], "silencedBy": [] },
        "fingerprint": format!("sample-{}", name.to_lowercase()),
        "generatorURL": "",
        "receivers": [{ "name": "sample" }],
    })
}
