//! Writes sessions on a separate thread, so that a request need not wait for an import that holds the database.
//!
//! A sign-in or sign-out is answered when the database has recorded it. While an import holds the database, a sign-in is answered after
//! [`PATIENCE`] and is valid in this process until it is written; signing out and switching tenants wait. The last use of sessions and API tokens
//! is recorded without any request waiting for it.

use crate::clock;
use auth::session::{LiveSession, NewSession};
use auth::tenants::{SwitchedSession, TenantSwitch, TenantSwitchError};
use auth::{api_token, session};
use std::collections::HashSet;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;
use store::{Store, StoreError};
use uuid::Uuid;

/// How long a sign-in waits for its session to be written.
const PATIENCE: Duration = Duration::from_secs(2);

/// Queues session changes for the writing thread.
pub struct SessionWriter {
    store: Store,
    /// How long an unused session lasts.
    idle: Duration,
    ahead: Arc<Mutex<Ahead>>,
    /// `None` after it was stopped.
    writer: Mutex<Option<(Sender<HandedNote>, JoinHandle<()>)>>,
}

/// Changes that are not in the database yet.
#[derive(Default)]
struct Ahead {
    begun: Vec<NewSession>,
    ended: HashSet<Uuid>,
    used: HashSet<Uuid>,
}

/// A change, and a channel that is notified when the write was tried.
type HandedNote = (Note, Sender<()>);

enum Note {
    Begun(NewSession),
    Ended(Uuid),
    Moved(TenantSwitch, Sender<Result<SwitchedSession, TenantSwitchError>>),
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

    /// Starts a session. Blocks until it is written, but for at most [`PATIENCE`].
    pub fn begin(&self, begun: NewSession) {
        self.ahead().begun.push(begun.clone());
        // A writer that holds the database longer than that is an import; the session is valid in this process meanwhile.
        let _ = self.note(Note::Begun(begun)).recv_timeout(PATIENCE);
    }

    /// Starts a session without waiting for the write: a crash may lose it.
    pub fn begin_unwaited(&self, begun: NewSession) {
        self.ahead().begun.push(begun.clone());
        drop(self.note(Note::Begun(begun)));
    }

    /// Ends a session. Blocks until it is written: the session must not reappear after a crash.
    pub fn end(&self, id: Uuid) -> Result<(), StoreError> {
        self.ahead().ended.insert(id);
        match self.note(Note::Ended(id)).recv() {
            Ok(()) => Ok(()),
            // A service that is stopping still has responses in progress.
            Err(_) => session::end(&self.store, id),
        }
    }

    /// Ends all sessions of a user that this service knows. Blocks until that is written.
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
            // Meanwhile one of them may have switched tenants and got another id: search again.
            for id in left {
                self.end(id)?;
            }
        }
    }

    /// Moves a session to another tenant. Blocks until it is written: the old and the new session must never be valid at once. Uses the same queue,
    /// so that a session that has just begun is present, and one that is ending is not moved.
    pub fn go_on(&self, session_move: TenantSwitch) -> Result<SwitchedSession, TenantSwitchError> {
        let (answer, answered) = channel();
        drop(self.note(Note::Moved(session_move, answer)));
        answered.recv().unwrap_or(Err(TenantSwitchError::Stopping))
    }

    /// The session of that secret, whether or not it is written. Blocks the thread.
    pub fn find(&self, secret: &str, now: i64) -> Result<Option<LiveSession>, StoreError> {
        let begun = self.ahead().begun.iter().find(|begun| begun.is_of(secret)).cloned();
        let found = match begun {
            Some(begun) => begun.find(&self.store, now)?,
            None => session::find(&self.store, secret, self.idle, now)?,
        };
        Ok(found.filter(|found| !self.ahead().ended.contains(&found.id)))
    }

    /// Records the use of a session.
    pub fn use_session(&self, id: Uuid) {
        if self.ahead().used.insert(id) {
            drop(self.note(Note::SessionUsed(id)));
        }
    }

    /// Records the use of an API token.
    pub fn use_api_token(&self, id: Uuid) {
        if self.ahead().used.insert(id) {
            drop(self.note(Note::ApiTokenUsed(id)));
        }
    }

    /// Writes the queued changes and ends the thread. Blocks until that is done.
    pub fn stop(&self) {
        let writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some((sender, thread)) = writer {
            drop(sender);
            if thread.join().is_err() {
                tracing::error!("the thread that writes sessions down ended in a panic");
            }
        }
    }

    /// Queues a change. The receiver is notified when the write was tried, or closed if it could not be queued.
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
                // The receiver may be gone.
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
            // A change that could not be written stays in effect as long as this service runs.
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
        // The receiver is gone if its patience ran out.
        let _ = tried.send(());
    }
}

fn go_on(
    store: &Store,
    session_move: &TenantSwitch,
    ahead: &Mutex<Ahead>,
) -> Result<SwitchedSession, TenantSwitchError> {
    let is_ending = ahead.lock().unwrap_or_else(PoisonError::into_inner).ended.contains(&session_move.from());
    if is_ending { Err(TenantSwitchError::Ended) } else { session_move.carry_out(store, &mut rand::rng()) }
}
