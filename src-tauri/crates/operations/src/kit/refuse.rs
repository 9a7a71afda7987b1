//! Refuses fields that are handled before the request's transaction.

use graphql::{Call, Refusal};
use serde_json::Value;

/// Refuses a field inside a request: it is handled before its transaction.
pub(crate) fn refuse_inside_request(call: &Call<'_>) -> Result<Value, Refusal> {
    let message = format!("{} is not answered inside another request: ask for it by itself", call.name);
    Err(Refusal::new("not-supported", message))
}
