//! Tenants whose imports have changed since what is found in them was looked for. It is written down with the change itself, so that a process that
//! is killed after it (a command line beside the service, say) leaves nothing undone.
//!
//! What is found (anomalies, savings, notices) is the product's to look for. Here stands whose turn it is: until `due_at` that of whoever made the change, from
//! then on that of the first server that takes it.

use crate::report::Report;
use catalogue::Caller;
use model::tables::findings_due;
use model::{FindingsDue, Id, Read as _, Writer, ZonedTimestamp};
use std::time::Duration;
use store::{Store, StoreError, Transaction};
use uuid::Uuid;

/// How long whoever made a change, or took the search over, has for it.
pub const TURN: Duration = Duration::from_mins(2);

/// A change of a tenant's imports after which nothing was looked for yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FindingsAwaited {
    tenant: Uuid,
    change: Uuid,
    /// Costs, resources, clusters and measurements are as they were when everything was looked for.
    pub only_events: bool,
    /// Events, clusters and measurements are as they were when everything was looked for.
    pub only_charges: bool,
}

/// Kinds of records from which no cost, resource, cluster or measurement comes.
const OF_EVENTS: [&str; 3] = ["events", "log_lines", "alert_rules"];

/// Kinds of records that come with charges alone.
const OF_CHARGES: [&str; 2] = ["costs", "resources"];

/// What came or went with imports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct ImportKinds {
    only_events: bool,
    only_charges: bool,
}

impl ImportKinds {
    /// Of some files. A bill counts no kinds.
    pub fn of<'r>(reports: impl Iterator<Item = &'r Report>) -> Self {
        reports.fold(Self { only_events: true, only_charges: true }, |before, report| {
            let has_only = |known: &[&str]| report.written.keys().all(|kind| known.contains(&kind.as_str()));
            before.and(Self {
                only_events: !report.written.is_empty() && has_only(&OF_EVENTS),
                only_charges: has_only(&OF_CHARGES),
            })
        })
    }

    /// Of these and of those.
    fn and(self, other: Self) -> Self {
        Self {
            only_events: self.only_events && other.only_events,
            only_charges: self.only_charges && other.only_charges,
        }
    }
}

/// Writes down that imports of the transaction's tenant change, and of which kind that is, with what nobody has looked at yet.
pub(crate) fn leave(rows: &Transaction<'_>, kinds: ImportKinds) -> Result<(), StoreError> {
    let Some(tenant) = rows.caller().tenant() else { return Ok(()) };
    let rows = rows.derived();
    let before = rows.find::<FindingsDue>(Id::new(tenant))?;
    let kinds = before.map_or(kinds, |before| {
        kinds.and(ImportKinds { only_events: before.only_events, only_charges: before.only_charges })
    });
    let row = [
        findings_due::tenant_id.to(Id::new(tenant)),
        findings_due::change_id.to(Uuid::new_v4()),
        findings_due::due_at.to(ZonedTimestamp(end_of_turn(rows.now()))),
        findings_due::only_events.to(kinds.only_events),
        findings_due::only_charges.to(kinds.only_charges),
    ];
    Writer::derived(&rows)?.upsert(&["tenant_id"], row, &[])
}

/// What is to be looked for of a tenant by now. Ask before looking, and [`settle`] it afterwards.
pub fn awaited(store: &Store, tenant: Uuid) -> Result<Option<FindingsAwaited>, StoreError> {
    let due = store.snapshot(&Caller::house_for(tenant), |rows| rows.find::<FindingsDue>(Id::new(tenant)))?;
    Ok(due.map(|due| FindingsAwaited {
        tenant,
        change: due.change_id,
        only_events: due.only_events,
        only_charges: due.only_charges,
    }))
}

/// Everything was looked for. A change that came meanwhile waits on.
pub fn settle(store: &Store, awaited: FindingsAwaited) -> Result<(), StoreError> {
    store.transaction(&Caller::house_for(awaited.tenant), |rows| {
        let rows = rows.derived();
        let tenant = findings_due::tenant_id.eq(Id::new(awaited.tenant));
        let same = tenant.and(findings_due::change_id.eq(awaited.change));
        Writer::derived(&rows)?.delete(same).map(drop)
    })
}

/// Takes the tenant whose turn has been over for the longest at `now`, µs since 1970 UTC; none when there is none.
pub fn take(store: &Store, now: i64) -> Result<Option<Uuid>, StoreError> {
    if next(store)?.is_none_or(|due| due > now) {
        return Ok(None);
    }
    store.transaction(&Caller::house(), |rows| {
        let rows = rows.derived();
        let Some(due) = first(&rows)?.filter(|due| due.due_at.0 <= now) else { return Ok(None) };
        let turn = [findings_due::due_at.to(ZonedTimestamp(end_of_turn(now)))];
        Writer::derived(&rows)?.update(findings_due::tenant_id.eq(due.tenant_id), turn)?;
        Ok(Some(due.tenant_id.uuid()))
    })
}

/// When the first turn is over, µs since 1970 UTC.
pub fn next(store: &Store) -> Result<Option<i64>, StoreError> {
    Ok(store.snapshot(&Caller::house(), first)?.map(|due| due.due_at.0))
}

fn first(rows: &Transaction<'_>) -> Result<Option<FindingsDue>, StoreError> {
    rows.query::<FindingsDue>().order(findings_due::due_at.asc()).first()
}

fn end_of_turn(now: i64) -> i64 {
    now.saturating_add(i64::try_from(TURN.as_micros()).unwrap_or(i64::MAX))
}
