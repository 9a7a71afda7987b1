//! The file that a download writes to.

use crate::content;
use crate::failure::{Failure, Kind};
use crate::plan::Claim;
use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Size of a note in bytes: start and progress of a claim.
const NOTE: usize = 16;

/// An open part file, locked for this download across programs.
#[derive(Debug, Clone)]
pub(crate) struct Part {
    pub file: Arc<File>,
    pub path: PathBuf,
}

impl Part {
    /// Opens the file, creating it if needed.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        let cannot =
            |cause: io::Error| Failure::disk(&format!("{} cannot be written", path.display()), &cause);
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(cannot)?;
        }
        let file =
            File::options().read(true).write(true).create(true).truncate(false).open(path).map_err(cannot)?;
        match file.try_lock() {
            Ok(()) => Ok(Self { file: Arc::new(file), path: path.to_owned() }),
            Err(TryLockError::Error(cause)) => Err(cannot(cause)),
            Err(TryLockError::WouldBlock) => Err(Failure::new(
                Kind::InUse,
                "Another program is fetching this model into the same folder.",
                "Wait for it, or stop it there.",
            )),
        }
    }

    pub fn len(&self) -> io::Result<u64> {
        Ok(self.file.metadata()?.len())
    }

    /// Extends the file to its final length. Sparse: uses no disk space until bytes arrive.
    pub fn set_len(&self, size: u64) -> io::Result<()> {
        self.file.set_len(size)
    }

    /// Records the progress of a claim after the end of the file's own bytes. Not safe against a power cut, but cheap: what a killed process wrote,
    /// both note and bytes, remains in the system's cache.
    pub fn note(&self, size: u64, claim: Claim) -> io::Result<()> {
        let mut note = [0; NOTE];
        note[..8].copy_from_slice(&claim.start.to_le_bytes());
        note[8..].copy_from_slice(&claim.at.to_le_bytes());
        self.write(&note, size + claim.id * NOTE as u64)
    }

    /// The recorded ranges after the end of a file of that size.
    pub fn notes(&self, size: u64) -> io::Result<Vec<(u64, u64)>> {
        let notes = self.len()?.saturating_sub(size) / NOTE as u64;
        let mut ranges = Vec::new();
        for place in 0..notes {
            let (mut start, mut at) = ([0; 8], [0; 8]);
            let from = size + place * NOTE as u64;
            if read_at(&self.file, &mut start, from)? == 8 && read_at(&self.file, &mut at, from + 8)? == 8 {
                ranges.push((u64::from_le_bytes(start), u64::from_le_bytes(at)));
            }
        }
        ranges.retain(|(start, at)| start < at && *at <= size);
        Ok(ranges)
    }

    /// The beginning of the file, as far as is needed to check whether it can be a model.
    pub fn head(&self) -> io::Result<Vec<u8>> {
        let mut head = vec![0; content::HEAD];
        let read = read_at(&self.file, &mut head, 0)?;
        head.truncate(read);
        Ok(head)
    }

    pub fn write(&self, bytes: &[u8], at: u64) -> io::Result<()> {
        write_at(&self.file, bytes, at)
    }
}

#[cfg(unix)]
fn write_at(file: &File, bytes: &[u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, at)
}

/// Reads at an offset, at most as much as fits.
#[cfg(unix)]
pub(crate) fn read_at(file: &File, into: &mut [u8], at: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, into, at)
}

#[cfg(windows)]
fn write_at(file: &File, mut bytes: &[u8], mut at: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        let written = std::os::windows::fs::FileExt::seek_write(file, bytes, at)?;
        if written == 0 {
            return Err(io::ErrorKind::WriteZero.into());
        }
        bytes = &bytes[written..];
        at += written as u64;
    }
    Ok(())
}

#[cfg(windows)]
pub(crate) fn read_at(file: &File, into: &mut [u8], at: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, into, at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_noted_of_claims_is_found_again_and_nonsense_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let part = Part::open(&folder.path().join("incoming/a.part")).unwrap();
        part.set_len(1000).unwrap();
        for (id, start, at) in [(1, 0, 10), (2, 500, 600), (2, 500, 700), (3, 900, 2000)] {
            part.note(1000, Claim { id, start, at, end: 1000 }).unwrap();
        }
        assert_eq!(part.notes(1000).unwrap(), [(0, 10), (500, 700)]);
        part.set_len(1000).unwrap();
        assert_eq!(part.notes(1000).unwrap(), []);
    }

    #[test]
    fn two_programs_do_not_fetch_the_same_model_into_one_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.part");
        let first = Part::open(&path).unwrap();
        assert_eq!(Part::open(&path).unwrap_err().kind, Kind::InUse);
        drop(first);
        Part::open(&path).unwrap();
    }
}
