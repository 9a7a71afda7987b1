//! API tokens: a name for whoever uses it and a secret, shown once, that together with the e-mail address signs a
//! program in.

use crate::household::Tenant;
use crate::person::{self, Person, text};
use crate::secret::{draw, fingerprint, new_id};
use crate::user::{member, normalize_email};
use crate::{AccountError, SignInError};
use catalogue::{Caller, ValueRef};
use rand::CryptoRng;
use store::{Store, StoreError, Transaction, eq};
use uuid::Uuid;

/// A new API token. The secret exists here only: the database keeps its fingerprint.
#[derive(Clone)]
pub struct ApiToken {
    pub email: String,
    pub secret: String,
}

/// Creates an API token for an active member of the tenant.
pub fn create(
    store: &Store,
    tenant: &Tenant,
    email: &str,
    name: &str,
    now: i64,
    rng: &mut dyn CryptoRng,
) -> Result<ApiToken, AccountError> {
    store.transaction(&Caller::house(), |rows| {
        let user = member(rows, email, tenant)?;
        let secret = issue(rows, (user.id, &user.email), tenant.id, name, now, rng)?;
        Ok(ApiToken { email: user.email, secret })
    })
}

/// Creates an API token for a person (id and e-mail address) who is known to be an active member of the tenant; its secret.
/// `rows` are those of the house.
pub fn issue(
    rows: &Transaction<'_>,
    (user, email): (Uuid, &str),
    tenant: Uuid,
    name: &str,
    now: i64,
    rng: &mut dyn CryptoRng,
) -> Result<String, AccountError> {
    let name = name.trim();
    if name.is_empty() {
        return Err(AccountError::EmptyTokenName);
    }
    let secret = draw(rng);
    let same_name = [
        eq("user", user),
        eq("tenant_id", tenant),
        eq("provider", "token"),
        eq("name", name),
        eq("status", "active"),
    ];
    if !rows.select("user_auths", &["id"], &same_name)?.is_empty() {
        return Err(AccountError::DuplicateToken { email: email.to_owned(), name: name.to_owned() });
    }
    rows.insert(
        "user_auths",
        &[
            ("id", new_id(rng).into()),
            ("user", user.into()),
            ("tenant_id", tenant.into()),
            ("provider", "token".into()),
            ("provider_type", "credentials".into()),
            ("name", name.into()),
            ("status", "active".into()),
            ("credential", fingerprint(&secret).as_str().into()),
            ("accessed_at", ValueRef::Null),
            ("created_at", ValueRef::Timestamp(now)),
            ("updated_at", ValueRef::Timestamp(now)),
        ],
    )?;
    Ok(secret)
}

/// An API token that was recognised.
#[derive(Debug)]
pub struct Recognised {
    pub person: Person,
    /// For [`touch`].
    pub token: Uuid,
}

/// Whose e-mail address and secret these are.
///
/// The states of user and token are told only to those who know the secret.
pub fn check(store: &Store, email: &str, secret: &str, now: i64) -> Result<Recognised, SignInError> {
    let email = normalize_email(email).map_err(|_| SignInError::WrongCredentials)?;
    store.snapshot(&Caller::house(), |rows| {
        let print = fingerprint(secret);
        let found = rows.select(
            "user_auths",
            &["id", "user", "tenant_id", "status", "expires_at"],
            &[eq("credential", &print), eq("provider", "token")],
        )?;
        let Some((row, token, user)) =
            found.first().and_then(|row| Some((row, row[0].as_uuid()?, row[1].as_uuid()?)))
        else {
            return Err(SignInError::WrongCredentials);
        };
        let users = rows.select("users", &["username", "status"], &[eq("id", user)])?;
        if users.first().is_none_or(|found| text(&found[0]).to_lowercase() != email) {
            return Err(SignInError::WrongCredentials);
        }
        crate::user::check_active(&text(&users[0][1]))?;
        let is_expired = row[4].as_int().is_some_and(|expires_at| expires_at <= now);
        if text(&row[3]) != "active" || is_expired {
            return Err(SignInError::TokenNotActive);
        }
        let tenant = match row[2].as_uuid() {
            Some(tenant) => Some(tenant),
            None => person::default_tenant(rows, user)?,
        };
        let person = person::load(rows, user, tenant.ok_or(SignInError::NoTenant)?)?;
        Ok(Recognised { person, token })
    })
}

/// Notes that an API token was used just now. Waits for whoever is writing; nothing depends on it.
pub fn touch(store: &Store, token: Uuid, now: i64) -> Result<(), StoreError> {
    store.transaction(&Caller::house(), |rows| {
        rows.update("user_auths", &[eq("id", token)], &[("accessed_at", ValueRef::Timestamp(now))])?;
        Ok(())
    })
}
