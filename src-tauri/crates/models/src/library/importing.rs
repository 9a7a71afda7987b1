//! Imports model files and verifies their hash.

use super::files::{BUFFER, remove_file};
use super::{Library, LibraryError, is_plain_name, person_says};
use crate::content;
use crate::digest::{ExpectedDigest, Hashing};
use crate::installed::{Model, Trust};
use crate::name::ModelName;
use crate::part::Part;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Folder where users of this machine put files for remote users to import.
const LAID: &str = "import";

impl Library {
    /// Starts an import.
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

    /// Imports a file with its expected hash: the given one, else that in the `.sha256` file beside it.
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

    /// The folder that [`Self::import_laid`] imports from.
    pub fn laid_folder(&self) -> PathBuf {
        self.folder.join(LAID)
    }

    /// Imports a file from [`Self::laid_folder`]. No other path can be chosen, since the user may be remote. The file is not removed.
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
        // A link could point elsewhere.
        if !std::fs::symlink_metadata(&path).is_ok_and(|found| found.is_file()) {
            return Err(LibraryError::NotLaid { file: file.to_owned() });
        }
        self.import(&path, name, sha256, now, &mut |_| ())
    }
}

/// A file being imported. If dropped before [`Incoming::finish`], nothing remains.
pub struct Incoming {
    library: Library,
    name: ModelName,
    part: Part,
    /// `None` once the import has finished.
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

    /// Completes the import. The file must have the expected hash; without one it is trusted from now on.
    pub fn finish(
        mut self,
        expected: Option<(ExpectedDigest, Trust)>,
        origin: &str,
        now: i64,
    ) -> Result<Model, LibraryError> {
        if self.size == 0 {
            return Err(LibraryError::Empty);
        }
        if let Some(why) = content::problem(&self.part.head()?, &[self.name.as_str(), origin]) {
            return Err(LibraryError::NotAModel { why });
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
        // The part file of a download of the same name is obsolete, unless that is running.
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

/// The hash in the `.sha256` file beside a file: `model.gguf.sha256` or `model.sha256`.
fn beside(path: &Path) -> Result<Option<ExpectedDigest>, LibraryError> {
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
