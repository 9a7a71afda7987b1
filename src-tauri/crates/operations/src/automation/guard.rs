//! Keeps auto-pilots from acting without the consent they need, and in the sample data, whichever way they became Active.

use super::consent;
use crate::acting;
use crate::kit::{Look, text, uuid};
use catalogue::{Caller, Value};
use graphql::Refusal;
use store::{StoreError, Transaction};
use uuid::Uuid;

/// Refuses auto-pilots among these rows that are Active without the consent that their account's policy requires.
pub(crate) fn after_write(rows: &Transaction<'_>, ids: &[Uuid]) -> Result<(), StoreError> {
    refuse(rows, ids).map_err(Refusal::into_error)
}

fn refuse(rows: &Transaction<'_>, ids: &[Uuid]) -> Result<(), Refusal> {
    acting::refuse_rows(rows, ("auto_pilot", "Active"), ids, acting::PILOT)?;
    let ids = ids.iter().map(|id| Value::Uuid(*id)).collect();
    let look = Look::at(rows, "auto_pilot")?.one_of("id", ids)?.with("status", "Active")?;
    for pilot in look.rows(&["id", "tenant_id", "account_id", "created_by", "name"])? {
        let cell = |name: &str| uuid(&pilot, name).unwrap_or_default();
        let system = Caller::system_for(cell("tenant_id"));
        let rows = &rows.as_caller(&system);
        if consent::needed(rows, cell("account_id"), cell("created_by"))?.is_none() {
            continue;
        }
        let given = consent::count_answers(rows, cell("id"))?;
        if given.yes < given.needed {
            let message = format!(
                "the auto-pilot \"{}\" needs the consent of {} of its reviewers and has {}: ask for it with \
                 auto_optimize_update_status",
                text(&pilot, "name"),
                given.needed,
                given.yes
            );
            return Err(Refusal::conflict(message));
        }
    }
    Ok(())
}
