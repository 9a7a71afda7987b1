//! Whether this service carries workflows out: decided by its administrator, off unless they say so.

use catalogue::{Caller, ValueRef};
use graphql::Refusal;
use store::{Store, StoreError, Transaction, eq, ge};

const OFF: &str = "automation is off, so nothing was begun: the administrator of the service switches it on with \
                   QUARTERDECK_AUTOMATION=on (setting automation_enabled)";

/// Writes down what the setting says. While it is off, schedules have no next time.
pub fn set_power(store: &Store, is_on: bool) -> Result<(), StoreError> {
    let house = Caller::house();
    let is_known = store.snapshot::<_, StoreError>(&house, |rows| Ok(read(rows)? == Some(is_on)))?;
    if is_known {
        return Ok(());
    }
    store.transaction(&house, |rows| {
        rows.upsert("workflow_engine", &["id"], &[("id", 0_i64.into()), ("is_on", is_on.into())], &[])?;
        if !is_on {
            let set = [("next_due_at", ValueRef::Null)];
            rows.update("workflow", &[ge("next_due_at", ValueRef::Timestamp(0))], &set)?;
        }
        Ok(())
    })
}

fn read(rows: &Transaction<'_>) -> Result<Option<bool>, StoreError> {
    let row = rows.select("workflow_engine", &["is_on"], &[eq("id", 0_i64)])?.pop();
    Ok(row.map(|row| row[0] == catalogue::Value::Bool(true)))
}

/// Whether runs are carried out.
pub(super) fn is_on(rows: &Transaction<'_>) -> Result<bool, StoreError> {
    let house = Caller::house();
    Ok(read(&rows.acting_as(&house))? == Some(true))
}

/// Refuses while automation is off.
pub(crate) fn needs_power(rows: &Transaction<'_>) -> Result<(), Refusal> {
    if is_on(rows)? { Ok(()) } else { Err(Refusal::conflict(OFF)) }
}
