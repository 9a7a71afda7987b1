//! The sample data once its files have ended: the rest is filled in.

use super::rows;
use auth::sample::{self, Sample};
use catalogue::Caller;
use ingest::FormAnswers;
use store::{Store, StoreError};
use uuid::Uuid;

/// Whether files of the sample data of this tenant are still to come: what is found in them is looked for once, after the last. Blocks.
pub fn is_arriving(store: &Store, tenant: Uuid) -> Result<bool, StoreError> {
    let Some(found) = of(store, tenant)? else { return Ok(false) };
    let states = states(store, found)?;
    Ok(states.iter().any(|state| state.as_deref().is_none_or(is_to_come)))
}

/// What is said of a file of the sample data, so that nobody need be asked; nothing of any other file. Blocks.
pub fn answers(store: &Store, tenant: Uuid, import: Uuid) -> Result<Option<FormAnswers>, StoreError> {
    let Some(found) = of(store, tenant)? else { return Ok(None) };
    let place = (0..ingest::sample::FILES).find(|place| found.import_at(*place) == import);
    Ok(place.and_then(ingest::sample::answers))
}

/// Fills the tenant of the sample data when every file of it was imported; any other tenant is left alone. Blocks.
pub fn complete(store: &Store, tenant: Uuid, person: Uuid) -> Result<(), StoreError> {
    let Some(found) = of(store, tenant)? else { return Ok(()) };
    let is_missing = |state: &str| is_to_come(state) || state == "failed";
    if states(store, found)?.iter().any(|state| state.as_deref().is_none_or(is_missing)) {
        return Ok(());
    }
    if operations::sample::fill(store, tenant, person)? {
        // The approval that waits is news.
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

/// The states of its imports; `None` for one that is not known yet.
fn states(store: &Store, found: Sample) -> Result<Vec<Option<String>>, StoreError> {
    let caller = Caller::house_for(found.tenant);
    let imports = (0..ingest::sample::FILES).map(|place| rows::find(store, &caller, found.import_at(place)));
    imports.map(|import| Ok(import?.map(|import| import.state.as_str().to_owned()))).collect()
}
