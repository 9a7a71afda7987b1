//! Takes a backup and verifies it by opening it again.

use crate::folder::{BackupFacts, BackupFile, Check, Folder, Reason};
use crate::layout::{Layout, LeftOut, names, obstacle};
use crate::manifest::{FORMAT, Manifest};
use crate::{BackupError, Passphrase, archive, private};
use catalogue::Catalogue;
use std::ffi::OsStr;
use std::fs::{File, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use store::{Store, StoreError, Transaction};

/// Disk space in bytes that must stay free.
const RESERVE: u64 = 64_000_000;

/// The data to back up.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    pub store: &'a Store,
    pub data_dir: &'a Path,
    /// File name of the database in the data directory.
    pub database: &'a str,
    /// Version of the program.
    pub version: &'a str,
    /// Deletes secrets from the copy of the database and returns them, so that a backup contains no valid secret.
    pub redact: fn(&Transaction<'_>) -> Result<Vec<String>, StoreError>,
}

/// Takes a backup into `folder`, opens it again, and returns the result. A failure is also recorded in the folder. Blocks the thread.
pub fn take(
    source: Source<'_>,
    folder: &Folder,
    reason: Reason,
    passphrase: Option<&Passphrase>,
    now: i64,
    rng: &mut impl rand::Rng,
) -> Result<BackupFile, BackupError> {
    let workshop = JobFolder::open(folder)?;
    let name = Folder::name(now);
    let salt = rng.random();
    let layout = Layout::of(source.data_dir, source.database, folder.path());
    let taken = build(source, &layout, &workshop, passphrase.map(|passphrase| (passphrase, salt)), now)
        .and_then(|DraftArchive { archive: built, manifest, pages_sha256 }| {
            let check = verify(&built, &manifest, passphrase, &workshop, source.store.catalogue(), now);
            let place = folder.file_path(&name, passphrase.is_some());
            std::fs::rename(&built, &place).map_err(BackupError::file(&place, "written"))?;
            folder.sync()?;
            Ok(BackupFacts {
                left_out: manifest.left_out,
                pages_sha256: Some(pages_sha256),
                ..BackupFacts::new(now, reason, check)
            })
        });
    let facts = match &taken {
        Ok(facts) => facts.clone(),
        Err(fault) => BackupFacts::new(now, reason, Check::Failed { why: fault.to_string() }),
    };
    folder.write_facts(&name, &facts)?;
    taken?;
    folder.find(&name)
}

/// Opens a backup again and records the result.
pub(crate) fn verify(
    path: &Path,
    expected: &Manifest,
    passphrase: Option<&Passphrase>,
    workshop: &JobFolder,
    catalogue: &Catalogue,
    now: i64,
) -> Check {
    match find_fault(path, expected, passphrase, workshop, catalogue) {
        Ok(None) => Check::Verified { at: now },
        Ok(Some(why)) => Check::Failed { why },
        Err(fault) => Check::Unverified { why: fault.to_string() },
    }
}

/// Unpacks the backup and returns what is wrong with it.
fn find_fault(
    path: &Path,
    expected: &Manifest,
    passphrase: Option<&Passphrase>,
    workshop: &JobFolder,
    catalogue: &Catalogue,
) -> Result<Option<String>, BackupError> {
    let copy = workshop.folder("test-copy")?;
    let found = archive::unpack(path, passphrase, &copy)?;
    if found != *expected {
        return Ok(Some("it says something else than was written".to_owned()));
    }
    let Some(database) = found.files.first() else {
        return Ok(Some("it holds no database".to_owned()));
    };
    let contents = store::inspect_copy(&copy.join(&database.path), catalogue).map_err(BackupError::copy)?;
    let wrong = match contents.faults.first() {
        Some(fault) => Some(fault.clone()),
        None => (contents.rows != found.rows).then(|| "the test copy has other numbers of rows".to_owned()),
    };
    std::fs::remove_dir_all(&copy).map_err(BackupError::file(&copy, "removed"))?;
    Ok(wrong)
}

/// An archive that has not been verified yet.
struct DraftArchive {
    archive: PathBuf,
    manifest: Manifest,
    /// SHA-256 of the pages of the backed-up database.
    pages_sha256: String,
}

fn build(
    source: Source<'_>,
    layout: &Layout<'_>,
    workshop: &JobFolder,
    passphrase: Option<(&Passphrase, [u8; 16])>,
    now: i64,
) -> Result<DraftArchive, BackupError> {
    check_space(source, workshop)?;
    let root = workshop.folder("files")?;
    let database = root.join(source.database);
    source.store.copy_to(&database).map_err(BackupError::copy)?;
    let (pages_sha256, _) = store::page_content(&database)
        .and_then(archive::hash)
        .map_err(BackupError::file(&database, "read"))?;
    store::redact_copy(&database, source.store.catalogue(), source.redact).map_err(BackupError::copy)?;
    let contents = store::inspect_copy(&database, source.store.catalogue()).map_err(BackupError::copy)?;
    if let Some(fault) = contents.faults.first() {
        return Err(BackupError::Damaged { path: source.data_dir.join(source.database), why: fault.clone() });
    }
    let mut paths = vec![source.database.to_owned()];
    let left_out = copy_others(layout, &root, &mut paths)?;
    let files = paths.into_iter().map(|path| archive::item(&root, path)).collect::<Result<Vec<_>, _>>()?;
    let manifest = Manifest {
        format: FORMAT,
        version: source.version.to_owned(),
        taken_at: now,
        rows: contents.rows,
        files,
        left_out,
    };
    let built = workshop.path.join("archive");
    archive::write(&built, &root, &manifest, passphrase)?;
    std::fs::remove_dir_all(&root).map_err(BackupError::file(&root, "removed"))?;
    Ok(DraftArchive { archive: built, manifest, pages_sha256 })
}

/// For a moment the copy, the archive and the test copy exist together. An archive has about a third of the size of its content.
fn check_space(source: Source<'_>, workshop: &JobFolder) -> Result<(), BackupError> {
    let size: u64 = ["", "-wal"]
        .iter()
        .filter_map(|ending| source.data_dir.join(format!("{}{ending}", source.database)).metadata().ok())
        .map(|file| file.len())
        .sum();
    let needed = size + size / 2 + RESERVE;
    match fs4::available_space(&workshop.path) {
        Ok(free) if free < needed => {
            Err(BackupError::NoSpace { folder: workshop.path.clone(), needed, free })
        }
        // If the system does not report free space, a full disk shows up when writing.
        _ => Ok(()),
    }
}

/// Copies the other files of the data directory, so that they do not change while they are archived. Files deleted meanwhile are skipped.
/// Files that cannot be copied are skipped and returned.
fn copy_others(
    layout: &Layout<'_>,
    root: &Path,
    paths: &mut Vec<String>,
) -> Result<Vec<LeftOut>, BackupError> {
    let mut left_out = Vec::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(folder) = folders.pop() {
        let here = layout.data_dir.join(&folder);
        let is_top = folder.as_os_str().is_empty();
        let found = match names(&here) {
            Err(fault) if fault.kind() == ErrorKind::NotFound && !is_top => continue,
            found => found.map_err(BackupError::file(&here, "read"))?,
        };
        for name in found {
            let path = folder.join(&name);
            let is_other = is_top && (layout.is_excluded(&name) || layout.is_database(&name));
            if is_other || path.extension().is_some_and(|ending| ending == "part") {
                continue;
            }
            let (place, copy) = (layout.data_dir.join(&path), root.join(&path));
            let copied = obstacle(&place).and_then(|obstacle| match obstacle {
                Some(why) => {
                    left_out.push(LeftOut { path: archived(&path), why: why.to_owned() });
                    Ok(())
                }
                None if place.is_dir() => {
                    folders.push(path.clone());
                    private::create_folder(&copy)
                }
                None => std::fs::copy(&place, &copy).map(|_| paths.push(archived(&path))),
            });
            match copied {
                Err(fault) if fault.kind() != ErrorKind::NotFound => {
                    return Err(BackupError::file(&place, "copied")(fault));
                }
                _ => {}
            }
        }
    }
    Ok(left_out)
}

/// A path as written in archives and manifests: with `/` on every system.
fn archived(path: &Path) -> String {
    path.iter().map(OsStr::to_string_lossy).collect::<Vec<_>>().join("/")
}

/// A temporary folder for one job at a time, deleted on drop. Remains of a killed process are deleted when the folder is next opened.
pub(crate) struct JobFolder {
    pub(crate) path: PathBuf,
    _lock: File,
}

impl JobFolder {
    pub(crate) fn open(folder: &Folder) -> Result<Self, BackupError> {
        folder.check()?;
        let lock_path = folder.path().join("taking.lock");
        let lock = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&lock_path)
            .map_err(BackupError::file(&lock_path, "written"))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(BackupError::Taking { folder: folder.path().to_owned() });
            }
            Err(TryLockError::Error(fault)) => return Err(BackupError::file(&lock_path, "locked")(fault)),
        }
        let path = folder.path().join("taking");
        sweep(&path)?;
        private::create_folder(&path).map_err(BackupError::file(&path, "created"))?;
        Ok(Self { path, _lock: lock })
    }

    pub(crate) fn folder(&self, name: &str) -> Result<PathBuf, BackupError> {
        let path = self.path.join(name);
        private::create_folder(&path).map_err(BackupError::file(&path, "created"))?;
        Ok(path)
    }
}

impl Drop for JobFolder {
    fn drop(&mut self) {
        // If this fails, the next job deletes the remains.
        let _ = sweep(&self.path);
    }
}

fn sweep(path: &Path) -> Result<(), BackupError> {
    match std::fs::remove_dir_all(path) {
        Err(fault) if fault.kind() != ErrorKind::NotFound => Err(BackupError::file(path, "removed")(fault)),
        _ => Ok(()),
    }
}
