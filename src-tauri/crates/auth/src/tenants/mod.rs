//! The tenants of one person, and switching between them.
//!
//! A session belongs to one tenant; switching replaces it by another session.

#[cfg(test)]
mod tests;

use crate::SignInError;
use crate::person::{self, Person};
use crate::secret::{draw, fingerprint, new_id};
use crate::security_log::{Event, note};
use crate::tenant;
use catalogue::{Caller, ValueRef};
use model::{Read as _, Session};
use rand::CryptoRng;
use serde_json::json;
use store::{Store, StoreError, Transaction, eq};
use uuid::Uuid;

/// The person in each of their tenants, in the order of the tenants' names.
pub fn of(store: &Store, user: Uuid) -> Result<Vec<Person>, StoreError> {
    store.snapshot(&Caller::system(), |rows| {
        let mut found = Vec::new();
        for tenant in tenant::of_user(rows, user)? {
            match person::load(rows, user, tenant) {
                Ok(person) => found.push(person),
                Err(SignInError::Store(error)) => return Err(error),
                Err(_) => {}
            }
        }
        found.sort_by_key(|person| (person.tenant_name.to_lowercase(), person.tenant));
        Ok(found)
    })
}

/// The person in one of their tenants.
pub fn in_tenant(store: &Store, user: Uuid, tenant: Uuid) -> Result<Person, TenantSwitchError> {
    Ok(person::find(store, user, tenant)?)
}

/// A planned switch of a session to another tenant. [`TenantSwitch::carry_out`] performs it.
#[derive(Debug, Clone)]
pub struct TenantSwitch {
    from: Uuid,
    to: Uuid,
    id: Uuid,
    token_hash: String,
    now: i64,
}

/// The result of a switch: the person in the new tenant, and when the session expires.
#[derive(Debug)]
pub struct SwitchedSession {
    pub person: Person,
    pub expires_at: i64,
}

/// Why a session cannot switch. The messages are shown to the user.
#[derive(Debug, thiserror::Error)]
pub enum TenantSwitchError {
    #[error("This session has ended. Sign in again")]
    Ended,
    #[error(
        "You do not belong to this tenant, or not any more. Reload the page: it lists those you can choose"
    )]
    NotAMember,
    #[error("The service stops. Choose again when it runs")]
    Stopping,
    #[error("the database could not be asked about the tenants of this person")]
    Store(#[from] StoreError),
}

impl From<SignInError> for TenantSwitchError {
    fn from(error: SignInError) -> Self {
        match error {
            SignInError::Store(error) => Self::Store(error),
            SignInError::NoTenant => Self::NotAMember,
            _ => Self::Ended,
        }
    }
}

impl TenantSwitch {
    /// A switch of session `from` to tenant `to`, with the secret of the replacing session.
    pub fn new(from: Uuid, to: Uuid, now: i64, rng: &mut dyn CryptoRng) -> (String, Self) {
        let secret = draw(rng);
        let token_hash = fingerprint(&secret);
        (secret, Self { from, to, id: new_id(rng), token_hash, now })
    }

    /// The session that is replaced.
    pub fn from(&self) -> Uuid {
        self.from
    }

    /// Ends the old session and creates the new one in one transaction, with the same sign-in method, browser, start and expiry. Fails unless the
    /// user belongs to the tenant at that time. Waits for other writers.
    pub fn carry_out(
        &self,
        store: &Store,
        rng: &mut dyn CryptoRng,
    ) -> Result<SwitchedSession, TenantSwitchError> {
        store.transaction(&Caller::system(), |rows| self.write(rows, rng))
    }

    fn write(
        &self,
        rows: &Transaction<'_>,
        rng: &mut dyn CryptoRng,
    ) -> Result<SwitchedSession, TenantSwitchError> {
        let old = rows.find::<Session>(self.from)?.ok_or(TenantSwitchError::Ended)?;
        let (user, expires_at) = (old.user_id.uuid(), old.expires_at.micros());
        if expires_at <= self.now {
            return Err(TenantSwitchError::Ended);
        }
        let person = person::load(rows, user, self.to)?;
        rows.delete("session", &[eq("id", self.from)])?;
        rows.insert(
            "session",
            &[
                ("id", self.id.into()),
                ("token_hash", self.token_hash.as_str().into()),
                ("user_id", user.into()),
                ("tenant_id", self.to.into()),
                ("created_at", old.created_at.into()),
                ("seen_at", ValueRef::Timestamp(self.now)),
                ("expires_at", ValueRef::Timestamp(expires_at)),
                ("way", old.way.as_deref().into()),
                ("agent", old.agent.as_deref().into()),
            ],
        )?;
        let words = format!("{} went on in the tenant {}", person.email, person.tenant_name);
        let event = Event {
            kind: "tenant_switched",
            who: Some(user),
            about: Some(user),
            cause: None,
            text: words,
            detail: json!({ "from": old.tenant_id.to_string(), "to": self.to.to_string() }),
        };
        note(rows, &event, self.now, rng)?;
        Ok(SwitchedSession { person, expires_at })
    }
}
