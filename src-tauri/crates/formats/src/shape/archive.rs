//! Reads a tar archive, gzip-compressed or not, as one document, file by file.

use crate::read_error::ReadError;
use flate2::read::MultiGzDecoder;
use std::io::Read;

/// Maximum number of files in an archive.
const MEMBERS: usize = 100_000;
/// Maximum total size of all files, in bytes.
const ALL_BYTES: u64 = 8 << 30;
/// Maximum length of a file name, in bytes.
const NAME_BYTES: usize = 4_096;

/// A file in an archive.
pub struct Member<'a> {
    /// Its name in the archive, with `/` between folders. Only a label: nothing is written to disk under this name.
    pub name: &'a str,
    pub size: u64,
    pub content: &'a mut dyn Read,
}

/// Calls `each` for the regular files of a tar archive. Returns the number of skipped entries: links, devices, and files whose names lead
/// outside the archive.
pub fn members(
    bytes: &mut dyn Read,
    each: &mut dyn FnMut(Member<'_>) -> Result<(), ReadError>,
) -> Result<u64, ReadError> {
    let mut magic = Vec::new();
    bytes.take(2).read_to_end(&mut magic)?;
    let is_packed = magic == [0x1f, 0x8b];
    let mut content = magic.as_slice().chain(bytes);
    if is_packed { plain(&mut MultiGzDecoder::new(content), each) } else { plain(&mut content, each) }
}

fn plain(
    bytes: &mut dyn Read,
    each: &mut dyn FnMut(Member<'_>) -> Result<(), ReadError>,
) -> Result<u64, ReadError> {
    let mut archive = tar::Archive::new(bytes);
    let (mut number, mut length, mut passed_over) = (0_usize, 0_u64, 0_u64);
    for entry in archive.entries().map_err(damaged)? {
        let mut entry = entry.map_err(damaged)?;
        number += 1;
        length = length.saturating_add(entry.size());
        if number > MEMBERS || length > ALL_BYTES {
            return Err(too_large(number, length));
        }
        let kind = entry.header().entry_type();
        if kind.is_dir() {
            continue;
        }
        let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        let leaves = name.starts_with('/') || name.split('/').any(|part| part == "..");
        if !kind.is_file() || leaves || name.len() > NAME_BYTES {
            passed_over += 1;
            continue;
        }
        let name = name.strip_prefix("./").unwrap_or(&name).to_owned();
        let size = entry.size();
        each(Member { name: &name, size, content: &mut entry })?;
    }
    Ok(passed_over)
}

/// The names of the files visible in the beginning of a tar archive, each with the beginning of its content.
pub fn visible_members(head: &[u8]) -> Vec<(String, &[u8])> {
    const BLOCK: usize = 512;
    let mut found = Vec::new();
    let mut next = 0;
    while let Some(block) = head.get(next..next + BLOCK) {
        if block.get(257..262) != Some(b"ustar") {
            break;
        }
        let Ok(header) = <&[u8; BLOCK]>::try_from(block) else { break };
        let header = tar::Header::from_byte_slice(header);
        let Ok(size) = header.size().map(|size| usize::try_from(size).unwrap_or(usize::MAX)) else { break };
        let start = next + BLOCK;
        let content = &head[start..start.saturating_add(size).min(head.len())];
        if header.entry_type().is_file() {
            found.push((String::from_utf8_lossy(&header.path_bytes()).into_owned(), content));
        }
        let Some(end) = size.checked_next_multiple_of(BLOCK).and_then(|size| start.checked_add(size)) else {
            break;
        };
        next = end;
    }
    found
}

fn damaged(error: std::io::Error) -> ReadError {
    let found = error.to_string();
    ReadError::Refused {
        message: format!(
            "The archive is damaged or cut off: {found}. Nothing was imported. Get the file again."
        ),
        expected: "a whole tar archive".to_owned(),
        found,
    }
}

fn too_large(number: usize, length: u64) -> ReadError {
    let found = format!("{number} files, {} MiB", length >> 20);
    ReadError::Refused {
        message: format!(
            "The archive holds more than is read: {found}. Nothing was imported. Take a bundle of less, or unpack it and import \
             the files."
        ),
        expected: format!("at most {MEMBERS} files and {} MiB", ALL_BYTES >> 20),
        found,
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// Builds a tar archive of files.
    pub fn tar_of(files: &[(&str, &str)]) -> Vec<u8> {
        let mut builder = tar::Builder::new(Vec::new());
        for (name, content) in files {
            let mut header = tar::Header::new_ustar();
            header.set_size(content.len() as u64);
            header.set_mode(0o644);
            builder.append_data(&mut header, name, content.as_bytes()).unwrap();
        }
        builder.into_inner().unwrap()
    }

    #[test]
    fn links_and_names_that_leave_the_archive_are_passed_over() {
        let mut builder = tar::Builder::new(Vec::new());
        let mut link = tar::Header::new_ustar();
        link.set_entry_type(tar::EntryType::Symlink);
        link.set_size(0);
        builder.append_link(&mut link, "a", "/etc/passwd").unwrap();
        let mut out = tar::Header::new_ustar();
        out.set_size(1);
        out.as_mut_bytes()[..4].copy_from_slice(b"../x");
        out.set_cksum();
        builder.append(&out, b"x".as_slice()).unwrap();
        let bytes = builder.into_inner().unwrap();
        let passed_over = members(&mut bytes.as_slice(), &mut |member| panic!("{}", member.name)).unwrap();
        assert_eq!(passed_over, 2);
    }

    #[test]
    fn an_archive_that_is_cut_is_refused() {
        let bytes = tar_of(&[("a", &"x".repeat(2_000))]);
        assert_eq!(visible_members(&bytes[..600])[0], ("a".to_owned(), "x".repeat(88).as_bytes()));
        let cut = &bytes[..1_000];
        let end = members(&mut &*cut, &mut |member| {
            member.content.read_to_end(&mut Vec::new())?;
            Ok(())
        });
        assert!(end.is_err());
    }
}
