//! One-time codes: what a sign-in link carries. Each lets its user in once.

use crate::person::{self, Person};
use crate::secret::{draw, fingerprint};
use crate::tenant::Tenant;
use crate::user::member;
use crate::{AccountError, SECOND, SignInError};
use catalogue::{Caller, ValueRef};
use model::{Read as _, Secret, row};
use rand::CryptoRng;
use store::{Store, StoreError, Transaction, eq, le};

/// How long a code works, if nobody uses it: ten minutes, in µs.
pub const VALIDITY: i64 = 600 * SECOND;

/// Creates a code for an active member of the tenant. Codes that have expired are swept away on the way.
pub fn create(
    store: &Store,
    tenant: &Tenant,
    email: &str,
    now: i64,
    rng: &mut dyn CryptoRng,
) -> Result<String, AccountError> {
    let code = draw(rng);
    store.transaction(&Caller::house(), |rows| {
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

/// Uses a code up: whose it was. Of two who come at once, one gets an answer. Whoever guesses keeps nobody from writing.
pub fn spend(store: &Store, code: &str, now: i64) -> Result<Person, SignInError> {
    let print = fingerprint(code);
    let find = |rows: &Transaction<'_>| rows.find::<Code>(Secret::from(print.as_str()));
    let house = Caller::house();
    if store.snapshot(&house, find)?.is_none() {
        return Err(SignInError::LinkSpent);
    }
    // The code is gone even when its user turns out not to be let in: nothing after the deletion undoes it.
    let spent = store.transaction(&house, |rows| {
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
