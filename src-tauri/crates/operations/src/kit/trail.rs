//! The audit trail of rows that belong to the service itself: the store writes down those of tenants only.

use super::{person, tenant};
use catalogue::{Caller, ValueRef};
use graphql::{Call, Refusal};
use serde_json::{Value, json};
use uuid::Uuid;

/// Writes down that a row was added (`insert`) or removed (`delete`), and what it said; never a secret.
pub(crate) fn note(
    call: &Call<'_>,
    (table, key): (&str, Uuid),
    change: &str,
    row: &Value,
) -> Result<(), Refusal> {
    let house = Caller::house_for(tenant(call)?);
    let row = row.to_string();
    let (before, after) = match change {
        "delete" => (ValueRef::Json(&row), ValueRef::Null),
        _ => (ValueRef::Null, ValueRef::Json(&row)),
    };
    call.rows.acting_as(&house).insert(
        "audit_trail",
        &[
            ("user_id", person(call)?.into()),
            ("created_at", ValueRef::Timestamp(call.now)),
            ("table_name", table.into()),
            ("row_key", ValueRef::Json(&json!({ "id": key.to_string() }).to_string())),
            ("change", change.into()),
            ("operation", call.name.into()),
            ("before", before),
            ("after", after),
        ],
    )?;
    Ok(())
}
