//! All downloads of a service: one for each model, each on its own thread, because disk access blocks.

use crate::export::Export;
use crate::failure::{Failure, Kind};
pub use crate::job::Wish;
use crate::job::limit::Limit;
use crate::job::{End, Job, Live, Options};
use crate::library::{Library, LibraryError};
use crate::name::ModelName;
use crate::part::Part;
use crate::policy::{FolderNotAllowed, Policy};
use crate::record::{Record, State, Status};
use crate::registry::Registry;
use crate::safe::{self, SecretStore};
use crate::settings::{self, Changes, SettingValues, Settings};
use crate::surroundings::Surroundings;
use catalogue::Caller;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use store::{Store, StoreError};
use tokio::sync::watch;

/// Running and stopped downloads.
#[derive(Clone)]
pub struct Downloads {
    shared: Arc<Shared>,
}

struct Shared {
    store: Store,
    environment: SettingValues,
    data_dir: PathBuf,
    surroundings: Arc<dyn Surroundings>,
    limit: Arc<Limit>,
    options: Options,
    safe: Option<Arc<dyn SecretStore>>,
    policy: Policy,
    running: Mutex<BTreeMap<String, Running>>,
    /// The result of each model's last run.
    ended: Mutex<BTreeMap<String, DownloadEnd>>,
    changed: watch::Sender<u64>,
}

struct Running {
    wish: watch::Sender<Wish>,
    live: Arc<Live>,
    thread: Option<JoinHandle<()>>,
}

/// How a download ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DownloadEnd {
    /// The model is in the library.
    Ready,
    Failed,
    /// Paused or cancelled by a user, or the service stopped.
    Stopped,
}

impl Downloads {
    /// Starts nothing: [`Self::restore`] resumes the downloads of an earlier process.
    pub fn new(
        store: Store,
        environment: SettingValues,
        data_dir: &Path,
        surroundings: Arc<dyn Surroundings>,
    ) -> Self {
        Self::with(store, environment, data_dir, surroundings, Options::default(), None, Policy::default())
    }

    pub(crate) fn with(
        store: Store,
        environment: SettingValues,
        data_dir: &Path,
        surroundings: Arc<dyn Surroundings>,
        options: Options,
        safe: Option<Arc<dyn SecretStore>>,
        policy: Policy,
    ) -> Self {
        let shared = Shared {
            store,
            environment,
            data_dir: data_dir.to_owned(),
            surroundings,
            limit: Arc::new(Limit::new(None)),
            options,
            safe,
            policy,
            running: Mutex::default(),
            ended: Mutex::default(),
            changed: watch::Sender::new(0),
        };
        Self { shared: Arc::new(shared) }
    }

    /// The same downloads, but with a limited number of attempts without a connection. For a user who is waiting.
    #[must_use]
    pub fn without_patience(&self) -> Self {
        let options = Options { waits_for_network: false, tries: 4, ..self.shared.options.clone() };
        let shared = &self.shared;
        Self::with(
            shared.store.clone(),
            shared.environment.clone(),
            &shared.data_dir,
            Arc::clone(&shared.surroundings),
            options,
            shared.safe.clone(),
            shared.policy.clone(),
        )
    }

    /// The same downloads, with a store for secrets outside the database. To be called first: nothing may be running yet.
    #[must_use]
    pub fn with_safe(&self, safe: Arc<dyn SecretStore>) -> Self {
        let shared = &self.shared;
        Self::with(
            shared.store.clone(),
            shared.environment.clone(),
            &shared.data_dir,
            Arc::clone(&shared.surroundings),
            shared.options.clone(),
            Some(safe),
            shared.policy.clone(),
        )
    }

    /// The same downloads, restricted by the operator's policy. To be called first: nothing may be running yet.
    #[must_use]
    pub fn with_policy(&self, policy: Policy) -> Self {
        let shared = &self.shared;
        Self::with(
            shared.store.clone(),
            shared.environment.clone(),
            &shared.data_dir,
            Arc::clone(&shared.surroundings),
            shared.options.clone(),
            shared.safe.clone(),
            policy,
        )
    }

    /// The current settings. Blocks the thread.
    pub fn settings(&self) -> Result<Settings, StoreError> {
        let shared = &self.shared;
        let settings =
            settings::read(&shared.store, &shared.environment, &shared.data_dir, shared.safe.as_deref())?;
        Ok(settings.with_egress(shared.policy.egress.clone()))
    }

    /// Checks that a user elsewhere may move the models to this folder.
    pub fn check_folder(&self, folder: &Path) -> Result<(), FolderNotAllowed> {
        self.shared.policy.check_folder(&self.shared.data_dir, folder)
    }

    /// Saves settings, and secrets in their store. The caller has [checked](Settings::problem) them. Blocks the thread.
    pub fn save_settings(&self, changes: &Changes) -> Result<(), Failure> {
        let (store, safe) = (&self.shared.store, self.shared.safe.as_deref());
        let kept = safe::kept(safe, changes).map_err(|why| {
            Failure::new(
                Kind::NoLicenseKey,
                format!("The secret was not saved: {why}."),
                "Look at the keyring, or at the data directory, and save it again.",
            )
        })?;
        let now = self.shared.surroundings.now();
        store
            .transaction(&Caller::system(), |rows| settings::save(rows, &kept, now))
            .map_err(|error| Failure::store(&error))?;
        safe::forget(safe, changes);
        self.tell();
        Ok(())
    }

    /// Moves secrets that an older version saved in the database in plain text to their store. To be called when a service starts.
    pub fn put_secrets_away(&self) -> Result<(), Failure> {
        let left = self.shared.store.snapshot(&Caller::system(), settings::left_open);
        let left = left.map_err(|error| Failure::store(&error))?;
        if left.is_empty() || self.shared.safe.is_none() { Ok(()) } else { self.save_settings(&left) }
    }

    /// Where secrets are stored, as text for users.
    pub fn about_secrets(&self) -> Option<&'static str> {
        self.shared.safe.as_deref().map(SecretStore::about)
    }

    /// The environment the service was started with.
    pub fn environment(&self) -> &SettingValues {
        &self.shared.environment
    }

    pub fn data_dir(&self) -> &Path {
        &self.shared.data_dir
    }

    /// The models in the configured folder.
    pub fn library(&self) -> Result<Library, StoreError> {
        Ok(Library::new(self.shared.store.clone(), self.settings()?.folder()))
    }

    /// Notified whenever something visible to users changes.
    pub fn changed(&self) -> watch::Receiver<u64> {
        self.shared.changed.subscribe()
    }

    /// Notifies watchers of a change other than in downloads.
    pub fn tell(&self) {
        self.shared.tell();
    }

    /// Available bytes in the models folder.
    pub fn free_bytes(&self, folder: &Path) -> std::io::Result<u64> {
        let existing = folder.ancestors().find(|folder| folder.is_dir()).unwrap_or(folder);
        self.shared.surroundings.free_bytes(existing)
    }

    /// Exports a model to [`Library::export_folder`] as `file` (by default named like the model), with its `.sha256` file. Existing files are not
    /// changed. Requires the same free space as a download. Blocks the thread.
    pub fn export_named(&self, name: &ModelName, file: Option<&str>) -> Result<Export, LibraryError> {
        let library = self.library()?;
        library.export_named(name, file, |folder, size| {
            let needed = size + size / 20 + self.shared.options.reserve + library.still_to_come(None)?;
            let free = self
                .free_bytes(folder)
                .map_err(LibraryError::io("the free space of the models folder cannot be read"))?;
            if free >= needed {
                return Ok(());
            }
            let remedy = "Free some space or move the models folder to another volume.";
            Err(LibraryError::Taken(Failure::no_room("The export", needed, folder, free, remedy)))
        })
    }

    /// All downloads that have not succeeded, by name.
    pub fn list(&self) -> Result<Vec<Status>, StoreError> {
        let now = self.shared.surroundings.now();
        let records = self.library()?.records()?;
        let running = self.shared.lock();
        let mut all: BTreeMap<String, Status> =
            records.iter().map(|record| (record.name.clone(), record.status())).collect();
        for (name, one) in running.iter() {
            all.insert(name.clone(), one.live.status(now));
        }
        Ok(all.into_values().collect())
    }

    pub fn status(&self, name: &ModelName) -> Result<Option<Status>, StoreError> {
        Ok(self.list()?.into_iter().find(|status| status.name == name.as_str()))
    }

    pub fn is_running(&self, name: &ModelName) -> bool {
        self.shared.lock().contains_key(name.as_str())
    }

    /// The names of running downloads.
    pub fn running(&self) -> Vec<String> {
        self.shared.lock().keys().cloned().collect()
    }

    /// How a download that is not running ended; `None` if this process has not run it.
    pub fn ended(&self, name: &str) -> Option<DownloadEnd> {
        self.shared.ended().get(name).copied()
    }

    /// Starts or resumes a download; does nothing if it is running.
    pub fn start(&self, name: &ModelName) -> Result<(), Failure> {
        let mut running = self.shared.lock();
        if running.contains_key(name.as_str()) {
            return Ok(());
        }
        let settings = self.settings().map_err(|error| Failure::store(&error))?;
        let registry = Registry::open(&settings, self.shared.options.silence)?;
        let library = Library::new(self.shared.store.clone(), settings.folder());
        let part = Part::open(&library.part_path(name))?;
        let now = self.shared.surroundings.now();
        let found = library.record(name).map_err(|error| Failure::store(&error))?;
        let mut record = found
            .filter(|record| record.state != State::Quarantined)
            .unwrap_or_else(|| Record::new(name.as_str(), registry.address(), now));
        record.state = State::Queued;
        library.put_record(&record, now).map_err(|error| Failure::store(&error))?;
        self.shared.limit.set(settings.rate());
        let told = Arc::clone(&self.shared);
        let live = Arc::new(Live::new(record, move || told.tell()));
        let job = Job {
            name: name.clone(),
            registry,
            library,
            part,
            surroundings: Arc::clone(&self.shared.surroundings),
            limit: Arc::clone(&self.shared.limit),
            options: Options { connections: settings.connections(), ..self.shared.options.clone() },
            live: Arc::clone(&live),
        };
        let (wish, wished) = watch::channel(Wish::Run);
        let shared = Arc::clone(&self.shared);
        let thread = std::thread::Builder::new().name("model download".to_owned()).spawn(move || {
            let ended = run(&job, wished);
            let name = job.name.clone();
            // Release the part file before anybody sees that the download has ended.
            drop(job);
            shared.ended().insert(name.to_string(), ended);
            shared.lock().remove(name.as_str());
            shared.tell();
        })?;
        running.insert(name.to_string(), Running { wish, live, thread: Some(thread) });
        drop(running);
        self.shared.tell();
        Ok(())
    }

    /// Pauses a download and retains the downloaded bytes.
    pub fn pause(&self, name: &ModelName) -> Result<(), Failure> {
        if self.wish(name, Wish::Pause) {
            return Ok(());
        }
        let library = self.library().map_err(|error| Failure::store(&error))?;
        let found = library.record(name).map_err(|error| Failure::store(&error))?;
        if let Some(mut record) = found.filter(|record| record.state.is_active()) {
            // Lock the part file while changing the record: another program may be downloading.
            let _part = Part::open(&library.part_path(name))?;
            record.state = State::Paused;
            let now = self.shared.surroundings.now();
            library.put_record(&record, now).map_err(|error| Failure::store(&error))?;
        }
        Ok(())
    }

    /// Removes a download and its bytes. Blocks the thread until it is done.
    pub fn cancel(&self, name: &ModelName) -> Result<(), Failure> {
        if self.wish(name, Wish::Cancel) {
            return Ok(());
        }
        let library = self.library().map_err(|error| Failure::store(&error))?;
        let _part = Part::open(&library.part_path(name))?;
        library
            .forget(name)
            .map_err(|error| Failure::new(Kind::Disk, format!("{error}."), "Look at the models folder."))?;
        self.shared.tell();
        Ok(())
    }

    /// Sends a request to a running download and waits until it has ended; false if it is not running.
    fn wish(&self, name: &ModelName, wish: Wish) -> bool {
        let thread = {
            let mut running = self.shared.lock();
            let Some(one) = running.get_mut(name.as_str()) else { return false };
            // An error means that it is ending already.
            let _ = one.wish.send(wish);
            one.thread.take()
        };
        end(thread);
        true
    }

    /// Resumes the downloads that were active when an earlier process ended, even by a crash.
    pub fn restore(&self) -> Result<(), StoreError> {
        let library = self.library()?;
        for record in library.records()?.into_iter().filter(|record| record.state.is_active()) {
            let Ok(name) = ModelName::parse(&record.name) else { continue };
            match self.start(&name) {
                Ok(()) => tracing::info!(model = %name, "a download of an earlier run is taken up again"),
                Err(failure) if failure.kind == Kind::InUse => {}
                Err(failure) => {
                    let failed = Record { state: State::Failed, failure: Some(failure), ..record };
                    library.put_record(&failed, self.shared.surroundings.now())?;
                }
            }
        }
        Ok(())
    }

    /// Interrupts running downloads, to be resumed by the next [`Self::restore`]. Blocks the thread until all have ended.
    pub fn stop(&self) {
        let threads: Vec<_> = self
            .shared
            .lock()
            .values_mut()
            .map(|one| {
                let _ = one.wish.send(Wish::Stop);
                one.thread.take()
            })
            .collect();
        threads.into_iter().for_each(end);
    }

    /// Waits until a download has ended with any result. Blocks the thread.
    pub fn wait(&self, name: &ModelName) {
        let thread = self.shared.lock().get_mut(name.as_str()).and_then(|one| one.thread.take());
        end(thread);
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn ended(&self) -> MutexGuard<'_, BTreeMap<String, DownloadEnd>> {
        self.ended.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell(&self) {
        self.changed.send_modify(|count| *count += 1);
    }
}

fn run(job: &Job, wished: watch::Receiver<Wish>) -> DownloadEnd {
    match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => match runtime.block_on(job.run(wished)) {
            End::Ready(_) => DownloadEnd::Ready,
            End::Failed(_) => DownloadEnd::Failed,
            End::Wished(_) => DownloadEnd::Stopped,
        },
        Err(error) => {
            tracing::error!(model = %job.name, "the download could not begin: {error}");
            DownloadEnd::Failed
        }
    }
}

fn end(thread: Option<JoinHandle<()>>) {
    if thread.is_some_and(|thread| thread.join().is_err()) {
        tracing::error!("the thread of a download ended in a panic");
    }
}
