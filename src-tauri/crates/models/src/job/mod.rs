//! One download from beginning to end: the state machine of docs/adr/022-model-downloads.md.
//!
//! Every future may be dropped at any await point: received bytes are in the part file and in the plan before the next await, and the state for a
//! restart is saved from there.

pub(crate) mod backoff;
pub(crate) mod limit;
mod live;
pub(crate) mod meter;
mod offer;
mod options;
mod placing;
pub(crate) mod preflight;
mod saving;
mod segment;
pub(crate) mod tail;
mod transfer;
mod unmeasured;

pub(crate) use live::{Active, Live};
pub(crate) use options::Options;

use crate::digest::Algorithm;
use crate::failure::{Failure, Kind};
use crate::installed::Model;
use crate::job::limit::Limit;
use crate::library::Library;
use crate::name::ModelName;
use crate::part::Part;
use crate::record::{Record, State};
use crate::registry::Registry;
use crate::surroundings::Surroundings;
use std::sync::Arc;
use tokio::sync::watch;

/// What a user requests of a running download.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wish {
    Run,
    Pause,
    /// Remove the download and its bytes.
    Cancel,
    /// The service stops: resume at the next start.
    Stop,
}

/// How a download ended.
#[derive(Debug)]
pub(crate) enum End {
    Ready(Model),
    Failed(Failure),
    Wished(Wish),
}

/// Everything a download needs.
pub(crate) struct Job {
    pub name: ModelName,
    pub registry: Registry,
    pub library: Library,
    pub part: Part,
    pub surroundings: Arc<dyn Surroundings>,
    pub limit: Arc<Limit>,
    pub options: Options,
    pub live: Arc<Live>,
}

/// Why an attempt ended without a file.
pub(crate) enum Stop {
    Failed(Failure),
    /// Start again from the beginning: the file changed, or cannot be resumed.
    Again {
        why: String,
        whole: bool,
        /// Not counted as an attempt: there was no connection.
        is_network: bool,
    },
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

impl Job {
    /// Runs until the model is installed, a failure occurs or a request arrives, and saves the result.
    pub async fn run(&self, mut wish: watch::Receiver<Wish>) -> End {
        let wished = async {
            match wish.wait_for(|wish| *wish != Wish::Run).await {
                Ok(wish) => *wish,
                // The sender is gone: the service has ended.
                Err(_) => Wish::Stop,
            }
        };
        let end = tokio::select! {
            biased;
            wish = wished => End::Wished(wish),
            outcome = self.work() => outcome.map_or_else(End::Failed, End::Ready),
        };
        self.put_down(&end).await;
        self.live.tell();
        end
    }

    /// Saves how it ended.
    async fn put_down(&self, end: &End) {
        let now = self.surroundings.now();
        {
            let mut inner = self.live.lock();
            inner.catch_up();
            inner.active = None;
            inner.record.updated_at = now;
            inner.record.trouble = None;
            match end {
                End::Failed(failure) => {
                    inner.record.state =
                        if failure.kind == Kind::Mismatch { State::Quarantined } else { State::Failed };
                    inner.record.failure = Some(failure.clone());
                    tracing::warn!(model = %self.name, "a download ended: {failure}");
                }
                End::Wished(Wish::Pause) => inner.record.state = State::Paused,
                _ => {}
            }
        }
        match end {
            End::Ready(model) => {
                tracing::info!(model = %self.name, bytes = model.size_bytes, "a model is ready");
            }
            End::Wished(Wish::Cancel) => {
                let mut is_over = self.live.written();
                *is_over = true;
                if let Err(error) = self.library.forget(&self.name) {
                    tracing::warn!(model = %self.name, "a cancelled download leaves something behind: {error}");
                }
            }
            End::Failed(_) | End::Wished(_) => {
                if let Err(failure) = self.save().await {
                    tracing::warn!(model = %self.name, "{failure}");
                }
            }
        }
    }

    /// After a crash the part file may contain more bytes than were saved.
    fn recover(&self) {
        let mut inner = self.live.lock();
        let record = &mut inner.record;
        let boot = self.surroundings.boot();
        if let Some(size) = record.size.filter(|_| boot.is_some() && record.boot == boot) {
            for (start, end) in self.part.notes(size).unwrap_or_default() {
                record.done.add(start, end);
            }
        }
        record.boot = boot;
    }

    /// Discards all bytes, in the part file first.
    fn start_over(&self, record: &mut Record, why: &str) {
        if let Err(error) = self.part.set_len(0) {
            tracing::warn!(model = %self.name, "the part file keeps what is not used any more: {error}");
        }
        record.start_over(why, self.surroundings.now());
    }

    async fn work(&self) -> Result<Model, Failure> {
        self.recover();
        if let Some(model) = self.finish_earlier().await? {
            return Ok(model);
        }
        let (mut whole, mut again) = (false, 0);
        loop {
            match self.attempt(whole).await {
                Ok(model) => return Ok(model),
                Err(Stop::Failed(failure)) => return Err(failure),
                Err(Stop::Again { why, whole: next, is_network }) => {
                    whole |= next;
                    if !is_network {
                        again += 1;
                    }
                    if again > self.options.tries {
                        return Err(Failure::changing(&why));
                    }
                    {
                        let mut inner = self.live.lock();
                        inner.catch_up();
                        inner.active = None;
                        self.start_over(&mut inner.record, &why);
                    }
                    self.save().await?;
                    let chance = self.surroundings.chance();
                    self.surroundings.pass(backoff::wait(again.max(1), None, chance)).await;
                }
            }
        }
    }

    /// A crash between renaming the file and writing its row leaves a file with the right hash but no row.
    async fn finish_earlier(&self) -> Result<Option<Model>, Failure> {
        let found = {
            let inner = self.live.lock();
            let is_late = matches!(inner.record.state, State::Installing | State::Queued);
            inner.record.found.clone().filter(|_| is_late)
        };
        match found {
            Some(sha256) => self.take_present(&sha256).await,
            None => Ok(None),
        }
    }

    async fn attempt(&self, whole: bool) -> Result<Model, Stop> {
        self.enter(State::Preflight).await?;
        let offer = self.ask().await?;
        for expected in offer.expected.iter().filter(|expected| expected.algorithm == Algorithm::Sha256) {
            if let Some(model) = self.take_known(expected, &offer).await? {
                return Ok(model);
            }
        }
        let is_whole = self.adopt(&offer, whole || offer.size.is_none());
        self.enter(State::SpaceCheck).await?;
        let Some(size) = offer.size else {
            let found = self.fetch_unmeasured(&offer).await?;
            return Ok(self.install(found).await?);
        };
        self.check_space(size)?;
        let disk = |cause: std::io::Error| Failure::disk("The part file cannot be written", &cause);
        self.part.set_len(size).map_err(disk)?;
        let active = Arc::new(self.begin(offer, size, is_whole).map_err(disk)?);
        self.live.lock().active = Some(Arc::clone(&active));
        self.enter(State::Downloading).await?;
        tokio::select! {
            biased;
            outcome = self.transfer(&active) => outcome?,
            failure = self.keep_saving(&active) => return Err(failure.into()),
        }
        self.enter(State::Verifying).await?;
        let found = blocking({
            let active = Arc::clone(&active);
            move || active.tail.finish()
        })
        .await
        .map_err(|cause| Failure::disk("The part file cannot be read", &cause))?;
        Ok(self.install(found).await?)
    }
}

/// Runs blocking disk access on a thread for it.
async fn blocking<T: Send + 'static, E: From<std::io::Error> + Send + 'static>(
    work: impl FnOnce() -> Result<T, E> + Send + 'static,
) -> Result<T, E> {
    match tokio::task::spawn_blocking(work).await {
        Ok(result) => result,
        Err(error) => Err(std::io::Error::other(error).into()),
    }
}

impl From<std::io::Error> for Failure {
    fn from(cause: std::io::Error) -> Self {
        Self::disk("The models folder cannot be used", &cause)
    }
}
