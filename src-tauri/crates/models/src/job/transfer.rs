//! Downloads the bytes of a file over several connections, with retries.

use super::segment::fetch;
use super::{Active, Job, Stop};
use crate::failure::{Failure, FetchError, Kind};
use crate::job::backoff;
use crate::job::preflight::Offer;
use crate::job::tail::Tail;
use crate::plan::Plan;
use crate::record::State;
use futures_util::future::try_join_all;
use std::sync::atomic::AtomicI64;
use std::sync::{Arc, Mutex};
use tokio::sync::Notify;

impl Job {
    pub(super) fn begin(&self, offer: Offer, size: u64, is_whole: bool) -> std::io::Result<Active> {
        let mut inner = self.live.lock();
        inner.meter.reset();
        let done = inner.record.done.clone();
        drop(inner);
        let told = Arc::clone(&self.live);
        let tail = Tail::follow(Arc::clone(&self.part.file), size, &offer.expected, move || told.tell())?;
        tail.advance(done.prefix());
        let connections = self.options.connections.max(1) as u64;
        let (piece, least) = if is_whole {
            (size, size)
        } else {
            // Each request waits for its first byte, so few are better; small ones let the hash follow more closely.
            let share = size / (connections * 4);
            (share.clamp(self.options.least, self.options.most.max(self.options.least)), self.options.least)
        };
        Ok(Active {
            plan: Mutex::new(Plan::new(size, done, piece, least)),
            part: self.part.clone(),
            tail,
            is_whole,
            size,
            validator: offer.validator,
            url: Mutex::new(offer.url),
            save: Notify::new(),
            saved_at: AtomicI64::new(self.surroundings.now()),
        })
    }

    /// Downloads the missing bytes over several connections.
    pub(super) async fn transfer(&self, active: &Active) -> Result<(), Stop> {
        let connections = if active.is_whole { 1 } else { self.options.connections.max(1) };
        try_join_all((0..connections).map(|_| self.connection(active))).await?;
        Ok(())
    }

    pub(super) async fn connection(&self, active: &Active) -> Result<(), Stop> {
        let mut tries = 0;
        loop {
            let Some(claim) = active.plan().claim() else { return Ok(()) };
            let outcome = fetch(self, active, claim).await;
            let came = active.plan().find(claim.id).map_or(0, |now| now.at - claim.at);
            active.plan().give_back(claim.id);
            let Err(trouble) = outcome else {
                tries = 0;
                continue;
            };
            // An address from a redirect may have expired.
            *active.url() = self.registry.model(&self.name, "");
            if active.is_whole && came > 0 {
                return Err(without_resume(trouble));
            }
            tries = if came > 0 { 1 } else { tries + 1 };
            self.after(trouble, tries).await?;
        }
    }

    /// Waits before the next attempt, or returns why there is none.
    pub(super) async fn after(&self, trouble: FetchError, tries: u32) -> Result<(), Stop> {
        let (state, text, asked, is_counted) = match trouble {
            FetchError::Final(failure) => return Err(failure.into()),
            FetchError::Changed(why) => return Err(Stop::Again { why, whole: false, is_network: false }),
            FetchError::Unranged => {
                return Err(Stop::Again {
                    why: "The registry sent the whole file where a part was asked for; the download started over."
                        .to_owned(),
                    whole: true,
                    is_network: false,
                });
            }
            FetchError::Network(text) => (State::WaitingNetwork, text, None, !self.options.waits_for_network),
            FetchError::Stalled(text) => (State::Stalled, text, None, !self.options.waits_for_network),
            FetchError::Broken { text, wait } => (State::Stalled, text, wait, true),
        };
        if is_counted && tries >= self.options.tries {
            return Err(Failure::new(Kind::GaveUp, text, "Resume continues where it stopped.").into());
        }
        tracing::info!(model = %self.name, tries, "a download waits: {text}");
        self.live.lock().record.trouble = Some(text);
        self.enter(state).await?;
        let wait = backoff::wait(tries, asked, self.surroundings.chance());
        self.surroundings.pass(wait).await;
        Ok(())
    }
}

/// The file must be sent in one piece, and the response broke off.
pub(super) fn without_resume(trouble: FetchError) -> Stop {
    let why = |text: String| format!("{text} The registry does not resume; the download started over.");
    match trouble {
        FetchError::Final(failure) => Stop::Failed(failure),
        FetchError::Network(text) | FetchError::Stalled(text) => {
            Stop::Again { why: why(text), whole: true, is_network: true }
        }
        FetchError::Broken { text, .. } => Stop::Again { why: why(text), whole: true, is_network: false },
        FetchError::Changed(text) => Stop::Again { why: text, whole: true, is_network: false },
        FetchError::Unranged => Stop::Again { why: why(String::new()), whole: true, is_network: false },
    }
}
