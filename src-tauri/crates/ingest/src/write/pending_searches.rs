//! Tenants whose imports changed since the last search for findings. The mark is written together with the change: if the process is then killed
//! (a command line next to the service, for example), the search is still done later.
//!
//! The search itself (anomalies, savings, notices) is part of the product crate. This table states who has to run it: until `due_at` the process that
//! made the change, afterwards the first server that takes it.

use crate::report::Report;
use catalogue::Caller;
use model::tables::findings_due;
use model::{FindingsDue, Id, Read as _, Writer, ZonedTimestamp};
use std::time::Duration;
use store::{Store, StoreError, Transaction};
use uuid::Uuid;

/// The time that a process has for the search after its change or after taking over.
pub const SEARCH_LEASE: Duration = Duration::from_mins(2);

/// A change of a tenant's imports without a search since.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PendingSearch {
    tenant: Uuid,
    change: Uuid,
    /// Only events changed since the last complete search, not costs, resources, clusters or metrics.
    pub only_events: bool,
    /// Only charges changed since the last complete search, not events, clusters or metrics.
    pub only_charges: bool,
}

/// Kinds of records that do not lead to costs, resources, clusters or metrics.
const OF_EVENTS: [&str; 3] = ["events", "log_lines", "alert_rules"];

/// Kinds of records that only occur with charges.
const OF_CHARGES: [&str; 2] = ["costs", "resources"];

/// The kinds of data that imports added or removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct ImportKinds {
    only_events: bool,
    only_charges: bool,
}

impl ImportKinds {
    /// The kinds in some files. Bills have no counts by kind.
    pub fn of<'r>(reports: impl Iterator<Item = &'r Report>) -> Self {
        reports.fold(Self { only_events: true, only_charges: true }, |before, report| {
            let has_only = |known: &[&str]| report.written.keys().all(|kind| known.contains(&kind.as_str()));
            before.and(Self {
                only_events: !report.written.is_empty() && has_only(&OF_EVENTS),
                only_charges: has_only(&OF_CHARGES),
            })
        })
    }

    /// Combines two sets of kinds.
    fn and(self, other: Self) -> Self {
        Self {
            only_events: self.only_events && other.only_events,
            only_charges: self.only_charges && other.only_charges,
        }
    }
}

/// Records that imports of the transaction's tenant change, with the kinds of this and of earlier unprocessed changes.
pub(crate) fn mark_changed(rows: &Transaction<'_>, kinds: ImportKinds) -> Result<(), StoreError> {
    let Some(tenant) = rows.caller().tenant() else { return Ok(()) };
    let rows = rows.without_actor();
    let before = rows.find::<FindingsDue>(Id::new(tenant))?;
    let kinds = before.map_or(kinds, |before| {
        kinds.and(ImportKinds { only_events: before.only_events, only_charges: before.only_charges })
    });
    let row = [
        findings_due::tenant_id.to(Id::new(tenant)),
        findings_due::change_id.to(Uuid::new_v4()),
        findings_due::due_at.to(ZonedTimestamp(end_of_lease(rows.now()))),
        findings_due::only_events.to(kinds.only_events),
        findings_due::only_charges.to(kinds.only_charges),
    ];
    Writer::derived(&rows)?.upsert(&["tenant_id"], row, &[])
}

/// The pending search of a tenant. Call this before searching, and [`mark_done`] afterwards.
pub fn pending(store: &Store, tenant: Uuid) -> Result<Option<PendingSearch>, StoreError> {
    let due =
        store.snapshot(&Caller::system_for(tenant), |rows| rows.find::<FindingsDue>(Id::new(tenant)))?;
    Ok(due.map(|due| PendingSearch {
        tenant,
        change: due.change_id,
        only_events: due.only_events,
        only_charges: due.only_charges,
    }))
}

/// Marks the search as done. A change made in the meantime remains pending.
pub fn mark_done(store: &Store, search: PendingSearch) -> Result<(), StoreError> {
    store.transaction(&Caller::system_for(search.tenant), |rows| {
        let rows = rows.without_actor();
        let tenant = findings_due::tenant_id.eq(Id::new(search.tenant));
        let same = tenant.and(findings_due::change_id.eq(search.change));
        Writer::derived(&rows)?.delete(same).map(drop)
    })
}

/// Takes over the tenant whose time has been exceeded longest at `now`, µs since 1970 UTC; `None` if there is none.
pub fn take_over(store: &Store, now: i64) -> Result<Option<Uuid>, StoreError> {
    if next_due(store)?.is_none_or(|due| due > now) {
        return Ok(None);
    }
    store.transaction(&Caller::system(), |rows| {
        let rows = rows.without_actor();
        let Some(due) = first(&rows)?.filter(|due| due.due_at.0 <= now) else { return Ok(None) };
        let lease = [findings_due::due_at.to(ZonedTimestamp(end_of_lease(now)))];
        Writer::derived(&rows)?.update(findings_due::tenant_id.eq(due.tenant_id), lease)?;
        Ok(Some(due.tenant_id.uuid()))
    })
}

/// The earliest `due_at` of all tenants, µs since 1970 UTC.
pub fn next_due(store: &Store) -> Result<Option<i64>, StoreError> {
    Ok(store.snapshot(&Caller::system(), first)?.map(|due| due.due_at.0))
}

fn first(rows: &Transaction<'_>) -> Result<Option<FindingsDue>, StoreError> {
    rows.query::<FindingsDue>().order(findings_due::due_at.asc()).first()
}

fn end_of_lease(now: i64) -> i64 {
    now.saturating_add(i64::try_from(SEARCH_LEASE.as_micros()).unwrap_or(i64::MAX))
}
