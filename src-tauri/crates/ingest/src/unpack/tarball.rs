//! Reads tar archives, optionally gzip-compressed.

use super::{UnpackError, damaged};
use flate2::read::MultiGzDecoder;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;
use tar::{Archive, EntryType};

/// Passes every file to `add`. Returns the names of members that are not files.
pub fn read(
    path: &Path,
    is_gzip: bool,
    add: &mut dyn FnMut(String, &mut dyn Read) -> Result<(), UnpackError>,
) -> Result<Vec<String>, UnpackError> {
    let file = BufReader::with_capacity(1 << 16, File::open(path)?);
    let content: Box<dyn Read> = if is_gzip { Box::new(MultiGzDecoder::new(file)) } else { Box::new(file) };
    let mut archive = Archive::new(content);
    let mut left_out = Vec::new();
    for entry in archive.entries().map_err(damaged)? {
        let mut entry = entry.map_err(damaged)?;
        let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        match entry.header().entry_type() {
            EntryType::Regular | EntryType::Continuous => {
                add(name.strip_prefix("./").map_or(name.clone(), str::to_owned), &mut entry)?;
            }
            EntryType::Directory | EntryType::XGlobalHeader | EntryType::XHeader => {}
            EntryType::Link | EntryType::Symlink => left_out.push(format!("{name} (a link)")),
            EntryType::Char | EntryType::Block | EntryType::Fifo => {
                left_out.push(format!("{name} (a device)"));
            }
            _ => left_out.push(format!("{name} (no plain file)")),
        }
    }
    Ok(left_out)
}
