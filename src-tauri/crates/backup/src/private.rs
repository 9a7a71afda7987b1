//! Files and folders for their owner only, whatever the folder around them allows: backups hold everything.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io;
use std::path::Path;

/// A new file that others cannot read.
pub fn create_file(path: &Path) -> io::Result<File> {
    closed_to_others(OpenOptions::new().write(true).create_new(true)).open(path)
}

/// Puts `bytes` into a file that others cannot read, in place of what it held.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = closed_to_others(OpenOptions::new().write(true).create(true).truncate(true)).open(path)?;
    io::Write::write_all(&mut file, bytes)
}

/// A folder that others cannot read, with those above it that are missing; one that is there is left as it is.
#[cfg(unix)]
pub fn create_folder(path: &Path) -> io::Result<()> {
    std::os::unix::fs::DirBuilderExt::mode(DirBuilder::new().recursive(true), 0o700).create(path)
}

/// Folders of a person are private elsewhere.
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
