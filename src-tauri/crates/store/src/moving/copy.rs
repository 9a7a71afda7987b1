//! Copies the whole database file, and inspects copies.

use crate::driver::journal::drop_log;
use crate::driver::sqlite::{begin, connect_alone, connect_copy, copy_pages, has_only_its_log, store_error};
use crate::moving::{self, MoveError};
use crate::{Bounds, Store, StoreError, Transaction, schema, search, segments, shared};
use catalogue::{Caller, Catalogue};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::Path;
use std::time::Duration;

/// Number of bytes searched at a time.
const PIECE: usize = 1024 * 1024;
/// Bytes of the SQLite header that differ between a copy and its original: write and read version (18), change counter (24), schema
/// cookie, which copying increments (40), version-valid-for and SQLite version (92). SQLite's "Database File Format", 1.3.
const HEADER: usize = 100;
const OF_THE_FILE: [Range<usize>; 4] = [18..20, 24..28, 40..44, 92..100];

impl Store {
    /// Writes a consistent snapshot of the database to a new SQLite file, even if its rows are in PostgreSQL. Others can read and write
    /// meanwhile. Blocks the thread.
    pub fn copy_to(&self, path: &Path) -> Result<(), StoreError> {
        let Some(connections) = self.backend.sqlite() else {
            // The same rows as an SQLite file, which every installation can read.
            return moving::write(self, path, &mut |_| ()).map(drop).map_err(|error| match error {
                MoveError::Store(error) => error,
                error => StoreError::Database(Box::new(error)),
            });
        };
        connections.read(|connection, _| copy_pages(connection, path).map_err(store_error))
    }
}

/// Turns a database into a single file that nobody has open, so that it can be moved; waits up to `patience` for others to close it. A
/// process that has the database open while it is moved would write to the wrong file, and delete the write-ahead log of its replacement.
pub fn close_for_move(path: &Path, patience: Duration) -> Result<(), StoreError> {
    if has_only_its_log(path) {
        return Ok(());
    }
    drop_log(path, patience).map_err(store_error)
}

/// Reads the content of a database file without write-ahead log. Two files with equal content are copies of each other, with nothing
/// committed in between.
pub fn page_content(path: &Path) -> io::Result<impl Read + use<>> {
    let mut file = File::open(path)?;
    let mut header = Vec::with_capacity(HEADER);
    (&mut file).take(HEADER as u64).read_to_end(&mut header)?;
    for place in OF_THE_FILE {
        if let Some(bytes) = header.get_mut(place) {
            bytes.fill(0);
        }
    }
    Ok(Cursor::new(header).chain(file))
}

/// Removes data from a copied file: `remove` deletes rows and returns texts they contained. SQLite leaves old bytes in free space of pages
/// from which rows were moved or deleted, therefore the texts are overwritten wherever they occur. Blocks the thread.
pub fn redact_copy(
    path: &Path,
    catalogue: &Catalogue,
    remove: impl FnOnce(&Transaction<'_>) -> Result<Vec<String>, StoreError>,
) -> Result<(), StoreError> {
    let mut connection = connect_alone(path).map_err(store_error)?;
    let transaction = begin(&mut connection, false).map_err(store_error)?;
    let texts = remove(&Transaction::new(
        (&*transaction).into(),
        catalogue,
        &Caller::system(),
        0,
        Bounds::default(),
    ))?;
    transaction.commit().map_err(store_error)?;
    drop(connection);
    let overwritten = texts.iter().try_for_each(|text| overwrite(path, text.as_bytes()));
    overwritten.map_err(|fault| StoreError::Database(Box::new(fault)))
}

/// Overwrites every occurrence of these bytes in a file with zeros.
fn overwrite(path: &Path, sought: &[u8]) -> io::Result<()> {
    let mut file = File::options().read(true).write(true).open(path)?;
    let (mut piece, mut kept, mut at) = (vec![0; PIECE.max(2 * sought.len())], 0, 0);
    if sought.is_empty() {
        return Ok(());
    }
    loop {
        file.seek(SeekFrom::Start(at + kept as u64))?;
        let read = file.read(&mut piece[kept..])?;
        if read == 0 {
            return file.sync_all();
        }
        let seen = &piece[..kept + read];
        for (place, found) in seen.windows(sought.len()).enumerate() {
            // Nearly all positions are excluded by the first byte.
            if found[0] == sought[0] && found == sought {
                file.seek(SeekFrom::Start(at + place as u64))?;
                file.write_all(&vec![0; sought.len()])?;
            }
        }
        // An occurrence across the end of a piece starts in it.
        let next = seen.len() - (sought.len() - 1).min(seen.len());
        piece.copy_within(next..kept + read, 0);
        (kept, at) = (kept + read - next, at + next as u64);
    }
}

/// The content of a copied file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contents {
    /// Errors that SQLite finds in it; empty if it is intact.
    pub faults: Vec<String>,
    /// Row counts by table, without empty tables. Empty if the file is damaged.
    pub rows: BTreeMap<String, u64>,
}

/// Reads a whole copied file without changing it. Blocks the thread.
pub fn inspect_copy(path: &Path, catalogue: &Catalogue) -> Result<Contents, StoreError> {
    let connection = connect_copy(path).map_err(store_error)?;
    let lines = |sql: &str| -> rusqlite::Result<Vec<String>> {
        connection.prepare(sql)?.query_map([], |row| row.get(0))?.collect()
    };
    let mut faults = lines("PRAGMA quick_check").map_err(store_error)?;
    faults.retain(|line| line != "ok");
    let mut rows = BTreeMap::new();
    if faults.is_empty() {
        let mut kept = segments::tables(catalogue);
        kept.extend(search::tables(catalogue));
        kept.extend(shared::tables(catalogue));
        kept.extend(schema::history_table());
        let tables = lines(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name",
        )
        .map_err(store_error)?;
        for table in tables.into_iter().filter(|table| {
            !kept.iter().any(|(name, _)| name == table) && !search::is_index_table(catalogue, table)
        }) {
            let quoted = table.replace('"', "\"\"");
            let count: i64 = connection
                .query_row(&format!("SELECT count(*) FROM \"{quoted}\""), [], |row| row.get(0))
                .map_err(store_error)?;
            if let Ok(count @ 1..) = u64::try_from(count) {
                rows.insert(table, count);
            }
        }
    }
    Ok(Contents { faults, rows })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_overwritten_wherever_they_stand_even_over_the_end_of_a_piece() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        for place in [0, 5, PIECE - 3, PIECE - 6, PIECE, 2 * PIECE - 4] {
            let mut bytes = vec![b'x'; 2 * PIECE + 2];
            bytes[place..place + 6].copy_from_slice(b"secret");
            std::fs::write(&path, &bytes).unwrap();
            overwrite(&path, b"secret").unwrap();
            bytes[place..place + 6].fill(0);
            assert!(std::fs::read(&path).unwrap() == bytes, "{place}");
        }
    }
}
