//! One-time codes in sign-in links.
//!
//! Each code signs its user in once.

use crate::person::{self, Person};
use crate::secret::{draw, fingerprint};
use crate::tenant::Tenant;
use crate::user::member;
use crate::{AccountError, SECOND, SignInError};
use catalogue::{Caller, ValueRef};
use model::{Read as _, Secret, row};
use rand::CryptoRng;
use store::{Store, StoreError, Transaction, eq, le};

/// How long an unused code is valid: ten minutes, in µs.
pub const VALIDITY: i64 = 600 * SECOND;

/// Creates a code for an active member of the tenant. Deletes expired codes.
pub fn create(
    store: &Store,
    tenant: &Tenant,
    email: &str,
    now: i64,
    rng: &mut dyn CryptoRng,
) -> Result<String, AccountError> {
    let code = draw(rng);
    store.transaction(&Caller::system(), |rows| {
        let user = member(rows, email, tenant)?;
        rows.delete("one_time_code", &[le("expires_at", ValueRef::Timestamp(now))])?;
        rows.insert(
            "one_time_code",
            &[
                ("code_hash", fingerprint(&code).as_str().into()),
                ("user_id", user.id.into()),
                ("tenant_id", tenant.id.into()),
                ("created_at", ValueRef::Timestamp(now)),
                ("expires_at", ValueRef::Timestamp(now + VALIDITY)),
            ],
        )?;
        Ok(code.clone())
    })
}

row! { struct Code from one_time_code { user_id, tenant_id, expires_at } }

/// Uses a code up and returns its user. Of two concurrent calls one succeeds. An unknown code takes no write lock, so guessing does not delay
/// writers.
pub fn spend(store: &Store, code: &str, now: i64) -> Result<Person, SignInError> {
    let print = fingerprint(code);
    let find = |rows: &Transaction<'_>| rows.find::<Code>(Secret::from(print.as_str()));
    let system = Caller::system();
    if store.snapshot(&system, find)?.is_none() {
        return Err(SignInError::LinkSpent);
    }
    // The code is deleted even if its user may not sign in: later errors do not roll the deletion back.
    let spent = store.transaction(&system, |rows| {
        let found = find(rows)?;
        rows.delete("one_time_code", &[eq("code_hash", &print)])?;
        Ok::<_, StoreError>(found)
    })?;
    match spent {
        Some(code) if code.expires_at.micros() > now => {
            person::find(store, code.user_id.uuid(), code.tenant_id.uuid())
        }
        _ => Err(SignInError::LinkSpent),
    }
}
