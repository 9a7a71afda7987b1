//! Findings of scanners and recommendation tools.

use crate::record::Account;
use catalogue::Decimal;
use serde_json::{Map, Value};

/// How serious a finding is; the values of `recommendation_severity_type`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    Info,
    Low,
    Medium,
    High,
    Critical,
}

impl Severity {
    /// The name used by the interface.
    pub fn name(self) -> &'static str {
        match self {
            Self::Info => "Info",
            Self::Low => "Low",
            Self::Medium => "Medium",
            Self::High => "High",
            Self::Critical => "Critical",
        }
    }
}

/// The state of a finding in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FindingState {
    /// A failed check, a vulnerability or a possible saving.
    Open,
    /// A check that passed. It closes the finding of an earlier scan.
    Passed,
    /// A person has to check it: neither passed nor failed.
    Manual,
    /// Accepted or suppressed in the tool.
    Suppressed,
}

/// The listing of the interface that shows a finding. Each listing reads its own shape of `details`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Listing {
    /// Vulnerabilities of images: `image_name`, `VulnerabilityID`, `PkgName`, `PkgID`.
    Vulnerabilities,
    /// Misconfigured workloads: `category`, `message`, `kind`, `namespace`, `container`, `name`.
    Misconfigurations,
    /// Checks of the CIS Kubernetes benchmark: `Id`, `Name`, `Description`.
    Benchmark,
    /// The general list of recommendations.
    Recommendations,
}

impl Listing {
    /// The rule name that the listing filters by; `None` when the rule name is the name of the check.
    pub fn rule_name(self) -> Option<&'static str> {
        match self {
            Self::Vulnerabilities => Some("image_scan"),
            Self::Misconfigurations => Some("misconfigurations"),
            // The listing filters by one version; the actual version is in `details`.
            Self::Benchmark => Some("k8s-cis-1.23"),
            Self::Recommendations => None,
        }
    }
}

/// A scanned target. Emitted once for each target, before its findings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scan {
    pub account: Account,
    /// The id of the format, such as `trivy`.
    pub tool: &'static str,
    /// An image, a cluster, a folder or the whole account; the same text in every scan of the same target.
    pub target: String,
    /// The time of the scan, µs since 1970 UTC.
    pub taken_at: Option<i64>,
}

/// One finding about one subject. Identified by account, subject, category and rule.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    pub account: Account,
    /// Tool and target of its [`Scan`]. A finding without a scan is closed only by the same check passing.
    pub scan: Option<(&'static str, String)>,
    pub listing: Listing,
    /// The subject: a resource's external id, `namespace/kind/name`, an image or a file.
    pub subject: String,
    pub subject_name: Option<String>,
    pub subject_kind: Option<String>,
    pub region: Option<String>,
    pub service_name: Option<String>,
    /// A value of `recommendation_category_type`: `Security`, `Configuration`, `RightSizing` …
    pub category: &'static str,
    /// The check or vulnerability: `CVE-2024-1234`, `AVD-KSV-0001`, `5.1.3`.
    pub rule: String,
    pub title: String,
    pub severity: Severity,
    pub state: FindingState,
    /// `Create`, `Modify` or `Delete`.
    pub action: &'static str,
    /// The monthly saving, if the file reports one; its currency is in `details.currency`.
    pub monthly_savings: Option<Decimal>,
    /// The JSON for `recommendation.recommendation`: description, remediation, references and evidence, in the shape that the listings of
    /// vulnerabilities and misconfigurations read.
    pub details: Map<String, Value>,
    pub namespace: Option<String>,
}
