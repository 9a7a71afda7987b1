//! Anomalies of measurements (`cloud_resource_metrics`, including those of pods) and event counts, where a user-defined rule (`anomaly_config`)
//! requests them. They are judged by the rules for costs and stored in the same table.

mod classes;
mod counts;
mod due;
mod points;
mod rule;

pub use due::{judge_pending, judge_rules};

pub(super) use rule::check;

use super::costs::sync::{self, Changes, Own};
use super::costs::{Row, StoredAnomaly, WatchLabel};
use analysis::anomalies::{
    Feedback, Finding, Grain, HOUR_HISTORY_DAYS, JUDGED_HOUR_DAYS, MeasuredSeries, SeriesKey, find_measured,
};
use catalogue::Caller;
use graphql::Refusal;
use model::tables::{anomaly, anomaly_config};
use model::{AnomalyType, Date, Read, Writer, row};
use rule::Rule;
use std::collections::{BTreeMap, BTreeSet};
use store::{AfterWriteHook, StoreError, Transaction};
use uuid::Uuid;

/// Values of the column `scope`: measurements of a workload or resource, or events of an account.
pub(super) const METRIC: &str = "metric";
pub(super) const EVENTS: &str = "events";

/// Days read per series, including the newest.
const DAYS: i32 = JUDGED_HOUR_DAYS + HOUR_HISTORY_DAYS;

/// Schedules the judgement of a new or changed rule in the transaction that stores it, and refuses an invalid rule. If a rule is disabled or
/// deleted, its findings are deleted.
pub(crate) const AFTER_WRITE: AfterWriteHook = AfterWriteHook {
    table: "anomaly_config",
    columns: &[
        "buffer_percentage",
        "change_operator",
        "reference_period",
        "reference_unit",
        "enabled",
        "anomaly_type",
    ],
    deletions: true,
    run: written,
};

fn written(rows: &Transaction<'_>, ids: &[Uuid]) -> Result<(), StoreError> {
    let follow = || -> Result<(), Refusal> {
        let found = rows.query::<Rule>().filter(anomaly_config::id.one_of(ids.iter().copied())).rows()?;
        let (on, off): (Vec<Rule>, Vec<Rule>) = found.into_iter().partition(|rule| rule.enabled);
        for rule in &on {
            rule.watch()?;
        }
        let followed: BTreeSet<Uuid> = on.iter().map(|rule| rule.id.uuid()).collect();
        let ended: Vec<Uuid> = ids.iter().copied().filter(|id| !followed.contains(id)).collect();
        let mut tenants: BTreeSet<Uuid> = on.iter().chain(&off).map(|rule| rule.tenant_id).collect();
        tenants.extend(delete_findings(rows, &ended)?);
        // Measurements of months are read later, outside this write transaction, which would block other writers.
        tenants.into_iter().try_for_each(|tenant| Ok(due::leave(rows, tenant)?))
    };
    follow().map_err(Refusal::into_error)
}

/// Deletes the findings of disabled or deleted rules and returns their tenants.
fn delete_findings(rows: &Transaction<'_>, rules: &[Uuid]) -> Result<BTreeSet<Uuid>, StoreError> {
    let of_rules = || anomaly::config_id.one_of(rules.iter().copied());
    let found = rows.query::<AnomalyTenant>().filter(of_rules()).rows()?;
    let tenants: BTreeSet<Uuid> = found.into_iter().map(|row| row.tenant).collect();
    for tenant in &tenants {
        let system = Caller::system_for(*tenant);
        let acting = rows.as_caller(&system);
        let derived = acting.without_actor();
        Writer::derived(&derived)?.delete(of_rules())?;
    }
    Ok(tenants)
}

row! { struct AnomalyTenant from anomaly { tenant } }

/// A series, and the labels of its findings.
struct Source {
    series: MeasuredSeries,
    watched: WatchLabel,
}

/// The findings of a tenant's rules, not yet stored.
pub(super) struct RuleFindings {
    pub series: usize,
    pub days: usize,
    findings: Vec<Row>,
    silenced: Vec<Row>,
    known: Days,
}

/// Judges the series that the tenant's rules watch, up to and including `as_of`. Writes nothing.
pub(super) fn judge(
    rows: &Transaction<'_>,
    feedback: &[Feedback],
    as_of: i32,
) -> Result<RuleFindings, Refusal> {
    let until = Grain::Day.begins(as_of.min(LAST_DAY) + 1);
    let rules = rows.query::<Rule>().filter(anomaly_config::enabled.eq(true));
    let mut sources: BTreeMap<SeriesKey, Source> = BTreeMap::new();
    for rule in rules.order(anomaly_config::created_at.asc()).order(anomaly_config::id.asc()).rows()? {
        // A rule stored by an earlier version may be invalid now; it is skipped.
        let Ok(watch) = rule.watch() else { continue };
        let found = match rule.anomaly_type {
            AnomalyType::Events => counts::read(rows, &rule, &watch, until)?,
            _ => points::read(rows, &rule, &watch, until)?,
        };
        // If two rules watch the same series, the older one reports it.
        for source in found {
            sources.entry(source.series.key.clone()).or_insert(source);
        }
    }
    let (series, watched): (Vec<MeasuredSeries>, BTreeMap<SeriesKey, WatchLabel>) =
        sources.into_iter().map(|(key, source)| (source.series, (key, source.watched))).unzip();
    let found = find_measured(&series, feedback);
    let told = |findings: &[Finding]| -> Result<Vec<Row>, Refusal> {
        let known = findings.iter().filter_map(|finding| Some((finding, watched.get(&finding.key)?)));
        known.map(|(finding, watched)| Row::measured(tenant_of(rows)?, finding, watched)).collect()
    };
    Ok(RuleFindings {
        series: found.series,
        days: found.days,
        findings: told(&found.findings)?,
        silenced: told(&found.silenced)?,
        known: Days::of(&series),
    })
}

impl RuleFindings {
    /// Stores the findings and returns the stored rows. Rows of series that no rule watches any more are deleted.
    pub fn keep(&self, rows: &Transaction<'_>) -> Result<(Vec<Row>, Changes), Refusal> {
        let (mut findings, mut silenced) = (self.findings.clone(), self.silenced.clone());
        let own = Own { scopes: &[METRIC, EVENTS], lacks: &|row| self.known.lack(row) };
        let changes = sync::write(rows, (&mut findings, &mut silenced), &own)?;
        Ok((findings, changes))
    }
}

/// Later than every date with a four-digit year.
const LAST_DAY: i32 = 4_000_000;

fn tenant_of(rows: &Transaction<'_>) -> Result<Uuid, Refusal> {
    rows.caller().tenant().ok_or_else(Refusal::denied)
}

/// The days with data, by account.
struct Days {
    known: BTreeSet<(Uuid, i32)>,
    /// The first day that was judged. Anomalies that began earlier were not re-examined.
    first_judged: i32,
}

impl Days {
    fn of(series: &[MeasuredSeries]) -> Self {
        let newest = series.iter().map(|one| Grain::Hour.day(one.newest)).max();
        let days = series.iter().filter_map(|one| Some((one.key.account?, &one.hours)));
        Self {
            known: days
                .flat_map(|(account, hours)| hours.keys().map(move |hour| (account, Grain::Hour.day(*hour))))
                .collect(),
            first_judged: newest.map_or(i32::MIN, |newest| newest - JUDGED_HOUR_DAYS),
        }
    }

    /// Whether the first day of a stored anomaly no longer has data.
    fn lack(&self, row: &StoredAnomaly) -> bool {
        let Some(started_on) = row.started_on.map(Date::days) else { return false };
        started_on > self.first_judged && !self.known.contains(&(row.account_id, started_on))
    }
}
