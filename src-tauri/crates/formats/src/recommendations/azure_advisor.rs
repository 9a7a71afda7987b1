//! Azure Advisor: the REST API's response (`value[].properties`), and the list that the Azure CLI makes of it.
//!
//! <https://learn.microsoft.com/rest/api/advisor/recommendations/list>

use super::{entries, money};
use crate::format::Format;
use crate::head::{Head, has};
use crate::read_error::ReadError;
use crate::reason;
use crate::record::{Account, Finding, FindingState, Listing};
use crate::security::common::{finding, owned, put, severity, text};
use crate::sink::Sink;
use serde_json::Value;
use std::io::Read;

pub const FORMAT: Format = Format {
    id: "azure-advisor",
    title: "Azure Advisor recommendations",
    source: "JSON of `az advisor recommendation list -o json`, or the answer of Azure's interface",
    fills: "recommendations, resources, accounts",
    lacks_currency: false,
    certainty,
    read,
};

fn certainty(head: &Head<'_>) -> u8 {
    let listed = head.object().get("value").and_then(|list| list.get(0)).unwrap_or(&Value::Null);
    let is_one = |one: &Value| {
        let properties = one.get("properties").unwrap_or(one);
        has(properties, &["impact", "category", "shortDescription"])
    };
    if is_one(listed) || is_one(head.first()) { 95 } else { 0 }
}

fn read(read: &mut dyn Read, sink: &mut dyn Sink) -> Result<(), ReadError> {
    entries::read(read, &["value"], sink, &mut |_, value| finding_of(value).map(entries::one))
}

fn finding_of(one: &Value) -> Result<Finding, &'static str> {
    let properties = one.get("properties").unwrap_or(one);
    let resource = properties.get("resourceMetadata").and_then(|metadata| text(metadata, "resourceId"));
    // In the recommendation's id, the part before this separator is the id of the resource concerned.
    let own = text(one, "id").map(|id| id.split("/providers/Microsoft.Advisor/").next().unwrap_or(id));
    let subject = resource.or(own).ok_or(reason::NO_ID)?.to_ascii_lowercase();
    let subscription = subject.strip_prefix("/subscriptions/").and_then(|rest| rest.split('/').next());
    let number = subscription.filter(|id| !id.is_empty()).ok_or(reason::NO_ID)?.to_owned();
    let short = properties.get("shortDescription").unwrap_or(&Value::Null);
    let rule =
        text(properties, "recommendationTypeId").or_else(|| text(short, "problem")).ok_or(reason::NO_ID)?;
    let title = text(short, "problem").unwrap_or(rule).to_owned();
    let account = Account { provider: "Azure".to_owned(), number, name: None };
    let rule = format!("Azure Advisor {rule}");
    let mut finding = finding(&account, Listing::Recommendations, subject.clone(), rule, title);
    finding.severity = severity(text(properties, "impact").unwrap_or_default());
    let category = text(properties, "category").unwrap_or_default();
    finding.category = match category {
        "Security" => "Security",
        _ => "Configuration",
    };
    if properties.get("suppressionIds").and_then(Value::as_array).is_some_and(|ids| !ids.is_empty()) {
        finding.state = FindingState::Suppressed;
    }
    finding.subject_kind = owned(properties, "impactedField");
    finding.subject_name = owned(properties, "impactedValue");
    let extended = properties.get("extendedProperties").unwrap_or(&Value::Null);
    let currency = text(extended, "savingsCurrency");
    // The annual saving is stated for all kinds. One without a known currency stays in the details but is not added up.
    let annual = extended.get("annualSavingsAmount").and_then(money::decimal).filter(|_| currency.is_some());
    finding.monthly_savings = annual.map(|sum| sum.divided_by(12));
    finding.region = owned(extended, "regionId").or_else(|| owned(extended, "region"));
    let details = &mut finding.details;
    put(details, "currency", currency);
    put(details, "azure_category", Some(category).filter(|word| !word.is_empty()));
    put(details, "solution", text(short, "solution"));
    put(details, "last_updated", text(properties, "lastUpdated"));
    put(details, "benefits", text(properties, "potentialBenefits"));
    put(details, "learn_more", text(properties, "learnMoreLink"));
    if let Some(more) = extended.as_object().filter(|more| !more.is_empty()) {
        details.insert("extended".to_owned(), Value::Object(more.clone()));
    }
    Ok(finding)
}
