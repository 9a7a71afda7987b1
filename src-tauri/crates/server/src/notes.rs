//! When a session or API token was last used, written down without making the request wait: an import may hold the
//! database for a while.

use crate::clock;
use std::collections::HashSet;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use store::Store;
use uuid::Uuid;

/// What was used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Used {
    Session(Uuid),
    ApiToken(Uuid),
}

/// Hands notes to the thread that writes them. Dropping it ends the thread once the notes are written.
pub struct Notes {
    sender: Sender<Used>,
    /// Noted but not written yet: one note each is enough.
    waiting: Arc<Mutex<HashSet<Used>>>,
}

impl Notes {
    pub fn start(store: Store) -> Self {
        let (sender, receiver) = channel();
        let waiting = Arc::new(Mutex::new(HashSet::new()));
        let written = Arc::clone(&waiting);
        std::thread::spawn(move || write(&store, &receiver, &written));
        Self { sender, waiting }
    }

    pub fn note(&self, used: Used) {
        let is_new = self.waiting.lock().unwrap_or_else(PoisonError::into_inner).insert(used);
        if is_new && self.sender.send(used).is_err() {
            tracing::warn!("uses of sessions are not noted any more");
        }
    }
}

fn write(store: &Store, receiver: &Receiver<Used>, waiting: &Mutex<HashSet<Used>>) {
    for used in receiver {
        let now = clock::now();
        let written = match used {
            Used::Session(id) => auth::session::touch(store, id, now),
            Used::ApiToken(id) => auth::api_token::touch(store, id, now),
        };
        waiting.lock().unwrap_or_else(PoisonError::into_inner).remove(&used);
        if let Err(error) = written {
            tracing::warn!("the use of a session was not noted: {}", crate::error::chain(&error));
        }
    }
}
