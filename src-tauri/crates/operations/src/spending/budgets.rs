//! `spend_budgets`: the budgets of the tenant and of its accounts, and the funding of its business units and projects.

mod funding;
pub(super) mod portion;

use super::answer::{Date, json};
use super::budget::{Budget, Owner, Period, Row, stand};
use super::budget_check::amount;
use super::charges::Charges;
use super::days::{day_of, last_day};
use super::scope::Scope;
use super::thresholds;
use crate::kit::{Arguments, Look, text, uuid};
use catalogue::{Value, parse_timestamp};
use graphql::{Call, Refusal};
use portion::{AsOf, Portion};
use serde::Serialize;
use serde_json::{Value as Json, json};
use store::Transaction;
use uuid::Uuid;

#[derive(Serialize)]
struct Answer {
    rows: Vec<Row>,
    as_of: Option<Date>,
}

pub(super) fn budgets(call: &Call<'_>) -> Result<Json, Refusal> {
    let request = Arguments(call.arguments).object("request");
    budgets_of(call.rows, last_day(request, "as_of")?, wanted(request)?.as_ref())
}

/// The state of budgets at the end of a day, by default the last known day.
pub(crate) fn budgets_of(
    rows: &Transaction<'_>,
    as_of: Option<i32>,
    wanted: Option<&Vec<Value>>,
) -> Result<Json, Refusal> {
    let charges = Charges::at(rows)?;
    let today = AsOf { day: day_of(rows.now()), read_until: as_of };
    let as_of = AsOf::of(&charges, as_of)?.unwrap_or(today);
    let found = all(rows, wanted, (as_of.day, as_of.day))?;
    let rows = found.into_iter().map(|budget| stand(&charges, budget, as_of)).collect::<Result<_, _>>()?;
    json(&Answer { rows, as_of: Some(Date(as_of.day)) })
}

/// Every budget that the caller can see whose period overlaps the days.
pub(super) fn all(
    rows: &Transaction<'_>,
    wanted: Option<&Vec<Value>>,
    days: (i32, i32),
) -> Result<Vec<Budget>, Refusal> {
    let reads_tenant = rows.caller().reads_tenant();
    let mut found = if reads_tenant { stored(rows, wanted)? } else { Vec::new() };
    found.extend(of_accounts(rows, wanted)?);
    if reads_tenant {
        found.extend(funding::budgets(rows, wanted, days)?);
    }
    Ok(found)
}

/// The ids in a request; `None` for all.
fn wanted(request: Arguments<'_>) -> Result<Option<Vec<Value>>, Refusal> {
    let Some(ids) = request.value("budget_ids").and_then(Json::as_array) else { return Ok(None) };
    let id = |id: &Json| {
        let wrong = || Refusal::invalid(format!("`budget_ids` has {id}: expected UUIDs"));
        id.as_str().and_then(|id| Uuid::parse_str(id).ok()).map(Value::Uuid).ok_or_else(wrong)
    };
    ids.iter().map(id).collect::<Result<_, _>>().map(Some)
}

/// Budgets stored in the table `budget`.
fn stored(rows: &Transaction<'_>, wanted: Option<&Vec<Value>>) -> Result<Vec<Budget>, Refusal> {
    let mut look = Look::at(rows, "budget")?.ordered("name", false)?.ordered("id", false)?;
    if let Some(ids) = wanted {
        look = look.one_of("id", ids.clone())?;
    }
    let columns =
        ["id", "name", "scope", "amount", "currency", "period", "thresholds", "owner", "updated_at"];
    let budget = |row: &Json| -> Result<Budget, Refusal> {
        Ok(Budget {
            id: uuid(row, "id").unwrap_or_default(),
            of: Owner::Tenant,
            name: text(row, "name").to_owned(),
            scope: row["scope"].clone(),
            portions: vec![Portion::whole(Scope::read(&row["scope"])?)],
            amount: amount(&row["amount"]).unwrap_or_default(),
            currency: Some(text(row, "currency").to_owned()),
            period: Period::find(text(row, "period")),
            thresholds: thresholds::read(&row["thresholds"])?,
            owner: uuid(row, "owner"),
            changed_on: row["updated_at"].as_str().and_then(parse_timestamp).map(day_of),
            notes: Vec::new(),
            doubt: None,
        })
    };
    look.rows(&columns)?.iter().map(budget).collect()
}

/// Budgets of accounts: monthly, with the default thresholds, for the charges of the account.
fn of_accounts(rows: &Transaction<'_>, wanted: Option<&Vec<Value>>) -> Result<Vec<Budget>, Refusal> {
    let mut look = Look::at(rows, "cloud_accounts")?.ordered("account_name", false)?.ordered("id", false)?;
    if let Some(ids) = wanted {
        look = look.one_of("id", ids.clone())?;
    }
    let mut found = Vec::new();
    for row in look.rows(&["id", "account_name", "budget"])? {
        let (Some(id), Some(amount)) = (uuid(&row, "id"), amount(&row["budget"])) else { continue };
        // 0 means no limit.
        if amount.is_zero() || amount.is_negative() {
            continue;
        }
        found.push(Budget {
            id,
            of: Owner::Account(id),
            name: text(&row, "account_name").to_owned(),
            scope: json!({ "account_ids": [id.to_string()] }),
            portions: vec![Portion::whole(Scope::of_account(id))],
            amount,
            currency: None,
            period: Period::Month,
            thresholds: thresholds::usual(),
            owner: None,
            changed_on: None,
            notes: Vec::new(),
            doubt: None,
        });
    }
    Ok(found)
}
