//! A run of the rules over the bills of a tenant: after an import, when somebody asks, and from the command line.

use super::bill::{Usage, equals};
use super::kept::{self, Changes};
use super::row::Row;
use super::{DAY, SERVICE, TAG, TOTAL, day, hours, tags};
use crate::anomalies::measured;
use crate::kit::{self, Arguments};
use analysis::anomalies::{Costs, DailyCost, Finding, VERSION, find_in};
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
    /// Of costs.
    pub findings: Vec<Row>,
    /// Of measurements and numbers of events, as rules of people ask for.
    pub measured: Vec<Row>,
    pub changes: Changes,
}

/// Judges the bills of a tenant after they have changed. All of them, since what one account brings says of the others whether
/// their days are complete; rows that stay as they are, are not written.
pub fn refresh(store: &Store, tenant: Uuid) -> Result<Outcome, StoreError> {
    let refreshed = || {
        let ahead = measured::Ahead::of(store, tenant)?;
        // What is written follows from the import, which is written down itself.
        let work = |rows: &Transaction<'_>| judge(&rows.derived(), tenant, None, Some(ahead));
        store.transaction(&Caller::house_for(tenant), work)
    };
    refreshed().map_err(Refusal::into_error)
}

/// The same when somebody at the machine asks for it; the audit trail names the service. `as_of` is a day such as 2026-06-18.
pub fn run(store: &Store, tenant: Uuid, as_of: Option<&str>) -> Result<Outcome, Refusal> {
    let as_of = as_of.map(|text| day("as_of", text)).transpose()?;
    let work =
        |rows: &Transaction<'_>| judge(&rows.in_hand("spend_anomalies_analyse", None), tenant, as_of, None);
    store.transaction(&Caller::house_for(tenant), work)
}

/// `spend_anomalies_analyse`
pub(in crate::anomalies) fn operation(call: &Call<'_>) -> Result<Json, Refusal> {
    let tenant = kit::tenant(call)?;
    let as_of = Arguments(call.arguments).object("request").text("as_of");
    let as_of = as_of.map(|text| day("as_of", text)).transpose()?;
    let house = Caller::house_for(tenant);
    judge(&call.rows.acting_as(&house), tenant, as_of, None)?.to_json()
}

/// `ahead` is what was judged of measurements up to today before the transaction began, where it was.
fn judge(
    rows: &Transaction<'_>,
    tenant: Uuid,
    as_of: Option<i32>,
    ahead: Option<measured::Ahead>,
) -> Result<Outcome, Refusal> {
    let today = i32::try_from(rows.now().div_euclid(DAY)).unwrap_or(i32::MAX);
    let as_of = as_of.unwrap_or(today);
    let usage = Usage::of(rows)?;
    let newest = usage.newest(as_of)?;
    let costs = newest.map(|newest| Bill::read(rows, &usage, newest)).transpose()?.unwrap_or_default();
    let feedback = kept::feedback(rows)?;
    let found = find_in(costs.as_costs(), &feedback);
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
    let days = kept::Days::of(&costs.daily);
    let own = kept::Own { scopes: &[SERVICE, TAG, TOTAL], lacks: &|row| days.lack(row) };
    let mut changes = kept::write(rows, (&mut findings, &mut silenced), &own)?;
    let judged = ahead.map(|ahead| ahead.current(rows, tenant)).transpose()?.flatten();
    let judged = judged.map_or_else(|| measured::judge(rows, &feedback, as_of), Ok)?;
    let measured = judged.keep(rows)?;
    changes.add(measured.changes);
    let (series, days) = (found.series + measured.series, found.days + measured.days);
    Ok(Outcome { as_of, newest, series, days, findings, measured: measured.findings, changes })
}

/// The costs of a tenant as the rules take them.
#[derive(Default)]
struct Bill {
    daily: Vec<DailyCost>,
    tagged: Vec<analysis::anomalies::TaggedCost>,
    hourly: Vec<analysis::anomalies::HourlyCost>,
}

impl Bill {
    fn read(rows: &Transaction<'_>, usage: &Usage<'_>, newest: i32) -> Result<Self, Refusal> {
        Ok(Self {
            daily: usage.daily(newest)?,
            tagged: tags::tagged(rows, usage, newest)?,
            hourly: hours::hourly(usage, newest)?,
        })
    }

    fn as_costs(&self) -> Costs<'_> {
        Costs { daily: &self.daily, tagged: &self.tagged, hourly: &self.hourly }
    }
}

/// The import that brought most of the first day.
fn import_of(usage: &Usage<'_>, row: &Row) -> Result<Option<Uuid>, Refusal> {
    let mut conditions = vec![usage.during(row.started_on..row.started_on + 1)?];
    if row.scope == SERVICE {
        conditions.push(equals(usage.column("cloud_account")?, Value::Uuid(row.account)));
        conditions.push(usage.of_service(&row.name)?);
    }
    if let Some((tag, value)) = tags::parts_of(&row.name).filter(|_| row.scope == TAG) {
        conditions.push(usage.of_tag(tag, value)?);
    }
    usage.import_of(conditions)
}

impl Outcome {
    /// As `spend_anomalies_analyse` answers it.
    pub fn to_json(&self) -> Result<Json, Refusal> {
        let told = |rows: &[Row]| rows.iter().map(Row::to_json).collect::<Result<Vec<_>, _>>();
        let (findings, measured) = (told(&self.findings)?, told(&self.measured)?);
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
            "measured": measured,
        }))
    }
}
