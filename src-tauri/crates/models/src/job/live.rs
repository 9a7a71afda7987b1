//! The state of a running download that is visible to others and shared by its connections.

use crate::job::meter::Meter;
use crate::job::tail::Tail;
use crate::part::Part;
use crate::plan::Plan;
use crate::record::{Record, State, Status, Validator};
use std::sync::atomic::AtomicI64;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;
use url::Url;

/// Minimum interval between notifications about progress, µs.
const TELL_EVERY: i64 = 100_000;

/// The visible state of a running download.
pub(crate) struct Live {
    inner: Mutex<Inner>,
    /// Locked while the record is saved, to prevent an older state from being saved later; true if nothing more must be saved.
    written: Mutex<bool>,
    told: Box<dyn Fn() + Send + Sync>,
}

pub(crate) struct Inner {
    pub record: Record,
    pub meter: Meter,
    pub(super) active: Option<Arc<Active>>,
    told_at: i64,
}

/// A transfer in progress.
pub(crate) struct Active {
    pub plan: Mutex<Plan>,
    pub part: Part,
    pub tail: Tail,
    /// The file is sent in one piece, from the beginning.
    pub is_whole: bool,
    pub size: u64,
    pub validator: Option<Validator>,
    /// The last known address of the file.
    pub url: Mutex<Url>,
    pub save: Notify,
    pub saved_at: AtomicI64,
}

impl Active {
    pub fn plan(&self) -> MutexGuard<'_, Plan> {
        self.plan.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn url(&self) -> MutexGuard<'_, Url> {
        self.url.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Live {
    pub fn new(record: Record, told: impl Fn() + Send + Sync + 'static) -> Self {
        let inner = Inner { record, meter: Meter::default(), active: None, told_at: 0 };
        Self { inner: Mutex::new(inner), written: Mutex::new(false), told: Box::new(told) }
    }

    pub fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn written(&self) -> MutexGuard<'_, bool> {
        self.written.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn tell(&self) {
        (self.told)();
    }

    /// Accounts for bytes that arrived.
    pub fn came(&self, bytes: u64, now: i64) {
        let mut inner = self.lock();
        inner.meter.add(bytes, now);
        let was_waiting = inner.record.state != State::Downloading;
        if was_waiting {
            inner.record.trouble = None;
        }
        inner.record.state = State::Downloading;
        inner.record.updated_at = now;
        if was_waiting || now - inner.told_at >= TELL_EVERY {
            inner.told_at = now;
            drop(inner);
            self.tell();
        }
    }

    /// The status at `now`.
    pub fn status(&self, now: i64) -> Status {
        let mut inner = self.lock();
        inner.catch_up();
        let mut status = inner.record.status();
        if let Some(active) = &inner.active {
            status.hashed_bytes = active.tail.hashed();
        }
        if status.state == State::Downloading {
            status.rate = inner.meter.rate(now);
            let left = inner.record.size.unwrap_or(0).saturating_sub(inner.record.done.total());
            status.seconds_left = inner.meter.time_left(left, now);
        }
        status
    }
}

impl Inner {
    /// Copies the progress to the record.
    pub(super) fn catch_up(&mut self) {
        if let Some(active) = &self.active {
            self.record.done = active.plan().done.clone();
        }
        self.record.shown = self.record.shown.max(self.record.done.total());
    }
}
