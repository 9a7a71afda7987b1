//! AWS Trusted Advisor: the responses of `list-recommendations`, `list-recommendation-resources`, and a check of the older AWS Support API.

use super::{entries, money};
use crate::format::Format;
use crate::head::{Head, has};
use crate::read_error::ReadError;
use crate::reason;
use crate::record::{Account, Finding, FindingState, Listing, Record, Severity};
use crate::security::common::{account_of_tool, finding, owned, put, text};
use crate::sink::Sink;
use serde_json::Value;
use std::io::Read;

pub const FORMAT: Format = Format {
    id: "aws-trusted-advisor",
    title: "AWS Trusted Advisor recommendations",
    source: "JSON of `aws trustedadvisor list-recommendations` or `list-recommendation-resources`, or of \
             `aws support describe-trusted-advisor-check-result`",
    fills: "recommendations, resources, accounts",
    lacks_currency: false,
    certainty,
    read,
};

const RECOMMENDATIONS: &str = "recommendationSummaries";
const RESOURCES: &str = "recommendationResourceSummaries";

fn certainty(head: &Head<'_>) -> u8 {
    let object = head.object();
    let first = |key: &str| object.get(key).and_then(|list| list.get(0)).unwrap_or(&Value::Null);
    let is_known = has(first(RECOMMENDATIONS), &["arn", "status"])
        || has(first(RESOURCES), &["recommendationArn", "status"])
        || object.get("result").is_some_and(|result| has(result, &["checkId", "flaggedResources"]));
    if is_known { 96 } else { 0 }
}

fn read(read: &mut dyn Read, sink: &mut dyn Sink) -> Result<(), ReadError> {
    let mut support = None;
    let keys = [RECOMMENDATIONS, RESOURCES];
    let mut notes = Notes::default();
    entries::read(read, &keys, sink, &mut |key, value| match key {
        RECOMMENDATIONS => recommendation(value).map(entries::one),
        RESOURCES => resource(value).map(entries::one),
        _ if has(value.get("result").unwrap_or(&Value::Null), &["flaggedResources"]) => {
            let account = support.get_or_insert_with(|| {
                account_of_tool("aws-trusted-advisor", "AWS Trusted Advisor", &mut notes)
            });
            Ok(check(&value["result"], account))
        }
        _ => Err(reason::NO_OBJECT),
    })?;
    notes.0.into_iter().for_each(|note| sink.note(note));
    Ok(())
}

/// Collects notes, to forward them at the end.
#[derive(Default)]
struct Notes(Vec<String>);

impl Sink for Notes {
    fn record(&mut self, _: &crate::Position, _: Record) -> Result<(), ReadError> {
        Ok(())
    }

    fn skip(&mut self, _: &crate::Position, _: &'static str, _: &str) -> Result<(), ReadError> {
        Ok(())
    }

    fn note(&mut self, sentence: String) {
        self.0.push(sentence);
    }
}

/// The state and severity for Trusted Advisor's status: `ok` passes, `warning` needs investigation, `error` needs action.
fn state(word: Option<&str>) -> Result<(FindingState, Severity), &'static str> {
    match word {
        Some("ok") => Ok((FindingState::Passed, Severity::Info)),
        Some("warning") => Ok((FindingState::Open, Severity::Medium)),
        Some("error") => Ok((FindingState::Open, Severity::High)),
        Some("not_available") => Err(reason::NOT_RUN),
        _ => Err("an unknown status: neither ok, warning nor error"),
    }
}

/// The account in `arn:aws:trustedadvisor::123456789012:recommendation/…`.
fn account(arn: &str) -> Result<Account, &'static str> {
    let number = arn.split(':').nth(4).filter(|number| !number.is_empty()).ok_or(reason::NO_ID)?;
    Ok(Account { provider: "AWS".to_owned(), number: number.to_owned(), name: None })
}

fn category(pillars: &Value) -> &'static str {
    let has = |word: &str| pillars.as_array().is_some_and(|list| list.iter().any(|pillar| pillar == word));
    if has("security") { "Security" } else { "Configuration" }
}

fn recommendation(one: &Value) -> Result<Finding, &'static str> {
    let arn = text(one, "arn").ok_or(reason::NO_ID)?;
    let account = account(arn)?;
    let rule = text(one, "checkArn").and_then(|arn| arn.rsplit('/').next()).or_else(|| text(one, "id"));
    let rule = format!("Trusted Advisor {}", rule.ok_or(reason::NO_ID)?);
    let title = text(one, "name").unwrap_or(&rule).to_owned();
    let (state, severity) = state(text(one, "status"))?;
    let mut finding = finding(&account, Listing::Recommendations, arn.to_owned(), rule, title.clone());
    (finding.state, finding.severity) = (state, severity);
    finding.category = category(one.get("pillars").unwrap_or(&Value::Null));
    finding.subject_name = Some(title);
    finding.subject_kind = Some("Trusted Advisor recommendation".to_owned());
    let cost = one.get("pillarSpecificAggregates").and_then(|parts| parts.get("costOptimizing"));
    if let Some(savings) = cost.and_then(|cost| cost.get("estimatedMonthlySavings")).and_then(money::decimal)
    {
        finding.monthly_savings = Some(savings);
        // Trusted Advisor states savings in US dollars.
        put(&mut finding.details, "currency", Some("USD"));
    }
    let details = &mut finding.details;
    put(details, "last_updated", text(one, "lastUpdatedAt"));
    put(details, "lifecycle", text(one, "lifecycleStage"));
    for (key, name) in
        [("awsServices", "services"), ("resourcesAggregates", "resources"), ("pillars", "pillars")]
    {
        if let Some(value) = one.get(key) {
            details.insert(name.to_owned(), value.clone());
        }
    }
    Ok(finding)
}

fn resource(one: &Value) -> Result<Finding, &'static str> {
    let of = text(one, "recommendationArn").ok_or(reason::NO_ID)?;
    let account = account(of)?;
    let subject = text(one, "awsResourceId").or_else(|| text(one, "arn")).ok_or(reason::NO_ID)?;
    let rule = format!("Trusted Advisor {}", of.rsplit('/').next().unwrap_or(of));
    let (state, severity) = state(text(one, "status"))?;
    let title = format!("Trusted Advisor flags {subject}");
    let mut finding = finding(&account, Listing::Recommendations, subject.to_owned(), rule, title);
    (finding.state, finding.severity) = (state, severity);
    if text(one, "exclusionStatus") == Some("excluded") {
        finding.state = FindingState::Suppressed;
    }
    finding.category = "Configuration";
    finding.region = owned(one, "regionCode");
    finding.subject_name = subject.rsplit(['/', ':']).next().map(str::to_owned);
    put(&mut finding.details, "last_updated", text(one, "lastUpdatedAt"));
    if let Some(metadata) = one.get("metadata") {
        finding.details.insert("metadata".to_owned(), metadata.clone());
    }
    Ok(finding)
}

/// The resources of one check of the AWS Support API, each as a finding or left out with its reason.
fn check(result: &Value, account: &Account) -> Vec<entries::Part> {
    let id = text(result, "checkId").unwrap_or("check");
    let flagged = result.get("flaggedResources").and_then(Value::as_array).into_iter().flatten();
    let finding_of = |one: &Value| -> Result<Record, &'static str> {
        let subject = text(one, "resourceId").ok_or(reason::NO_ID)?;
        let (state, severity) = state(text(one, "status"))?;
        let title = format!("Trusted Advisor flags {subject}");
        let rule = format!("Trusted Advisor {id}");
        let mut finding = finding(account, Listing::Recommendations, subject.to_owned(), rule, title);
        (finding.state, finding.severity) = (state, severity);
        if one.get("isSuppressed") == Some(&Value::Bool(true)) {
            finding.state = FindingState::Suppressed;
        }
        finding.category = "Configuration";
        finding.region = owned(one, "region");
        if let Some(metadata) = one.get("metadata") {
            finding.details.insert("metadata".to_owned(), metadata.clone());
        }
        Ok(Record::Finding(Box::new(finding)))
    };
    let part =
        |(index, one): (usize, &Value)| (format!(".result.flaggedResources[{index}]"), finding_of(one));
    flagged.enumerate().map(part).collect()
}
