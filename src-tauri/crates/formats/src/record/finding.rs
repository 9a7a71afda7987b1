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

/// One finding about one thing. Its identity is account, subject, category and rule.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    pub account: Account,
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
