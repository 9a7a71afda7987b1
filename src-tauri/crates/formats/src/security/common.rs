//! Helpers shared by the readers of security reports.

use crate::record::{Account, Finding, FindingState, Listing, Scan, Severity};
use crate::sink::Sink;
use serde_json::{Map, Value};

/// The string under a key, trimmed; `None` when it is empty or not a string.
pub fn text<'v>(json: &'v Value, key: &str) -> Option<&'v str> {
    json.get(key).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty())
}

/// The string under a key, trimmed and owned.
pub fn owned(json: &Value, key: &str) -> Option<String> {
    text(json, key).map(str::to_owned)
}

/// The time under a key, µs since 1970 UTC. Go's zero time (year 1) is `None`.
pub fn time(json: &Value, key: &str) -> Option<i64> {
    text(json, key).and_then(catalogue::parse_timestamp).filter(|micros| *micros > 0)
}

/// The severity for a scanner's term. An unknown term counts as informational; `details` retain the term.
pub fn severity(word: &str) -> Severity {
    match word.to_ascii_lowercase().as_str() {
        "critical" | "fatal" => Severity::Critical,
        "high" | "danger" | "error" => Severity::High,
        "medium" | "warning" | "moderate" => Severity::Medium,
        "low" | "minor" => Severity::Low,
        _ => Severity::Info,
    }
}

/// The account for findings of a file that names neither account nor cluster. Adds an import note about it.
pub fn account_of_tool(number: &str, name: &str, sink: &mut dyn Sink) -> Account {
    sink.note(format!(
        "The file names no account or cluster: its findings are in a separate account, \u{201c}{name}\u{201d}."
    ));
    Account { provider: "Other".to_owned(), number: number.to_owned(), name: Some(name.to_owned()) }
}

/// The account of a cluster.
pub fn cluster(name: &str) -> Account {
    // An ARN or a path ends in the cluster's name.
    let short = name.rsplit('/').next().unwrap_or(name);
    Account { provider: "K8s".to_owned(), number: name.to_owned(), name: Some(short.to_owned()) }
}

/// The subject `namespace/kind/name` of an object in a cluster.
pub fn object_id(namespace: Option<&str>, kind: &str, name: &str) -> String {
    format!("{}/{kind}/{name}", namespace.unwrap_or_default())
}

/// An open finding with the required fields only.
pub fn finding(account: &Account, listing: Listing, subject: String, rule: String, title: String) -> Finding {
    Finding {
        account: account.clone(),
        scan: None,
        listing,
        subject,
        subject_name: None,
        subject_kind: None,
        region: None,
        service_name: None,
        category: match listing {
            Listing::Misconfigurations => "Configuration",
            Listing::Vulnerabilities | Listing::Benchmark | Listing::Recommendations => "Security",
        },
        rule,
        title,
        severity: Severity::Info,
        state: FindingState::Open,
        action: "Modify",
        monthly_savings: None,
        details: Map::new(),
        namespace: None,
    }
}

/// The members of an object, except null values and the keys in `without`.
pub fn members(json: Value, without: &[&str]) -> Map<String, Value> {
    match json {
        Value::Object(mut object) => {
            object.retain(|key, value| !without.contains(&key.as_str()) && !value.is_null());
            object
        }
        _ => Map::new(),
    }
}

/// Inserts a text into `details`, if there is one.
pub fn put(details: &mut Map<String, Value>, key: &str, value: Option<&str>) {
    if let Some(value) = value {
        details.insert(key.to_owned(), value.into());
    }
}

/// Emits each scanned target once.
#[derive(Default)]
pub struct Scans {
    told: std::collections::BTreeSet<String>,
}

impl Scans {
    /// The scan, unless it was emitted before.
    pub fn next(
        &mut self,
        account: &Account,
        tool: &'static str,
        target: &str,
        taken_at: Option<i64>,
    ) -> Option<Scan> {
        self.told.insert(format!("{} {} {target}", account.provider, account.number)).then(|| Scan {
            account: account.clone(),
            tool,
            target: target.to_owned(),
            taken_at,
        })
    }
}
