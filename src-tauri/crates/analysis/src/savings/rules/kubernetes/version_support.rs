//! Rule: clusters whose version is near or past its end of support.
//!
//! <https://kubernetes.io/releases/patch-releases/>: a minor version gets patches for a year, and two more months for severe problems: 14 months
//! from its release.

use super::Judge;
use super::subject::{Subject, Words};
use crate::forecast::day_after_months;
use crate::savings::cluster::{Cluster, Release};
use crate::savings::finding::{Figure, Finding, Severity};
use crate::savings::rule::{Action, Category, Confidence, Rule, Threshold};
use catalogue::format_date;

/// Months for which a version is supported.
const MONTHS: u32 = 14;
/// Days before the end of support from which a cluster is reported, and reported as urgent.
const WARNING: i32 = 90;
const URGENT: i32 = 30;

const RULE: Rule = Rule {
    name: "k8s_version_support",
    version: 1,
    about: "The version of a cluster gets no patches any more, or soon will get none.",
    source: "https://kubernetes.io/releases/patch-releases/",
    aliases: &["k8s_version_eol"],
    category: Category::ClusterVersion,
    action: Action::Modify,
    confidence: Confidence::High,
    thresholds: &[
        Threshold { name: "Support of a minor version", value: "14", unit: "months from its release" },
        Threshold { name: "Told before its end", value: "90", unit: "days" },
    ],
    limits: "The project's own calendar, to within days; providers have calendars of their own and sell longer support.",
    effort: "Upgrade one minor version after the other",
};

pub const JUDGE: Judge = Judge { rule: &RULE, find: |cluster| judge(cluster).into_iter().collect() };

fn judge(cluster: &Cluster) -> Option<Finding> {
    let version = cluster.version.as_deref()?;
    let minor = minor(version)?;
    let newest = cluster.releases.iter().rfind(|release| release.day <= cluster.today);
    let newest = newest.and_then(|release| self::minor(&release.version))?;
    let behind = Figure::whole("Minor versions behind the newest", (newest.1 - minor.1).max(0), "");
    let is_it = |release: &&Release| self::minor(&release.version) == Some(minor);
    let (why, severity, is_over) = match cluster.releases.iter().find(is_it) {
        Some(release) => {
            let end = day_after_months(release.day, MONTHS);
            if end - cluster.today > WARNING {
                return None;
            }
            let is_over = end < cluster.today;
            let (released, ends) = (format_date(release.day), format_date(end));
            let verb = if is_over { "ended" } else { "ends" };
            let severity = match end - cluster.today {
                ..0 => Severity::High,
                0..=URGENT => Severity::Medium,
                _ => Severity::Low,
            };
            (
                format!(
                    "{} was released on {released}; its support {verb} on {ends}, {MONTHS} months later.",
                    release.version
                ),
                severity,
                is_over,
            )
        }
        // Older than every known version.
        None if cluster.releases.first().and_then(|oldest| self::minor(&oldest.version)) > Some(minor) => {
            (format!("Support of {}.{} ended years ago.", minor.0, minor.1), Severity::High, true)
        }
        None => return None,
    };
    let title = if is_over {
        format!("Upgrade {}: Kubernetes {}.{} gets no patches", cluster.name, minor.0, minor.1)
    } else {
        format!("Upgrade {}: support of Kubernetes {}.{} ends soon", cluster.name, minor.0, minor.1)
    };
    let subject =
        Subject { resource: None, object: format!("Kubernetes {}.{}", minor.0, minor.1), namespace: None };
    let members = vec![format!("Version of the nodes: {version}")];
    Some(subject.finding(cluster, &RULE, Words { title, why, severity, figures: vec![behind], members }))
}

/// Major and minor number of `v1.31.2-eks-1`.
fn minor(version: &str) -> Option<(i64, i64)> {
    let mut parts = version.trim_start_matches('v').split('.');
    let major = parts.next()?.parse().ok()?;
    let digits: String = parts.next()?.chars().take_while(char::is_ascii_digit).collect();
    Some((major, digits.parse().ok()?))
}
