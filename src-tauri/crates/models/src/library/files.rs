//! Helpers for model files and their folder.

use crate::digest::Hashing;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Buffer size for reading and writing, in bytes.
pub(crate) const BUFFER: usize = 1 << 20;

pub(crate) fn hash_file(path: &Path, progress: &mut dyn FnMut(u64)) -> io::Result<String> {
    let mut file = File::open(path)?;
    let (mut buffer, mut hashing, mut total) = (vec![0; BUFFER], Hashing::for_any_of(&[]), 0);
    loop {
        let read = file.read(&mut buffer)?;
        if read == 0 {
            return Ok(hashing.finish().sha256);
        }
        hashing.update(&buffer[..read]);
        total += read as u64;
        progress(total);
    }
}

/// A hard link on the same volume, a copy otherwise.
pub(super) fn copy(from: &Path, to: &Path) -> io::Result<()> {
    remove_file(to)?;
    if std::fs::hard_link(from, to).is_ok() {
        return Ok(());
    }
    std::fs::copy(from, to)?;
    File::open(to)?.sync_all()
}

pub(crate) fn remove_file(path: &Path) -> io::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

pub(super) fn same_folder(one: &Path, other: &Path) -> bool {
    one == other || matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

pub(super) fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// A rename is durable once its folder is synced.
#[cfg(unix)]
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(not(unix))]
pub(crate) fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}
