//! Putting a backup back: first it is unpacked and tried beside what is there ([`stage`]), then, with nobody using the data directory, the two change
//! places ([`finish`](crate::finish)).

use crate::exchange::Stage;
use crate::folder::Folder;
use crate::layout::{Layout, names};
use crate::take::Workshop;
use crate::{BackupError, Kept, Manifest, Passphrase, archive, aside, private};
use catalogue::{Caller, Catalogue};
use std::io;
use std::path::Path;
use std::sync::Arc;
use store::{Store, StoreError, Transaction};

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
    pub before: Option<&'a Kept>,
    /// Ends what the backup holds and should not count again. Nothing of it counts before.
    pub settle: &'a dyn Fn(&Transaction<'_>) -> Result<(), StoreError>,
}

/// Unpacks a backup beside what is there, with all checks, and opens its database as this program will. After this, [`finish`](crate::finish)
/// puts it in place at the next start. `now` in µs since 1970 UTC. Blocks the thread.
pub fn stage(
    path: &Path,
    passphrase: Option<&Passphrase>,
    place: Place<'_>,
    now: i64,
) -> Result<Manifest, BackupError> {
    let Place { data_dir, database, folder, catalogue, before, settle } = place;
    // One at a time; backups are the other thing that needs the disk.
    let _workshop = Workshop::open(folder)?;
    let stage = Stage::of(data_dir);
    if stage.is_begun() {
        return Err(BackupError::Begun { path: stage.path });
    }
    stage.withdraw().map_err(BackupError::file(&stage.path, "removed"))?;
    let new = &stage.new;
    private::create_folder(new).map_err(BackupError::file(new, "created"))?;
    let staged = archive::unpack(path, passphrase, new).and_then(|manifest| {
        leave_out_what_is_apart(&Layout::of(data_dir, database, folder.path()), new)
            .map_err(BackupError::file(new, "removed"))?;
        let file = new.join(database);
        let contents = store::contents(&file, catalogue).map_err(BackupError::copy)?;
        if let Some(why) = contents.faults.into_iter().next() {
            return Err(BackupError::Damaged { path: path.to_owned(), why });
        }
        Store::open(&file, Arc::clone(catalogue))
            .map_err(|cause| BackupError::Database(Box::new(cause)))?
            .transaction(&Caller::house(), settle)
            .map_err(|cause| BackupError::Settle(Box::new(cause)))?;
        aside::describe(&stage.path, now, before)
            .and_then(|()| stage.complete())
            .map_err(BackupError::file(&stage.path, "written"))?;
        Ok(manifest)
    });
    if let Err(fault) = &staged {
        if let BackupError::Damaged { why, .. } = fault {
            // The damage itself is what has to be told.
            let _ = folder.doubt(path, why);
        }
        // What is staged without a mark is never put in place, so a failure to remove it does no harm.
        let _ = stage.withdraw();
    }
    staged
}

/// Takes away what a backup should not hold: put in place, it would be where something stays.
fn leave_out_what_is_apart(layout: &Layout<'_>, new: &Path) -> io::Result<()> {
    for name in names(new)?.into_iter().filter(|name| layout.is_apart(name)) {
        let place = new.join(name);
        if place.is_dir() { std::fs::remove_dir_all(place)? } else { std::fs::remove_file(place)? }
    }
    Ok(())
}
