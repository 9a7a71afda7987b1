//! AWS Cost Optimization Hub: the response of `list-recommendations`, and the CSV of its data export.
//!
//! <https://docs.aws.amazon.com/cost-management/latest/APIReference/API_CostOptimizationHub_Recommendation.html>

use super::{entries, money};
use crate::format::Format;
use crate::head::{Head, has};
use crate::read_error::ReadError;
use crate::reason;
use crate::record::{Account, Finding, Listing, Record, Severity};
use crate::security::common::{finding, put};
use crate::shape::Table;
use crate::sink::Sink;
use catalogue::Decimal;
use serde_json::{Map, Value};
use std::io::Read;

pub const FORMAT: Format = Format {
    id: "aws-cost-optimization-hub",
    title: "AWS Cost Optimization Hub recommendations",
    source: "JSON of `aws cost-optimization-hub list-recommendations`, or the CSV of the data export of recommendations",
    fills: "recommendations (savings), resources, accounts",
    lacks_currency: false,
    certainty,
    read,
};

const COLUMNS: [&str; 4] = ["recommendation_id", "account_id", "action_type", "currency_code"];
const NO_SAVING: &str = "it states neither a saving nor an action";

fn certainty(head: &Head<'_>) -> u8 {
    let listed = head.object().get("items").and_then(|items| items.get(0)).unwrap_or(&Value::Null);
    let is_one = |one: &Value| has(one, &["recommendationId", "estimatedMonthlySavings"]);
    if head.has_columns(&COLUMNS) || is_one(listed) || is_one(head.first()) { 96 } else { 0 }
}

fn read(read: &mut dyn Read, sink: &mut dyn Sink) -> Result<(), ReadError> {
    let mut first = [0];
    let count = read.read(&mut first)?;
    let mut whole = first[..count].chain(read);
    if matches!(first, [b'{' | b'[' | b' ' | b'\n' | b'\r' | b'\t']) {
        return entries::read(&mut whole, &["items"], sink, &mut |_, value| {
            finding_of(value).map(entries::one)
        });
    }
    let mut table = Table::new(&mut whole, b',')?;
    while let Some(row) = table.next_row()? {
        let mut object = Map::new();
        for (column, cell) in row.filled() {
            object.insert(camel(column), cell.trim().into());
        }
        match finding_of(&Value::Object(object)) {
            Ok(finding) => sink.record(&row.position(), Record::Finding(Box::new(finding)))?,
            Err(reason) => {
                sink.skip(&row.position(), reason, row.cell("recommendation_id").unwrap_or_default())?;
            }
        }
    }
    Ok(())
}

/// Converts a column name of the export to the field name of the API. `estimated_monthly_savings_after_discount` replaces the saving
/// without discounts, because it is the actual saving.
fn camel(column: &str) -> String {
    let column = column.trim().to_ascii_lowercase();
    let column = column.strip_suffix("_after_discount").unwrap_or(&column);
    let mut name = String::new();
    for (place, word) in column.split('_').enumerate() {
        let (first, rest) = word.split_at_checked(1).unwrap_or((word, ""));
        name += &if place == 0 { first.to_owned() } else { first.to_ascii_uppercase() };
        name += rest;
    }
    name
}

fn finding_of(one: &Value) -> Result<Finding, &'static str> {
    let text = |key: &str| one.get(key).and_then(Value::as_str).filter(|text| !text.trim().is_empty());
    let number = text("accountId").ok_or(reason::NO_ID)?;
    let subject = text("resourceArn").or_else(|| text("resourceId")).or_else(|| text("recommendationId"));
    let subject = subject.ok_or(reason::NO_ID)?;
    let action = text("actionType").ok_or(NO_SAVING)?;
    let kind = text("currentResourceType").unwrap_or("resource");
    let savings = one.get("estimatedMonthlySavings").and_then(money::decimal);
    let account = Account {
        provider: "AWS".to_owned(),
        number: number.to_owned(),
        name: text("accountName").map(str::to_owned),
    };
    let (title, verb) = action_words(action, kind);
    let rule = format!("Cost Optimization Hub {action} {kind}");
    let mut finding = finding(&account, Listing::Recommendations, subject.to_owned(), rule, title);
    finding.category = if matches!(action, "Rightsize" | "Upgrade" | "MigrateToGraviton" | "ScaleIn") {
        "RightSizing"
    } else {
        "Configuration"
    };
    finding.action = verb;
    finding.severity = severity(savings);
    finding.monthly_savings = savings;
    finding.region = text("region").map(str::to_owned);
    finding.subject_kind = Some(kind.to_owned());
    finding.subject_name = subject.rsplit(['/', ':']).next().map(str::to_owned);
    let details = &mut finding.details;
    put(details, "currency", text("currencyCode"));
    put(details, "current", text("currentResourceSummary"));
    put(details, "recommended", text("recommendedResourceSummary"));
    put(details, "effort", text("implementationEffort"));
    put(details, "source", text("source").or_else(|| text("recommendationSource")));
    put(details, "last_refresh", text("lastRefreshTimestamp"));
    for (key, name) in [
        ("restartNeeded", "restart_needed"),
        ("rollbackPossible", "rollback_possible"),
        ("estimatedMonthlyCost", "estimated_monthly_cost"),
        ("estimatedSavingsPercentage", "estimated_savings_percentage"),
        ("recommendationLookbackPeriodInDays", "lookback_days"),
    ] {
        if let Some(value) = one.get(key).filter(|value| !value.is_null()) {
            details.insert(name.to_owned(), value.clone());
        }
    }
    Ok(finding)
}

/// The title, and the interface's name for the action.
fn action_words(action: &str, kind: &str) -> (String, &'static str) {
    match action {
        "Rightsize" => (format!("{kind} is larger than it needs to be"), "Modify"),
        "Stop" => (format!("{kind} is idle and can be stopped"), "Modify"),
        "Delete" => (format!("{kind} is not used and can be deleted"), "Delete"),
        "Upgrade" => (format!("{kind} has a newer generation that costs less"), "Modify"),
        "MigrateToGraviton" => (format!("{kind} costs less on Graviton"), "Modify"),
        "ScaleIn" => (format!("{kind} can be scaled in"), "Modify"),
        "PurchaseSavingsPlans" => ("A savings plan would cost less".to_owned(), "Create"),
        "PurchaseReservedInstances" => (format!("Reservations would cost less ({kind})"), "Create"),
        other => (format!("{other}: {kind}"), "Modify"),
    }
}

/// Cost recommendations state no severity: one without a saving is informational, all others are medium.
fn severity(savings: Option<Decimal>) -> Severity {
    match savings {
        Some(sum) if !sum.is_zero() && !sum.is_negative() => Severity::Medium,
        _ => Severity::Info,
    }
}
