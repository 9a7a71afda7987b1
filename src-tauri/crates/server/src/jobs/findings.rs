//! What is found in charges, kept up with them: after imports, and after imports are taken back.

use super::questions::{self, Reader};
use crate::error::chain;
use catalogue::Caller;
use ingest::undo::{UndoError, Undoing};
use ingest::{ImportError, Report, State};
use operations::TaggedCharges;
use store::Store;
use uuid::Uuid;

/// Looks anew at the charges of the caller's tenant when one of the imports has changed them. Blocks the thread.
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

/// The charges between the first and the last of some imports; all where an import does not say.
fn charges_of(reports: &[&Report]) -> TaggedCharges {
    let time = |text: &str| catalogue::parse_timestamp(text);
    let period = |report: &&Report| {
        let period = report.period.as_ref()?;
        Some((time(&period.start)?, time(&period.end)?))
    };
    let periods: Option<Vec<(i64, i64)>> = reports.iter().map(period).collect();
    let periods = periods.unwrap_or_default();
    let (from, until) =
        (periods.iter().map(|(from, _)| from).min(), periods.iter().map(|(_, until)| until).max());
    from.zip(until).map_or(TaggedCharges::All, |(from, until)| TaggedCharges::Between(*from, *until))
}

/// Takes imports back, and what was found in them.
pub fn undo(
    store: &Store,
    caller: &Caller,
    reader: Reader<'_>,
    (id, with): (Uuid, &[Uuid]),
    by: Undoing,
) -> Result<Vec<Uuid>, UndoError> {
    let since = store.now();
    let undone = ingest::undo::undo(store, caller, id, with, by)?;
    // Charges that have come back have the tags of their time.
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

/// An import stands when nothing could be found in it: the next one, or whoever asks, looks again.
fn refresh(store: &Store, caller: &Caller, which: TaggedCharges) {
    let Some(tenant) = caller.tenant() else { return };
    match operations::tag(store, tenant, which) {
        Ok(0) => {}
        Ok(charges) => tracing::info!(charges, "charges were given the values of virtual tags"),
        Err(error) => tracing::warn!("charges were not given the values of virtual tags: {}", chain(&error)),
    }
    match operations::cost_anomalies::refresh(store, tenant) {
        Ok(found) => {
            let (added, removed) = (found.changes.added, found.changes.removed);
            tracing::info!(found = found.findings.len(), added, removed, "looked for anomalies of cost");
        }
        Err(error) => tracing::warn!("anomalies of cost were not looked for: {}", chain(&error)),
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
        Err(error) => tracing::warn!("waste was not looked for: {}", chain(&error)),
    }
    match operations::insights::refresh(store, tenant) {
        Ok(changes) => tracing::info!(
            added = changes.added,
            updated = changes.updated,
            removed = changes.removed,
            "worded what changed in the last week"
        ),
        Err(error) => tracing::warn!("what changed in the last week was not worded: {}", chain(&error)),
    }
    if let Err(error) = operations::allocate(store, tenant) {
        tracing::warn!("shared cost was not split anew: {}", chain(&error));
    }
    if let Err(error) = operations::review::review(store, tenant) {
        tracing::warn!("notices were not reviewed: {}", chain(&error));
    }
}
