//! The caller's API tokens. They are rows of the service, because sign-in reads them before the tenant is known.

use super::refusal;
use crate::kit::{Arguments, note, person, tenant};
use catalogue::Caller;
use graphql::{Call, Refusal};
use model::operations::{UserTokenCreateResponse, UserTokenDeleteResponse};
use model::tables::user_auths;
use model::{AuthType, Read as _, Select, row};
use serde::Serialize;
use store::{Transaction, eq};

row! {
    /// A token in the API's form; its secret is not stored.
    #[derive(Serialize)]
    pub(super) struct Token from user_auths { id, name, provider, status, created_at, accessed_at }
}
row! { struct Owner from users { username, status } }

/// `users_list_token`
#[derive(Serialize)]
pub(super) struct Tokens {
    tokens: Vec<Token>,
}

/// The audit-trail content about a token.
#[derive(Serialize)]
struct TokenLine<'a> {
    name: &'a str,
}

/// `users_list_token`
pub(super) fn list(call: &Call<'_>) -> Result<Tokens, Refusal> {
    let system = Caller::system();
    let rows = call.rows.as_caller(&system);
    Ok(Tokens { tokens: own(call, &rows)?.rows()? })
}

/// `users_create_token`
pub(super) fn create(call: &Call<'_>) -> Result<UserTokenCreateResponse, Refusal> {
    let name = Arguments(call.arguments).object("user").needed("name")?.trim();
    let (user, tenant) = (person(call)?, tenant(call)?);
    let system = Caller::system();
    let rows = call.rows.as_caller(&system);
    let owner = rows.find::<Owner>(user)?.filter(|owner| owner.status.as_str() == "active");
    let owner = owner.ok_or_else(Refusal::denied)?;
    let whose = (user, owner.username.as_str());
    let secret =
        auth::api_token::issue(&rows, whose, tenant, name, call.now, &mut rand::rng()).map_err(refusal)?;
    if let Some(token) = own(call, &rows)?.filter(user_auths::name.eq(name)).first()? {
        note(call, ("user_auths", token.id.uuid()), "insert", &TokenLine { name })?;
    }
    Ok(UserTokenCreateResponse { name: name.to_owned(), token: secret })
}

/// `users_delete_token`
pub(super) fn delete(call: &Call<'_>) -> Result<UserTokenDeleteResponse, Refusal> {
    let name = Arguments(call.arguments).object("user").needed("name")?.trim();
    let system = Caller::system();
    let rows = call.rows.as_caller(&system);
    let found = own(call, &rows)?.filter(user_auths::name.eq(name)).rows()?;
    if found.is_empty() {
        let known = own(call, &rows)?.rows()?;
        let names = known.iter().filter_map(|row| row.name.as_deref());
        let known: Vec<String> = names.map(|name| format!("\"{name}\"")).collect();
        let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
        return Err(Refusal::not_found(format!(
            "you have no API token \"{name}\" in this tenant; you have {known}"
        )));
    }
    for token in found {
        let id = token.id.uuid();
        rows.delete("user_auths", &[eq("id", id)])?;
        note(call, ("user_auths", id), "delete", &TokenLine { name })?;
    }
    Ok(UserTokenDeleteResponse { name: name.to_owned() })
}

/// The caller's API tokens in this tenant, oldest first.
fn own<'a>(call: &Call<'_>, rows: &'a Transaction<'a>) -> Result<Select<'a, Token>, Refusal> {
    let of_person = user_auths::user.eq(person(call)?).and(user_auths::tenant_id.eq(tenant(call)?));
    let tokens = rows.query::<Token>().filter(of_person.and(user_auths::provider.eq(AuthType::Token)));
    Ok(tokens.order(user_auths::created_at.asc()).order(user_auths::id.asc()))
}
