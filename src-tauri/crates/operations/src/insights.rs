//! Insights: what is worth knowing about the applications of an account, as it is stored.

use crate::Function;
use crate::kit::{Arguments, Look, account};
use graphql::{Call, Refusal};
use serde_json::{Value, json};

pub(crate) const FIELDS: &[(&str, Function)] = &[("list_insights", list)];

/// Insights of an answer at most, the newest ones.
const MOST: u64 = 1000;

fn list(call: &Call<'_>) -> Result<Value, Refusal> {
    let account = account(call, Arguments(call.arguments).object("request").needed_id("account_id")?)?;
    let look = Look::at(call.rows, "insight")?.with("account_id", account)?;
    let look = look.ordered("updated_at", true)?.ordered("id", false)?.limit(MOST);
    let mut rows = look.rows(&["applications", "source", "title"])?;
    for row in &mut rows {
        let named =
            |application: &Value| application["name"].is_string() && application["namespace"].is_string();
        let known = row["applications"].as_array().into_iter().flatten().filter(|entry| named(entry));
        row["applications"] = known.cloned().collect();
    }
    Ok(json!({ "data": rows }))
}
