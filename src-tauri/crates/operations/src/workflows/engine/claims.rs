//! Selects the next run and claims it for a runner.
//!
//! A claim queries due timers and runs that have not started, each by an index ordered by due time.
//! The cost is the same for ten waiting runs as for ten thousand.

use super::settings;
use crate::kit::{Look, uuid};
use catalogue::{Caller, Value as Cell, ValueRef, parse_timestamp};
use graphql::Refusal;
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::Duration;
use store::query::{Operator, Test};
use store::{Store, StoreError, Transaction, eq};
use uuid::Uuid;

/// A runner that has neither advanced nor [extended](extend_claim) its claim for this time is assumed to have stopped.
pub const RUN_LEASE: Duration = Duration::from_secs(30);
/// Maximum number of active runs per tenant: half of a service's capacity, which keeps a tenant from blocking the runs of others.
pub const MAX_RUNS_PER_TENANT: u64 = 32;
/// Runs that have started come before new ones; otherwise timers would be late while new runs wait.
const CLAIM_ORDER: [&str; 2] = ["RUNNING", "SCHEDULED"];

/// A run that a runner has claimed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClaimedRun {
    pub id: Uuid,
    pub tenant: Uuid,
    pub(super) claim: Uuid,
}

/// A run and the time at which it is due.
struct DueRun {
    id: Uuid,
    tenant: Uuid,
    due: i64,
}

impl DueRun {
    const COLUMNS: [&str; 3] = ["id", "tenant_id", "due_at"];

    fn first(look: Look<'_>) -> Result<Option<Self>, Refusal> {
        let row = look.ordered("due_at", false)?.limit(1).first(&Self::COLUMNS)?;
        Ok(row.as_ref().and_then(Self::read))
    }

    fn read(row: &Value) -> Option<Self> {
        let due = row["due_at"].as_str().and_then(parse_timestamp)?;
        Some(Self { id: uuid(row, "id")?, tenant: uuid(row, "tenant_id")?, due })
    }
}

/// When the next run is due, µs since 1970 UTC. Blocks.
pub fn next_run(store: &Store) -> Result<Option<i64>, StoreError> {
    let next = |rows: &Transaction<'_>| -> Result<Option<i64>, Refusal> {
        if !settings::is_on(rows)? {
            return Ok(None);
        }
        let active = ActiveRuns::read(rows)?;
        let mut next = active.first_end;
        for status in CLAIM_ORDER {
            let due = first_due(rows, status, &active.full, None)?.map(|run| run.due);
            next = next.into_iter().chain(due).min();
        }
        Ok(next)
    };
    store.snapshot(&Caller::system(), next).map_err(Refusal::into_error)
}

fn sooner(one: Option<DueRun>, other: Option<DueRun>) -> Option<DueRun> {
    one.into_iter().chain(other).min_by_key(|run| run.due)
}

/// Runs with a claim.
fn claimed<'a>(rows: &'a Transaction<'a>) -> Result<Look<'a>, Refusal> {
    let is_claimed = Test::Compare(Operator::GreaterOrEqual, Cell::Uuid(Uuid::nil()));
    Look::at(rows, "workflow_execution")?.that("claim", is_claimed)
}

/// The active runs. There are few, because no server claims more runs than it carries out at once.
struct ActiveRuns {
    /// Tenants with the maximum number of active runs; their other runs wait. Includes the tenant
    /// of the sample data, whose runs are never carried out.
    full: Vec<Uuid>,
    /// When the first lease ends; its runner is then assumed to have stopped.
    first_end: Option<i64>,
}

impl ActiveRuns {
    fn read(rows: &Transaction<'_>) -> Result<Self, Refusal> {
        // Read only the columns of the index: other columns, grouping or ordering would scan all runs.
        let found = claimed(rows)?.rows(&["tenant_id", "due_at"])?;
        let (mut held, mut first_end) = (BTreeMap::<Uuid, u64>::new(), None::<i64>);
        for row in &found {
            let (Some(tenant), Some(end)) =
                (uuid(row, "tenant_id"), row["due_at"].as_str().and_then(parse_timestamp))
            else {
                continue;
            };
            *held.entry(tenant).or_default() += u64::from(end > rows.now());
            first_end = Some(first_end.map_or(end, |first| first.min(end)));
        }
        let full = held.into_iter().filter(|(_, count)| *count >= MAX_RUNS_PER_TENANT);
        // Runs in the sample data are not carried out.
        let sample = auth::sample::tenant_of(rows)?;
        Ok(Self { full: full.map(|(tenant, _)| tenant).chain(sample).collect(), first_end })
    }
}

/// The run with that status that is due first, not after `until` if given, from tenants that are not in `full`.
fn first_due(
    rows: &Transaction<'_>,
    status: &str,
    full: &[Uuid],
    until: Option<i64>,
) -> Result<Option<DueRun>, Refusal> {
    let due = match until {
        Some(until) => Test::Compare(Operator::LessOrEqual, Cell::Timestamp(until)),
        // A "not null" condition would not use the index.
        None => Test::Compare(Operator::GreaterOrEqual, Cell::Timestamp(0)),
    };
    let of_status = || Look::at(rows, "workflow_execution")?.with("status", status);
    let first = DueRun::first(of_status()?.that("due_at", due.clone())?)?;
    if first.as_ref().is_none_or(|first| !full.contains(&first.tenant)) {
        return Ok(first);
    }
    // Skip the runs of full tenants without reading them: query the other tenants one by one.
    let (mut soonest, mut past) = (None, Uuid::nil());
    loop {
        let is_next = Test::Compare(Operator::Greater, Cell::Uuid(past));
        let look = of_status()?.that("tenant_id", is_next)?.ordered("tenant_id", false)?.limit(1);
        let Some(tenant) = look.first(&["tenant_id"])?.and_then(|row| uuid(&row, "tenant_id")) else {
            return Ok(soonest);
        };
        if !full.contains(&tenant) {
            let own = of_status()?.with("tenant_id", tenant)?.that("due_at", due.clone())?;
            soonest = sooner(soonest, DueRun::first(own)?);
        }
        past = tenant;
    }
}

/// Claims the first due run to keep other runners from taking it for a while. `claim` is a new random id. Blocks.
pub fn claim(store: &Store, claim: Uuid) -> Result<Option<ClaimedRun>, StoreError> {
    let taken = |rows: &Transaction<'_>| -> Result<Option<ClaimedRun>, Refusal> {
        if !settings::is_on(rows)? {
            return Ok(None);
        }
        let ActiveRuns { full, .. } = ActiveRuns::read(rows)?;
        for status in CLAIM_ORDER {
            let Some(DueRun { id, tenant, .. }) = first_due(rows, status, &full, Some(rows.now()))? else {
                continue;
            };
            let set = [("claim", claim.into()), ("due_at", lease_end(rows)), ("status", "RUNNING".into())];
            let system = Caller::system_for(tenant);
            rows.as_caller(&system).without_actor().update("workflow_execution", &[eq("id", id)], &set)?;
            return Ok(Some(ClaimedRun { id, tenant, claim }));
        }
        Ok(None)
    };
    store.transaction(&Caller::system(), taken).map_err(Refusal::into_error)
}

/// The end of a lease that starts now.
pub(super) fn lease_end(rows: &Transaction<'_>) -> ValueRef<'static> {
    ValueRef::Timestamp(rows.now() + i64::try_from(RUN_LEASE.as_micros()).unwrap_or(i64::MAX))
}

/// Extends the claim while the runner continues. Blocks.
pub fn extend_claim(store: &Store, run: ClaimedRun) -> Result<(), StoreError> {
    store.concurrent_transaction(&Caller::system(), |rows| {
        let ours = [eq("id", run.id), eq("claim", run.claim)];
        rows.without_actor().update("workflow_execution", &ours, &[("due_at", lease_end(rows))]).map(|_| ())
    })
}

/// Releases the claims of a previous process, so that its runs continue immediately; no other process uses the data directory.
/// Does nothing on a shared database, where claims of other servers may be active and old ones expire by their lease. Blocks.
pub fn release_all(store: &Store) -> Result<(), StoreError> {
    if store.is_shared() {
        return Ok(());
    }
    let release = |rows: &Transaction<'_>| -> Result<(), Refusal> {
        for id in claimed(rows)?.rows(&["id"])?.iter().filter_map(|row| uuid(row, "id")) {
            let set = [("claim", ValueRef::Null), ("due_at", ValueRef::Timestamp(rows.now()))];
            rows.without_actor().update("workflow_execution", &[eq("id", id)], &set)?;
        }
        Ok(())
    };
    store.transaction(&Caller::system(), release).map_err(Refusal::into_error)
}
