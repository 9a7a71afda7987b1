//! Persons proved a moment ago. A signature is checked once, and who somebody is is read again only when anybody has committed
//! anything since: a suspended user or a changed role counts at the next request, and a token no longer than it lasts.

use crate::SignInError;
use crate::bearer::{Bearer, BearerError, Signer};
use crate::device;
use crate::person::{self, Person};
use crate::secret::print;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use store::{DataVersion, Store};

/// Proofs remembered; with one more, all are forgotten.
const REMEMBERED: usize = 4096;

/// Who was behind which secret.
#[derive(Default)]
pub struct SecretCache(Mutex<HashMap<[u8; 32], Entry>>);

#[derive(Clone)]
struct Entry {
    person: Arc<Person>,
    /// What a bearer token said, and when its person was read; nothing of a session.
    proved: Option<(Bearer, DataVersion)>,
}

/// Why nobody is behind a bearer token.
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
    /// Who was behind the secret when it was looked at last. Proves nothing: it tells whose turn it is.
    pub fn guess(&self, secret: &str) -> Option<Arc<Person>> {
        self.entries().get(&print(secret)).map(|entry| entry.person.clone())
    }

    /// Remembers whom a session was found to be of, for [`SecretCache::guess`].
    pub fn remember(&self, secret: &str, person: &Person) {
        let print = print(secret);
        if self.entries().get(&print).is_none_or(|known| *known.person != *person) {
            self.keep(print, Entry { person: Arc::new(person.clone()), proved: None });
        }
    }

    /// The person behind a bearer token, now. Reads the database: blocks the thread.
    pub fn bearer(
        &self,
        store: &Store,
        signer: &Signer,
        token: &str,
        now: i64,
    ) -> Result<Arc<Person>, ProofError> {
        let print = print(token);
        // Before the person is read: what is committed meanwhile counts as not yet seen.
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
