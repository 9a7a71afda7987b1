//! Which run is carried on next, and by whom. A claim looks at timers that are due and at runs that have not begun, each along an index that begins with
//! what is due first: it takes the same work with ten runs that wait and with ten thousand.

use super::power;
use crate::kit::{Look, uuid};
use catalogue::{Caller, Value as Cell, ValueRef, parse_timestamp};
use graphql::Refusal;
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::Duration;
use store::query::{Operator, Test};
use store::{Store, StoreError, Transaction, eq};
use uuid::Uuid;

/// After so long a runner that has neither gone on nor [held on](hold) is taken for gone.
pub const RUN_LEASE: Duration = Duration::from_secs(30);
/// Runs of one tenant that are at work at once: half of what a service has, so that no tenant waits for the runs of another.
pub const MOST_OF_A_TENANT: u64 = 32;
/// What has begun goes before what has not: a timer is not late because others wait for their first turn.
const IN_TURN: [&str; 2] = ["RUNNING", "SCHEDULED"];

/// A run that somebody carries out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClaimedRun {
    pub id: Uuid,
    pub tenant: Uuid,
    pub(super) claim: Uuid,
}

/// A run that is due at some time.
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
        if !power::is_on(rows)? {
            return Ok(None);
        }
        let at_work = AtWork::read(rows)?;
        let mut next = at_work.first_end;
        for status in IN_TURN {
            let due = soonest(rows, status, &at_work.full, None)?.map(|run| run.due);
            next = next.into_iter().chain(due).min();
        }
        Ok(next)
    };
    store.snapshot(&Caller::house(), next).map_err(Refusal::into_error)
}

fn sooner(one: Option<DueRun>, other: Option<DueRun>) -> Option<DueRun> {
    one.into_iter().chain(other).min_by_key(|run| run.due)
}

/// Runs that somebody has claimed.
fn claimed<'a>(rows: &'a Transaction<'a>) -> Result<Look<'a>, Refusal> {
    let is_claimed = Test::Compare(Operator::GreaterOrEqual, Cell::Uuid(Uuid::nil()));
    Look::at(rows, "workflow_execution")?.that("claim", is_claimed)
}

/// What is at work just now. It is little: no server claims more runs than it carries out at once.
struct AtWork {
    /// Tenants that have as many runs at work as one may have: their others wait, and nobody else's do. The sample data may have none.
    full: Vec<Uuid>,
    /// When the first lease ends: then whoever carries the run out is taken for gone.
    first_end: Option<i64>,
}

impl AtWork {
    fn read(rows: &Transaction<'_>) -> Result<Self, Refusal> {
        // No more than the index has: with other columns, or grouped or ordered there, all runs would be gone through.
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
        let full = held.into_iter().filter(|(_, count)| *count >= MOST_OF_A_TENANT);
        // Nothing of the sample data is carried out.
        let sample = auth::sample::tenant_of(rows)?;
        Ok(Self { full: full.map(|(tenant, _)| tenant).chain(sample).collect(), first_end })
    }
}

/// The run of that status that is due first, and not after `until` where that is given, of the tenants that have not their full number at work.
fn soonest(
    rows: &Transaction<'_>,
    status: &str,
    full: &[Uuid],
    until: Option<i64>,
) -> Result<Option<DueRun>, Refusal> {
    let due = match until {
        Some(until) => Test::Compare(Operator::LessOrEqual, Cell::Timestamp(until)),
        // An index is not gone along by what is not null.
        None => Test::Compare(Operator::GreaterOrEqual, Cell::Timestamp(0)),
    };
    let of_status = || Look::at(rows, "workflow_execution")?.with("status", status);
    let first = DueRun::first(of_status()?.that("due_at", due.clone())?)?;
    if first.as_ref().is_none_or(|first| !full.contains(&first.tenant)) {
        return Ok(first);
    }
    // The runs of a full tenant are passed over as one, however many they are: the others are asked one by one.
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

/// Takes the first run that is due, so that nobody else does for a while; `claim` is a fresh random id. Blocks.
pub fn claim(store: &Store, claim: Uuid) -> Result<Option<ClaimedRun>, StoreError> {
    let taken = |rows: &Transaction<'_>| -> Result<Option<ClaimedRun>, Refusal> {
        if !power::is_on(rows)? {
            return Ok(None);
        }
        let AtWork { full, .. } = AtWork::read(rows)?;
        for status in IN_TURN {
            let Some(DueRun { id, tenant, .. }) = soonest(rows, status, &full, Some(rows.now()))? else {
                continue;
            };
            let set = [("claim", claim.into()), ("due_at", lease_end(rows)), ("status", "RUNNING".into())];
            let house = Caller::house_for(tenant);
            rows.acting_as(&house).derived().update("workflow_execution", &[eq("id", id)], &set)?;
            return Ok(Some(ClaimedRun { id, tenant, claim }));
        }
        Ok(None)
    };
    store.transaction(&Caller::house(), taken).map_err(Refusal::into_error)
}

/// When a lease that begins now ends.
pub(super) fn lease_end(rows: &Transaction<'_>) -> ValueRef<'static> {
    ValueRef::Timestamp(rows.now() + i64::try_from(RUN_LEASE.as_micros()).unwrap_or(i64::MAX))
}

/// Says that the runner is still at it. Blocks.
pub fn hold(store: &Store, run: ClaimedRun) -> Result<(), StoreError> {
    store.beside(&Caller::house(), |rows| {
        let ours = [eq("id", run.id), eq("claim", run.claim)];
        rows.derived().update("workflow_execution", &ours, &[("due_at", lease_end(rows))]).map(|_| ())
    })
}

/// Takes up at once what a service before this one was at: nobody else has the data directory. Where others may be at work on the same database, what
/// was left is taken up when its lease ends. Blocks.
pub fn release_all(store: &Store) -> Result<(), StoreError> {
    if store.is_shared() {
        return Ok(());
    }
    let release = |rows: &Transaction<'_>| -> Result<(), Refusal> {
        for id in claimed(rows)?.rows(&["id"])?.iter().filter_map(|row| uuid(row, "id")) {
            let set = [("claim", ValueRef::Null), ("due_at", ValueRef::Timestamp(rows.now()))];
            rows.derived().update("workflow_execution", &[eq("id", id)], &set)?;
        }
        Ok(())
    };
    store.transaction(&Caller::house(), release).map_err(Refusal::into_error)
}
