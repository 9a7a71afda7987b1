//! Exports models as files without replacing existing ones: into any folder for users of this machine, and into one fixed folder for remote users.

use crate::digest::{Hashing, of_sidecar};
use crate::installed::Model;
use crate::library::{BUFFER, Library, LibraryError, hash_file, is_plain_name, remove_file, sync_folder};
use crate::name::ModelName;
use std::fs::{File, Metadata, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// Folder for exports by remote users.
const GIVEN: &str = "export";
/// Name of an incomplete file.
const PART: &str = ".part";
const LINE_PART: &str = ".sha256.part";
/// Locked by the running export.
const LOCK: &str = ".lock";

/// An exported model.
#[derive(Debug)]
pub struct Export {
    /// The absolute path.
    pub path: PathBuf,
    pub model: Model,
    /// Whether a file was written.
    pub is_new: bool,
}

impl Library {
    /// The folder that [`crate::Downloads::export_named`] writes to.
    pub fn export_folder(&self) -> PathBuf {
        self.folder().join(GIVEN)
    }

    /// Writes a model and its `.sha256` file into [`Self::export_folder`]. No other path can be chosen, since the user may be remote. `make_room`
    /// checks the free space before anything is written.
    pub(crate) fn export_named(
        &self,
        name: &ModelName,
        file: Option<&str>,
        make_room: impl Fn(&Path, u64) -> Result<(), LibraryError>,
    ) -> Result<Export, LibraryError> {
        let folder = std::path::absolute(self.export_folder())?;
        let place = Place { folder: &folder, told: "the folder `export` of the models folder" };
        self.give_out(name, file, &place, make_room, &mut |_| ())
    }

    /// Writes a model and its `.sha256` file into any folder, for users of this machine.
    pub fn export(
        &self,
        name: &ModelName,
        file: Option<&str>,
        folder: &Path,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Export, LibraryError> {
        let folder = std::path::absolute(folder)?;
        let place = Place { folder: &folder, told: &folder.display().to_string() };
        self.give_out(name, file, &place, |_, _| Ok(()), progress)
    }

    /// Writes a model and its `.sha256` file without replacing other files.
    fn give_out(
        &self,
        name: &ModelName,
        file: Option<&str>,
        place: &Place<'_>,
        make_room: impl Fn(&Path, u64) -> Result<(), LibraryError>,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Export, LibraryError> {
        let file = file.unwrap_or(name.as_str());
        let is_ours = [".sha256", ".part"].iter().any(|ending| file.ends_with(ending));
        if !is_plain_name(file) || is_ours {
            return Err(LibraryError::NotAFileName { file: file.to_owned() });
        }
        let model = self.find(name)?;
        let folder = place.folder;
        let cannot = || LibraryError::io(format!("{} cannot be written", folder.display()));
        std::fs::create_dir_all(folder).map_err(cannot())?;
        let _alone = alone_in(folder)?;
        let line_file = format!("{file}.sha256");
        let (to, line_to) = (folder.join(file), folder.join(&line_file));
        let has_file = place.has(file, |found| {
            Ok(found.len() == model.size_bytes && hash_file(&to, progress)? == model.sha256)
        })?;
        let has_line = place.has(&line_file, |found| {
            let is_short = found.len() <= 4096;
            let text = if is_short { std::fs::read(&line_to)? } else { Vec::new() };
            let told = of_sidecar(&String::from_utf8_lossy(&text));
            Ok(told.is_some_and(|told| told.hex == model.sha256))
        })?;
        let (part, line_part) = (folder.join(PART), folder.join(LINE_PART));
        if !has_file {
            make_room(folder, model.size_bytes)?;
            self.copy_out(&model, &part, progress)?;
        }
        // The `.sha256` file first: without it, the model could be imported elsewhere without verification.
        if !has_line {
            let line = format!("{}  {file}\n", model.sha256);
            let written = write_new(&line_part, line.as_bytes()).map_err(cannot());
            let published = written.and_then(|()| place.publish(&line_part, &line_file));
            if let Err(error) = published {
                remove_file(&line_part)?;
                remove_file(&part)?;
                return Err(error);
            }
        }
        if !has_file && let Err(error) = place.publish(&part, file) {
            remove_file(&part)?;
            return Err(error);
        }
        sync_folder(folder)?;
        Ok(Export { path: to, model, is_new: !(has_file && has_line) })
    }

    /// Copies a model's file, hashing it and syncing it to disk. Removes the copy if it is incomplete or its hash differs.
    fn copy_out(&self, model: &Model, to: &Path, progress: &mut dyn FnMut(u64)) -> Result<(), LibraryError> {
        let copied = self.copy(model, to, progress);
        if copied.is_err() {
            remove_file(to)?;
        }
        copied
    }

    fn copy(&self, model: &Model, to: &Path, progress: &mut dyn FnMut(u64)) -> Result<(), LibraryError> {
        let unread = || LibraryError::io(format!("the file of {} cannot be read", model.name));
        let cannot = || LibraryError::io(format!("{} cannot be written", to.display()));
        let mut from = File::open(self.path(model)).map_err(unread())?;
        remove_file(to).map_err(cannot())?;
        let mut file = File::create_new(to).map_err(cannot())?;
        let (mut buffer, mut hashing, mut total) = (vec![0; BUFFER], Hashing::for_any_of(&[]), 0);
        loop {
            let read = from.read(&mut buffer).map_err(unread())?;
            if read == 0 {
                break;
            }
            file.write_all(&buffer[..read]).map_err(cannot())?;
            hashing.update(&buffer[..read]);
            total += read as u64;
            progress(total);
        }
        let found = hashing.finish().sha256;
        if found != model.sha256 {
            return Err(LibraryError::Changed { name: model.name.clone(), found, was: model.sha256.clone() });
        }
        file.sync_all().map_err(cannot())
    }

    /// Removes incomplete files of interrupted exports and returns their size in bytes.
    pub(crate) fn sweep_exports(&self) -> Result<u64, LibraryError> {
        let folder = self.export_folder();
        let mut freed = 0;
        if !folder.is_dir() {
            return Ok(freed);
        }
        // The files may belong to a running export of another program.
        let Ok(_alone) = alone_in(&folder) else { return Ok(freed) };
        for path in [folder.join(PART), folder.join(LINE_PART)] {
            freed += path.symlink_metadata().map_or(0, |found| found.len());
            remove_file(&path)?;
        }
        Ok(freed)
    }
}

/// Locks a folder for one export at a time, across programs, while the returned file exists.
fn alone_in(folder: &Path) -> Result<File, LibraryError> {
    let path = folder.join(LOCK);
    let cannot = || LibraryError::io(format!("{} cannot be written", path.display()));
    let file = File::options().write(true).create(true).truncate(false).open(&path).map_err(cannot())?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(LibraryError::Exporting),
        Err(TryLockError::Error(cause)) => Err(cannot()(cause)),
    }
}

/// A folder to export to.
struct Place<'a> {
    folder: &'a Path,
    /// Display name.
    told: &'a str,
}

impl Place<'_> {
    /// Whether a file exists already with the expected content. Fails if another file has that name.
    fn has(
        &self,
        file: &str,
        is_same: impl FnOnce(&Metadata) -> io::Result<bool>,
    ) -> Result<bool, LibraryError> {
        let path = self.folder.join(file);
        let cannot = || LibraryError::io(format!("{} cannot be read", path.display()));
        match std::fs::symlink_metadata(&path) {
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(cause) => Err(cannot()(cause)),
            Ok(found) if found.is_file() && is_same(&found).map_err(cannot())? => Ok(true),
            Ok(_) => Err(self.occupied(file)),
        }
    }

    /// Gives a complete file its name without replacing another file: a hard link fails if the name exists, where a rename would replace it.
    fn publish(&self, part: &Path, file: &str) -> Result<(), LibraryError> {
        let to = self.folder.join(file);
        let cannot = || LibraryError::io(format!("{} cannot be written", to.display()));
        match std::fs::hard_link(part, &to) {
            Ok(()) => return remove_file(part).map_err(cannot()),
            Err(cause) if cause.kind() == io::ErrorKind::AlreadyExists => return Err(self.occupied(file)),
            // Volumes without hard links, as on most USB sticks.
            Err(_) => {}
        }
        self.has(file, |_| Ok(false))?;
        std::fs::rename(part, &to).map_err(cannot())
    }

    fn occupied(&self, file: &str) -> LibraryError {
        LibraryError::Occupied { file: file.to_owned(), place: self.told.to_owned() }
    }
}

fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    remove_file(path)?;
    let mut file = File::create_new(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}
