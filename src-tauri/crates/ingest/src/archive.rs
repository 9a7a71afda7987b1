//! The archive of imported files, which receipts are read from: `<sha256>` for a file that was compressed already, otherwise `<sha256>.gz`.

mod chunks;

use chunks::{FileChunks, Presence};
use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use store::{Store, StoreError};

/// A folder of files named by their hash, bounded in size.
pub struct Archive {
    folder: PathBuf,
    /// Maximum total size in bytes; 0 stores no files.
    bound: u64,
    /// The database's copy of the files, if several servers share the database. The folder is then a cache.
    chunks: Option<FileChunks>,
}

impl Archive {
    /// An archive in this folder, which is created with the first file.
    pub fn new(folder: PathBuf, bound: u64) -> Self {
        Self { folder, bound, chunks: None }
    }

    /// Returns the archive with its files in the database, if servers share it.
    #[must_use]
    pub fn shared_by(self, store: &Store) -> Self {
        Self { chunks: store.is_shared().then(|| FileChunks::new(store.clone())), ..self }
    }

    /// Stores a file. An import does not fail because its file cannot be archived.
    pub fn store(&self, path: &Path, sha256: &str) {
        if self.bound > 0 && self.find(sha256).is_ok_and(|kept| kept.is_none()) {
            // Without the archived file only receipts are unavailable.
            let _ = self.store_shared(path, sha256);
        }
    }

    /// Stores a file regardless of the bound, and for the other servers of a shared database too.
    pub fn store_shared(&self, path: &Path, sha256: &str) -> io::Result<()> {
        if self.find_here(sha256).is_none() {
            self.try_store(path, sha256)?;
        }
        match (&self.chunks, self.find_here(sha256)) {
            (Some(chunks), Some(kept)) => chunks.put(&kept, sha256, kept.extension().is_none()),
            _ => Ok(()),
        }
    }

    /// The path of an archived file; its content is always gzip-compressed. Fetches a file that another server stored. An error means that the
    /// shared database could not be queried.
    pub fn find(&self, sha256: &str) -> Result<Option<PathBuf>, StoreError> {
        let Some(chunks) = &self.chunks else { return Ok(self.find_here(sha256)) };
        match (chunks.find(sha256)?, self.find_here(sha256)) {
            (Presence::Kept { .. }, Some(here)) => Ok(Some(here)),
            (Presence::Kept { was_packed }, None) => self
                .fetch(chunks, sha256, was_packed)
                .map(Some)
                .map_err(|error| StoreError::Code(error.into())),
            (Presence::Never, Some(here)) => {
                // Makes it available to other servers; if this fails, the next call tries again.
                let _ = chunks.put(&here, sha256, here.extension().is_none());
                Ok(Some(here))
            }
            (Presence::Dropped | Presence::Never, _) => Ok(None),
        }
    }

    fn fetch(&self, chunks: &FileChunks, sha256: &str, was_packed: bool) -> io::Result<PathBuf> {
        create_folder(&self.folder)?;
        // A unique name, because another process may fetch the same file at the same time.
        let part = tempfile::Builder::new().suffix(".part").tempfile_in(&self.folder)?;
        let (mut file, part) = part.keep()?;
        let written = chunks.get(sha256, &mut file).and_then(|()| file.sync_all());
        let name = if was_packed { sha256.to_owned() } else { format!("{sha256}.gz") };
        let path = self.folder.join(name);
        match written.and_then(|()| fs::rename(&part, &path)) {
            Ok(()) => Ok(path),
            Err(error) => {
                let _ = fs::remove_file(&part);
                Err(error)
            }
        }
    }

    fn find_here(&self, sha256: &str) -> Option<PathBuf> {
        let is_hash = sha256.len() == 64 && sha256.bytes().all(|byte| byte.is_ascii_hexdigit());
        let names = [sha256.to_owned(), format!("{sha256}.gz")];
        is_hash.then(|| names.map(|name| self.folder.join(name)).into_iter().find(|path| path.is_file()))?
    }

    /// The bytes of a file as they were imported.
    pub fn open(&self, sha256: &str) -> io::Result<Option<Box<dyn Read + Send>>> {
        let Some(path) = self.find(sha256).map_err(io::Error::other)? else { return Ok(None) };
        let file = BufReader::new(File::open(&path)?);
        let is_packed_here = path.extension().is_some();
        Ok(Some(if is_packed_here { Box::new(MultiGzDecoder::new(file)) } else { Box::new(file) }))
    }

    /// Removes a file. Returns whether it existed.
    pub fn remove(&self, sha256: &str) -> io::Result<bool> {
        let was_shared = self.chunks.as_ref().map_or(Ok(false), |chunks| chunks.remove(sha256))?;
        let was_here =
            self.find_here(sha256).map_or(Ok(false), |path| fs::remove_file(path).map(|()| true))?;
        Ok(was_here || was_shared)
    }

    /// Removes the oldest files until the total size is within the bound. Files in `needed` are retained.
    pub fn prune(&self, needed: &HashSet<String>) -> io::Result<()> {
        if let Some(chunks) = &self.chunks {
            chunks.prune(self.bound, needed)?;
        }
        let mut files: Vec<(SystemTime, u64, PathBuf)> = Vec::new();
        let Ok(entries) = fs::read_dir(&self.folder) else { return Ok(()) };
        for entry in entries {
            let entry = entry?;
            // Another process may be writing it.
            if entry.path().extension().is_some_and(|ending| ending == "part") {
                continue;
            }
            let metadata = entry.metadata()?;
            files.push((metadata.modified()?, metadata.len(), entry.path()));
        }
        files.sort();
        let mut total: u64 = files.iter().map(|(_, size, _)| size).sum();
        for (_, size, path) in files {
            if total <= self.bound {
                break;
            }
            let hash = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
            if !needed.contains(hash) {
                fs::remove_file(&path)?;
                total -= size;
            }
        }
        Ok(())
    }

    fn try_store(&self, path: &Path, sha256: &str) -> io::Result<()> {
        create_folder(&self.folder)?;
        let mut source = File::open(path)?;
        let mut magic = [0; 2];
        let is_packed = source.read_exact(&mut magic).is_ok() && magic == [0x1f, 0x8b];
        let mut source = File::open(path)?;
        let part = self.folder.join(format!("{sha256}.part"));
        let file = private_file(&part)?;
        let file = if is_packed {
            let mut file = file;
            io::copy(&mut source, &mut file)?;
            file
        } else {
            let mut packer = GzEncoder::new(file, Compression::fast());
            io::copy(&mut source, &mut packer)?;
            let mut file = packer.finish()?;
            file.flush()?;
            file
        };
        file.sync_all()?;
        let name = if is_packed { sha256.to_owned() } else { format!("{sha256}.gz") };
        fs::rename(&part, self.folder.join(name))
    }
}

#[cfg(unix)]
fn create_folder(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

#[cfg(not(unix))]
fn create_folder(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)
}

#[cfg(unix)]
fn private_file(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    File::options().write(true).create(true).truncate(true).mode(0o600).open(path)
}

#[cfg(not(unix))]
fn private_file(path: &Path) -> io::Result<File> {
    File::create(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HASH: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    #[test]
    fn a_file_comes_back_as_it_was_packed_or_not() {
        let folder = tempfile::tempdir().unwrap();
        for bytes in [b"abc".to_vec(), crate::tests::gzip(b"abc")] {
            let archive = Archive::new(folder.path().join("imports"), 1000);
            let path = folder.path().join("file");
            fs::write(&path, &bytes).unwrap();
            archive.store(&path, HASH);
            let mut read = Vec::new();
            archive.open(HASH).unwrap().unwrap().read_to_end(&mut read).unwrap();
            assert_eq!(read, bytes);
            assert!(archive.remove(HASH).unwrap());
            assert!(archive.find(HASH).unwrap().is_none());
        }
    }

    #[test]
    fn the_oldest_files_go_when_the_bound_is_reached_but_never_one_that_is_needed() {
        let folder = tempfile::tempdir().unwrap();
        let archive = Archive::new(folder.path().join("imports"), 60);
        let path = folder.path().join("file");
        fs::write(&path, b"abc").unwrap();
        for letter in ["a", "b", "c", "d"] {
            archive.store(&path, &letter.repeat(64));
        }
        let part = folder.path().join("imports").join("e.part");
        fs::write(&part, "abc").unwrap();
        archive.prune(&HashSet::from(["a".repeat(64)])).unwrap();
        assert!(part.exists());
        assert!(archive.find(&"a".repeat(64)).unwrap().is_some());
        assert!(archive.find(&"b".repeat(64)).unwrap().is_none());
        assert!(archive.find("../../etc/passwd").unwrap().is_none());
    }
}
