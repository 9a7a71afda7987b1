//! Files and folders that only their owner can read, whatever the permissions of the parent folder: backups contain all data.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io;
use std::path::Path;

/// Creates a new file that other users cannot read.
pub fn create_file(path: &Path) -> io::Result<File> {
    closed_to_others(OpenOptions::new().write(true).create_new(true)).open(path)
}

/// Writes `bytes` to a file that other users cannot read, replacing its content.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = closed_to_others(OpenOptions::new().write(true).create(true).truncate(true)).open(path)?;
    io::Write::write_all(&mut file, bytes)
}

/// Creates a folder, and missing parents, that other users cannot read. An existing folder is left unchanged.
#[cfg(unix)]
pub fn create_folder(path: &Path) -> io::Result<()> {
    std::os::unix::fs::DirBuilderExt::mode(DirBuilder::new().recursive(true), 0o700).create(path)
}

/// On other systems the folders of a user are private by default.
#[cfg(not(unix))]
pub fn create_folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).create(path)
}

#[cfg(unix)]
fn closed_to_others(options: &mut OpenOptions) -> &mut OpenOptions {
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600)
}

#[cfg(not(unix))]
fn closed_to_others(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}
