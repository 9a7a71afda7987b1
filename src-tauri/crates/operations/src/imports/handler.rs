//! The interface to the service's importers, which can read the stored files.

use catalogue::Caller;
use graphql::Refusal;
use uuid::Uuid;

/// Undoes imports and decides open questions about imports, for the tenant of the caller. All methods block.
pub trait Imports: Send + Sync {
    /// Undoes an import and the later imports in `with` that depend on it. Returns all their ids, newest first. Refused without a change if
    /// another import depends on it.
    fn undo(&self, caller: &Caller, id: Uuid, with: &[Uuid]) -> Result<Vec<Uuid>, Refusal>;

    /// Applies a user's decision about an import and the other imports of its delivery. Returns the import's new state.
    fn decide(&self, caller: &Caller, id: Uuid, choice: &str) -> Result<String, Refusal>;
}

/// Refuses everything, for services without importers.
pub struct NoImports;

impl Imports for NoImports {
    fn undo(&self, _: &Caller, _: Uuid, _: &[Uuid]) -> Result<Vec<Uuid>, Refusal> {
        Err(none())
    }

    fn decide(&self, _: &Caller, _: Uuid, _: &str) -> Result<String, Refusal> {
        Err(none())
    }
}

fn none() -> Refusal {
    Refusal::new("not-supported", "nothing is imported here")
}
