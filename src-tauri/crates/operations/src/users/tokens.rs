//! The caller's own API tokens. They are rows of the service: sign-in reads them before it knows whose tenant it is.

use super::refusal;
use crate::kit::{Arguments, Look, note, person, tenant, text, uuid};
use catalogue::Caller;
use graphql::{Call, Refusal};
use serde_json::{Value, json};
use store::{Transaction, eq};

const COLUMNS: &[&str] = &["id", "name", "provider", "status", "created_at", "accessed_at"];

/// `users_list_token`
pub(super) fn list(call: &Call<'_>) -> Result<Value, Refusal> {
    let house = Caller::house();
    let rows = call.rows.acting_as(&house);
    Ok(json!({ "tokens": own(call, &rows)?.rows(COLUMNS)? }))
}

/// `users_create_token`
pub(super) fn create(call: &Call<'_>) -> Result<Value, Refusal> {
    let name = Arguments(call.arguments).object("user").needed("name")?.trim();
    let (user, tenant) = (person(call)?, tenant(call)?);
    let house = Caller::house();
    let rows = call.rows.acting_as(&house);
    let found =
        Look::at(&rows, "users")?.with("id", user)?.first(&["username", "status"])?.unwrap_or_default();
    if found["status"] != "active" {
        return Err(Refusal::denied());
    }
    let whose = (user, text(&found, "username"));
    let secret =
        auth::api_token::issue(&rows, whose, tenant, name, call.now, &mut rand::rng()).map_err(refusal)?;
    let token = own(call, &rows)?.with("name", name)?.first(&["id", "name"])?.unwrap_or_default();
    note(call, ("user_auths", uuid(&token, "id").unwrap_or_default()), "insert", &json!({ "name": name }))?;
    Ok(json!({ "name": name, "token": secret }))
}

/// `users_delete_token`
pub(super) fn delete(call: &Call<'_>) -> Result<Value, Refusal> {
    let name = Arguments(call.arguments).object("user").needed("name")?.trim();
    let house = Caller::house();
    let rows = call.rows.acting_as(&house);
    let found = own(call, &rows)?.with("name", name)?.rows(&["id"])?;
    if found.is_empty() {
        let known = own(call, &rows)?.rows(&["name"])?;
        let known: Vec<String> = known.iter().map(|row| format!("\"{}\"", text(row, "name"))).collect();
        let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
        return Err(Refusal::not_found(format!(
            "you have no API token \"{name}\" in this tenant; you have {known}"
        )));
    }
    for id in found.iter().filter_map(|row| uuid(row, "id")) {
        rows.delete("user_auths", &[eq("id", id)])?;
        note(call, ("user_auths", id), "delete", &json!({ "name": name }))?;
    }
    Ok(json!({ "name": name }))
}

/// The caller's API tokens in this tenant, oldest first.
fn own<'a>(call: &Call<'_>, rows: &'a Transaction<'a>) -> Result<Look<'a>, Refusal> {
    let look = Look::at(rows, "user_auths")?.with("user", person(call)?)?.with("tenant_id", tenant(call)?)?;
    look.with("provider", "token")?.ordered("created_at", false)?.ordered("id", false)
}
