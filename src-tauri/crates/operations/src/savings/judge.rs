//! Runs the savings rules over the data of a tenant: after an import, on request, and from the command line.

use super::days::{BillDays, known};
use super::reopening::LatestData;
use super::row::{DAY, Draft};
use super::sums::Usage;
use super::sync::{self, Changes, FindingRecord, Surroundings};
use super::{bill, clusters, proof};
use crate::kit::{self, Arguments, SnapshotResult};
use analysis::savings::{Amount, Bill};
use catalogue::{Caller, parse_date};
use graphql::{Call, PreTransactionCall, Refusal};
use model::{Date, RecommendationStatusType as Status};
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use store::{Store, StoreError, Transaction};
use uuid::Uuid;

/// The result of a run.
#[derive(Debug, Clone, Serialize)]
pub struct Outcome {
    /// The last day that was judged.
    pub as_of: Date,
    /// The newest day of the bill up to `as_of`.
    pub newest: Option<Date>,
    pub added: usize,
    pub updated: usize,
    pub removed: usize,
    pub reopened: usize,
    pub closed: usize,
    /// Closed recommendations whose proof has changed.
    pub proved: usize,
    pub findings: Vec<FindingRow>,
}

/// A finding and its recommendation.
#[derive(Debug, Clone, Serialize)]
pub struct FindingRow {
    pub id: Uuid,
    pub rule_name: &'static str,
    pub rule_version: String,
    pub account_id: Uuid,
    pub resource_id: Option<Uuid>,
    pub account_object_id: String,
    pub status: Status,
    pub severity: &'static str,
    pub currency: Option<String>,
    pub estimated_savings: Amount,
    pub recommendation: Value,
}

/// The findings of an analysis, before anything is written.
pub struct Look {
    as_of: i32,
    known: Vec<BillDays>,
    /// The costs on which proofs are based.
    costs: proof::Costs,
    drafts: Vec<Draft>,
    /// The time of each cluster's newest state, µs since 1970.
    clusters: Vec<(Uuid, i64)>,
}

/// Judges a tenant again after its data changed; unchanged rows are not written. Blocks.
pub fn refresh(store: &Store, tenant: Uuid) -> Result<Outcome, StoreError> {
    let look = |rows: &Transaction<'_>| look(rows, tenant, None);
    // The findings are derived from the import, which is audited itself.
    let kept = kit::analyse_and_store(store, tenant, look, |rows, found| keep(&rows.without_actor(), found));
    kept.map_err(Refusal::into_error)
}

/// Like [`refresh`], started from the command line; the audit trail names the service. `as_of` is a day such as 2026-06-18. Blocks.
pub fn run(store: &Store, tenant: Uuid, as_of: Option<&str>) -> Result<Outcome, Refusal> {
    let as_of = as_of.map(day).transpose()?;
    let look = |rows: &Transaction<'_>| look(rows, tenant, as_of);
    kit::analyse_and_store(store, tenant, look, |rows, found| {
        keep(&rows.with_audit_operation("recommendations_analyse", None), found)
    })
}

/// `recommendations_analyse`: the reads that run before the request's transaction.
pub fn read_ahead(ahead: &PreTransactionCall<'_>) -> Result<SnapshotResult<Look>, Refusal> {
    let tenant = kit::tenant_of(ahead.caller)?;
    let as_of = as_of(ahead.arguments)?;
    SnapshotResult::read(ahead.engine.store(), tenant, |rows| look(rows, tenant, as_of))
}

/// `recommendations_analyse`
pub fn operation(call: &Call<'_>) -> Result<Outcome, Refusal> {
    let tenant = kit::tenant(call)?;
    let as_of = as_of(call.arguments)?;
    let system = Caller::system_for(tenant);
    let rows = call.rows.as_caller(&system);
    let ahead = call.read_ahead::<SnapshotResult<Look>>();
    match ahead.map(|reading| reading.if_unchanged(&rows, tenant)).transpose()?.flatten() {
        Some(found) => keep(&rows, found),
        None => keep(&rows, &look(&rows, tenant, as_of)?),
    }
}

fn as_of(arguments: &serde_json::Map<String, Value>) -> Result<Option<i32>, Refusal> {
    Arguments(arguments).object("request").text("as_of").map(day).transpose()
}

pub fn day(text: &str) -> Result<i32, Refusal> {
    let date = text.get(..10).filter(|_| text.len() == 10 || catalogue::parse_timestamp(text).is_some());
    date.and_then(parse_date)
        .ok_or_else(|| Refusal::invalid(format!("`as_of` is \"{text}\": expected a day such as 2026-06-18")))
}

fn look(rows: &Transaction<'_>, tenant: Uuid, as_of: Option<i32>) -> Result<Look, Refusal> {
    let today = i32::try_from(rows.now().div_euclid(DAY)).unwrap_or(i32::MAX);
    let as_of = as_of.unwrap_or(today);
    let usage = Usage::of(rows)?;
    let known = known(&usage, as_of)?;
    let costs = proof::read_costs(rows, &usage, &known)?;
    let mut drafts = Vec::new();
    for one in &known {
        let usage = Usage::of(rows)?.within(one.first.keys().copied());
        let bill: Bill = bill::read(rows, &usage, one)?;
        for finding in analysis::savings::find(&bill) {
            drafts.push(Draft::of(tenant, &finding)?);
        }
    }
    let clusters = clusters::read(rows, as_of, &known)?;
    for cluster in &clusters {
        for finding in analysis::savings::find_in_cluster(cluster) {
            drafts.push(Draft::of(tenant, &finding)?);
        }
    }
    let clusters = clusters.iter().map(|cluster| (cluster.account, cluster.seen_at)).collect();
    Ok(Look { as_of, known, costs, drafts, clusters })
}

fn keep(rows: &Transaction<'_>, look: &Look) -> Result<Outcome, Refusal> {
    let Look { as_of, known, costs, drafts, clusters } = look;
    let as_of = *as_of;
    let mut shown: BTreeMap<Uuid, LatestData> = BTreeMap::new();
    for one in known {
        for account in one.first.keys() {
            shown.entry(*account).or_default().bill_until = Some(one.period.to);
        }
    }
    for (account, seen_at) in clusters {
        shown.entry(*account).or_default().seen_at = Some(*seen_at);
    }
    let today = i32::try_from(rows.now().div_euclid(DAY)).unwrap_or(i32::MAX);
    let around = Surroundings { today: as_of, shown, is_newest: as_of >= today };
    let (mut changes, told) = sync::write(rows, drafts.clone(), &around)?;
    changes.proved = proof::prove(rows, &Usage::of(rows)?, costs)?;
    let newest = known.iter().map(|one| one.period.to).max();
    Ok(Outcome::of(as_of, newest, changes, told))
}

impl Outcome {
    fn of(as_of: i32, newest: Option<i32>, changes: Changes, told: Vec<FindingRecord>) -> Self {
        let row = |FindingRecord { draft, id, status }: FindingRecord| FindingRow {
            id,
            rule_name: draft.rule_name,
            rule_version: draft.rule_version,
            account_id: draft.account,
            resource_id: draft.resource,
            account_object_id: draft.object,
            status,
            severity: draft.severity,
            currency: draft.currency,
            estimated_savings: Amount(draft.savings),
            recommendation: draft.card,
        };
        Self {
            as_of: Date(as_of),
            newest: newest.map(Date),
            added: changes.added,
            updated: changes.updated,
            removed: changes.removed,
            reopened: changes.reopened,
            closed: changes.closed,
            proved: changes.proved,
            findings: told.into_iter().map(row).collect(),
        }
    }
}
