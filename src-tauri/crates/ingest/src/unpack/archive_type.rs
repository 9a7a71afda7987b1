//! Detects the archive or compression type of a file from its first bytes.

use flate2::read::MultiGzDecoder;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The position of the magic bytes of a tar archive.
const TAR_MARK: usize = 257;
/// Number of bytes that are examined.
const HEAD: u64 = 512;

/// Archive and compression types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArchiveType {
    Zip,
    Tar {
        is_gzip: bool,
    },
    Zstd,
    /// An archive other than tar, or a Parquet file, compressed with gzip.
    InGzip,
}

impl ArchiveType {
    /// The type of a file; `None` when it is not an archive.
    pub fn of(path: &Path) -> io::Result<Option<Self>> {
        let head = read(&mut File::open(path)?)?;
        if let Some(archive_type) = Self::of_head(&head) {
            // A Parquet file that is not compressed is read directly.
            return Ok(Some(archive_type).filter(|archive_type| *archive_type != Self::InGzip));
        }
        if !head.starts_with(&[0x1f, 0x8b]) {
            return Ok(None);
        }
        // Damaged gzip data is reported when the file is read as data.
        let inner = read(&mut MultiGzDecoder::new(File::open(path)?)).unwrap_or_default();
        Ok(Self::of_head(&inner).map(|archive_type| match archive_type {
            Self::Tar { .. } => Self::Tar { is_gzip: true },
            _ => Self::InGzip,
        }))
    }

    fn of_head(head: &[u8]) -> Option<Self> {
        match head {
            [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Some(Self::Zip),
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Some(Self::Zstd),
            [b'P', b'A', b'R', b'1', ..] => Some(Self::InGzip),
            _ if head.get(TAR_MARK..TAR_MARK + 5) == Some(b"ustar") => Some(Self::Tar { is_gzip: false }),
            _ => None,
        }
    }

    /// The display name.
    pub fn title(self) -> &'static str {
        match self {
            Self::Zip => "ZIP archive",
            Self::Tar { .. } => "tar archive",
            Self::Zstd => "file compressed with zstd",
            Self::InGzip => "archive",
        }
    }
}

fn read(source: &mut dyn Read) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    source.take(HEAD).read_to_end(&mut head)?;
    Ok(head)
}
