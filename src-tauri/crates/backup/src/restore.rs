//! Restores a backup: [`stage`] unpacks and tests it beside the current data, and [`finish`](crate::finish) swaps the two when nobody uses
//! the data directory.
//!
//! For a PostgreSQL database, [`unpack`] unpacks and tests the backup in the same way, and the caller copies its rows.

use crate::folder::Folder;
use crate::layout::{Layout, names};
use crate::swap::Stage;
use crate::take::JobFolder;
use crate::{BackupError, BackupFile, Manifest, Passphrase, archive, private, replaced};
use catalogue::{Caller, Catalogue};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use store::{Store, StoreError, Transaction};

/// Where a backup is restored to.
#[derive(Clone, Copy)]
pub struct RestoreDestination<'a> {
    pub data_dir: &'a Path,
    /// File name of the database in the data directory.
    pub database: &'a str,
    /// The folder of backups.
    pub folder: &'a Folder,
    pub catalogue: &'a Arc<Catalogue>,
    /// The backup taken of the current data.
    pub before: Option<&'a BackupFile>,
    /// Ends items in the backup that must not take effect again. Runs before the backup is put in place.
    pub expire_items: &'a dyn Fn(&Transaction<'_>) -> Result<(), StoreError>,
}

/// Unpacks a backup beside the current data, with all checks, and opens its database with this program's schema. [`finish`](crate::finish)
/// then puts it in place at the next start. `now` is in µs since 1970 UTC. Blocks the thread.
pub fn stage(
    path: &Path,
    passphrase: Option<&Passphrase>,
    place: RestoreDestination<'_>,
    now: i64,
) -> Result<Manifest, BackupError> {
    let RestoreDestination { data_dir, folder, before, .. } = place;
    // Allows one restore at a time, and none while a backup is taken: both need disk space.
    let _workshop = JobFolder::open(folder)?;
    let stage = Stage::of(data_dir);
    if stage.is_begun() {
        return Err(BackupError::Begun { path: stage.path });
    }
    stage.discard().map_err(BackupError::file(&stage.path, "removed"))?;
    let new = &stage.new;
    private::create_folder(new).map_err(BackupError::file(new, "created"))?;
    let staged = unpack_and_verify(path, passphrase, place, new).and_then(|(manifest, store)| {
        // Closing the store moves all data into the single database file before it is marked complete.
        drop(store);
        replaced::describe(&stage.path, now, before)
            .and_then(|()| stage.complete())
            .map_err(BackupError::file(&stage.path, "written"))?;
        Ok(manifest)
    });
    if staged.is_err() {
        // A stage without a mark is never put in place; a failure to delete it does no harm.
        let _ = stage.discard();
    }
    staged
}

/// Unpacks a backup into a new folder, with all checks, and opens its database with this program's schema.
fn unpack_and_verify(
    path: &Path,
    passphrase: Option<&Passphrase>,
    place: RestoreDestination<'_>,
    new: &Path,
) -> Result<(Manifest, Store), BackupError> {
    let RestoreDestination { data_dir, database, folder, catalogue, expire_items, .. } = place;
    let tried = archive::unpack(path, passphrase, new).and_then(|manifest| {
        remove_excluded(&Layout::of(data_dir, database, folder.path()), new)
            .map_err(BackupError::file(new, "removed"))?;
        let file = new.join(database);
        let contents = store::inspect_copy(&file, catalogue).map_err(BackupError::copy)?;
        if let Some(why) = contents.faults.into_iter().next() {
            return Err(BackupError::Damaged { path: path.to_owned(), why });
        }
        let store = Store::open(&file, Arc::clone(catalogue))
            .map_err(|cause| BackupError::Database(Box::new(cause)))?;
        store
            .transaction(&Caller::system(), expire_items)
            .map_err(|cause| BackupError::ExpireItems(Box::new(cause)))?;
        Ok((manifest, store))
    });
    if let Err(BackupError::Damaged { why, .. }) = &tried {
        // If this fails, the damage is still the error to report.
        let _ = folder.mark_damaged(path, why);
    }
    tried
}

/// A backup that was unpacked and tested in the folder of backups. Deleted on drop.
pub struct UnpackedBackup {
    /// The opened database of the backup.
    pub store: Store,
    files: PathBuf,
    database: String,
    _workshop: JobFolder,
}

/// Unpacks a backup and opens its database, for a caller that copies the rows elsewhere. Blocks the thread.
pub fn unpack(
    path: &Path,
    passphrase: Option<&Passphrase>,
    place: RestoreDestination<'_>,
) -> Result<UnpackedBackup, BackupError> {
    let workshop = JobFolder::open(place.folder)?;
    let files = workshop.folder("unpacked")?;
    let (_, store) = unpack_and_verify(path, passphrase, place, &files)?;
    Ok(UnpackedBackup { store, files, database: place.database.to_owned(), _workshop: workshop })
}

impl UnpackedBackup {
    /// Copies the other files of the backup into a data directory, except those that already exist there. Returns the existing ones whose
    /// content differs.
    pub fn put_files(&self, data_dir: &Path) -> Result<Vec<PathBuf>, BackupError> {
        let layout = Layout { data_dir, database: &self.database, backups: PathBuf::new() };
        let mut left = Vec::new();
        let listed = names(&self.files).map_err(BackupError::file(&self.files, "read"))?;
        for name in listed.into_iter().filter(|name| !layout.is_database(name) && !layout.is_excluded(name)) {
            let to = data_dir.join(&name);
            put(&self.files.join(&name), &to, &mut left).map_err(BackupError::file(&to, "written"))?;
        }
        Ok(left)
    }
}

/// Copies a file or folder to a path. An existing file is not overwritten; if its content differs, its path is added to `left`.
fn put(from: &Path, to: &Path, left: &mut Vec<PathBuf>) -> io::Result<()> {
    if from.is_dir() {
        private::create_folder(to)?;
        for name in names(from)? {
            put(&from.join(&name), &to.join(&name), left)?;
        }
        return Ok(());
    }
    if to.symlink_metadata().is_ok() {
        if !to.is_file() || archive::hash(File::open(from)?)? != archive::hash(File::open(to)?)? {
            left.push(to.to_owned());
        }
        return Ok(());
    }
    let mut draft = to.as_os_str().to_owned();
    draft.push(".part");
    // Left by a process that was killed.
    let _ = std::fs::remove_file(&draft);
    let mut file = private::create_file(Path::new(&draft))?;
    io::copy(&mut File::open(from)?, &mut file)?;
    file.sync_all()?;
    std::fs::rename(&draft, to)
}

/// Deletes entries that a backup should not contain: a restore would put them over entries that must stay.
fn remove_excluded(layout: &Layout<'_>, new: &Path) -> io::Result<()> {
    for name in names(new)?.into_iter().filter(|name| layout.is_excluded(name)) {
        let place = new.join(name);
        if place.is_dir() { std::fs::remove_dir_all(place)? } else { std::fs::remove_file(place)? }
    }
    Ok(())
}
