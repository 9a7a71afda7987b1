//! GraphQL operations to undo imports and to decide about them.

use crate::clock;
use crate::error::chain;
use crate::jobs::findings;
use crate::jobs::questions::Reader;
use crate::jobs::{self, DecideError};
use catalogue::Caller;
use graphql::Refusal;
use ingest::Archive;
use ingest::undo::{UndoError, UndoRequest};
use model::{Read, row};
use operations::Imports;
use std::sync::Arc;
use store::{Store, StoreError};
use uuid::Uuid;

row! { struct PersonName from users { display_name } }

/// The handler of import operations.
pub struct ImportsHandler {
    pub store: Store,
    pub archive: Arc<Archive>,
    /// The share by which a replacement may lower a period without a question.
    pub most_lower: f64,
}

impl Imports for ImportsHandler {
    fn undo(&self, caller: &Caller, id: Uuid, with: &[Uuid]) -> Result<Vec<Uuid>, Refusal> {
        let tenant = tenant(caller)?;
        let by = UndoRequest { person: caller.user, clock: clock::now };
        let reader = Reader { archive: &self.archive, most_lower: self.most_lower };
        findings::undo(&self.store, &tenant, reader, (id, with), by).map_err(|error| match error {
            UndoError::NotFound => no_such_import(),
            UndoError::Others(ref others) => {
                let names: Vec<String> =
                    others.iter().map(|other| format!("{} ({})", other.file_name, other.id)).collect();
                Refusal::conflict(format!("{error}: name them in `with`: {}", names.join(", ")))
            }
            UndoError::Nothing(_) => Refusal::conflict(error.to_string()),
            UndoError::Store(error) => error.into(),
            other => fault(&other),
        })
    }

    fn decide(&self, caller: &Caller, id: Uuid, choice: &str) -> Result<String, Refusal> {
        let tenant = tenant(caller)?;
        let user = caller.user.ok_or_else(Refusal::denied)?;
        let name = self.name_of(&tenant, user)?;
        let decided = jobs::decide(
            &self.store,
            &tenant,
            &self.archive,
            (id, user),
            (choice, name.as_deref()),
            jobs::Reach::File,
            self.most_lower,
        );
        let reports = decided.map_err(|error| match error {
            DecideError::NotFound => no_such_import(),
            DecideError::NoSuchChoice(..) => Refusal::invalid(error.to_string()),
            DecideError::NothingToDecide(_) | DecideError::Dropped(_) => Refusal::conflict(error.to_string()),
            DecideError::Store(error) => error.into(),
            DecideError::Import(error) => fault(&error),
        })?;
        let report = reports.into_iter().next().ok_or_else(no_such_import)?;
        Ok(report.state.name().to_owned())
    }
}

impl ImportsHandler {
    /// The display name of a user.
    fn name_of(&self, caller: &Caller, user: Uuid) -> Result<Option<String>, StoreError> {
        let found = self.store.snapshot(caller, |rows| rows.find::<PersonName>(user))?;
        Ok(found.map(|person| person.display_name))
    }
}

/// A caller with access to the tenant's imported data. The operations are restricted to tenant administrators.
fn tenant(caller: &Caller) -> Result<Caller, Refusal> {
    caller.tenant().map(Caller::system_for).ok_or_else(Refusal::denied)
}

fn no_such_import() -> Refusal {
    Refusal::not_found("there is no such import, or it was cancelled")
}

fn fault(error: &(dyn std::error::Error + 'static)) -> Refusal {
    Refusal::new("unexpected", chain(error))
}
