//! Archives: ZIP, tar, tar.gz and zstd to the files in them.
//!
//! Members are written to numbered files of a temporary folder, never to a path that the archive names. What an archive may
//! become is bounded, since a few kilobytes can hold terabytes.

mod guard;
mod pack;
mod tarball;
mod zip;

use crate::report::Failure;
use guard::Guard;
use pack::Pack;
use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// How deep archives may lie in each other.
const DEPTH: u32 = 3;

/// Why an archive was not unpacked.
#[derive(Debug)]
pub enum UnpackError {
    /// The file's fault.
    Refused(Box<Failure>),
    /// The disk's fault.
    Io(io::Error),
}

impl From<io::Error> for UnpackError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// The files of an archive.
#[derive(Debug)]
pub struct UnpackedArchive {
    /// What the archive is, for people.
    pub title: &'static str,
    pub members: Vec<Member>,
    /// Links, devices and other things that are no files, by their names.
    pub left_out: Vec<String>,
    /// Holds the files while they are read.
    _folder: TempDir,
}

/// A file of an archive.
#[derive(Debug)]
pub struct Member {
    /// Its path in the archive; of one in an archive inside, behind the path of that one.
    pub name: String,
    /// Where its bytes are.
    pub path: PathBuf,
}

/// Unpacks a file; `None` when it is no archive. A single file packed with gzip is none: it is read as it is.
pub fn unpack(path: &Path) -> Result<Option<UnpackedArchive>, UnpackError> {
    if !path.is_file() {
        return Ok(None);
    }
    let Some(pack) = Pack::of(path)? else { return Ok(None) };
    let folder = tempfile::tempdir()?;
    let mut work = Work {
        folder: folder.path(),
        guard: Guard::new(std::fs::metadata(path)?.len()),
        members: Vec::new(),
        left_out: Vec::new(),
    };
    work.open(path, pack, "", 1)?;
    let Work { members, left_out, .. } = work;
    Ok(Some(UnpackedArchive { title: pack.title(), members, left_out, _folder: folder }))
}

/// The refusal of an archive.
fn refused(message: &str, looked_for: &str, found: &str) -> UnpackError {
    UnpackError::Refused(Box::new(Failure {
        message: format!("{message}. Nothing was imported."),
        looked_for: vec![looked_for.to_owned()],
        found: found.to_owned(),
    }))
}

/// The refusal of an archive whose bytes are not what they should be; other errors are the disk's.
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

/// Unpacking one archive with those inside it.
struct Work<'a> {
    folder: &'a Path,
    guard: Guard,
    members: Vec<Member>,
    left_out: Vec<String>,
}

impl Work<'_> {
    fn open(&mut self, path: &Path, pack: Pack, within: &str, depth: u32) -> Result<(), UnpackError> {
        if depth > DEPTH {
            return Err(refused(
                &format!("The archive holds archives in archives, more than {DEPTH} deep ({within})"),
                &format!("archives that lie at most {DEPTH} deep"),
                "archives in archives",
            ));
        }
        match pack {
            Pack::Zip => zip::read(path, &mut |name, content| self.add(name, content, within, depth)),
            Pack::Tar { is_gzip } => {
                let left_out = tarball::read(path, is_gzip, &mut |name, content| {
                    self.add(name, content, within, depth)
                })?;
                self.left_out.extend(left_out.into_iter().map(|name| joined(within, &name)));
                Ok(())
            }
            Pack::Zstd => {
                let mut content = zstd::Decoder::new(File::open(path)?).map_err(damaged)?;
                self.add(without_ending(path, within), &mut content, within, depth)
            }
            // The archive of receipts packs what is no gzip file.
            Pack::InGzip => {
                let mut content = flate2::read::MultiGzDecoder::new(BufReader::new(File::open(path)?));
                let inner = self.write(&mut content)?;
                if let Some(pack) = Pack::of(&inner)? {
                    return self.open(&inner, pack, within, depth);
                }
                self.members.push(Member { name: within.to_owned(), path: inner });
                Ok(())
            }
        }
    }

    /// Takes in a member: a file, or an archive of further ones.
    fn add(
        &mut self,
        name: String,
        content: &mut dyn Read,
        within: &str,
        depth: u32,
    ) -> Result<(), UnpackError> {
        guard::check_name(&name)?;
        if guard::is_noise(&name) {
            return Ok(());
        }
        self.guard.member()?;
        let name = joined(within, &name);
        let path = self.write(content)?;
        if let Some(pack) = Pack::of(&path)? {
            return self.open(&path, pack, &name, depth + 1);
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

/// A path behind that of the archive that it lies in.
fn joined(within: &str, name: &str) -> String {
    if within.is_empty() { name.to_owned() } else { format!("{within}/{name}") }
}

/// The name of what a file holds that is packed alone.
fn without_ending(path: &Path, within: &str) -> String {
    let name = within.rsplit('/').next().filter(|name| !name.is_empty()).map(str::to_owned);
    let name = name.or_else(|| Some(path.file_name()?.to_string_lossy().into_owned())).unwrap_or_default();
    name.strip_suffix(".zst").map_or(name.clone(), str::to_owned)
}
