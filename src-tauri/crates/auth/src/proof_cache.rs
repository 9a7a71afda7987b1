//! Caches verified credentials in memory.
//!
//! A token's signature is checked once; its user is read again only after a commit. A suspended user or a changed role therefore takes effect at
//! the next request, and a token never outlives its expiry.

use crate::SignInError;
use crate::bearer::{Bearer, BearerError, Signer};
use crate::device;
use crate::person::{self, Person};
use crate::secret::print;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use store::{DataVersion, Store};

/// Maximum number of entries; one more clears the cache.
const REMEMBERED: usize = 4096;

/// Cached users by the SHA-256 of their session secret or bearer token.
#[derive(Default)]
pub struct SecretCache(Mutex<HashMap<[u8; 32], Entry>>);

#[derive(Clone)]
struct Entry {
    person: Arc<Person>,
    /// The verified bearer token and the data version at which its person was read; `None` for a session.
    proved: Option<(Bearer, DataVersion)>,
}

/// Why a bearer token identifies nobody.
#[derive(Debug, thiserror::Error)]
pub enum ProofError {
    #[error(transparent)]
    Bearer(#[from] BearerError),
    #[error(transparent)]
    Person(#[from] SignInError),
    #[error("the device that holds the token was signed out or revoked")]
    Device,
}

impl SecretCache {
    /// The person last seen with this secret. Not proof of identity: used only to share resources fairly between users.
    pub fn guess(&self, secret: &str) -> Option<Arc<Person>> {
        self.entries().get(&print(secret)).map(|entry| entry.person.clone())
    }

    /// Stores the person of a session for [`SecretCache::guess`].
    pub fn remember(&self, secret: &str, person: &Person) {
        let print = print(secret);
        if self.entries().get(&print).is_none_or(|known| *known.person != *person) {
            self.keep(print, Entry { person: Arc::new(person.clone()), proved: None });
        }
    }

    /// The person a bearer token currently identifies. Reads the database: blocks the thread.
    pub fn bearer(
        &self,
        store: &Store,
        signer: &Signer,
        token: &str,
        now: i64,
    ) -> Result<Arc<Person>, ProofError> {
        let print = print(token);
        // Read before the person: a commit in between then counts as newer than the cached person.
        let moment = store.data_version().map_err(SignInError::from)?;
        let known = self.entries().get(&print).and_then(|entry| Some((entry.person.clone(), entry.proved?)));
        let bearer = match &known {
            Some((_, (bearer, _))) => {
                bearer.check(now)?;
                *bearer
            }
            None => signer.check(token, now)?,
        };
        if let Some((person, (_, read))) = known
            && read == moment
        {
            return Ok(person);
        }
        let person = Arc::new(person::find(store, bearer.user, bearer.tenant)?);
        if let Some(device) = bearer.device
            && !device::is_allowed(store, device).map_err(SignInError::from)?
        {
            return Err(ProofError::Device);
        }
        self.keep(print, Entry { person: person.clone(), proved: Some((bearer, moment)) });
        Ok(person)
    }

    fn keep(&self, print: [u8; 32], entry: Entry) {
        let mut entries = self.entries();
        if entries.len() >= REMEMBERED && !entries.contains_key(&print) {
            entries.clear();
        }
        entries.insert(print, entry);
    }

    fn entries(&self) -> MutexGuard<'_, HashMap<[u8; 32], Entry>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
