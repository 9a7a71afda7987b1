//! API tokens for programs.
//!
//! A token has a name and a secret that is shown once; a program signs in with the e-mail address and the secret.

use crate::person::{self, Person};
use crate::secret::{draw, fingerprint, new_id};
use crate::tenant::{self, Tenant};
use crate::user::{self, member, normalize_email};
use crate::{AccountError, SignInError};
use catalogue::{Caller, ValueRef};
use model::tables::user_auths;
use model::{AuthType, Read as _, Secret, UserStatusType, row};
use rand::CryptoRng;
use store::{Store, StoreError, Transaction, eq};
use uuid::Uuid;

/// A new API token. The secret is only in this value: the database stores its fingerprint.
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
    store.transaction(&Caller::system(), |rows| {
        let user = member(rows, email, tenant)?;
        let secret = issue(rows, (user.id, &user.email), tenant.id, name, now, rng)?;
        Ok(ApiToken { email: user.email, secret })
    })
}

/// Creates an API token for a user (id and e-mail address) already checked to be an active member of the tenant. Returns the secret. `rows` must be
/// a transaction of the system caller.
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
    let same_name = user_auths::user
        .eq(user)
        .and(user_auths::tenant_id.eq(tenant))
        .and(user_auths::provider.eq(AuthType::Token))
        .and(user_auths::name.eq(name))
        .and(user_auths::status.eq(UserStatusType::Active));
    if rows.query::<Token>().filter(same_name).exists()? {
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

row! { struct Token from user_auths { id, user, tenant_id, status, expires_at } }

/// A verified API token.
#[derive(Debug)]
pub struct TokenSignIn {
    pub person: Person,
    /// For [`touch`].
    pub token: Uuid,
}

/// Returns the user whose e-mail address and API token secret these are.
///
/// Whether the user or the token is inactive is reported only to callers with the right secret.
pub fn check(store: &Store, email: &str, secret: &str, now: i64) -> Result<TokenSignIn, SignInError> {
    let email = normalize_email(email).map_err(|_| SignInError::WrongCredentials)?;
    store.snapshot(&Caller::system(), |rows| {
        let mine = user_auths::credential.eq(Secret::from(fingerprint(secret)));
        let is_token = user_auths::provider.eq(AuthType::Token);
        let found = rows.query::<Token>().filter(mine).filter(is_token).first()?;
        let token = found.ok_or(SignInError::WrongCredentials)?;
        let user = user::load(rows, token.user.uuid())?.filter(|user| user.email == email);
        let user = user.ok_or(SignInError::WrongCredentials)?;
        user.check_active()?;
        let is_expired = token.expires_at.is_some_and(|expires_at| expires_at.micros() <= now);
        if token.status != Some(UserStatusType::Active) || is_expired {
            return Err(SignInError::TokenNotActive);
        }
        let tenant = match token.tenant_id {
            Some(tenant) => Some(tenant),
            None => tenant::default_of(rows, user.id)?,
        };
        let person = person::load(rows, user.id, tenant.ok_or(SignInError::NoTenant)?)?;
        Ok(TokenSignIn { person, token: token.id.uuid() })
    })
}

/// Records that an API token was used at `now`. Waits for other writers. Only the last-used time depends on it.
pub fn touch(store: &Store, token: Uuid, now: i64) -> Result<(), StoreError> {
    store.transaction(&Caller::system(), |rows| {
        rows.update("user_auths", &[eq("id", token)], &[("accessed_at", ValueRef::Timestamp(now))])?;
        Ok(())
    })
}
