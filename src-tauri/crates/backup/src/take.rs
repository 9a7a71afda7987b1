//! Taking a backup, and opening it again to see that it is whole.

use crate::folder::{Check, Folder, Kept, Reason, Remark};
use crate::manifest::{FORMAT, Manifest};
use crate::{BackupError, KEYS, Passphrase, archive, private};
use catalogue::Catalogue;
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use store::Store;

/// What is in a data directory beside what belongs into a backup: locks, backups themselves, restores under way, models.
const LEFT_OUT: [&str; 5] = ["server.lock", "window", "restore", "replaced", "models"];
/// Room that stays free.
const RESERVE: u64 = 64_000_000;

/// What a backup is taken of.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    pub store: &'a Store,
    pub data_dir: &'a Path,
    /// File name of the database in the data directory.
    pub database: &'a str,
    /// Of the program.
    pub version: &'a str,
}

/// Takes a backup into `folder`, opens it again, and tells how it went. A failure is written down in the folder, too. Blocks the thread.
pub fn take(
    source: Source<'_>,
    folder: &Folder,
    reason: Reason,
    passphrase: Option<&Passphrase>,
    now: i64,
    rng: &mut impl rand::Rng,
) -> Result<Kept, BackupError> {
    let workshop = Workshop::open(folder)?;
    let name = Folder::name(now);
    let salt = rng.random();
    let taken = build(source, &workshop, passphrase.map(|passphrase| (passphrase, salt)), now).and_then(
        |(built, manifest)| {
            let check = tried(&built, &manifest, passphrase, &workshop, source.store.catalogue(), now);
            let place = folder.place(&name, passphrase.is_some());
            std::fs::rename(&built, &place).map_err(BackupError::file(&place, "written"))?;
            folder.sync()?;
            Ok(check)
        },
    );
    let check = match &taken {
        Ok(check) => check.clone(),
        Err(fault) => Check::Failed { why: fault.to_string() },
    };
    folder.note(&name, &Remark { taken_at: now, reason, check })?;
    taken?;
    folder.find(&name)
}

/// Opens a backup of the folder again and writes down what that showed.
pub(crate) fn tried(
    path: &Path,
    expected: &Manifest,
    passphrase: Option<&Passphrase>,
    workshop: &Workshop,
    catalogue: &Catalogue,
    now: i64,
) -> Check {
    match try_out(path, expected, passphrase, workshop, catalogue) {
        Ok(None) => Check::Verified { at: now },
        Ok(Some(why)) => Check::Failed { why },
        Err(fault) => Check::Unverified { why: fault.to_string() },
    }
}

/// What is wrong with it, once unpacked.
fn try_out(
    path: &Path,
    expected: &Manifest,
    passphrase: Option<&Passphrase>,
    workshop: &Workshop,
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
    let contents = store::contents(&copy.join(&database.path), catalogue).map_err(BackupError::copy)?;
    let wrong = match contents.faults.first() {
        Some(fault) => Some(fault.clone()),
        None => (contents.rows != found.rows).then(|| "the test copy has other numbers of rows".to_owned()),
    };
    std::fs::remove_dir_all(&copy).map_err(BackupError::file(&copy, "removed"))?;
    Ok(wrong)
}

fn build(
    source: Source<'_>,
    workshop: &Workshop,
    passphrase: Option<(&Passphrase, [u8; 16])>,
    now: i64,
) -> Result<(PathBuf, Manifest), BackupError> {
    check_space(source, workshop)?;
    let root = workshop.folder("files")?;
    let database = root.join(source.database);
    source.store.copy_to(&database).map_err(BackupError::copy)?;
    let contents = store::contents(&database, source.store.catalogue()).map_err(BackupError::copy)?;
    if let Some(fault) = contents.faults.first() {
        return Err(BackupError::Damaged { path: source.data_dir.join(source.database), why: fault.clone() });
    }
    let mut paths = vec![source.database.to_owned()];
    copy_others(source, &root, &mut paths)?;
    let files = paths.into_iter().map(|path| archive::item(&root, path)).collect::<Result<Vec<_>, _>>()?;
    let manifest = Manifest {
        format: FORMAT,
        version: source.version.to_owned(),
        taken_at: now,
        rows: contents.rows,
        files,
    };
    let built = workshop.path.join("archive");
    archive::write(&built, &root, &manifest, passphrase)?;
    std::fs::remove_dir_all(&root).map_err(BackupError::file(&root, "removed"))?;
    Ok((built, manifest))
}

/// The copy, the archive and the test copy are there at once for a moment; archives are about a third of what they hold.
fn check_space(source: Source<'_>, workshop: &Workshop) -> Result<(), BackupError> {
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
        // Where the system does not say, writing will.
        _ => Ok(()),
    }
}

/// Copies what lies beside the database, so that nothing changes while it is put into the archive. What goes away meanwhile is left out.
fn copy_others(source: Source<'_>, root: &Path, paths: &mut Vec<String>) -> Result<(), BackupError> {
    let mut folders = vec![String::new()];
    while let Some(folder) = folders.pop() {
        let here = source.data_dir.join(&folder);
        let mut names: Vec<_> = std::fs::read_dir(&here)
            .map_err(BackupError::file(&here, "read"))?
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .collect();
        names.sort_unstable();
        for name in names {
            let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
            let is_left_out = folder.is_empty()
                && (LEFT_OUT.contains(&name.as_str())
                    || KEYS.contains(&name.as_str())
                    || name.starts_with(source.database));
            let place = source.data_dir.join(&path);
            if is_left_out
                || place == workshop_of(root)
                || Path::new(&name).extension().is_some_and(|ending| ending == "part")
            {
                continue;
            }
            let Ok(kind) = place.symlink_metadata() else { continue };
            if kind.is_dir() {
                private::create_folder(&root.join(&path)).map_err(BackupError::file(root, "written"))?;
                folders.push(path);
            } else if kind.is_file() {
                match std::fs::copy(&place, root.join(&path)) {
                    Ok(_) => paths.push(path),
                    Err(fault) if fault.kind() == std::io::ErrorKind::NotFound => {}
                    Err(fault) => return Err(BackupError::file(&place, "copied")(fault)),
                }
            }
        }
    }
    Ok(())
}

/// The folder backups are kept in, seen from the copies in it.
fn workshop_of(root: &Path) -> PathBuf {
    root.ancestors().nth(2).unwrap_or(root).to_owned()
}

/// A folder for one piece of work at a time, gone when that is done. What a killed program left in it is swept away by the next.
pub(crate) struct Workshop {
    pub(crate) path: PathBuf,
    _lock: File,
}

impl Workshop {
    pub(crate) fn open(folder: &Folder) -> Result<Self, BackupError> {
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

impl Drop for Workshop {
    fn drop(&mut self) {
        // The next one sweeps what is left.
        let _ = sweep(&self.path);
    }
}

fn sweep(path: &Path) -> Result<(), BackupError> {
    match std::fs::remove_dir_all(path) {
        Err(fault) if fault.kind() != std::io::ErrorKind::NotFound => {
            Err(BackupError::file(path, "removed")(fault))
        }
        _ => Ok(()),
    }
}
