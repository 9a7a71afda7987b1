//! Unpacks archives: ZIP, tar, tar.gz and zstd.
//!
//! Members are written to numbered files in a temporary folder, never to a path from the archive. Sizes are limited, because a few
//! kilobytes can expand to terabytes.

mod archive_type;
mod guard;
mod tarball;
mod zip;

use crate::report::Failure;
use archive_type::ArchiveType;
use guard::Guard;
use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Maximum nesting depth of archives.
const DEPTH: u32 = 3;

/// The reason an archive was not unpacked.
#[derive(Debug)]
pub enum UnpackError {
    /// The file is invalid.
    Refused(Box<Failure>),
    /// An I/O error.
    Io(io::Error),
}

impl From<io::Error> for UnpackError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// The unpacked files of an archive.
#[derive(Debug)]
pub struct UnpackedArchive {
    /// The display name of the archive's type.
    pub title: &'static str,
    pub members: Vec<Member>,
    /// Names of links, devices and other members that are not files.
    pub left_out: Vec<String>,
    /// The temporary folder; it exists as long as this value.
    _folder: TempDir,
}

/// An unpacked file of an archive.
#[derive(Debug)]
pub struct Member {
    /// Its path in the archive; for a nested archive, prefixed with the path of that archive.
    pub name: String,
    /// The path of its bytes.
    pub path: PathBuf,
}

/// Unpacks a file; `None` when it is not an archive. A gzip file with a single plain file is not one: it is read directly.
pub fn unpack(path: &Path) -> Result<Option<UnpackedArchive>, UnpackError> {
    if !path.is_file() {
        return Ok(None);
    }
    let Some(archive_type) = ArchiveType::of(path)? else { return Ok(None) };
    let folder = tempfile::tempdir()?;
    let mut work = Work {
        folder: folder.path(),
        guard: Guard::new(std::fs::metadata(path)?.len()),
        members: Vec::new(),
        left_out: Vec::new(),
    };
    work.open(path, archive_type, "", 1)?;
    let Work { members, left_out, .. } = work;
    Ok(Some(UnpackedArchive { title: archive_type.title(), members, left_out, _folder: folder }))
}

/// The error for an archive that is refused.
fn refused(message: &str, looked_for: &str, found: &str) -> UnpackError {
    UnpackError::Refused(Box::new(Failure {
        message: format!("{message}. Nothing was imported."),
        looked_for: vec![looked_for.to_owned()],
        found: found.to_owned(),
    }))
}

/// The error for an archive with invalid bytes; other errors are I/O errors.
fn damaged(error: io::Error) -> UnpackError {
    match error.kind() {
        io::ErrorKind::UnexpectedEof
        | io::ErrorKind::InvalidData
        | io::ErrorKind::InvalidInput
        | io::ErrorKind::Other => refused(
            &format!("The archive is damaged or ends too early ({error}): download or copy it again"),
            "an archive that is whole",
            "a damaged archive",
        ),
        _ => UnpackError::Io(error),
    }
}

/// The state of unpacking one archive with those nested in it.
struct Work<'a> {
    folder: &'a Path,
    guard: Guard,
    members: Vec<Member>,
    left_out: Vec<String>,
}

impl Work<'_> {
    fn open(
        &mut self,
        path: &Path,
        archive_type: ArchiveType,
        within: &str,
        depth: u32,
    ) -> Result<(), UnpackError> {
        if depth > DEPTH {
            return Err(refused(
                &format!("The archive holds archives in archives, more than {DEPTH} deep ({within})"),
                &format!("archives that lie at most {DEPTH} deep"),
                "archives in archives",
            ));
        }
        match archive_type {
            ArchiveType::Zip => zip::read(path, &mut |name, content| self.add(name, content, within, depth)),
            ArchiveType::Tar { is_gzip } => {
                let left_out = tarball::read(path, is_gzip, &mut |name, content| {
                    self.add(name, content, within, depth)
                })?;
                self.left_out.extend(left_out.into_iter().map(|name| joined(within, &name)));
                Ok(())
            }
            ArchiveType::Zstd => {
                let mut content = zstd::Decoder::new(File::open(path)?).map_err(damaged)?;
                self.add(without_ending(path, within), &mut content, within, depth)
            }
            // The receipt archive compresses files that are not gzip files.
            ArchiveType::InGzip => {
                let mut content = flate2::read::MultiGzDecoder::new(BufReader::new(File::open(path)?));
                let inner = self.write(&mut content)?;
                if let Some(archive_type) = ArchiveType::of(&inner)? {
                    return self.open(&inner, archive_type, within, depth);
                }
                self.members.push(Member { name: within.to_owned(), path: inner });
                Ok(())
            }
        }
    }

    /// Processes a member: a file or a nested archive.
    fn add(
        &mut self,
        name: String,
        content: &mut dyn Read,
        within: &str,
        depth: u32,
    ) -> Result<(), UnpackError> {
        guard::check_name(&name)?;
        if guard::is_system_metadata(&name) {
            return Ok(());
        }
        self.guard.member()?;
        let name = joined(within, &name);
        let path = self.write(content)?;
        if let Some(archive_type) = ArchiveType::of(&path)? {
            return self.open(&path, archive_type, &name, depth + 1);
        }
        self.members.push(Member { name, path });
        Ok(())
    }

    fn write(&mut self, content: &mut dyn Read) -> Result<PathBuf, UnpackError> {
        let path = self.folder.join(self.guard.next_number().to_string());
        let mut file = File::create(&path)?;
        let mut buffer = vec![0; 1 << 16];
        loop {
            let count = content.read(&mut buffer).map_err(damaged)?;
            if count == 0 {
                file.flush()?;
                return Ok(path);
            }
            self.guard.bytes(count as u64)?;
            file.write_all(&buffer[..count])?;
        }
    }
}

/// A member's path, prefixed with the path of the archive that contains it.
fn joined(within: &str, name: &str) -> String {
    if within.is_empty() { name.to_owned() } else { format!("{within}/{name}") }
}

/// The name of the content of a file compressed alone, without `.zst`.
fn without_ending(path: &Path, within: &str) -> String {
    let name = within.rsplit('/').next().filter(|name| !name.is_empty()).map(str::to_owned);
    let name = name.or_else(|| Some(path.file_name()?.to_string_lossy().into_owned())).unwrap_or_default();
    name.strip_suffix(".zst").map_or(name.clone(), str::to_owned)
}
