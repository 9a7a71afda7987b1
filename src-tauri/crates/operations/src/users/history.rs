//! The history of users' actions on the pages.

use crate::kit::{Arguments, account, person, tenant};
use catalogue::Caller;
use catalogue::ValueRef;
use graphql::{Call, Refusal};
use model::operations::UserHistoryOutput;
use serde_json::Value;

/// `user_history`. Any signed-in user may record their own actions, therefore the service writes the row. The history is a trail itself and is
/// not repeated in the audit trail.
pub(super) fn note(call: &Call<'_>) -> Result<UserHistoryOutput, Refusal> {
    let request = Arguments(call.arguments).object("request");
    let account = request.id("account_id")?.map(|id| account(call, id)).transpose()?;
    let duration = request.value("duration").and_then(Value::as_f64).unwrap_or_default();
    if !duration.is_finite() || duration < 0.0 {
        return Err(Refusal::invalid(format!("`duration` is {duration}: expected seconds, 0 or more")));
    }
    let system = Caller::system();
    call.rows.as_caller(&system).insert(
        "user_history",
        &[
            ("tenant_id", tenant(call)?.into()),
            ("user_id", person(call)?.into()),
            ("account_id", account.into()),
            ("module", request.needed("module")?.into()),
            ("data", request.text("data").unwrap_or_default().into()),
            ("status", request.needed("status")?.into()),
            ("duration", ValueRef::Float(duration)),
            ("created_at", ValueRef::Timestamp(call.now)),
        ],
    )?;
    Ok(UserHistoryOutput { status: "success".to_owned() })
}
