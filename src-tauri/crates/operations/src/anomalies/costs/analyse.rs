//! A run of the rules over the bills of a tenant: after an import, when somebody asks, and from the command line.

use super::bill::{Usage, equals};
use super::kept::{self, Changes, Row};
use super::{DAY, SERVICE, day, number};
use crate::kit::{self, Arguments};
use analysis::anomalies::{Finding, VERSION, find};
use catalogue::{Caller, Value, format_date};
use graphql::{Call, Refusal};
use serde_json::{Value as Json, json};
use store::{Store, StoreError, Transaction};
use uuid::Uuid;

/// What a run has found.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The last day that was looked at, days since 1970.
    pub as_of: i32,
    /// The newest day with a charge.
    pub newest: Option<i32>,
    pub series: usize,
    pub days: usize,
    pub findings: Vec<Row>,
    pub changes: Changes,
}

/// Judges the bills of a tenant after they have changed. All of them, since what one account brings says of the others whether
/// their days are complete; rows that stay as they are, are not written.
pub fn refresh(store: &Store, tenant: Uuid) -> Result<Outcome, StoreError> {
    // What is written follows from the import, which is written down itself.
    let work = |rows: &Transaction<'_>| judge(&rows.derived(), tenant, None);
    store.transaction(&Caller::house_for(tenant), work).map_err(Refusal::into_error)
}

/// The same when somebody at the machine asks for it; the audit trail names the service. `as_of` is a day such as 2026-06-18.
pub fn run(store: &Store, tenant: Uuid, as_of: Option<&str>) -> Result<Outcome, Refusal> {
    let as_of = as_of.map(|text| day("as_of", text)).transpose()?;
    let work = |rows: &Transaction<'_>| judge(&rows.in_hand("spend_anomalies_analyse", None), tenant, as_of);
    store.transaction(&Caller::house_for(tenant), work)
}

/// `spend_anomalies_analyse`
pub(in crate::anomalies) fn operation(call: &Call<'_>) -> Result<Json, Refusal> {
    let tenant = kit::tenant(call)?;
    let as_of = Arguments(call.arguments).object("request").text("as_of");
    let as_of = as_of.map(|text| day("as_of", text)).transpose()?;
    let house = Caller::house_for(tenant);
    judge(&call.rows.acting_as(&house), tenant, as_of)?.to_json()
}

fn judge(rows: &Transaction<'_>, tenant: Uuid, as_of: Option<i32>) -> Result<Outcome, Refusal> {
    let today = i32::try_from(rows.now().div_euclid(DAY)).unwrap_or(i32::MAX);
    let as_of = as_of.unwrap_or(today);
    let usage = Usage::of(rows)?;
    let newest = usage.newest(as_of)?;
    let costs = newest.map(|newest| usage.daily(newest)).transpose()?.unwrap_or_default();
    let found = find(&costs, &kept::feedback(rows)?);
    let rows_of = |findings: &[Finding]| -> Result<Vec<Row>, Refusal> {
        let mut told = Vec::with_capacity(findings.len());
        for finding in findings {
            let mut row = Row::of(tenant, finding)?;
            row.import = import_of(&usage, &row)?;
            told.push(row);
        }
        Ok(told)
    };
    let (mut findings, mut silenced) = (rows_of(&found.findings)?, rows_of(&found.silenced)?);
    let changes = kept::write(rows, (&mut findings, &mut silenced), &kept::Days::of(&costs))?;
    Ok(Outcome { as_of, newest, series: found.series, days: found.days, findings, changes })
}

/// The import that brought most of the first day.
fn import_of(usage: &Usage<'_>, row: &Row) -> Result<Option<Uuid>, Refusal> {
    let mut conditions = vec![usage.during(row.started_on..row.started_on + 1)?];
    if row.scope == SERVICE {
        conditions.push(equals(usage.column("cloud_account")?, Value::Uuid(row.account)));
        conditions.push(usage.of_service(&row.name)?);
    }
    usage.import_of(conditions)
}

impl Outcome {
    /// As `spend_anomalies_analyse` answers it.
    pub fn to_json(&self) -> Result<Json, Refusal> {
        let findings = self.findings.iter().map(Row::to_json).collect::<Result<Vec<_>, _>>()?;
        Ok(json!({
            "as_of": format_date(self.as_of),
            "newest": self.newest.map(format_date),
            "rule_version": VERSION,
            "series": self.series,
            "days": self.days,
            "added": self.changes.added,
            "updated": self.changes.updated,
            "removed": self.changes.removed,
            "findings": findings,
        }))
    }
}

impl Row {
    /// As the interface tells it.
    pub fn to_json(&self) -> Result<Json, Refusal> {
        Ok(json!({
            "id": self.id,
            "scope": self.scope,
            "account_id": self.account,
            "name": self.name,
            "anomaly_type": self.anomaly_type,
            "currency": self.currency,
            "current_value": number(self.current_value)?,
            "started_on": format_date(self.started_on),
            "ended_on": format_date(self.ended_on),
            "state": self.state,
            "impact": number(self.impact)?,
            "rule_version": VERSION,
            "reference_value": self.reference_value,
        }))
    }
}
