//! The bytes of imported files in the database, where several servers share it: each of them may be asked for a file that another one took.

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

/// Bytes of a piece; a statement carries one.
const PIECE: usize = 768 * 1024;
/// After so long a file whose pieces did not all come is given up, µs: a day.
const GIVEN_UP_AFTER: i64 = 24 * 3_600 * 1_000_000;

/// What a database knows of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Presence {
    Kept {
        /// Whether it was packed with gzip when it came.
        was_packed: bool,
    },
    /// Its bytes were dropped, or did not all come: copies of it count no more.
    Dropped,
    /// It was never here: perhaps it was imported before the database was PostgreSQL.
    Never,
}

/// Files in a database, by their hash.
pub(super) struct FileChunks(Store);

impl FileChunks {
    pub fn new(store: Store) -> Self {
        Self(store)
    }

    /// Keeps what stands in `path`, unless it is kept already.
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
            let mut piece = Vec::with_capacity(PIECE);
            let length = io::Read::by_ref(&mut file).take(PIECE as u64).read_to_end(&mut piece)?;
            if length == 0 {
                break;
            }
            let content = STANDARD.encode(&piece);
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
            .snapshot::<_, StoreError>(&Caller::house(), |rows| rows.find::<KeptFile>(sha256.to_owned()));
        Ok(match found? {
            Some(file) if file.size_bytes.is_some() => Presence::Kept { was_packed: file.was_packed },
            Some(_) => Presence::Dropped,
            None => Presence::Never,
        })
    }

    /// Writes a file that is kept.
    pub fn get(&self, sha256: &str, into: &mut dyn Write) -> io::Result<()> {
        self.0
            .snapshot::<_, StoreError>(&Caller::house(), |rows| {
                let pieces = rows.query::<KeptFilePiece>().filter(kept_file_piece::sha256.eq(sha256));
                pieces.order(kept_file_piece::number.asc()).for_each(|piece| {
                    let bytes =
                        STANDARD.decode(piece.content).map_err(|error| StoreError::Code(error.into()))?;
                    into.write_all(&bytes).map_err(|error| StoreError::Code(error.into()))
                })
            })
            .map_err(io::Error::other)
    }

    /// Drops the bytes of a file, and remembers that; whether there were any.
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

    /// Drops the oldest files until they have at most `bound` bytes together. Those in `needed` stay.
    pub fn prune(&self, bound: u64, needed: &HashSet<String>) -> io::Result<()> {
        let (files, now) = self
            .0
            .snapshot::<_, StoreError>(&Caller::house(), |rows| {
                Ok((rows.query::<KeptFile>().order(kept_file::kept_at.asc()).rows()?, rows.now()))
            })
            .map_err(io::Error::other)?;
        let size = |file: &KeptFile| file.size_bytes.and_then(|size| u64::try_from(size).ok()).unwrap_or(0);
        let mut total: u64 = files.iter().map(size).sum();
        for file in files {
            // Most have no pieces: then nothing is removed.
            let is_left = file.size_bytes.is_none() && file.kept_at.micros() + GIVEN_UP_AFTER < now;
            let is_too_much = total > bound && file.size_bytes.is_some() && !needed.contains(&file.sha256);
            if is_left || is_too_much {
                self.remove(&file.sha256)?;
                total -= size(&file);
            }
        }
        Ok(())
    }

    /// Each piece is a transaction of its own that nobody waits for: a large file holds up no other write.
    fn write(&self, work: impl FnOnce(&Writer<'_>, i64) -> Result<(), StoreError>) -> io::Result<()> {
        self.0
            .concurrent_transaction::<_, StoreError>(&Caller::house(), |rows| {
                let rows = rows.derived();
                work(&Writer::derived(&rows)?, rows.now())
            })
            .map_err(io::Error::other)
    }
}
