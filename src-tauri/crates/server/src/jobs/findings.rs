//! Keeps findings up to date with charges: after imports, and after imports are undone.

use super::questions::{self, Reader};
use crate::error::chain;
use catalogue::Caller;
use ingest::undo::{UndoError, UndoRequest};
use ingest::{ImportError, Report, State, pending_searches};
use operations::TaggedCharges;
use store::{Store, StoreError};
use uuid::Uuid;

/// The kind of record for charges in reports of documents.
const COSTS: &str = "costs";

/// Recomputes the findings of the caller's tenant if one of the imports has changed its charges. Blocks the thread.
pub fn after_imports(
    store: &Store,
    caller: &Caller,
    reader: Reader<'_>,
    reports: &[Result<Report, ImportError>],
) {
    let has_changed = |report: &Report| matches!(report.state, State::Done | State::DoneWithSkips);
    let changed: Vec<&Report> = reports.iter().flatten().filter(|report| has_changed(report)).collect();
    if !changed.is_empty() {
        refresh(store, caller, charges_of(&changed));
        questions::renew(store, caller, reader, &changed);
    }
}

/// The period that covers the charges of the imports; all charges if an import with charges does not state its period; only charges with changed
/// tags if none of the imports contains charges.
fn charges_of(reports: &[&Report]) -> TaggedCharges {
    // A bill has no counts by kind.
    let mut with_charges = reports
        .iter()
        .filter(|report| report.written.is_empty() || report.written.contains_key(COSTS))
        .peekable();
    if with_charges.peek().is_none() {
        return TaggedCharges::OfChangedTags;
    }
    let time = |text: &str| catalogue::parse_timestamp(text);
    let period = |report: &&Report| {
        let period = report.period.as_ref()?;
        Some((time(&period.start)?, time(&period.end)?))
    };
    let periods: Option<Vec<(i64, i64)>> = with_charges.map(period).collect();
    let periods = periods.unwrap_or_default();
    let (from, until) =
        (periods.iter().map(|(from, _)| from).min(), periods.iter().map(|(_, until)| until).max());
    from.zip(until).map_or(TaggedCharges::All, |(from, until)| TaggedCharges::Between(*from, *until))
}

/// Undoes imports and updates the findings.
pub fn undo(
    store: &Store,
    caller: &Caller,
    reader: Reader<'_>,
    (id, with): (Uuid, &[Uuid]),
    by: UndoRequest,
) -> Result<Vec<Uuid>, UndoError> {
    let since = store.now();
    let undone = ingest::undo::undo(store, caller, id, with, by)?;
    // Charges that were restored have the tags of an earlier time.
    refresh(store, caller, TaggedCharges::All);
    if let Some(tenant) = caller.tenant()
        && let Err(error) = operations::review::review_undone(store, tenant, since)
    {
        tracing::warn!("notices of what was taken back stay: {}", chain(&error));
    }
    match questions::reports(store, caller, &undone) {
        Ok(reports) => questions::renew(store, caller, reader, &reports.iter().collect::<Vec<_>>()),
        Err(error) => tracing::warn!("questions tell of costs before the undo: {}", chain(&error)),
    }
    Ok(undone)
}

/// Recomputes the findings of tenants whose importer failed to do so in time, because it was killed or an error occurred. `now` is in µs since 1970
/// UTC. Returns the time at which the next turn expires. Blocks the thread.
pub fn take_over(store: &Store, now: i64) -> Result<Option<i64>, StoreError> {
    while let Some(tenant) = pending_searches::take_over(store, now)? {
        tracing::info!(%tenant, "what is found in imports is looked for, since nobody did after the last one");
        refresh(store, &Caller::system_for(tenant), TaggedCharges::All);
    }
    pending_searches::next_due(store)
}

/// Errors are logged only: the import remains valid, and the findings are recomputed later.
fn refresh(store: &Store, caller: &Caller, which: TaggedCharges) {
    let Some(tenant) = caller.tenant() else { return };
    let pending = pending_searches::pending(store, tenant);
    let is_whole = match &pending {
        Ok(Some(pending)) if pending.only_events => look_at_events(store, tenant),
        Ok(Some(pending)) if pending.only_charges => {
            look(store, tenant, which, operations::cost_anomalies::refresh_costs)
        }
        _ => look(store, tenant, which, operations::cost_anomalies::refresh),
    };
    if !is_whole {
        return;
    }
    let settled = pending
        .and_then(|pending| pending.map_or(Ok(()), |pending| pending_searches::mark_done(store, pending)));
    if let Err(error) = settled {
        tracing::warn!("what is found in imports is looked for once more: {}", chain(&error));
    }
}

/// Like [`look`], but for imports with only events: findings about costs are unaffected. Returns whether everything was computed.
fn look_at_events(store: &Store, tenant: Uuid) -> bool {
    let looked =
        operations::judge_rules(store, tenant).and_then(|()| operations::review::review(store, tenant));
    if let Err(error) = &looked {
        tracing::warn!("rules for events were not judged: {}", chain(error));
    }
    looked.is_ok()
}

/// A search for anomalies: only those of costs, or all.
type AnomalySearch = fn(&Store, Uuid) -> Result<operations::cost_anomalies::Outcome, StoreError>;

/// Computes tags, anomalies and notices. Returns whether all of them succeeded.
fn look(store: &Store, tenant: Uuid, which: TaggedCharges, anomalies: AnomalySearch) -> bool {
    let mut is_whole = true;
    let mut failed = |what: &str, error: &StoreError| {
        is_whole = false;
        tracing::warn!("{what}: {}", chain(error));
    };
    match operations::tag(store, tenant, which) {
        Ok(0) => {}
        Ok(charges) => tracing::info!(charges, "charges were given the values of virtual tags"),
        Err(error) => failed("charges were not given the values of virtual tags", &error),
    }
    match anomalies(store, tenant) {
        Ok(found) => {
            let (added, removed) = (found.changes.added, found.changes.removed);
            let count = found.findings.len() + found.measured.len();
            tracing::info!(found = count, added, removed, "looked for anomalies");
        }
        Err(error) => failed("anomalies were not looked for", &error),
    }
    match operations::savings::refresh(store, tenant) {
        Ok(found) => tracing::info!(
            found = found.findings.len(),
            added = found.added,
            removed = found.removed,
            reopened = found.reopened,
            proved = found.proved,
            "looked for waste"
        ),
        Err(error) => failed("waste was not looked for", &error),
    }
    match operations::insights::refresh(store, tenant) {
        Ok(changes) => tracing::info!(
            added = changes.added,
            updated = changes.updated,
            removed = changes.removed,
            "worded what changed in the last week"
        ),
        Err(error) => failed("what changed in the last week was not worded", &error),
    }
    if let Err(error) = operations::allocate(store, tenant) {
        failed("shared cost was not split anew", &error);
    }
    if let Err(error) = operations::review::review(store, tenant) {
        failed("notices were not reviewed", &error);
    }
    is_whole
}
