//! Downloads a file whose length the registry does not report: in one piece, with its hash to verify completeness.

use super::transfer::without_resume;
use super::{Job, Stop, blocking};
use crate::digest::FileDigests;
use crate::failure::{Failure, FetchError};
use crate::job::preflight::{Offer, length};
use crate::job::tail::Tail;
use crate::record::State;
use crate::registry::refused;
use outgoing::{Method, StatusCode};
use std::sync::Arc;
use std::time::Duration;

/// Number of bytes between checks of the free space.
const LOOK: u64 = 64 << 20;
/// Shorter waits are accumulated.
const SHORTEST_WAIT: Duration = Duration::from_millis(5);

impl Job {
    /// Downloads the file from the beginning and hashes it.
    pub(super) async fn fetch_unmeasured(&self, offer: &Offer) -> Result<FileDigests, Stop> {
        self.check_space(LOOK)?;
        self.part.set_len(0).map_err(|cause| Failure::disk("The part file cannot be written", &cause))?;
        self.enter(State::Downloading).await?;
        let mut tries = 0;
        let size = loop {
            match self.stream(offer).await {
                Ok(size) => break size,
                Err(trouble) if !self.live.lock().record.done.is_empty() => {
                    return Err(without_resume(trouble));
                }
                Err(trouble) => {
                    tries += 1;
                    self.after(trouble, tries).await?;
                }
            }
        };
        self.live.lock().record.size = Some(size);
        self.enter(State::Verifying).await?;
        let (file, expected, live) =
            (Arc::clone(&self.part.file), offer.expected.clone(), Arc::clone(&self.live));
        let hash = move || {
            let tail = Tail::follow(file, size, &expected, move || live.tell())?;
            tail.advance(size);
            tail.finish()
        };
        let unreadable = |cause| Failure::disk("The part file cannot be read", &cause);
        Ok(blocking(hash).await.map_err(unreadable)?)
    }

    /// Writes one response to the part file and returns its number of bytes.
    async fn stream(&self, offer: &Offer) -> Result<u64, FetchError> {
        let mut answer = self.registry.ask(Method::GET, &offer.url, &[]).await?;
        let host = answer.url.host_str().unwrap_or_default().to_owned();
        self.registry.judge(&answer)?;
        let status = answer.response.status();
        if status != StatusCode::OK {
            let text = format!("{host} answered with status {} where a file was asked for.", status.as_u16());
            return Err(refused(text));
        }
        let said = length(answer.response.headers());
        let mut size: u64 = 0;
        while let Some(piece) = outgoing::piece(&mut answer.response).await? {
            let bytes = piece.as_ref();
            self.part.write(bytes, size).map_err(|cause| {
                FetchError::Final(Failure::disk("The part file cannot be written", &cause))
            })?;
            let next = size + bytes.len() as u64;
            self.live.lock().record.done.add(size, next);
            if next / LOOK > size / LOOK {
                self.check_space(next + LOOK).map_err(FetchError::Final)?;
            }
            size = next;
            let now = self.surroundings.now();
            self.live.came(bytes.len() as u64, now);
            let wait = self.limit.take(bytes.len(), now);
            if wait >= SHORTEST_WAIT {
                self.surroundings.pass(wait).await;
            }
        }
        if size == 0 || said.is_some_and(|said| said != size) {
            let text = format!("{host} closed the connection before everything had come.");
            return Err(FetchError::Broken { text, wait: None });
        }
        Ok(size)
    }
}
