//! The exchange of what is in a data directory with what was unpacked beside it: by renaming alone, a step at a time. A kill at any moment leaves
//! something that the next start finishes; what cannot be moved leaves everything as it was.

use crate::folder::sync_folder;
use crate::layout::{Layout, REPLACED, STAGE, names, obstacle};
use crate::{BackupError, aside, private};
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;
use store::StoreError;

/// Which half is next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    /// What is there goes aside.
    Out,
    /// What was unpacked comes in.
    In,
}

/// The folder of a restore, and what is in it.
pub(crate) struct Stage {
    pub(crate) path: PathBuf,
    /// What was unpacked.
    pub(crate) new: PathBuf,
    /// What was there before, as far as it has been moved.
    old: PathBuf,
}

impl Stage {
    pub(crate) fn of(data_dir: &Path) -> Self {
        let path = data_dir.join(STAGE);
        Self { new: path.join("new"), old: path.join("old"), path }
    }

    /// Whether something of what was there before is in it.
    pub(crate) fn is_begun(&self) -> bool {
        self.old.exists()
    }

    /// From now on the next start puts in place what was unpacked.
    pub(crate) fn complete(&self) -> io::Result<()> {
        self.mark(Step::Out)
    }

    /// Takes it away, if it is there, and before anything else the mark: half of it is never put in place.
    pub(crate) fn withdraw(&self) -> io::Result<()> {
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

    /// Where something of that name goes that was there before. What came into its place since it was moved, from a program that ran beside a restore
    /// cut off, gets a name of its own.
    fn place_aside(&self, name: &OsStr) -> PathBuf {
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

/// A restore that is done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RestoreOutcome {
    /// Where everything is that was there before.
    pub aside: PathBuf,
    /// What could not be moved and is where it was; nothing of the backup needed its place.
    pub left: Vec<PathBuf>,
}

/// Puts in place what [`stage`](crate::stage) has prepared, if anything; `backups` is the folder they are kept in, wherever that is. For whoever holds the
/// data directory alone, before anything in it is opened; others have so long to close the database.
pub fn finish(
    data_dir: &Path,
    database: &str,
    backups: &Path,
    patience: Duration,
) -> Result<Option<RestoreOutcome>, BackupError> {
    finish_by(&|from, to| std::fs::rename(from, to), &Layout::of(data_dir, database, backups), patience)
}

/// Moves one entry.
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
            release(&database, patience)?;
            aside::compare(&stage.path, &database).map_err(fault)?;
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
    let aside = aside::free_name(&replaced);
    std::fs::rename(&stage.path, &aside).map_err(fault)?;
    sync_folder(layout.data_dir).map_err(fault)?;
    // What is left of the work; what was there before stays in `old`.
    std::fs::remove_dir(aside.join("new"))
        .and_then(|()| std::fs::remove_file(aside.join("step")))
        .map_err(fault)?;
    Ok(Some(RestoreOutcome { aside: aside.join("old"), left }))
}

/// Moves aside what is there. What no backup can hold stays; where something cannot be moved that is in the way, all of it goes back. Tells what could
/// not be moved and is in nobody's way.
fn move_out(rename: Rename<'_>, layout: &Layout<'_>, stage: &Stage) -> Result<Vec<PathBuf>, BackupError> {
    let fault = |cause| BackupError::File { path: stage.path.clone(), what: "put in place", cause };
    let mut left = Vec::new();
    for name in names(layout.data_dir).map_err(fault)? {
        let place = layout.data_dir.join(&name);
        let is_in_the_way = layout.is_database(&name) || stage.new.join(&name).symlink_metadata().is_ok();
        if layout.is_apart(&name) || (!is_in_the_way && !matches!(obstacle(&place), Ok(None))) {
            continue;
        }
        match rename(&place, &stage.place_aside(&name)) {
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

/// Brings back what was moved aside, and gives the restore up.
fn undo(rename: Rename<'_>, layout: &Layout<'_>, stage: &Stage) -> io::Result<()> {
    for name in names(&stage.old)? {
        rename(&stage.old.join(&name), &layout.data_dir.join(&name))?;
    }
    sync_folder(layout.data_dir)?;
    stage.withdraw()
}

/// Moves in what was unpacked. What stands in its place came there since, and goes aside, too.
fn move_in(rename: Rename<'_>, layout: &Layout<'_>, stage: &Stage) -> io::Result<()> {
    for name in names(&stage.new)? {
        for other in names(layout.data_dir)? {
            // The log of another database would be taken for the one of this.
            if other == name || (name == layout.database && layout.is_database(&other)) {
                rename(&layout.data_dir.join(&other), &stage.place_aside(&other))?;
            }
        }
        rename(&stage.new.join(&name), &layout.data_dir.join(&name))?;
    }
    Ok(())
}

/// A damaged database is put aside as it is; one that somebody uses is not moved.
fn release(database: &Path, patience: Duration) -> Result<(), BackupError> {
    match store::release(database, patience) {
        Err(fault @ StoreError::Busy { .. }) => {
            Err(BackupError::InUse { path: database.to_owned(), cause: Box::new(fault) })
        }
        _ => Ok(()),
    }
}
