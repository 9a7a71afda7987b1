//! The audit trail of rows that belong to the service itself: the store writes down those of tenants only.

use super::{person, reply, tenant};
use catalogue::{Caller, ValueRef};
use graphql::{Call, Refusal};
use model::Writer;
use serde::Serialize;
use serde_json::Value;
use store::{StoreError, Transaction};
use uuid::Uuid;

/// One line of the trail.
pub(crate) struct Line<'a> {
    /// None: the service, or whoever has its machine.
    pub person: Option<Uuid>,
    /// µs since 1970 UTC.
    pub at: i64,
    pub table: &'a str,
    /// The row's key by its columns.
    pub key: &'a Value,
    /// `insert`, `update` or `delete`.
    pub change: &'a str,
    /// The root field.
    pub operation: &'a str,
    /// What the row said; never a secret.
    pub before: Option<&'a Value>,
    pub after: Option<&'a Value>,
}

/// Writes a line; `rows` act for the tenant whose trail it is.
pub(crate) fn write_line(rows: &Transaction<'_>, line: &Line<'_>) -> Result<(), StoreError> {
    let (before, after) = (line.before.map(Value::to_string), line.after.map(Value::to_string));
    rows.insert(
        "audit_trail",
        &[
            ("user_id", line.person.into()),
            ("created_at", ValueRef::Timestamp(line.at)),
            ("table_name", line.table.into()),
            ("row_key", ValueRef::Json(&line.key.to_string())),
            ("change", line.change.into()),
            ("operation", line.operation.into()),
            ("before", json(before.as_ref())),
            ("after", json(after.as_ref())),
        ],
    )?;
    Ok(())
}

fn json(text: Option<&String>) -> ValueRef<'_> {
    text.map_or(ValueRef::Null, |text| ValueRef::Json(text))
}

/// The key of a row by its id.
#[derive(Serialize)]
struct Key {
    id: Uuid,
}

/// Writes down that a row was added (`insert`) or removed (`delete`), and what it said; never a secret.
pub(crate) fn note(
    call: &Call<'_>,
    (table, key): (&str, Uuid),
    change: &str,
    row: &impl Serialize,
) -> Result<(), Refusal> {
    let row = &reply(row)?;
    let house = Caller::house_for(tenant(call)?);
    let is_gone = change == "delete";
    let line = Line {
        person: Some(person(call)?),
        at: call.now,
        table,
        key: &reply(&Key { id: key })?,
        change,
        operation: call.name,
        before: is_gone.then_some(row),
        after: (!is_gone).then_some(row),
    };
    Ok(write_line(&call.rows.acting_as(&house), &line)?)
}

/// Writes in the name of who asked, where somebody did; else what follows from rows that the trail tells of anyway.
pub(crate) fn writer<'a>(rows: &'a Transaction<'a>) -> Result<Writer<'a>, StoreError> {
    if rows.has_actor() { Writer::new(rows) } else { Writer::derived(rows) }
}
