//! Notices about anomalies of cost, of metrics and of event counts that nobody has given feedback on.

use super::{day, day_of, money};
use crate::kit::{Look, text, uuid};
use crate::notices::raise::{ActiveCondition, Cause};
use catalogue::{Decimal, ValueRef, parse_date};
use channels::Severity;
use graphql::Refusal;
use serde_json::Value as Json;
use std::collections::BTreeMap;
use store::Transaction;
use uuid::Uuid;

/// An anomaly that ended longer ago raises no notice, whenever its bills were imported.
const RECENT_DAYS: i32 = 14;
const COLUMNS: [&str; 8] =
    ["id", "scope", "account_id", "name", "anomaly_type", "currency", "started_on", "ended_on"];

/// Anomalies with a cost above the expected one, new services, and anomalies from user-defined rules.
pub(in crate::notices) fn anomalies(rows: &Transaction<'_>) -> Result<Vec<ActiveCondition>, Refusal> {
    let today = day_of(rows.now());
    let look = Look::at(rows, "anomaly")?.with("is_anomaly", true)?.with("feedback", ValueRef::Null)?;
    let found = look.rows(&[&COLUMNS[..], &["impact"]].concat())?;
    if found.is_empty() {
        return Ok(Vec::new());
    }
    let accounts = Look::at(rows, "cloud_accounts")?.rows(&["id", "account_name"])?;
    let accounts: BTreeMap<Uuid, &str> =
        accounts.iter().filter_map(|row| Some((uuid(row, "id")?, text(row, "account_name")))).collect();
    Ok(found.iter().filter_map(|row| condition_of(row, &accounts, today)).collect())
}

fn condition_of(row: &Json, accounts: &BTreeMap<Uuid, &str>, today: i32) -> Option<ActiveCondition> {
    // Rows written by other tools have no scope.
    let scope = row["scope"].as_str()?;
    let account = uuid(row, "account_id").and_then(|id| accounts.get(&id)).copied();
    if matches!(scope, "metric" | "events") {
        return measured(row, account, today);
    }
    let impact = match &row["impact"] {
        Json::Number(number) => Decimal::parse(&number.to_string()).ok()?,
        Json::String(text) => Decimal::parse(text).ok()?,
        _ => return None,
    };
    let is_new = text(row, "anomaly_type") == "new_service";
    if impact.is_negative() || impact.is_zero() {
        return None;
    }
    let first = parse_date(text(row, "started_on"))?;
    let place = match (scope, account) {
        ("total", _) => "All accounts".to_owned(),
        (_, Some(account)) => format!("{} in {account}", text(row, "name")),
        // This includes tag values, which belong to no account.
        (_, None) => text(row, "name").to_owned(),
    };
    let money = money(impact, row["currency"].as_str());
    let title = if is_new {
        format!("New service: {place}, {money} since {}", day(first))
    } else {
        format!("{place} cost {money} more than expected since {}", day(first))
    };
    condition(row, title, today)
}

/// Anomalies of metrics and of event counts, which have no amount of money.
fn measured(row: &Json, account: Option<&str>, today: i32) -> Option<ActiveCondition> {
    let what = match (text(row, "scope"), text(row, "anomaly_type")) {
        ("events", _) => "Number of events",
        (_, "CPU") => "CPU",
        (_, "Memory") => "Memory",
        (_, "Latency") => "Latency",
        (_, "Network") => "Network traffic",
        (_, "ErrorRate") => "Error rate",
        (_, "APIRequest") => "API requests",
        (_, other) => other,
    };
    let place = account.map(|account| format!(" in {account}")).unwrap_or_default();
    let first = day(parse_date(text(row, "started_on"))?);
    condition(row, format!("{what} out of the ordinary: {}{place}, since {first}", text(row, "name")), today)
}

fn condition(row: &Json, title: String, today: i32) -> Option<ActiveCondition> {
    let (id, first, last) =
        (uuid(row, "id")?, parse_date(text(row, "started_on"))?, parse_date(text(row, "ended_on"))?);
    let days = last - first + 1;
    let span = if days == 1 { "1 day".to_owned() } else { format!("{days} days, to {}", day(last)) };
    Some(ActiveCondition {
        subject: "anomaly",
        key: format!("anomaly:{id}"),
        severity: Severity::Warning,
        title,
        text: format!("{span}. Judge it on its card: useful, expected or wrong."),
        link: Some(format!("/costs/anomalies?id={id}")),
        is_recent: last >= today - RECENT_DAYS,
        cause: Cause::Anomaly(id),
    })
}
