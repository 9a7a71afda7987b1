//! What is written down by a thread of its own, so that a request need not wait for an import that holds the database.
//!
//! Signing in and out is answered when the database knows of it. While an import holds the database, a sign-in is answered
//! after [`PATIENCE`] all the same and counts in this process until it is written; signing out and going on in another tenant
//! wait. When sessions and API tokens are used is noted without anybody waiting.

use crate::clock;
use auth::session::{LiveSession, NewSession};
use auth::tenants::{Move, MoveError, Moved};
use auth::{api_token, session};
use std::collections::HashSet;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;
use store::{Store, StoreError};
use uuid::Uuid;

/// How long signing in waits for its session to be written down.
const PATIENCE: Duration = Duration::from_secs(2);

/// Hands over what is to be written.
pub struct SessionWriter {
    store: Store,
    /// How long a session lasts without being used.
    idle: Duration,
    ahead: Arc<Mutex<Ahead>>,
    /// `None` once it was stopped.
    writer: Mutex<Option<(Sender<HandedNote>, JoinHandle<()>)>>,
}

/// What the database does not know yet.
#[derive(Default)]
struct Ahead {
    begun: Vec<NewSession>,
    ended: HashSet<Uuid>,
    used: HashSet<Uuid>,
}

/// A note, and whom to tell that it was tried.
type HandedNote = (Note, Sender<()>);

enum Note {
    Begun(NewSession),
    Ended(Uuid),
    Moved(Move, Sender<Result<Moved, MoveError>>),
    SessionUsed(Uuid),
    ApiTokenUsed(Uuid),
}

impl SessionWriter {
    pub fn start(store: Store, idle: Duration) -> Self {
        let (sender, receiver) = channel();
        let ahead = Arc::default();
        let thread = std::thread::spawn({
            let (store, ahead) = (store.clone(), Arc::clone(&ahead));
            move || write(&store, &receiver, &ahead)
        });
        Self { store, idle, ahead, writer: Mutex::new(Some((sender, thread))) }
    }

    /// A session counts from now on. Blocks until it is written down, but not for long.
    pub fn begin(&self, begun: NewSession) {
        self.ahead().begun.push(begun.clone());
        // Whoever is still writing after that is an import; the session counts here meanwhile.
        let _ = self.note(Note::Begun(begun)).recv_timeout(PATIENCE);
    }

    /// The same, and nobody waits: a crash may lose it.
    pub fn begin_unwaited(&self, begun: NewSession) {
        self.ahead().begun.push(begun.clone());
        drop(self.note(Note::Begun(begun)));
    }

    /// A session counts no more. Blocks until the database knows: it must not come back after a crash.
    pub fn end(&self, id: Uuid) -> Result<(), StoreError> {
        self.ahead().ended.insert(id);
        match self.note(Note::Ended(id)).recv() {
            Ok(()) => Ok(()),
            // A service that is stopping has answers under way.
            Err(_) => session::end(&self.store, id),
        }
    }

    /// No session of that user counts any more, as far as this service knows them. Blocks until the database knows.
    pub fn end_all(&self, user: Uuid) -> Result<(), StoreError> {
        let mut ended = HashSet::new();
        loop {
            let ahead: Vec<Uuid> = self
                .ahead()
                .begun
                .iter()
                .filter(|begun| begun.user() == user)
                .map(|begun| begun.id)
                .collect();
            let mut left = session::ids_of(&self.store, user)?;
            left.extend(ahead);
            left.retain(|id| ended.insert(*id));
            if left.is_empty() {
                return Ok(());
            }
            // Meanwhile one of them may have gone on in another tenant, under another id: so they are looked for again.
            for id in left {
                self.end(id)?;
            }
        }
    }

    /// A session goes on in another tenant. Blocks until the database knows: both sessions at once count nowhere. In the queue of the
    /// others, so that one that has just begun is there, and one that ends does not go on.
    pub fn go_on(&self, session_move: Move) -> Result<Moved, MoveError> {
        let (answer, answered) = channel();
        drop(self.note(Note::Moved(session_move, answer)));
        answered.recv().unwrap_or(Err(MoveError::Stopping))
    }

    /// The session of that secret, whether it is written down or not. Blocks.
    pub fn find(&self, secret: &str, now: i64) -> Result<Option<LiveSession>, StoreError> {
        let begun = self.ahead().begun.iter().find(|begun| begun.is_of(secret)).cloned();
        let found = match begun {
            Some(begun) => begun.find(&self.store, now)?,
            None => session::find(&self.store, secret, self.idle, now)?,
        };
        Ok(found.filter(|found| !self.ahead().ended.contains(&found.id)))
    }

    /// A session was used.
    pub fn use_session(&self, id: Uuid) {
        if self.ahead().used.insert(id) {
            drop(self.note(Note::SessionUsed(id)));
        }
    }

    /// An API token was used.
    pub fn use_api_token(&self, id: Uuid) {
        if self.ahead().used.insert(id) {
            drop(self.note(Note::ApiTokenUsed(id)));
        }
    }

    /// Writes what is noted and ends. Blocks until that is done.
    pub fn stop(&self) {
        let writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some((sender, thread)) = writer {
            drop(sender);
            if thread.join().is_err() {
                tracing::error!("the thread that writes sessions down ended in a panic");
            }
        }
    }

    /// Hears when the note was tried, or could not be handed over.
    fn note(&self, note: Note) -> Receiver<()> {
        let (tried, hears) = channel();
        let writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        if writer.as_ref().is_none_or(|(sender, _)| sender.send((note, tried)).is_err()) {
            tracing::warn!("sessions are not written down any more");
        }
        hears
    }

    fn ahead(&self) -> MutexGuard<'_, Ahead> {
        self.ahead.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn write(store: &Store, notes: &Receiver<HandedNote>, ahead: &Mutex<Ahead>) {
    for (note, tried) in notes {
        let now = clock::now();
        let written = match &note {
            Note::Moved(session_move, answer) => {
                // Nobody listens who has hung up.
                let _ = answer.send(go_on(store, session_move, ahead));
                continue;
            }
            Note::Begun(begun) => session::keep(store, begun),
            Note::Ended(id) => session::end(store, *id),
            Note::SessionUsed(id) => session::touch(store, *id, now),
            Note::ApiTokenUsed(id) => api_token::touch(store, *id, now),
        };
        let is_written = written.is_ok();
        if let Err(error) = written {
            tracing::warn!("a change of a session was not written down: {}", crate::error::chain(&error));
        }
        let mut ahead = ahead.lock().unwrap_or_else(PoisonError::into_inner);
        match note {
            // What could not be written counts as long as this service runs.
            Note::Begun(begun) if is_written => ahead.begun.retain(|known| known.id != begun.id),
            Note::Ended(id) if is_written => {
                ahead.ended.remove(&id);
                ahead.begun.retain(|known| known.id != id);
            }
            Note::Begun(_) | Note::Ended(_) | Note::Moved(..) => {}
            Note::SessionUsed(id) | Note::ApiTokenUsed(id) => {
                ahead.used.remove(&id);
            }
        }
        // Nobody listens when patience has run out.
        let _ = tried.send(());
    }
}

fn go_on(store: &Store, session_move: &Move, ahead: &Mutex<Ahead>) -> Result<Moved, MoveError> {
    let is_ending = ahead.lock().unwrap_or_else(PoisonError::into_inner).ended.contains(&session_move.from());
    if is_ending { Err(MoveError::Ended) } else { session_move.carry_out(store, &mut rand::rng()) }
}
