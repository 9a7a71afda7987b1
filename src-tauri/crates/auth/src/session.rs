//! Sessions: a browser that is signed in. The cookie holds the secret, the database its fingerprint.

use crate::person::{self, Person};
use crate::secret::{draw, fingerprint, new_id};
use crate::{SECOND, SignInError};
use catalogue::{Caller, ValueRef};
use rand::CryptoRng;
use std::time::Duration;
use store::{Store, StoreError, eq, le};
use uuid::Uuid;

/// How long a session lasts unless the settings say otherwise.
pub const LIFETIME: Duration = Duration::from_secs(24 * 60 * 60);

/// `seen_at` is as exact as this.
const SEEN_EVERY: i64 = 60 * SECOND;

/// A session just found by its secret.
#[derive(Debug)]
pub struct Found {
    pub id: Uuid,
    pub person: Person,
    /// The session was last noted as seen more than a minute ago: [`touch`] it.
    pub is_stale: bool,
}

/// Starts a session; its secret. Sessions that have expired are swept away on the way.
pub fn start(
    store: &Store,
    person: &Person,
    lifetime: Duration,
    now: i64,
    rng: &mut dyn CryptoRng,
) -> Result<String, StoreError> {
    let secret = draw(rng);
    let expires_at = now.saturating_add(i64::try_from(lifetime.as_micros()).unwrap_or(i64::MAX));
    store.transaction(&Caller::house(), |rows| {
        rows.delete("session", &[le("expires_at", ValueRef::Timestamp(now))])?;
        rows.insert(
            "session",
            &[
                ("id", new_id(rng).into()),
                ("token_hash", fingerprint(&secret).as_str().into()),
                ("user_id", person.user.into()),
                ("tenant_id", person.tenant.into()),
                ("created_at", ValueRef::Timestamp(now)),
                ("seen_at", ValueRef::Timestamp(now)),
                ("expires_at", ValueRef::Timestamp(expires_at)),
            ],
        )
    })?;
    Ok(secret)
}

/// The session of that secret; `None` when it never was, has expired, was ended, or its user may not sign in any more.
pub fn find(store: &Store, secret: &str, now: i64) -> Result<Option<Found>, StoreError> {
    let found = store.snapshot(&Caller::house(), |rows| {
        let print = fingerprint(secret);
        let columns = ["id", "user_id", "tenant_id", "seen_at", "expires_at"];
        let found = rows.select("session", &columns, &[eq("token_hash", &print)])?;
        let Some(row) = found.first() else { return Ok(None) };
        let (Some(id), Some(user), Some(tenant)) = (row[0].as_uuid(), row[1].as_uuid(), row[2].as_uuid())
        else {
            return Ok(None);
        };
        if row[4].as_int().is_none_or(|expires_at| expires_at <= now) {
            return Ok(None);
        }
        let is_stale = row[3].as_int().is_none_or(|seen_at| now.saturating_sub(seen_at) > SEEN_EVERY);
        Ok(Some(Found { id, person: person::load(rows, user, tenant)?, is_stale }))
    });
    match found {
        Ok(found) => Ok(found),
        Err(SignInError::Store(error)) => Err(error),
        Err(_) => Ok(None),
    }
}

/// Notes that a session was used just now. Waits for whoever is writing; nothing depends on it.
pub fn touch(store: &Store, id: Uuid, now: i64) -> Result<(), StoreError> {
    store.transaction(&Caller::house(), |rows| {
        rows.update("session", &[eq("id", id)], &[("seen_at", ValueRef::Timestamp(now))])?;
        Ok(())
    })
}

/// Ends the session of that secret; ending what has ended is fine.
pub fn end(store: &Store, secret: &str) -> Result<(), StoreError> {
    store.transaction(&Caller::house(), |rows| {
        rows.delete("session", &[eq("token_hash", &fingerprint(secret))])?;
        Ok(())
    })
}
