//! What these operations need of the service: it has the importers and the bytes of imported files.

use catalogue::Caller;
use graphql::Refusal;
use uuid::Uuid;

/// Takes imports back and answers their questions, for the tenant of the caller. All of it blocks.
pub trait Imports: Send + Sync {
    /// Takes an import back, with the later ones in `with` that rest on it; the ids of all, newest first. Refused, and nothing
    /// changed, where another one rests on it.
    fn undo(&self, caller: &Caller, id: Uuid, with: &[Uuid]) -> Result<Vec<Uuid>, Refusal>;

    /// Carries out what a person has said about an import and the others of its delivery; the state it is in afterwards.
    fn decide(&self, caller: &Caller, id: Uuid, choice: &str) -> Result<String, Refusal>;
}

/// For where nothing is imported.
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
