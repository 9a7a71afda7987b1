//! Real bodies beside the project, where they are at hand.

use crate::{Severity, Source, Status, read};
use std::path::PathBuf;

use super::NOW;

fn check(file: &str, expected: (Source, usize, Severity, Status)) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/data/alerts").join(file);
    let Ok(body) = std::fs::read(&path) else {
        eprintln!("{} is not here: not checked", path.display());
        return;
    };
    let message = read(&body, NOW).unwrap_or_else(|error| panic!("{file}: {error}"));
    let worst = message.alerts.iter().map(|alert| alert.severity).max().unwrap();
    assert_eq!((message.source, message.alerts.len(), worst, message.alerts[0].status), expected, "{file}");
    for alert in &message.alerts {
        assert!(
            !alert.fingerprint.is_empty() && !alert.title.is_empty() && !alert.subject.name.is_empty(),
            "{alert:?}"
        );
    }
}

#[test]
fn real_bodies_are_read() {
    check("alertmanager_v2_alerts.json", (Source::Alertmanager, 9, Severity::High, Status::Firing));
    check("alertmanager_webhook_v4.json", (Source::Alertmanager, 2, Severity::Low, Status::Firing));
    check("webhooks/alertmanager_v4_full.json", (Source::Alertmanager, 1, Severity::Info, Status::Firing));
    check("webhooks/azure_monitor.json", (Source::AzureMonitor, 1, Severity::High, Status::Firing));
    check("webhooks/datadog_query_alert.json", (Source::Datadog, 1, Severity::High, Status::Firing));
    check("webhooks/datadog_warn.json", (Source::Datadog, 1, Severity::Medium, Status::Firing));
    check("webhooks/dynatrace_davis_event.json", (Source::Dynatrace, 1, Severity::Info, Status::Resolved));
    check("webhooks/newrelic_issue.json", (Source::NewRelic, 1, Severity::High, Status::Firing));
    check("webhooks/newrelic_legacy.json", (Source::NewRelic, 1, Severity::High, Status::Firing));
    check("webhooks/pagerduty_v3.json", (Source::PagerDuty, 1, Severity::High, Status::Firing));
    check("webhooks/pagerduty_v3_resolved.json", (Source::PagerDuty, 1, Severity::High, Status::Resolved));
    check("webhooks/zenduty_grafana.json", (Source::Zenduty, 1, Severity::High, Status::Firing));
}

/// A log line around a body is not a body.
#[test]
fn a_logged_request_is_refused() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../../../shared/data/alerts/webhooks/datadog_logged_resolved.json");
    if let Ok(body) = std::fs::read(path) {
        assert!(read(&body, NOW).is_err());
    }
}
