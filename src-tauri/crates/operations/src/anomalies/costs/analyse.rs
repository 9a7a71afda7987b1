//! Runs the anomaly rules over the bills of a tenant: after an import, on request, and from the command line.

use super::bill::{Usage, equals};
use super::row::Row;
use super::sync::{self, Changes};
use super::{DAY, SERVICE, TAG, TOTAL, day, hours, tags};
use crate::anomalies::measured::{self, RuleFindings};
use crate::kit::{self, Arguments, SnapshotResult};
use analysis::anomalies::{Costs, DailyCost, Finding, VERSION, find_in};
use catalogue::{Caller, Value, format_date};
use graphql::{Call, PreTransactionCall, Refusal};
use serde_json::{Value as Json, json};
use store::{Store, StoreError, Transaction};
use uuid::Uuid;

/// The outcome of a run.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The last day that was judged, days since 1970.
    pub as_of: i32,
    /// The newest day with a charge.
    pub newest: Option<i32>,
    pub series: usize,
    pub days: usize,
    /// Cost findings.
    pub findings: Vec<Row>,
    /// Findings of user-defined rules about measurements and event counts.
    pub measured: Vec<Row>,
    pub changes: Changes,
}

/// The findings of an analysis, before anything is written.
pub(crate) struct Look {
    as_of: i32,
    newest: Option<i32>,
    series: usize,
    days: usize,
    findings: Vec<Row>,
    silenced: Vec<Row>,
    known: sync::Days,
    /// `None` if only costs are judged.
    measured: Option<RuleFindings>,
}

/// The data that is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// Costs, and the measurements and events that user-defined rules watch.
    All,
    Costs,
}

/// Judges all bills of a tenant after they changed. All accounts are read, because the days of one account show whether the days of the others
/// are complete. Unchanged rows are not written. Blocks.
pub fn refresh(store: &Store, tenant: Uuid) -> Result<Outcome, StoreError> {
    refresh_of(store, tenant, Extent::All)
}

/// Like [`refresh`], for a change of charges or their tags only: measurements and events did not change and are not read. Blocks.
pub fn refresh_costs(store: &Store, tenant: Uuid) -> Result<Outcome, StoreError> {
    refresh_of(store, tenant, Extent::Costs)
}

fn refresh_of(store: &Store, tenant: Uuid, extent: Extent) -> Result<Outcome, StoreError> {
    let look = |rows: &Transaction<'_>| look(rows, tenant, None, extent);
    // The findings are derived from the import, which is audited itself.
    let kept = kit::analyse_and_store(store, tenant, look, |rows, found| keep(&rows.without_actor(), found));
    kept.map_err(Refusal::into_error)
}

/// Like [`refresh`], started from the command line; the audit trail names the service. `as_of` is a day such as 2026-06-18. Blocks.
pub fn run(store: &Store, tenant: Uuid, as_of: Option<&str>) -> Result<Outcome, Refusal> {
    let as_of = as_of.map(|text| day("as_of", text)).transpose()?;
    let look = |rows: &Transaction<'_>| look(rows, tenant, as_of, Extent::All);
    kit::analyse_and_store(store, tenant, look, |rows, found| {
        keep(&rows.with_audit_operation("spend_anomalies_analyse", None), found)
    })
}

/// `spend_anomalies_analyse`: the reads that run before the request's transaction.
pub(crate) fn read_ahead(ahead: &PreTransactionCall<'_>) -> Result<SnapshotResult<Look>, Refusal> {
    let (tenant, as_of) = (kit::tenant_of(ahead.caller)?, as_of(ahead.arguments)?);
    SnapshotResult::read(ahead.engine.store(), tenant, |rows| look(rows, tenant, as_of, Extent::All))
}

/// `spend_anomalies_analyse`
pub(in crate::anomalies) fn operation(call: &Call<'_>) -> Result<Json, Refusal> {
    let (tenant, as_of) = (kit::tenant(call)?, as_of(call.arguments)?);
    let system = Caller::system_for(tenant);
    let rows = call.rows.as_caller(&system);
    let ahead = call.read_ahead::<SnapshotResult<Look>>();
    let outcome = match ahead.map(|reading| reading.if_unchanged(&rows, tenant)).transpose()?.flatten() {
        Some(found) => keep(&rows, found)?,
        None => keep(&rows, &look(&rows, tenant, as_of, Extent::All)?)?,
    };
    outcome.to_json()
}

fn as_of(arguments: &serde_json::Map<String, Json>) -> Result<Option<i32>, Refusal> {
    let as_of = Arguments(arguments).object("request").text("as_of");
    as_of.map(|text| day("as_of", text)).transpose()
}

/// Judges all anomalies that began on or before `as_of`, today by default. Writes nothing.
fn look(rows: &Transaction<'_>, tenant: Uuid, as_of: Option<i32>, extent: Extent) -> Result<Look, Refusal> {
    let today = i32::try_from(rows.now().div_euclid(DAY)).unwrap_or(i32::MAX);
    let as_of = as_of.unwrap_or(today);
    let usage = Usage::of(rows)?;
    let newest = usage.newest(as_of)?;
    let costs = newest.map(|newest| Bill::read(rows, &usage, newest)).transpose()?.unwrap_or_default();
    let feedback = sync::feedback(rows)?;
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
    let (findings, silenced) = (rows_of(&found.findings)?, rows_of(&found.silenced)?);
    let measured = match extent {
        Extent::All => Some(measured::judge(rows, &feedback, as_of)?),
        Extent::Costs => None,
    };
    let (of_rules, days_of_rules) = measured.as_ref().map_or((0, 0), |rules| (rules.series, rules.days));
    let (series, days) = (found.series + of_rules, found.days + days_of_rules);
    let known = sync::Days::of(&costs.daily);
    Ok(Look { as_of, newest, series, days, findings, silenced, known, measured })
}

/// Updates the tenant's rows to match the findings.
fn keep(rows: &Transaction<'_>, look: &Look) -> Result<Outcome, Refusal> {
    let (mut findings, mut silenced) = (look.findings.clone(), look.silenced.clone());
    let own = sync::Own { scopes: &[SERVICE, TAG, TOTAL], lacks: &|row| look.known.lack(row) };
    let mut changes = sync::write(rows, (&mut findings, &mut silenced), &own)?;
    let mut measured = Vec::new();
    if let Some(rules) = &look.measured {
        let (kept, of_rules) = rules.keep(rows)?;
        changes.add(of_rules);
        measured = kept;
    }
    let Look { as_of, newest, series, days, .. } = *look;
    Ok(Outcome { as_of, newest, series, days, findings, measured, changes })
}

/// The costs of a tenant in the form that the rules take.
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

/// The import that contributed most charges of the first day.
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
    /// The response of `spend_anomalies_analyse`.
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
