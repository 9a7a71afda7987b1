//! The account, tenant and user of a call, and cells of rows.

use catalogue::Caller;
use graphql::{Call, Refusal};
use serde_json::Value as Json;
use store::eq;
use uuid::Uuid;

/// The account, if the caller can see it. An account of another tenant is reported as not found.
pub(crate) fn account(call: &Call<'_>, id: Uuid) -> Result<Uuid, Refusal> {
    match call.rows.count("cloud_accounts", &[eq("id", id)])? {
        0 => Err(Refusal::not_found(format!("there is no account {id} that you may see"))),
        _ => Ok(id),
    }
}

/// The tenant of the caller.
pub(crate) fn tenant(call: &Call<'_>) -> Result<Uuid, Refusal> {
    tenant_of(call.caller)
}

/// The tenant of a caller; refused if it has none.
pub(crate) fn tenant_of(caller: &Caller) -> Result<Uuid, Refusal> {
    caller.tenant().ok_or_else(Refusal::denied)
}

/// The calling user; refused for the service itself.
pub(crate) fn person(call: &Call<'_>) -> Result<Uuid, Refusal> {
    call.caller.user.ok_or_else(Refusal::denied)
}

/// The UUID in a cell of a row.
pub(crate) fn uuid(row: &Json, column: &str) -> Option<Uuid> {
    Uuid::parse_str(row[column].as_str()?).ok()
}

/// The text in a cell of a row; empty if it has none.
pub(crate) fn text<'a>(row: &'a Json, column: &str) -> &'a str {
    row[column].as_str().unwrap_or_default()
}
