//! Reads ZIP archives (including ZIP64) with stored or deflated members. Implemented here because most of a library (writing, encryption,
//! other compression methods) would be unused.

use super::{UnpackError, damaged, refused};
use flate2::Crc;
use flate2::read::DeflateDecoder;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

/// Maximum size of the end-of-central-directory record with its comment.
const END_BYTES: u64 = 22 + 0xffff;
const LOCATOR_BYTES: u64 = 20;
/// Maximum size of the central directory.
const DIRECTORY_BYTES: u64 = 64 << 20;

/// A member as listed in the central directory.
struct Entry {
    name: String,
    method: u16,
    is_encrypted: bool,
    is_link: bool,
    crc: u32,
    packed: u64,
    unpacked: u64,
    offset: u64,
}

/// Passes every file to `add`.
pub fn read(
    path: &Path,
    add: &mut dyn FnMut(String, &mut dyn Read) -> Result<(), UnpackError>,
) -> Result<(), UnpackError> {
    let mut file = File::open(path)?;
    let (start, bytes) = directory(&mut file).map_err(damaged)?.ok_or_else(no_directory)?;
    if bytes > DIRECTORY_BYTES {
        return Err(no_directory());
    }
    file.seek(SeekFrom::Start(start))?;
    let mut directory = Vec::new();
    (&mut file).take(bytes).read_to_end(&mut directory)?;
    let mut rest = directory.as_slice();
    while let Some((entry, after)) = entry(rest) {
        rest = after;
        // Folders are members too, and links are stored as files with a mode.
        if entry.name.ends_with('/') || entry.is_link {
            continue;
        }
        if entry.is_encrypted {
            return Err(refused(
                &format!(
                    "{} in the archive is protected by a password: unpack it and import what is in it",
                    entry.name
                ),
                "an archive without a password",
                "an encrypted archive",
            ));
        }
        let content = content(&mut file, &entry)?;
        let mut checked = CheckedMember { content, crc: Crc::new(), entry: &entry };
        add(entry.name.clone(), &mut checked)?;
    }
    if rest.is_empty() { Ok(()) } else { Err(no_directory()) }
}

fn no_directory() -> UnpackError {
    damaged(io::Error::new(io::ErrorKind::InvalidData, "its list of files cannot be read"))
}

/// The offset and length of the central directory.
fn directory(file: &mut File) -> io::Result<Option<(u64, u64)>> {
    let length = file.seek(SeekFrom::End(0))?;
    let tail_start = length.saturating_sub(END_BYTES + LOCATOR_BYTES);
    file.seek(SeekFrom::Start(tail_start))?;
    let mut tail = Vec::new();
    file.read_to_end(&mut tail)?;
    let Some(end) =
        (0..tail.len().saturating_sub(21)).rev().find(|at| tail[*at..].starts_with(b"PK\x05\x06"))
    else {
        return Ok(None);
    };
    let (Some(bytes), Some(start)) = (u32_at(&tail, end + 12), u32_at(&tail, end + 16)) else {
        return Ok(None);
    };
    let locator = end.checked_sub(20).filter(|at| tail[*at..].starts_with(b"PK\x06\x07"));
    if let Some(locator) = locator
        && let Some(at) = u64_at(&tail, locator + 8)
    {
        file.seek(SeekFrom::Start(at))?;
        let mut record = [0; 56];
        file.read_exact(&mut record)?;
        return Ok(u64_at(&record, 48)
            .zip(u64_at(&record, 40))
            .filter(|_| record.starts_with(b"PK\x06\x06")));
    }
    Ok(Some((start.into(), bytes.into())))
}

/// The first entry of the remaining central directory, and the rest after it.
fn entry(directory: &[u8]) -> Option<(Entry, &[u8])> {
    if !directory.starts_with(b"PK\x01\x02") {
        return None;
    }
    let [name_bytes, extra_bytes, comment_bytes] =
        [28, 30, 32].map(|at| u16_at(directory, at).map(usize::from));
    let name_end = 46 + name_bytes?;
    let extra_end = name_end + extra_bytes?;
    let name = directory.get(46..name_end)?;
    let mut extra = directory.get(name_end..extra_end)?;
    let after = directory.get(extra_end + comment_bytes?..)?;
    let mut sizes = [u32_at(directory, 24)?, u32_at(directory, 20)?, u32_at(directory, 42)?].map(u64::from);
    while let (Some(kind), Some(length)) = (u16_at(extra, 0), u16_at(extra, 2)) {
        let field = extra.get(4..4 + usize::from(length))?;
        if kind == 1 {
            // This field contains only the sizes that do not fit into 32 bits.
            let mut at = 0;
            for size in sizes.iter_mut().filter(|size| **size == u64::from(u32::MAX)) {
                *size = u64_at(field, at)?;
                at += 8;
            }
        }
        extra = &extra[4 + usize::from(length)..];
    }
    let [unpacked, packed, offset] = sizes;
    let mode = u32_at(directory, 38)? >> 16;
    let entry = Entry {
        name: String::from_utf8_lossy(name).into_owned(),
        method: u16_at(directory, 10)?,
        is_encrypted: u16_at(directory, 8)? & 1 == 1,
        is_link: mode & 0o170_000 == 0o120_000,
        crc: u32_at(directory, 16)?,
        packed,
        unpacked,
        offset,
    };
    Some((entry, after))
}

fn content<'f>(file: &'f mut File, entry: &Entry) -> Result<Box<dyn Read + 'f>, UnpackError> {
    file.seek(SeekFrom::Start(entry.offset))?;
    let mut local = [0; 30];
    file.read_exact(&mut local).map_err(damaged)?;
    let skip = u16_at(&local, 26).zip(u16_at(&local, 28)).filter(|_| local.starts_with(b"PK\x03\x04"));
    let (name, extra) = skip.ok_or_else(no_directory)?;
    file.seek(SeekFrom::Current(i64::from(name) + i64::from(extra)))?;
    let packed = BufReader::new(file).take(entry.packed);
    match entry.method {
        0 => Ok(Box::new(packed)),
        8 => Ok(Box::new(DeflateDecoder::new(packed))),
        other => Err(refused(
            &format!(
                "{} in the archive is compressed in a way that is not read (number {other})",
                entry.name
            ),
            "members that are stored or deflated",
            "a ZIP archive with another compression",
        )),
    }
}

/// A member's content; its length and CRC are checked against the directory.
struct CheckedMember<'f, 'e> {
    content: Box<dyn Read + 'f>,
    crc: Crc,
    entry: &'e Entry,
}

impl Read for CheckedMember<'_, '_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.content.read(buffer)?;
        self.crc.update(&buffer[..count]);
        let is_wrong = self.crc.sum() != self.entry.crc
            || u64::from(self.crc.amount()) != self.entry.unpacked & u64::from(u32::MAX);
        if count == 0 && !buffer.is_empty() && is_wrong {
            let message = format!("the content of {} is not what the archive says", self.entry.name);
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        Ok(count)
    }
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?))
}
