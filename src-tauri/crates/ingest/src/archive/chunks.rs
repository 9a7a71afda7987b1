//! Stores the bytes of imported files in the database, if several servers share it: each server can then serve files that another one imported.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use catalogue::Caller;
use model::tables::{kept_file, kept_file_piece};
use model::{KeptFile, KeptFilePiece, Read as _, Writer, ZonedTimestamp};
use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read as _, Write};
use std::path::Path;
use store::{Store, StoreError};

/// Bytes of one chunk; each is written by one statement.
const CHUNK_BYTES: usize = 768 * 1024;
/// The age in µs (one day) after which an incompletely stored file is abandoned.
const GIVEN_UP_AFTER: i64 = 24 * 3_600 * 1_000_000;

/// The state of a file in the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Presence {
    Kept {
        /// Whether the file was gzip-compressed when it was imported.
        was_packed: bool,
    },
    /// Its bytes were removed or are incomplete: local copies are no longer valid.
    Dropped,
    /// It was never stored here; it may have been imported before the database was PostgreSQL.
    Never,
}

/// Files stored in the database, by their hash.
pub(super) struct FileChunks(Store);

impl FileChunks {
    pub fn new(store: Store) -> Self {
        Self(store)
    }

    /// Stores the content of `path`, unless it is stored already.
    pub fn put(&self, path: &Path, sha256: &str, was_packed: bool) -> io::Result<()> {
        if matches!(self.find(sha256).map_err(io::Error::other)?, Presence::Kept { .. }) {
            return Ok(());
        }
        self.write(|writer, now| {
            let row = [
                kept_file::sha256.to(sha256),
                kept_file::was_packed.to(was_packed),
                kept_file::kept_at.to(ZonedTimestamp(now)),
            ];
            writer.upsert(&["sha256"], row, &[])
        })?;
        let mut file = File::open(path)?;
        let (mut number, mut size) = (0, 0);
        loop {
            let mut chunk = Vec::with_capacity(CHUNK_BYTES);
            let length = io::Read::by_ref(&mut file).take(CHUNK_BYTES as u64).read_to_end(&mut chunk)?;
            if length == 0 {
                break;
            }
            let content = STANDARD.encode(&chunk);
            self.write(|writer, _| {
                let row = [
                    kept_file_piece::sha256.to(sha256),
                    kept_file_piece::number.to(number),
                    kept_file_piece::content.to(content),
                ];
                writer.upsert(&["sha256", "number"], row, &[])
            })?;
            (number, size) = (number + 1, size + i64::try_from(length).unwrap_or_default());
        }
        self.write(|writer, _| {
            let size = [kept_file::size_bytes.to(size)];
            writer.update(kept_file::sha256.eq(sha256), size).map(drop)
        })
    }

    pub fn find(&self, sha256: &str) -> Result<Presence, StoreError> {
        let found = self
            .0
            .snapshot::<_, StoreError>(&Caller::system(), |rows| rows.find::<KeptFile>(sha256.to_owned()));
        Ok(match found? {
            Some(file) if file.size_bytes.is_some() => Presence::Kept { was_packed: file.was_packed },
            Some(_) => Presence::Dropped,
            None => Presence::Never,
        })
    }

    /// Writes the bytes of a stored file to `into`.
    pub fn get(&self, sha256: &str, into: &mut dyn Write) -> io::Result<()> {
        self.0
            .snapshot::<_, StoreError>(&Caller::system(), |rows| {
                let chunks = rows.query::<KeptFilePiece>().filter(kept_file_piece::sha256.eq(sha256));
                chunks.order(kept_file_piece::number.asc()).for_each(|chunk| {
                    let bytes =
                        STANDARD.decode(chunk.content).map_err(|error| StoreError::Code(error.into()))?;
                    into.write_all(&bytes).map_err(|error| StoreError::Code(error.into()))
                })
            })
            .map_err(io::Error::other)
    }

    /// Removes the bytes of a file and records the removal. Returns whether there were any.
    pub fn remove(&self, sha256: &str) -> io::Result<bool> {
        let mut count = 0;
        self.write(|writer, _| {
            writer.delete(kept_file_piece::sha256.eq(sha256))?;
            let kept = kept_file::sha256.eq(sha256).and(!kept_file::size_bytes.is_null());
            count = writer.update(kept, [kept_file::size_bytes.to_null()])?;
            Ok(())
        })?;
        Ok(count > 0)
    }

    /// Removes the oldest files until the total size is at most `bound` bytes. Files in `needed` are retained.
    pub fn prune(&self, bound: u64, needed: &HashSet<String>) -> io::Result<()> {
        let (files, now) = self
            .0
            .snapshot::<_, StoreError>(&Caller::system(), |rows| {
                Ok((rows.query::<KeptFile>().order(kept_file::kept_at.asc()).rows()?, rows.now()))
            })
            .map_err(io::Error::other)?;
        let size = |file: &KeptFile| file.size_bytes.and_then(|size| u64::try_from(size).ok()).unwrap_or(0);
        let mut total: u64 = files.iter().map(size).sum();
        for file in files {
            // Most of these have no chunks; then nothing is deleted.
            let is_left = file.size_bytes.is_none() && file.kept_at.micros() + GIVEN_UP_AFTER < now;
            let is_too_much = total > bound && file.size_bytes.is_some() && !needed.contains(&file.sha256);
            if is_left || is_too_much {
                self.remove(&file.sha256)?;
                total -= size(&file);
            }
        }
        Ok(())
    }

    /// Each chunk is written in its own short transaction that does not block other writes.
    fn write(&self, work: impl FnOnce(&Writer<'_>, i64) -> Result<(), StoreError>) -> io::Result<()> {
        self.0
            .concurrent_transaction::<_, StoreError>(&Caller::system(), |rows| {
                let rows = rows.without_actor();
                work(&Writer::derived(&rows)?, rows.now())
            })
            .map_err(io::Error::other)
    }
}
