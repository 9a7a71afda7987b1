//! Google Cloud Recommender: `gcloud recommender recommendations list --format=json`, or the REST API's response.
//!
//! <https://cloud.google.com/recommender/docs/reference/rest/v1/projects.locations.recommenders.recommendations>

use super::{entries, money};
use crate::format::Format;
use crate::head::{Head, has};
use crate::read_error::ReadError;
use crate::reason;
use crate::record::{Account, Finding, FindingState, Listing, Severity};
use crate::security::common::{finding, owned, put, text};
use crate::sink::Sink;
use serde_json::Value;
use std::io::Read;

pub const FORMAT: Format = Format {
    id: "gcp-recommender",
    title: "Google Cloud recommendations",
    source: "JSON of `gcloud recommender recommendations list --format=json`",
    fills: "recommendations, resources, accounts",
    lacks_currency: false,
    certainty,
    read,
};

/// The projection period (30 days) for which a saving counts as monthly.
const MONTH: &str = "2592000s";

fn certainty(head: &Head<'_>) -> u8 {
    let listed = head.object().get("recommendations").and_then(|list| list.get(0)).unwrap_or(&Value::Null);
    let is_one = |one: &Value| {
        has(one, &["recommenderSubtype", "name"]) || has(one, &["primaryImpact", "stateInfo", "name"])
    };
    if is_one(listed) || is_one(head.first()) || is_one(head.object()) { 95 } else { 0 }
}

fn read(read: &mut dyn Read, sink: &mut dyn Sink) -> Result<(), ReadError> {
    entries::read(read, &["recommendations"], sink, &mut |_, value| finding_of(value).map(entries::one))
}

/// The segment after `word` in `projects/p/locations/l/recommenders/r/recommendations/id`.
fn part<'n>(name: &'n str, word: &str) -> Option<&'n str> {
    let mut parts = name.split('/');
    parts.find(|part| *part == word)?;
    parts.next().filter(|part| !part.is_empty())
}

fn finding_of(one: &Value) -> Result<Finding, &'static str> {
    let name = text(one, "name").ok_or(reason::NO_ID)?;
    let number = part(name, "projects").or_else(|| part(name, "billingAccounts")).ok_or(reason::NO_ID)?;
    let recommender = part(name, "recommenders").ok_or(reason::NO_ID)?;
    let subtype = text(one, "recommenderSubtype").unwrap_or_default();
    let content = one.get("content").unwrap_or(&Value::Null);
    let mut groups = content.get("operationGroups").and_then(Value::as_array).into_iter().flatten();
    let of_operations = groups.find_map(|group| group.get("operations")?.get(0)?.get("resource")?.as_str());
    let target = one.get("targetResources").and_then(|list| list.get(0)).and_then(Value::as_str);
    let subject = of_operations.or(target).unwrap_or(name);
    let account = Account { provider: "GCP".to_owned(), number: number.to_owned(), name: None };
    let title = text(one, "description").unwrap_or(recommender).to_owned();
    let rule = format!("{recommender} {subtype}");
    let mut finding =
        finding(&account, Listing::Recommendations, subject.to_owned(), rule.trim_end().to_owned(), title);
    finding.severity = match text(one, "priority") {
        Some("P1") => Severity::Critical,
        Some("P2") => Severity::High,
        Some("P3") => Severity::Medium,
        Some("P4") => Severity::Low,
        _ => Severity::Info,
    };
    let state = one.get("stateInfo").and_then(|state| text(state, "state"));
    finding.state = match state {
        Some("SUCCEEDED") => FindingState::Passed,
        Some("DISMISSED") => FindingState::Suppressed,
        _ => FindingState::Open,
    };
    let impact = one.get("primaryImpact").unwrap_or(&Value::Null);
    finding.category = match text(impact, "category") {
        Some("SECURITY") => "Security",
        _ if recommender.ends_with("MachineTypeRecommender") => "RightSizing",
        _ => "Configuration",
    };
    finding.action = if subtype.starts_with("DELETE") { "Delete" } else { "Modify" };
    finding.region = part(name, "locations").filter(|location| *location != "global").map(str::to_owned);
    finding.subject_name = subject.rsplit('/').next().map(str::to_owned);
    let projection = impact.get("costProjection").unwrap_or(&Value::Null);
    let cost = projection.get("cost").unwrap_or(&Value::Null);
    let details = &mut finding.details;
    if let Some(sum) = money::units_and_nanos(cost).filter(|_| cost.is_object()) {
        // A negative cost change is a saving. One for a period other than 30 days is only stored in the details.
        if text(projection, "duration") == Some(MONTH) && sum.is_negative() {
            finding.monthly_savings = Some(sum.abs());
        }
        put(details, "cost_change", Some(sum.to_string()).as_deref());
        put(details, "cost_change_for", text(projection, "duration"));
    }
    put(details, "currency", text(cost, "currencyCode"));
    put(details, "state", state);
    put(details, "last_refresh", text(one, "lastRefreshTime"));
    put(details, "etag", owned(one, "etag").as_deref());
    if let Some(overview) = content.get("overview") {
        details.insert("overview".to_owned(), overview.clone());
    }
    Ok(finding)
}
