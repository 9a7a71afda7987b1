//! What a scanner or an adviser says of a thing.

use crate::record::Account;
use catalogue::Decimal;
use serde_json::{Map, Value};

/// How much a finding matters; the words of `recommendation_severity_type`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    Info,
    Low,
    Medium,
    High,
    Critical,
}

impl Severity {
    /// The word of the interface.
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

/// Whether the file says that it is to be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FindingState {
    /// A failed check, a weakness, a saving.
    Open,
    /// A check that passed: closes what an earlier scan found.
    Passed,
    /// Someone must look: neither passed nor failed.
    Manual,
    /// Its tool says that it is accepted or suppressed.
    Suppressed,
}

/// Which listing of the interface shows a finding; each reads a shape of `details` of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Listing {
    /// Weaknesses of images: `image_name`, `VulnerabilityID`, `PkgName`, `PkgID`.
    Vulnerabilities,
    /// Settings of workloads: `category`, `message`, `kind`, `namespace`, `container`, `name`.
    Misconfigurations,
    /// Checks of the CIS benchmark of Kubernetes: `Id`, `Name`, `Description`.
    Benchmark,
    /// None of its own.
    Recommendations,
}

impl Listing {
    /// The name of the rule by which the listing finds its rows; `None`: the name of the check itself.
    pub fn rule_name(self) -> Option<&'static str> {
        match self {
            Self::Vulnerabilities => Some("image_scan"),
            Self::Misconfigurations => Some("misconfigurations"),
            // The listing knows one version; `details` says which it was.
            Self::Benchmark => Some("k8s-cis-1.23"),
            Self::Recommendations => None,
        }
    }
}

/// What a scanner looked at, once for each thing; it comes before the findings about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scan {
    pub account: Account,
    /// The id of the format, such as `trivy`.
    pub tool: &'static str,
    /// An image, a cluster, a folder, or the whole account: the same text in each scan of it.
    pub target: String,
    /// When it looked, µs since 1970 UTC.
    pub taken_at: Option<i64>,
}

/// One finding about one thing. Its identity is account, subject, category and rule.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    pub account: Account,
    /// Tool and target of its scan, as its [`Scan`] has them; without a scan nothing closes it but a check that passes.
    pub scan: Option<(&'static str, String)>,
    pub listing: Listing,
    /// What it is about: a resource's external id, `namespace/kind/name`, an image, a file.
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
    /// What it saves in a month, where the file says so, with its currency in `details.currency`.
    pub monthly_savings: Option<Decimal>,
    /// What `recommendation.recommendation` holds: description, remediation, references, evidence; its shape as the listings of
    /// security and misconfiguration read it.
    pub details: Map<String, Value>,
    pub namespace: Option<String>,
}
