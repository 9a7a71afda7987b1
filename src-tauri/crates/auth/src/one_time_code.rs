//! One-time codes: what a sign-in link carries. Each lets its user in once.

use crate::household::Tenant;
use crate::person::{self, Person};
use crate::secret::{draw, fingerprint};
use crate::user::member;
use crate::{AccountError, SECOND, SignInError};
use catalogue::{Caller, ValueRef};
use rand::CryptoRng;
use store::{Store, StoreError, eq, le};

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

/// Uses a code up: whose it was. Of two who come at once, one gets an answer. Whoever guesses keeps nobody from writing.
pub fn spend(store: &Store, code: &str, now: i64) -> Result<Person, SignInError> {
    let print = fingerprint(code);
    let mine = [eq("code_hash", &print)];
    let house = Caller::house();
    if store.snapshot(&house, |rows| rows.select("one_time_code", &["user_id"], &mine))?.is_empty() {
        return Err(SignInError::LinkSpent);
    }
    // The code is gone even when its user turns out not to be let in: nothing after the deletion undoes it.
    let spent = store.transaction(&house, |rows| {
        let found = rows.select("one_time_code", &["user_id", "tenant_id", "expires_at"], &mine)?;
        rows.delete("one_time_code", &mine)?;
        Ok::<_, StoreError>(found)
    })?;
    let Some((user, tenant, expires_at)) =
        spent.first().and_then(|row| Some((row[0].as_uuid()?, row[1].as_uuid()?, row[2].as_int()?)))
    else {
        return Err(SignInError::LinkSpent);
    };
    if expires_at <= now {
        return Err(SignInError::LinkSpent);
    }
    person::find(store, user, tenant)
}
