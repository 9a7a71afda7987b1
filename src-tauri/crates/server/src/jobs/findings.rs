//! What is found in charges, kept up with them: after imports, and after imports are taken back.

use crate::error::chain;
use catalogue::Caller;
use ingest::undo::{UndoError, Undoing};
use ingest::{ImportError, Report, State};
use store::Store;
use uuid::Uuid;

/// Looks anew at the charges of the caller's tenant when one of the imports has changed them. Blocks the thread.
pub fn after_imports(store: &Store, caller: &Caller, reports: &[Result<Report, ImportError>]) {
    let has_changed = |report: &Report| matches!(report.state, State::Done | State::DoneWithSkips);
    if reports.iter().flatten().any(has_changed) {
        refresh(store, caller);
    }
}

/// Takes imports back, and what was found in them.
pub fn undo(
    store: &Store,
    caller: &Caller,
    id: Uuid,
    with: &[Uuid],
    by: Undoing,
) -> Result<Vec<Uuid>, UndoError> {
    let undone = ingest::undo::undo(store, caller, id, with, by)?;
    refresh(store, caller);
    Ok(undone)
}

/// An import stands when nothing could be found in it: the next one, or whoever asks, looks again.
fn refresh(store: &Store, caller: &Caller) {
    let Some(tenant) = caller.tenant() else { return };
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
