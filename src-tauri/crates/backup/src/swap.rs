//! Replaces the content of a data directory with an unpacked backup, in steps of renames only.
//!
//! If the process is killed at any point, the next start finishes the work. If an entry cannot be moved, everything is moved back.

use crate::folder::sync_folder;
use crate::layout::{Layout, REPLACED, STAGE, names, obstacle};
use crate::{BackupError, private, replaced};
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;
use store::StoreError;

/// The next half of the replacement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    /// Move the existing files to `old`.
    Out,
    /// Move the unpacked files into place.
    In,
}

/// The working folder of a restore and its parts.
pub(crate) struct Stage {
    pub(crate) path: PathBuf,
    /// The unpacked backup.
    pub(crate) new: PathBuf,
    /// The previous files, as far as they have been moved.
    old: PathBuf,
}

impl Stage {
    pub(crate) fn of(data_dir: &Path) -> Self {
        let path = data_dir.join(STAGE);
        Self { new: path.join("new"), old: path.join("old"), path }
    }

    /// Whether some previous files have already been moved here.
    pub(crate) fn is_begun(&self) -> bool {
        self.old.exists()
    }

    /// Marks the stage as complete: the next start puts the unpacked files in place.
    pub(crate) fn complete(&self) -> io::Result<()> {
        self.mark(Step::Out)
    }

    /// Deletes the stage, if it exists. The mark is deleted first, so that a partial stage is never put in place.
    pub(crate) fn discard(&self) -> io::Result<()> {
        match std::fs::remove_file(self.path.join("step")) {
            Err(fault) if fault.kind() != io::ErrorKind::NotFound => return Err(fault),
            _ if !self.path.exists() => return Ok(()),
            _ => {}
        }
        sync_folder(&self.path)?;
        std::fs::remove_dir_all(&self.path)
    }

    fn mark(&self, step: Step) -> io::Result<()> {
        let draft = self.path.join("step.new");
        std::fs::write(&draft, if step == Step::Out { "out" } else { "in" })?;
        std::fs::File::open(&draft)?.sync_all()?;
        std::fs::rename(&draft, self.path.join("step"))?;
        sync_folder(&self.path)
    }

    fn marked(&self) -> io::Result<Option<Step>> {
        match std::fs::read_to_string(self.path.join("step")) {
            Ok(text) if text == "out" => Ok(Some(Step::Out)),
            Ok(_) => Ok(Some(Step::In)),
            Err(fault) if fault.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(fault) => Err(fault),
        }
    }

    /// The path a previous entry is moved to. An entry that another program created after an interrupted restore gets a numbered name.
    fn old_path(&self, name: &OsStr) -> PathBuf {
        let mut place = self.old.join(name);
        for number in 2_u32.. {
            if place.symlink_metadata().is_err() {
                break;
            }
            let mut other = name.to_owned();
            other.push(format!(".{number}"));
            place = self.old.join(other);
        }
        place
    }
}

/// A completed restore.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RestoreOutcome {
    /// The folder with the previous files.
    pub previous_files: PathBuf,
    /// Entries that could not be moved and are still in place. The backup has no entries of these names.
    pub left: Vec<PathBuf>,
}

/// Puts in place the backup that [`stage`](crate::stage) prepared, if any. `backups` is the folder of backups, which may be outside the
/// data directory.
///
/// The caller must hold the lock of the data directory, and nothing in it may be open. `patience` is how long to wait for other processes
/// to close the database.
pub fn finish(
    data_dir: &Path,
    database: &str,
    backups: &Path,
    patience: Duration,
) -> Result<Option<RestoreOutcome>, BackupError> {
    finish_by(&|from, to| std::fs::rename(from, to), &Layout::of(data_dir, database, backups), patience)
}

/// Moves one entry. A parameter, so that tests can inject failures.
pub(crate) type Rename<'a> = &'a dyn Fn(&Path, &Path) -> io::Result<()>;

pub(crate) fn finish_by(
    rename: Rename<'_>,
    layout: &Layout<'_>,
    patience: Duration,
) -> Result<Option<RestoreOutcome>, BackupError> {
    let stage = Stage::of(layout.data_dir);
    let fault = |cause| BackupError::File { path: stage.path.clone(), what: "put in place", cause };
    let Some(step) = stage.marked().map_err(fault)? else { return Ok(None) };
    let mut left = Vec::new();
    if step == Step::Out {
        let database = layout.data_dir.join(layout.database);
        if database.exists() {
            close_database(&database, patience)?;
            replaced::compare(&stage.path, &database).map_err(fault)?;
        }
        private::create_folder(&stage.old).map_err(fault)?;
        left = move_out(rename, layout, &stage)?;
        sync_folder(&stage.old)
            .and_then(|()| sync_folder(layout.data_dir))
            .and_then(|()| stage.mark(Step::In))
            .map_err(fault)?;
    }
    move_in(rename, layout, &stage).map_err(fault)?;
    sync_folder(layout.data_dir).map_err(fault)?;
    let replaced = layout.data_dir.join(REPLACED);
    private::create_folder(&replaced).map_err(fault)?;
    let target = replaced::unused_path(&replaced);
    std::fs::rename(&stage.path, &target).map_err(fault)?;
    sync_folder(layout.data_dir).map_err(fault)?;
    // Remove the remains of the work; the previous files stay in `old`.
    std::fs::remove_dir(target.join("new"))
        .and_then(|()| std::fs::remove_file(target.join("step")))
        .map_err(fault)?;
    Ok(Some(RestoreOutcome { previous_files: target.join("old"), left }))
}

/// Moves the existing files to `old`. Entries that cannot be backed up stay. If an entry that is in the way cannot be moved, all entries
/// are moved back. Returns the entries that could not be moved and are not in the way.
fn move_out(rename: Rename<'_>, layout: &Layout<'_>, stage: &Stage) -> Result<Vec<PathBuf>, BackupError> {
    let fault = |cause| BackupError::File { path: stage.path.clone(), what: "put in place", cause };
    let mut left = Vec::new();
    for name in names(layout.data_dir).map_err(fault)? {
        let place = layout.data_dir.join(&name);
        let is_in_the_way = layout.is_database(&name) || stage.new.join(&name).symlink_metadata().is_ok();
        if layout.is_excluded(&name) || (!is_in_the_way && !matches!(obstacle(&place), Ok(None))) {
            continue;
        }
        match rename(&place, &stage.old_path(&name)) {
            Ok(()) => {}
            Err(_) if !is_in_the_way => left.push(place),
            Err(cause) => {
                undo(rename, layout, stage).map_err(fault)?;
                return Err(BackupError::Immovable { path: place, cause });
            }
        }
    }
    Ok(left)
}

/// Moves the previous files back and abandons the restore.
fn undo(rename: Rename<'_>, layout: &Layout<'_>, stage: &Stage) -> io::Result<()> {
    for name in names(&stage.old)? {
        rename(&stage.old.join(&name), &layout.data_dir.join(&name))?;
    }
    sync_folder(layout.data_dir)?;
    stage.discard()
}

/// Moves the unpacked files into place. Entries of the same name that appeared in the meantime are moved to `old` too.
fn move_in(rename: Rename<'_>, layout: &Layout<'_>, stage: &Stage) -> io::Result<()> {
    for name in names(&stage.new)? {
        for other in names(layout.data_dir)? {
            // SQLite would apply the write-ahead log of another database to this one.
            if other == name || (name == layout.database && layout.is_database(&other)) {
                rename(&layout.data_dir.join(&other), &stage.old_path(&other))?;
            }
        }
        rename(&stage.new.join(&name), &layout.data_dir.join(&name))?;
    }
    Ok(())
}

/// Waits until nobody uses the database. A damaged database is moved as it is; one in use is an error.
fn close_database(database: &Path, patience: Duration) -> Result<(), BackupError> {
    match store::close_for_move(database, patience) {
        Err(fault @ StoreError::Busy { .. }) => {
            Err(BackupError::InUse { path: database.to_owned(), cause: Box::new(fault) })
        }
        _ => Ok(()),
    }
}
