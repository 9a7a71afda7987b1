//! Audit trail for rows that belong to the service itself: the store audits only rows of tenants.

use super::{person, reply, tenant};
use catalogue::{Caller, ValueRef};
use graphql::{Call, Refusal};
use model::Writer;
use serde::Serialize;
use serde_json::Value;
use store::{StoreError, Transaction};
use uuid::Uuid;

/// One line of the audit trail.
pub(crate) struct Line<'a> {
    /// `None` for the service itself or a user of its command line.
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
    /// The row before the change; never contains a secret.
    pub before: Option<&'a Value>,
    pub after: Option<&'a Value>,
}

/// Writes a line; `rows` must act for the tenant to whose trail it belongs.
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

/// The key of a row with an id.
#[derive(Serialize)]
struct Key {
    id: Uuid,
}

/// Records that a row was added (`insert`) or removed (`delete`), with its content; never a secret.
pub(crate) fn note(
    call: &Call<'_>,
    (table, key): (&str, Uuid),
    change: &str,
    row: &impl Serialize,
) -> Result<(), Refusal> {
    let row = &reply(row)?;
    let system = Caller::system_for(tenant(call)?);
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
    Ok(write_line(&call.rows.as_caller(&system), &line)?)
}

/// A writer that audits under the actor if there is one. Otherwise a writer for derived rows, whose source rows are audited.
pub(crate) fn writer<'a>(rows: &'a Transaction<'a>) -> Result<Writer<'a>, StoreError> {
    if rows.has_actor() { Writer::new(rows) } else { Writer::derived(rows) }
}
