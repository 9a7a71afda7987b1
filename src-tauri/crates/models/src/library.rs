//! The models that are here: kept once by hash, brought in, given out, checked, moved.

use crate::digest::{Algorithm, Expected, Hashing};
use crate::failure::{Failure, Kind};
use crate::name::ModelName;
use crate::part::Part;
use crate::record::{Record, State};
use crate::rows;
use crate::settings;
use catalogue::Caller;
use serde::Serialize;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use store::{Store, StoreError, Transaction};

/// Where whole files go that no row knows.
const UNCLAIMED: &str = "unclaimed";
/// Where whoever has the machine lays files that are to be taken in by somebody elsewhere.
const LAID: &str = "import";
pub(crate) const BUFFER: usize = 1 << 20;

/// Who vouches for a file's hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Trust {
    /// The registry it came from.
    Registry,
    /// The `.sha256` file beside it.
    File,
    /// A person, who gave the hash.
    Person,
    /// Nobody: what came first is what counts from then on.
    FirstUse,
}

impl Trust {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Registry => "registry",
            Self::File => "file",
            Self::Person => "person",
            Self::FirstUse => "first_use",
        }
    }

    pub(crate) fn of(text: &str) -> Self {
        match text {
            "registry" => Self::Registry,
            "file" => Self::File,
            "person" => Self::Person,
            _ => Self::FirstUse,
        }
    }
}

/// A model that is here, whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Model {
    pub name: String,
    /// Lower-case hex.
    pub sha256: String,
    pub size_bytes: u64,
    pub trust: Trust,
    pub told_by: String,
    /// `download` or `import`.
    pub source: String,
    /// Host of the registry, or name of the file.
    pub origin: String,
    /// µs since 1970 UTC.
    pub installed_at: i64,
    pub checked_at: i64,
}

/// What a verification found.
#[derive(Debug)]
pub enum Checked {
    Sound(Model),
    /// The file is another one now; it was put aside and is not used.
    Broken {
        found: String,
        kept: PathBuf,
    },
}

/// Why something could not be done with a model.
#[derive(Debug, thiserror::Error)]
pub enum LibraryError {
    #[error("there is no model {name:?} here")]
    NotFound { name: String },
    #[error("{what}")]
    Io {
        what: String,
        #[source]
        cause: io::Error,
    },
    #[error(
        "the file's hash is {found}, {told_by} says {wanted}: it is not the file it should be, and was not taken in"
    )]
    Mismatch { found: String, wanted: String, told_by: String },
    #[error("{what} is no SHA-256: expected 64 hexadecimal digits")]
    NotAHash { what: String },
    #[error("{file:?} is no name of a file: expected one without folders, such as svc-slm.gguf")]
    NotAFileName { file: String },
    #[error("there is no file {file:?} in the folder `import` of the models folder: lay it there first")]
    NotLaid { file: String },
    #[error("another file {file:?} is in {place} already: take it away or choose another name")]
    Occupied { file: String, place: String },
    #[error("another export runs: wait until it has ended")]
    Exporting,
    #[error(
        "the file of {name} changed on disk: its hash was {was}, and is {found}. It was not given out: verify the model, then fetch it again"
    )]
    Changed { name: String, found: String, was: String },
    #[error("a download runs; pause it first")]
    Busy,
    #[error("{0}")]
    Taken(Failure),
    #[error("the file holds nothing")]
    Empty,
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl LibraryError {
    pub(crate) fn io(what: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        let what = what.into();
        move |cause| Self::Io { what, cause }
    }
}

impl From<io::Error> for LibraryError {
    fn from(cause: io::Error) -> Self {
        Self::Io { what: "the models folder cannot be used".to_owned(), cause }
    }
}

/// The models of one folder, and their rows.
#[derive(Clone)]
pub struct Library {
    store: Store,
    folder: PathBuf,
}

impl Library {
    pub fn new(store: Store, folder: PathBuf) -> Self {
        Self { store, folder }
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The file with that hash; equal files are one.
    fn file_of(&self, sha256: &str) -> PathBuf {
        self.folder.join(format!("sha256-{sha256}"))
    }

    /// Where a model's file is.
    pub fn path(&self, model: &Model) -> PathBuf {
        self.file_of(&model.sha256)
    }

    pub(crate) fn part_path(&self, name: &ModelName) -> PathBuf {
        self.folder.join("incoming").join(format!("{name}.part"))
    }

    fn read<T>(&self, work: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>) -> Result<T, StoreError> {
        self.store.snapshot(&Caller::house(), work)
    }

    fn write<T>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.store.transaction(&Caller::house(), work)
    }

    /// Every model, by name.
    pub fn list(&self) -> Result<Vec<Model>, StoreError> {
        self.read(rows::models)
    }

    pub fn find(&self, name: &ModelName) -> Result<Model, LibraryError> {
        let found = self.list()?.into_iter().find(|model| model.name == name.as_str());
        found.ok_or_else(|| LibraryError::NotFound { name: name.to_string() })
    }

    /// Bytes on disk, equal files once.
    pub fn used_bytes(&self) -> Result<u64, StoreError> {
        let mut models = self.list()?;
        models.sort_by(|one, other| one.sha256.cmp(&other.sha256));
        models.dedup_by(|one, other| one.sha256 == other.sha256);
        Ok(models.iter().map(|model| model.size_bytes).sum())
    }

    pub(crate) fn records(&self) -> Result<Vec<Record>, StoreError> {
        self.read(rows::records)
    }

    pub(crate) fn record(&self, name: &ModelName) -> Result<Option<Record>, StoreError> {
        Ok(self.records()?.into_iter().find(|record| record.name == name.as_str()))
    }

    pub(crate) fn put_record(&self, record: &Record, now: i64) -> Result<(), StoreError> {
        self.write(|rows| rows::put_record(rows, record, now))
    }

    /// Bytes that running downloads will still write, those other than `name`.
    pub(crate) fn still_to_come(&self, name: Option<&ModelName>) -> Result<u64, StoreError> {
        let is_other = |record: &Record| name.is_none_or(|name| record.name != name.as_str());
        let others = self.records()?.into_iter();
        let others = others.filter(|record| record.state.is_active() && is_other(record));
        Ok(others.map(|record| record.size.unwrap_or(0).saturating_sub(record.done.total())).sum())
    }

    /// Forgets a download and what came of it.
    pub(crate) fn forget(&self, name: &ModelName) -> Result<(), LibraryError> {
        remove_file(&self.part_path(name))?;
        self.write(|rows| rows::remove_record(rows, name.as_str()))?;
        Ok(())
    }

    /// Whether a file with that hash is here, as long as it should be.
    pub(crate) fn has(&self, sha256: &str, size: Option<u64>) -> bool {
        let found = std::fs::metadata(self.file_of(sha256));
        found.is_ok_and(|found| found.is_file() && size.is_none_or(|size| size == found.len()))
    }

    /// The hash of the file that is named by this one.
    pub(crate) fn hash_of(&self, sha256: &str) -> io::Result<String> {
        hash_file(&self.file_of(sha256), &mut |_| ())
    }

    /// Gives a file that is whole and hashed its final name: safe on disk first, then at once.
    pub(crate) fn place(&self, part: &Part, size: u64, sha256: &str) -> io::Result<()> {
        part.set_len(size)?;
        part.file.sync_all()?;
        let to = self.file_of(sha256);
        std::fs::rename(&part.path, &to)?;
        sync_folder(&self.folder)
    }

    /// Puts a file aside that is not what it should be.
    pub(crate) fn quarantine(&self, path: &Path, name: &ModelName, sha256: &str) -> io::Result<PathBuf> {
        let folder = self.folder.join("quarantine");
        std::fs::create_dir_all(&folder)?;
        let to = folder.join(format!("{name}-{}", &sha256[..12.min(sha256.len())]));
        std::fs::rename(path, &to)?;
        Ok(to)
    }

    /// Writes a model's row in place of its download; a file that only the model of this name had before goes.
    pub(crate) fn write_down(&self, model: &Model) -> Result<(), LibraryError> {
        let before = self.write(|rows| {
            let before = rows::models(rows)?;
            rows::put_model(rows, model)?;
            rows::remove_record(rows, &model.name)?;
            Ok(before)
        })?;
        let old = before.iter().find(|old| old.name == model.name && old.sha256 != model.sha256);
        if let Some(old) = old {
            self.remove_unused(&old.sha256)?;
        }
        Ok(())
    }

    fn remove_unused(&self, sha256: &str) -> Result<(), LibraryError> {
        if self.list()?.iter().any(|model| model.sha256 == sha256) {
            return Ok(());
        }
        remove_file(&self.file_of(sha256))
            .map_err(LibraryError::io("the file of the model cannot be removed"))
    }

    /// Removes a model; its file goes when no other model has the same.
    pub fn remove(&self, name: &ModelName) -> Result<(), LibraryError> {
        let model = self.find(name)?;
        self.write(|rows| rows::remove_model(rows, name.as_str()))?;
        self.remove_unused(&model.sha256)
    }

    /// Hashes a model's file again. `told` is the hash a person expects, which then vouches for it. `progress` hears of bytes read.
    pub fn verify(
        &self,
        name: &ModelName,
        told: Option<&str>,
        now: i64,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Checked, LibraryError> {
        let mut model = self.find(name)?;
        let told = told.map(person_says).transpose()?;
        let path = self.path(&model);
        let found = hash_file(&path, progress).map_err(LibraryError::io(format!(
            "the file of {name} cannot be read; remove the model and fetch it again"
        )))?;
        if found != model.sha256 {
            let kept = self.quarantine(&path, name, &found)?;
            self.give_up(&model, &found, &kept, now)?;
            return Ok(Checked::Broken { found, kept });
        }
        if let Some(told) = told {
            if told.hex != found {
                return Err(LibraryError::Mismatch { found, wanted: told.hex, told_by: told.told_by });
            }
            (model.trust, model.told_by) = (Trust::Person, told.told_by);
        }
        model.checked_at = now;
        self.write(|rows| rows::put_model(rows, &model))?;
        Ok(Checked::Sound(model))
    }

    /// Takes models whose file turned out wrong from the list of those that are here, and says why.
    fn give_up(&self, model: &Model, found: &str, kept: &Path, now: i64) -> Result<(), StoreError> {
        let failure = Failure::new(
            Kind::Mismatch,
            format!("The file changed on disk: its hash was {}, and is {found}.", model.sha256),
            format!(
                "It is not used and is kept as {}. Fetch the model again, and look at the disk.",
                kept.display()
            ),
        );
        self.write(|rows| {
            for twin in rows::models(rows)?.iter().filter(|twin| twin.sha256 == model.sha256) {
                rows::remove_model(rows, &twin.name)?;
                let mut record = Record::new(&twin.name, "", now);
                record.state = State::Quarantined;
                record.size = Some(twin.size_bytes);
                record.failure = Some(failure.clone());
                rows::put_record(rows, &record, now)?;
            }
            Ok(())
        })
    }

    /// Begins to take a file in.
    pub fn receive(&self, name: &ModelName) -> Result<Incoming, LibraryError> {
        let path = self.folder.join("incoming").join(format!("{name}.import"));
        let part = Part::open(&path).map_err(LibraryError::Taken)?;
        part.set_len(0)?;
        Ok(Incoming {
            library: self.clone(),
            name: name.clone(),
            part,
            hashing: Some(Hashing::for_any_of(&[])),
            size: 0,
        })
    }

    /// Takes a file in, with the hash it should have: given, else of the `.sha256` file beside it.
    pub fn import(
        &self,
        path: &Path,
        name: &ModelName,
        sha256: Option<&str>,
        now: i64,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Model, LibraryError> {
        let expected = match sha256 {
            Some(told) => Some((person_says(told)?, Trust::Person)),
            None => beside(path)?.map(|told| (told, Trust::File)),
        };
        let cannot = || LibraryError::io(format!("{} cannot be read", path.display()));
        let mut file = File::open(path).map_err(cannot())?;
        let mut incoming = self.receive(name)?;
        let mut buffer = vec![0; BUFFER];
        let mut total = 0;
        loop {
            let read = file.read(&mut buffer).map_err(cannot())?;
            if read == 0 {
                break;
            }
            incoming.write(&buffer[..read])?;
            total += read as u64;
            progress(total);
        }
        let origin = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        incoming.finish(expected, &origin, now)
    }

    /// Where files lie that [`Self::import_laid`] takes in.
    pub fn laid_folder(&self) -> PathBuf {
        self.folder.join(LAID)
    }

    /// Takes a file in that lies in [`Self::laid_folder`]; nothing else of the machine can be named, since who asks may be elsewhere. The file stays.
    pub fn import_laid(
        &self,
        file: &str,
        name: &ModelName,
        sha256: Option<&str>,
        now: i64,
    ) -> Result<Model, LibraryError> {
        if !is_plain_name(file) {
            return Err(LibraryError::NotAFileName { file: file.to_owned() });
        }
        let path = self.laid_folder().join(file);
        // A link would lead elsewhere.
        if !std::fs::symlink_metadata(&path).is_ok_and(|found| found.is_file()) {
            return Err(LibraryError::NotLaid { file: file.to_owned() });
        }
        self.import(&path, name, sha256, now, &mut |_| ())
    }

    /// Moves everything to another folder: linked or copied there first, then the setting changes, then the old ones go. A kill leaves one of both whole.
    pub fn move_to(&self, folder: &Path, now: i64) -> Result<Self, LibraryError> {
        if self.records()?.iter().any(|record| record.state.is_active()) {
            return Err(LibraryError::Busy);
        }
        let target = Self::new(self.store.clone(), folder.to_owned());
        if same_folder(&self.folder, folder) {
            return Ok(target);
        }
        let mut pairs = Vec::new();
        for name in ["", "incoming", "quarantine"] {
            let (from, to) = (self.folder.join(name), folder.join(name));
            std::fs::create_dir_all(&to)
                .map_err(LibraryError::io(format!("{} cannot be created", to.display())))?;
            for entry in std::fs::read_dir(&from).into_iter().flatten() {
                let path = entry?.path();
                let is_ours = !name.is_empty() || file_name(&path).starts_with("sha256-");
                if path.is_file() && is_ours {
                    pairs.push((path.clone(), to.join(file_name(&path))));
                }
            }
        }
        for (from, to) in &pairs {
            copy(from, to).map_err(LibraryError::io(format!("{} cannot be written", to.display())))?;
        }
        sync_folder(folder)?;
        let change = [(settings::FOLDER.to_owned(), Some(folder.display().to_string()))].into();
        self.write(|rows| settings::save(rows, &change, now))?;
        for (from, _) in &pairs {
            remove_file(from)?;
        }
        Ok(target)
    }

    /// Removes what a kill left of files that were arriving, and puts whole files that no row knows aside in `unclaimed`: after an older backup was put
    /// back they may be somebody's download of hours. For the start of a service.
    /// A model whose file is gone, as after a backup was put back, is no model any more, and says so.
    pub fn sweep(&self, now: i64) -> Result<u64, LibraryError> {
        for model in self.list()?.iter().filter(|model| !self.path(model).exists()) {
            let mut record = Record::new(&model.name, "", now);
            record.state = State::Failed;
            record.failure = Some(Failure::new(
                Kind::NotFound,
                format!("The file of the model is not in {} any more.", self.folder.display()),
                "Download it again, or take it in from a file.",
            ));
            self.write(|rows| {
                rows::remove_model(rows, &model.name)?;
                rows::put_record(rows, &record, now)
            })?;
        }
        let models = self.list()?;
        let records = self.records()?;
        let mut freed = self.sweep_exports()?;
        for entry in std::fs::read_dir(&self.folder).into_iter().flatten() {
            let path = entry?.path();
            let name = file_name(&path);
            let Some(sha256) = name.strip_prefix("sha256-") else { continue };
            let is_known = models.iter().any(|model| model.sha256 == sha256)
                || records.iter().any(|record| record.found.as_deref() == Some(sha256));
            if !is_known {
                let aside = self.folder.join(UNCLAIMED);
                std::fs::create_dir_all(&aside)?;
                std::fs::rename(&path, aside.join(&name))?;
            }
        }
        for entry in std::fs::read_dir(self.folder.join("incoming")).into_iter().flatten() {
            let path = entry?.path();
            let name = file_name(&path);
            let is_known = name
                .strip_suffix(".part")
                .is_some_and(|name| records.iter().any(|record| record.name == name));
            // Somebody may be at it: then it is locked.
            if !is_known && Part::open(&path).is_ok() {
                freed += path.metadata().map_or(0, |file| file.len());
                remove_file(&path)?;
            }
        }
        Ok(freed)
    }
}

/// A file that is being taken in. Dropped before [`Incoming::finish`], it leaves nothing behind.
pub struct Incoming {
    library: Library,
    name: ModelName,
    part: Part,
    /// None once it was taken in.
    hashing: Option<Hashing>,
    size: u64,
}

impl Incoming {
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), LibraryError> {
        self.part.write(bytes, self.size)?;
        if let Some(hashing) = &mut self.hashing {
            hashing.update(bytes);
        }
        self.size += bytes.len() as u64;
        Ok(())
    }

    /// The file is complete. With an expectation it must meet it; without one it is trusted from now on as it is.
    pub fn finish(
        mut self,
        expected: Option<(Expected, Trust)>,
        origin: &str,
        now: i64,
    ) -> Result<Model, LibraryError> {
        if self.size == 0 {
            return Err(LibraryError::Empty);
        }
        let found = self.hashing.take().map(|hashing| hashing.finish().sha256).unwrap_or_default();
        if let Some((expected, _)) = expected.as_ref().filter(|(expected, _)| expected.hex != found) {
            let (wanted, told_by) = (expected.hex.clone(), expected.told_by.clone());
            self.hashing = Some(Hashing::for_any_of(&[]));
            return Err(LibraryError::Mismatch { found, wanted, told_by });
        }
        self.library.place(&self.part, self.size, &found)?;
        let (told_by, trust) = expected
            .map_or(("nobody".to_owned(), Trust::FirstUse), |(expected, trust)| (expected.told_by, trust));
        let model = Model {
            name: self.name.to_string(),
            sha256: found,
            size_bytes: self.size,
            trust,
            told_by,
            source: "import".to_owned(),
            origin: origin.to_owned(),
            installed_at: now,
            checked_at: now,
        };
        self.library.write_down(&model)?;
        // What a download of the same name left is of no use any more, unless one runs.
        let left = self.library.part_path(&self.name);
        if left.exists() && Part::open(&left).is_ok() {
            remove_file(&left)?;
        }
        Ok(model)
    }
}

impl Drop for Incoming {
    fn drop(&mut self) {
        if self.hashing.is_some() {
            let _ = remove_file(&self.part.path);
        }
    }
}

/// Whether a text names a file and nothing else: no folder, no volume, nothing hidden, and one line.
pub(crate) fn is_plain_name(file: &str) -> bool {
    let is_wrong = |letter: char| matches!(letter, '/' | '\\' | ':') || letter.is_control();
    !file.is_empty() && !file.starts_with('.') && !file.contains(is_wrong)
}

/// The hash a person gives.
pub(crate) fn person_says(text: &str) -> Result<Expected, LibraryError> {
    let text = text.trim();
    let hex = text.strip_prefix("sha256:").unwrap_or(text);
    Expected::new(Algorithm::Sha256, hex, "the hash that was given")
        .ok_or_else(|| LibraryError::NotAHash { what: format!("{text:?}") })
}

/// What the `.sha256` file beside a file says: `model.gguf.sha256` or `model.sha256`.
fn beside(path: &Path) -> Result<Option<Expected>, LibraryError> {
    let mut longer = path.as_os_str().to_owned();
    longer.push(".sha256");
    for sidecar in [PathBuf::from(longer), path.with_extension("sha256")] {
        match std::fs::read_to_string(&sidecar) {
            Ok(text) => {
                let what = sidecar.display().to_string();
                return crate::digest::of_sidecar(&text).map(Some).ok_or(LibraryError::NotAHash { what });
            }
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => {}
            Err(cause) => {
                return Err(LibraryError::Io {
                    what: format!("{} cannot be read", sidecar.display()),
                    cause,
                });
            }
        }
    }
    Ok(None)
}

pub(crate) fn hash_file(path: &Path, progress: &mut dyn FnMut(u64)) -> io::Result<String> {
    let mut file = File::open(path)?;
    let (mut buffer, mut hashing, mut total) = (vec![0; BUFFER], Hashing::for_any_of(&[]), 0);
    loop {
        let read = file.read(&mut buffer)?;
        if read == 0 {
            return Ok(hashing.finish().sha256);
        }
        hashing.update(&buffer[..read]);
        total += read as u64;
        progress(total);
    }
}

/// A second name on the same volume, a copy on another one.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    remove_file(to)?;
    if std::fs::hard_link(from, to).is_ok() {
        return Ok(());
    }
    std::fs::copy(from, to)?;
    File::open(to)?.sync_all()
}

pub(crate) fn remove_file(path: &Path) -> io::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

fn same_folder(one: &Path, other: &Path) -> bool {
    one == other || matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// A rename is on disk when its folder is.
#[cfg(unix)]
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(not(unix))]
pub(crate) fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}
