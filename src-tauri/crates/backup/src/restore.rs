//! Putting a backup back: first it is unpacked and tried beside what is there ([`stage`]), then, with nobody using the data directory, the two change
//! places ([`finish`]). A kill at any moment leaves either the old state, or one that the next start finishes.

use crate::folder::{Folder, sync_folder};
use crate::take::Workshop;
use crate::{BackupError, KEYS, Manifest, Passphrase, archive, aside, private};
use catalogue::Catalogue;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use store::{Store, StoreError};

/// In the data directory while a restore waits or is under way.
const STAGE: &str = "restore";
/// What restores put aside; see [`crate::aside`].
pub(crate) const REPLACED: &str = "replaced";
/// What stays where it is, beside the keys.
const STAYS: [&str; 5] = ["server.lock", "window", STAGE, REPLACED, "models"];

fn stays(name: &str) -> bool {
    STAYS.contains(&name) || KEYS.contains(&name)
}

/// Where a backup is put back.
#[derive(Clone, Copy)]
pub struct Place<'a> {
    pub data_dir: &'a Path,
    /// File name of the database in the data directory.
    pub database: &'a str,
    /// Where backups are kept.
    pub folder: &'a Folder,
    pub catalogue: &'a Arc<Catalogue>,
    /// The backup that was taken of what is there now.
    pub before: Option<&'a str>,
}

/// Unpacks a backup beside what is there, with all checks, and opens its database as this program will. After this, [`finish`] puts it in place at
/// the next start. `now` in µs since 1970 UTC. Blocks the thread.
pub fn stage(
    path: &Path,
    passphrase: Option<&Passphrase>,
    place: Place<'_>,
    now: i64,
) -> Result<Manifest, BackupError> {
    let Place { data_dir, database, folder, catalogue, before } = place;
    // One at a time; backups are the other thing that needs the disk.
    let _workshop = Workshop::open(folder)?;
    let stage = data_dir.join(STAGE);
    if stage.exists() {
        std::fs::remove_dir_all(&stage).map_err(BackupError::file(&stage, "removed"))?;
    }
    let new = stage.join("new");
    private::create_folder(&new).map_err(BackupError::file(&new, "created"))?;
    let staged = archive::unpack(path, passphrase, &new).and_then(|manifest| {
        leave_out_what_stays(&new).map_err(BackupError::file(&new, "removed"))?;
        let file = new.join(database);
        let contents = store::contents(&file, catalogue).map_err(BackupError::copy)?;
        if let Some(why) = contents.faults.into_iter().next() {
            return Err(BackupError::Damaged { path: path.to_owned(), why });
        }
        drop(
            Store::open(&file, Arc::clone(catalogue))
                .map_err(|cause| BackupError::Database(Box::new(cause)))?,
        );
        aside::describe(&stage, now, before)
            .and_then(|()| mark(&stage, Step::Out))
            .map_err(BackupError::file(&stage, "written"))?;
        Ok(manifest)
    });
    if staged.is_err() {
        // What is staged without a mark is never put in place, so a failure to remove it does no harm.
        let _ = std::fs::remove_dir_all(&stage);
    }
    staged
}

/// Takes away what a backup should not hold: put in place, it would be where something stays.
fn leave_out_what_stays(new: &Path) -> io::Result<()> {
    for name in names(new)?.into_iter().filter(|name| stays(name)) {
        let place = new.join(name);
        if place.is_dir() { std::fs::remove_dir_all(place)? } else { std::fs::remove_file(place)? }
    }
    Ok(())
}

/// Which half of the exchange is next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    /// What is there goes aside.
    Out,
    /// What was unpacked comes in.
    In,
}

fn mark(stage: &Path, step: Step) -> io::Result<()> {
    let draft = stage.join("step.new");
    std::fs::write(&draft, if step == Step::Out { "out" } else { "in" })?;
    std::fs::File::open(&draft)?.sync_all()?;
    std::fs::rename(&draft, stage.join("step"))?;
    sync_folder(stage)
}

fn marked(stage: &Path) -> io::Result<Option<Step>> {
    match std::fs::read_to_string(stage.join("step")) {
        Ok(text) if text == "out" => Ok(Some(Step::Out)),
        Ok(_) => Ok(Some(Step::In)),
        Err(fault) if fault.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(fault) => Err(fault),
    }
}

/// A restore that is done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replaced {
    /// Where everything is that was there before.
    pub aside: PathBuf,
}

/// Puts in place what [`stage`] has prepared, if anything; `backups` is the folder they are kept in, wherever that is. For whoever holds the data
/// directory alone, before anything in it is opened; others have so long to close the database.
pub fn finish(
    data_dir: &Path,
    database: &str,
    backups: &Path,
    patience: Duration,
) -> Result<Option<Replaced>, BackupError> {
    let stage = data_dir.join(STAGE);
    let fault = |cause| BackupError::File { path: stage.clone(), what: "put in place", cause };
    let Some(step) = marked(&stage).map_err(fault)? else { return Ok(None) };
    let (old, new) = (stage.join("old"), stage.join("new"));
    if step == Step::Out {
        release(&data_dir.join(database), patience)?;
        if !old.exists() {
            private::create_folder(&old).map_err(fault)?;
        }
        for name in names(data_dir).map_err(fault)? {
            let place = data_dir.join(&name);
            if !stays(&name) && place != backups {
                std::fs::rename(&place, old.join(&name)).map_err(fault)?;
            }
        }
        sync_folder(&old)
            .and_then(|()| sync_folder(data_dir))
            .and_then(|()| mark(&stage, Step::In))
            .map_err(fault)?;
    }
    for name in names(&new).map_err(fault)? {
        std::fs::rename(new.join(&name), data_dir.join(&name)).map_err(fault)?;
    }
    sync_folder(data_dir).map_err(fault)?;
    let replaced = data_dir.join(REPLACED);
    if !replaced.exists() {
        private::create_folder(&replaced).map_err(fault)?;
    }
    let aside = free_name(&replaced);
    std::fs::rename(&stage, &aside).map_err(fault)?;
    sync_folder(data_dir).map_err(fault)?;
    // What is left of the work; what was there before stays in `old`.
    std::fs::remove_dir(aside.join("new"))
        .and_then(|()| std::fs::remove_file(aside.join("step")))
        .map_err(fault)?;
    Ok(Some(Replaced { aside: aside.join("old") }))
}

/// A damaged database is put aside as it is; one that somebody uses is not moved.
fn release(database: &Path, patience: Duration) -> Result<(), BackupError> {
    match database.exists().then(|| store::release(database, patience)) {
        Some(Err(fault @ StoreError::Busy { .. })) => {
            Err(BackupError::InUse { path: database.to_owned(), cause: Box::new(fault) })
        }
        _ => Ok(()),
    }
}

fn names(folder: &Path) -> io::Result<Vec<String>> {
    std::fs::read_dir(folder)?
        .map(|entry| {
            entry?
                .file_name()
                .into_string()
                .map_err(|name| io::Error::other(format!("{} has a name that is no text", name.display())))
        })
        .collect()
}

/// The first number that no folder has.
fn free_name(folder: &Path) -> PathBuf {
    let mut number = 1_u32;
    while folder.join(number.to_string()).exists() {
        number += 1;
    }
    folder.join(number.to_string())
}
