//! One download from beginning to end: the state machine of MODELS.md F.2.
//!
//! Everything that awaits may be dropped at any time: bytes are in the part file and in the plan before the next await, and what a restart needs is
//! written down from there.

use crate::backoff;
use crate::digest::{Algorithm, Expected, Found};
use crate::failure::{Failure, Kind, Trouble};
use crate::library::{Library, LibraryError, Model, Trust};
use crate::limit::Limit;
use crate::meter::Meter;
use crate::name::ModelName;
use crate::part::Part;
use crate::plan::Plan;
use crate::preflight::{self, Offer};
use crate::record::{Record, State, Status, Validator};
use crate::registry::Registry;
use crate::segment::fetch;
use crate::surroundings::Surroundings;
use crate::tail::Tail;
use futures_util::future::try_join_all;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use store::StoreError;
use tokio::sync::{Notify, watch};
use url::Url;

/// How a download is made. The defaults are those of the product.
#[derive(Debug, Clone)]
pub(crate) struct Options {
    pub connections: usize,
    /// Bytes that one request asks for at most, and at least where there are several connections.
    pub most: u64,
    pub least: u64,
    /// Whether to try for ever while nobody is reached.
    pub waits_for_network: bool,
    /// Tries without a byte before it is given up.
    pub tries: u32,
    /// Bytes of the disk that are left free.
    pub reserve: u64,
    /// Silence after which a connection counts as stalled; none for the product's.
    pub silence: Option<Duration>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            connections: 4,
            most: 64 << 20,
            least: 1 << 20,
            waits_for_network: true,
            tries: 8,
            reserve: 256 << 20,
            silence: None,
        }
    }
}

/// Where a download is written down, at most this often while bytes come, µs.
const SAVE_EVERY: i64 = 2_000_000;
/// How often people hear of bytes, µs.
const TELL_EVERY: i64 = 100_000;

/// What a person wants of a download that runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wish {
    Run,
    Pause,
    /// Forget it, and what came.
    Cancel,
    /// The service stops: go on at the next start.
    Stop,
}

/// How a download ended.
#[derive(Debug)]
pub(crate) enum End {
    Ready(Model),
    Failed(Failure),
    Wished(Wish),
}

/// What others see of a download while it runs.
pub(crate) struct Live {
    inner: Mutex<Inner>,
    /// Held while it is written down, so that what was known earlier is never written later; true when there is nothing to write down any more.
    written: Mutex<bool>,
    told: Box<dyn Fn() + Send + Sync>,
}

pub(crate) struct Inner {
    pub record: Record,
    pub meter: Meter,
    active: Option<Arc<Active>>,
    told_at: i64,
}

/// A transfer that runs.
pub(crate) struct Active {
    pub plan: Mutex<Plan>,
    pub part: Part,
    pub tail: Tail,
    /// The file comes in one piece, from the beginning.
    pub is_whole: bool,
    pub size: u64,
    pub validator: Option<Validator>,
    /// Where the file was found last.
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

    fn written(&self) -> MutexGuard<'_, bool> {
        self.written.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn tell(&self) {
        (self.told)();
    }

    /// Bytes came.
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

    /// How it stands at `now`.
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
    /// Takes what came into the record.
    fn catch_up(&mut self) {
        if let Some(active) = &self.active {
            self.record.done = active.plan().done.clone();
        }
        self.record.shown = self.record.shown.max(self.record.done.total());
    }
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
    /// From the beginning: the file changed, or cannot be resumed.
    Again {
        why: String,
        whole: bool,
        /// Not counted as a try: nobody was reached.
        is_network: bool,
    },
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

impl Job {
    /// Runs until there is a model, a failure or another wish, and writes down which.
    pub async fn run(&self, mut wish: watch::Receiver<Wish>) -> End {
        let wished = async {
            match wish.wait_for(|wish| *wish != Wish::Run).await {
                Ok(wish) => *wish,
                // Nobody can wish anything any more: the service is gone.
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

    /// Writes down how it ended.
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

    /// After a kill more bytes are there than were written down.
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

    /// What came so far counts no more, in the part file first.
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

    /// A kill between the rename of the file and its row leaves a file of the right hash without a row.
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
        let is_whole = self.adopt(&offer, whole);
        self.enter(State::SpaceCheck).await?;
        self.check_space(offer.size)?;
        let disk = |cause: std::io::Error| Failure::disk("The part file cannot be written", &cause);
        self.part.set_len(offer.size).map_err(disk)?;
        let active = Arc::new(self.begin(offer, is_whole).map_err(disk)?);
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

    /// Asks what the registry offers, until it answers.
    async fn ask(&self) -> Result<Offer, Stop> {
        let mut tries = 0;
        loop {
            match preflight::ask(&self.registry, &self.name).await {
                Ok(offer) => return Ok(offer),
                Err(trouble) => {
                    tries += 1;
                    self.after(trouble, tries).await?;
                }
            }
        }
    }

    /// Takes what is offered for what is fetched from now on; whether it has to come in one piece.
    fn adopt(&self, offer: &Offer, whole: bool) -> bool {
        let mut inner = self.live.lock();
        inner.active = None;
        let record = &mut inner.record;
        let is_short = self.part.len().unwrap_or(0) < record.done.end();
        if is_short {
            self.start_over(record, "The part file was gone or cut; the download started over.");
        } else if !is_same(record, offer) {
            self.start_over(
                record,
                "The file at the registry is another one than before; the download started over.",
            );
        }
        let is_unsure = offer.validator.is_none() && offer.expected.is_empty();
        let is_whole = whole || !offer.has_ranges || is_unsure;
        if is_whole {
            let why = if is_unsure {
                "The registry says nothing by which parts of the file could be told to belong together; the download started over."
            } else {
                "The registry sends whole files only; the download started over."
            };
            self.start_over(record, why);
        }
        record.size = Some(offer.size);
        record.validator.clone_from(&offer.validator);
        record.expected.clone_from(&offer.expected);
        self.registry.address().clone_into(&mut record.registry);
        is_whole
    }

    /// `size × 1.05 + reserve` (MODELS.md F.2), less what is there, and what other downloads still need.
    fn check_space(&self, size: u64) -> Result<(), Failure> {
        let left = size.saturating_sub(self.live.lock().record.done.total());
        let others = self.library.still_to_come(Some(&self.name)).map_err(|error| Failure::store(&error))?;
        let needed = left + left / 20 + self.options.reserve + others;
        let folder = self.library.folder();
        let free = self
            .surroundings
            .free_bytes(folder)
            .map_err(|cause| Failure::disk("The free space of the models folder cannot be read", &cause))?;
        if free >= needed {
            return Ok(());
        }
        let remedy = "Free some space or move the models folder to another volume, then resume.";
        Err(Failure::no_room("The download", needed, folder, free, remedy))
    }

    fn begin(&self, offer: Offer, is_whole: bool) -> std::io::Result<Active> {
        let mut inner = self.live.lock();
        inner.meter.reset();
        let done = inner.record.done.clone();
        drop(inner);
        let told = Arc::clone(&self.live);
        let tail =
            Tail::follow(Arc::clone(&self.part.file), offer.size, &offer.expected, move || told.tell())?;
        tail.advance(done.prefix());
        let connections = self.options.connections.max(1) as u64;
        let (piece, least) = if is_whole {
            (offer.size, offer.size)
        } else {
            // Each request waits for its first byte: few are better, and small ones let the hash follow more closely.
            let share = offer.size / (connections * 4);
            (share.clamp(self.options.least, self.options.most.max(self.options.least)), self.options.least)
        };
        Ok(Active {
            plan: Mutex::new(Plan::new(offer.size, done, piece, least)),
            part: self.part.clone(),
            tail,
            is_whole,
            size: offer.size,
            validator: offer.validator,
            url: Mutex::new(offer.url),
            save: Notify::new(),
            saved_at: AtomicI64::new(self.surroundings.now()),
        })
    }

    /// Fetches what is missing, over several connections.
    async fn transfer(&self, active: &Active) -> Result<(), Stop> {
        let connections = if active.is_whole { 1 } else { self.options.connections.max(1) };
        try_join_all((0..connections).map(|_| self.connection(active))).await?;
        Ok(())
    }

    async fn connection(&self, active: &Active) -> Result<(), Stop> {
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
            // An address that the registry handed out may have expired.
            *active.url() = self.registry.model(&self.name, "");
            if active.is_whole && came > 0 {
                return Err(without_resume(trouble));
            }
            tries = if came > 0 { 1 } else { tries + 1 };
            self.after(trouble, tries).await?;
        }
    }

    /// Waits before the next try, or says why there is none.
    async fn after(&self, trouble: Trouble, tries: u32) -> Result<(), Stop> {
        let (state, text, asked, is_counted) = match trouble {
            Trouble::Final(failure) => return Err(failure.into()),
            Trouble::Changed(why) => return Err(Stop::Again { why, whole: false, is_network: false }),
            Trouble::Unranged => {
                return Err(Stop::Again {
                    why: "The registry sent the whole file where a part was asked for; the download started over."
                        .to_owned(),
                    whole: true,
                    is_network: false,
                });
            }
            Trouble::Network(text) => (State::WaitingNetwork, text, None, !self.options.waits_for_network),
            Trouble::Stalled(text) => (State::Stalled, text, None, !self.options.waits_for_network),
            Trouble::Broken { text, wait } => (State::Stalled, text, wait, true),
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

    /// Enters a state, and writes down that it did.
    async fn enter(&self, state: State) -> Result<(), Failure> {
        let now = self.surroundings.now();
        {
            let mut inner = self.live.lock();
            if inner.record.state == state {
                return Ok(());
            }
            inner.record.state = state;
            inner.record.updated_at = now;
            if state == State::Downloading {
                inner.record.failure = None;
            }
        }
        self.live.tell();
        self.save().await
    }

    /// Writes down what came, whenever somebody says that it is time to; ends only when that fails.
    async fn keep_saving(&self, active: &Active) -> Failure {
        loop {
            active.save.notified().await;
            if let Err(failure) = self.save().await {
                return failure;
            }
            active.saved_at.store(self.surroundings.now(), Ordering::Relaxed);
        }
    }

    /// Whether it is time to write down what came.
    pub fn is_due(active: &Active, now: i64) -> bool {
        now - active.saved_at.load(Ordering::Relaxed) >= SAVE_EVERY
    }

    /// Writes down how it stands: the bytes first, so that a power cut leaves none that are only written down. A database that is busy with an import is
    /// asked again the next time.
    async fn save(&self) -> Result<(), Failure> {
        let (live, now) = (Arc::clone(&self.live), self.surroundings.now());
        let (part, library) = (self.part.clone(), self.library.clone());
        blocking(move || {
            let is_over = live.written();
            if *is_over {
                return Ok(());
            }
            let (record, has_bytes) = {
                let mut inner = live.lock();
                inner.catch_up();
                (inner.record.clone(), inner.active.is_some())
            };
            if has_bytes {
                part.file
                    .sync_data()
                    .map_err(|cause| Failure::disk("The part file cannot be written", &cause))?;
            }
            match library.put_record(&record, now) {
                Err(StoreError::Busy { .. }) => Ok(()),
                other => other.map_err(|error| Failure::store(&error)),
            }
        })
        .await
    }

    /// The same file may be here already, under another name: then nothing is fetched.
    async fn take_known(&self, expected: &Expected, offer: &Offer) -> Result<Option<Model>, Stop> {
        {
            let mut inner = self.live.lock();
            inner.record.size = Some(offer.size);
            inner.record.expected.clone_from(&offer.expected);
        }
        Ok(self.take_present(&expected.hex).await?)
    }

    /// Makes a model of the file with that hash, if it is in the folder and sound.
    async fn take_present(&self, sha256: &str) -> Result<Option<Model>, Failure> {
        if !self.library.has(sha256, self.live.lock().record.size) {
            return Ok(None);
        }
        self.enter(State::Verifying).await?;
        let (library, wanted) = (self.library.clone(), sha256.to_owned());
        let found = blocking(move || library.hash_of(&wanted)).await;
        match found {
            Ok(found) if found == sha256 => {}
            // Not what its name says: fetched instead, and found by the next verification.
            _ => return Ok(None),
        }
        self.write_down(self.model_of(sha256)).await.map(Some)
    }

    /// Makes a model of the part file, or puts it aside.
    async fn install(&self, found: Found) -> Result<Model, Failure> {
        let expected = self.live.lock().record.expected.clone();
        if let Some(wanted) = found.contradicts(&expected) {
            return Err(self.quarantine(&found, wanted).await);
        }
        {
            let mut inner = self.live.lock();
            inner.catch_up();
            inner.record.found = Some(found.sha256.clone());
        }
        self.enter(State::Installing).await?;
        let (library, part, sha256) = (self.library.clone(), self.part.clone(), found.sha256.clone());
        let size = self.live.lock().record.size.unwrap_or(0);
        blocking(move || library.place(&part, size, &sha256)).await.map_err(|cause| {
            Failure::disk("The file cannot be given its name in the models folder", &cause)
        })?;
        self.write_down(self.model_of(&found.sha256)).await
    }

    fn model_of(&self, sha256: &str) -> Model {
        let inner = self.live.lock();
        let told = inner.record.expected.first();
        let now = self.surroundings.now();
        Model {
            name: self.name.to_string(),
            sha256: sha256.to_owned(),
            size_bytes: inner.record.size.unwrap_or(0),
            trust: if told.is_some() { Trust::Registry } else { Trust::FirstUse },
            told_by: told.map_or_else(|| "nobody".to_owned(), |told| told.told_by.clone()),
            source: "download".to_owned(),
            origin: self.registry.host().to_owned(),
            installed_at: now,
            checked_at: now,
        }
    }

    /// Writes the model's row; waits for a database that is busy with an import.
    async fn write_down(&self, model: Model) -> Result<Model, Failure> {
        loop {
            let (library, live, row) = (self.library.clone(), Arc::clone(&self.live), model.clone());
            let write = move || {
                let mut is_over = live.written();
                library.write_down(&row)?;
                *is_over = true;
                Ok(())
            };
            match blocking(write).await {
                Ok(()) => break,
                Err(LibraryError::Store(StoreError::Busy { .. })) => {
                    self.surroundings.pass(Duration::from_secs(1)).await;
                }
                Err(error) => {
                    return Err(Failure::new(Kind::Disk, format!("{error}."), "Resume to try again."));
                }
            }
        }
        Ok(model)
    }

    async fn quarantine(&self, found: &Found, wanted: &Expected) -> Failure {
        let is = found.of(wanted.algorithm).unwrap_or_default().to_owned();
        let (library, part, name, sha256) =
            (self.library.clone(), self.part.clone(), self.name.clone(), found.sha256.clone());
        let kept = blocking(move || library.quarantine(&part.path, &name, &sha256)).await;
        let mut inner = self.live.lock();
        inner.active = None;
        inner.record.done = crate::ranges::Ranges::default();
        let place = kept.map_or_else(
            |_| "could not be put aside".to_owned(),
            |path| format!("is kept as {}", path.display()),
        );
        Failure::new(
            Kind::Mismatch,
            format!(
                "The file is not what the registry said: its hash is {is}, {} says {}.",
                wanted.told_by, wanted.hex
            ),
            format!(
                "It is not used and {place}. Start over; if it happens again, ask whoever runs the registry."
            ),
        )
    }
}

/// The file has to come in one piece, and broke off.
fn without_resume(trouble: Trouble) -> Stop {
    let why = |text: String| format!("{text} The registry does not resume; the download started over.");
    match trouble {
        Trouble::Final(failure) => Stop::Failed(failure),
        Trouble::Network(text) | Trouble::Stalled(text) => {
            Stop::Again { why: why(text), whole: true, is_network: true }
        }
        Trouble::Broken { text, .. } => Stop::Again { why: why(text), whole: true, is_network: false },
        Trouble::Changed(text) => Stop::Again { why: text, whole: true, is_network: false },
        Trouble::Unranged => Stop::Again { why: why(String::new()), whole: true, is_network: false },
    }
}

/// Whether what is in the part file is the beginning of what is offered: by hashes where both are known, else by what the registry gave to tell by.
fn is_same(record: &Record, offer: &Offer) -> bool {
    if record.done.is_empty() {
        return true;
    }
    if record.size != Some(offer.size) {
        return false;
    }
    if !record.expected.is_empty() && !offer.expected.is_empty() {
        return record.expected.iter().any(|one| {
            offer.expected.iter().any(|other| (one.algorithm, &one.hex) == (other.algorithm, &other.hex))
        });
    }
    record.validator.is_some() && record.validator == offer.validator
}

/// Runs what waits for the disk beside the connections.
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
