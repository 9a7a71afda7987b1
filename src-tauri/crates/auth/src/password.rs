//! The local administrator's password, for sign-in when the identity provider is unavailable.
//!
//! A password can be guessed. It is therefore stored as an argon2id hash, attempts are [throttled](crate::throttle), and it can be disabled once
//! single sign-on works.

use crate::person::{self, Person};
use crate::secret::new_id;
use crate::user::{LOCAL_ADMINISTRATOR, find_administrator};
use crate::{AccountError, SignInError};
use crate::{setting, tenant};
use argon2::Argon2;
use argon2::password_hash::{PasswordHash, PasswordHasher, PasswordVerifier, SaltString};
use catalogue::{Caller, ValueRef};
use model::tables::user_auths;
use model::{AuthType, Read as _, row};
use rand::CryptoRng;
use store::{Store, StoreError, Transaction, eq};

/// Minimum length of a password, in characters.
pub const SHORTEST: usize = 12;
/// Maximum length: hashing more would only take time.
pub const LONGEST: usize = 256;
const SWITCH: &str = "local_password";

/// Whether a password is set, and whether it is enabled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Local {
    pub is_set: bool,
    pub is_enabled: bool,
}

impl Local {
    /// Whether a sign-in with the password is possible.
    pub fn works(self) -> bool {
        self.is_set && self.is_enabled
    }
}

/// The state of the local administrator's password.
pub fn local(store: &Store) -> Result<Local, StoreError> {
    store.snapshot(&Caller::system(), load)
}

pub(crate) fn load(rows: &Transaction<'_>) -> Result<Local, StoreError> {
    let is_set = hash(rows)?.is_some();
    Ok(Local { is_set, is_enabled: setting::get(rows, SWITCH)?.is_none_or(|switch| switch != "off") })
}

row! { struct Credential from user_auths { credential } }

fn hash(rows: &Transaction<'_>) -> Result<Option<String>, StoreError> {
    let Some(user) = find_administrator(rows)? else { return Ok(None) };
    let own = user_auths::user.eq(user).and(user_auths::provider.eq(AuthType::Email));
    let found = rows.query::<Credential>().filter(own).first()?;
    Ok(found.and_then(|row| row.credential).map(model::Secret::expose))
}

/// Sets the local administrator's password. Blocks the thread while hashing.
pub fn set(store: &Store, password: &str, now: i64, rng: &mut dyn CryptoRng) -> Result<(), AccountError> {
    let letters = password.chars().count();
    if !(SHORTEST..=LONGEST).contains(&letters) {
        return Err(AccountError::WeakPassword { letters });
    }
    let mut salt = [0; 16];
    rng.fill_bytes(&mut salt);
    let salt = SaltString::encode_b64(&salt).expect("sixteen bytes are a salt");
    let hashed = Argon2::default()
        .hash_password(password.as_bytes(), &salt)
        .expect("a password of this length can be hashed")
        .to_string();
    store.transaction(&Caller::system(), |rows| {
        let user = find_administrator(rows)?
            .ok_or_else(|| AccountError::UnknownUser { email: LOCAL_ADMINISTRATOR.to_owned() })?;
        rows.delete("user_auths", &[eq("user", user), eq("provider", "email")])?;
        rows.insert(
            "user_auths",
            &[
                ("id", new_id(rng).into()),
                ("user", user.into()),
                ("provider", "email".into()),
                ("provider_type", "credentials".into()),
                ("status", "active".into()),
                ("credential", hashed.as_str().into()),
                ("accessed_at", ValueRef::Null),
                ("created_at", ValueRef::Timestamp(now)),
                ("updated_at", ValueRef::Timestamp(now)),
            ],
        )?;
        Ok(())
    })
}

/// Enables or disables sign-in by password.
pub fn switch(rows: &Transaction<'_>, is_on: bool, now: i64) -> Result<(), StoreError> {
    setting::put(rows, SWITCH, if is_on { "on" } else { "off" }, now)
}

/// Returns the person with that e-mail address and password. Takes equally long for an unknown address. Blocks the thread while hashing.
pub fn check(store: &Store, email: &str, password: &str) -> Result<Person, SignInError> {
    // Hash of an unknown password, compared with if no password is set.
    const NOBODYS: &str =
        "$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$h0fL0nYFfB2Q1S3c1m6f0zU2kCk0m8z1yQm2gq9m3aA";
    let (kept, local) =
        store.snapshot(&Caller::system(), |rows| Ok::<_, StoreError>((hash(rows)?, load(rows)?)))?;
    let is_known = email.trim().to_lowercase() == LOCAL_ADMINISTRATOR;
    let hashed = kept.as_deref().filter(|_| is_known).unwrap_or(NOBODYS);
    let is_short = password.chars().count() <= LONGEST;
    let is_right = is_short
        && PasswordHash::new(hashed)
            .is_ok_and(|hashed| Argon2::default().verify_password(password.as_bytes(), &hashed).is_ok());
    if !(is_right && is_known && kept.is_some()) {
        return Err(SignInError::WrongCredentials);
    }
    if !local.is_enabled {
        return Err(SignInError::PasswordOff);
    }
    store.snapshot(&Caller::system(), |rows| {
        let user = find_administrator(rows)?.ok_or(SignInError::WrongCredentials)?;
        let tenant = tenant::default_of(rows, user)?.ok_or(SignInError::NoTenant)?;
        person::load(rows, user, tenant)
    })
}
