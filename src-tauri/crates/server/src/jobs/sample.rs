//! Completes the sample data once its files were imported.

use super::rows;
use auth::sample::{self, Sample};
use catalogue::Caller;
use ingest::FormAnswers;
use store::{Store, StoreError};
use uuid::Uuid;

/// Whether files of the tenant's sample data are still to be imported: findings are computed once, after the last. Blocks the thread.
pub fn is_arriving(store: &Store, tenant: Uuid) -> Result<bool, StoreError> {
    let Some(found) = of(store, tenant)? else { return Ok(false) };
    let states = states(store, found)?;
    Ok(states.iter().any(|state| state.as_deref().is_none_or(is_to_come)))
}

/// The answers about the form of a sample-data file, so that no question is asked; `None` for any other file. Blocks the thread.
pub fn answers(store: &Store, tenant: Uuid, import: Uuid) -> Result<Option<FormAnswers>, StoreError> {
    let Some(found) = of(store, tenant)? else { return Ok(None) };
    let place = (0..ingest::sample::FILES).find(|place| found.import_at(*place) == import);
    Ok(place.and_then(ingest::sample::answers))
}

/// Completes the tenant of the sample data when all of its files were imported. Does nothing for other tenants. Blocks the thread.
pub fn complete(store: &Store, tenant: Uuid, person: Uuid) -> Result<(), StoreError> {
    let Some(found) = of(store, tenant)? else { return Ok(()) };
    let is_missing = |state: &str| is_to_come(state) || state == "failed";
    if states(store, found)?.iter().any(|state| state.as_deref().is_none_or(is_missing)) {
        return Ok(());
    }
    if operations::sample::fill(store, tenant, person)? {
        // Raise a notice for the pending approval.
        operations::review::review(store, tenant)?;
        tracing::info!(%tenant, "the sample data is complete");
    }
    Ok(())
}

fn of(store: &Store, tenant: Uuid) -> Result<Option<Sample>, StoreError> {
    Ok(sample::find(store)?.filter(|found| found.tenant == tenant))
}

fn is_to_come(state: &str) -> bool {
    matches!(state, "waiting" | "running")
}

/// The states of its imports; `None` for one that does not exist yet.
fn states(store: &Store, found: Sample) -> Result<Vec<Option<String>>, StoreError> {
    let caller = Caller::system_for(found.tenant);
    let imports = (0..ingest::sample::FILES).map(|place| rows::find(store, &caller, found.import_at(place)));
    imports.map(|import| Ok(import?.map(|import| import.state.as_str().to_owned()))).collect()
}
