//! A copy of the whole database file, and what a copy holds.

use crate::StoreError;
use crate::driver::sqlite::{connect_copy, copy_pages, drop_log, has_only_its_log, store_error};
use crate::{Store, search, segments};
use catalogue::Catalogue;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Cursor, Read};
use std::ops::Range;
use std::path::Path;
use std::time::Duration;

/// Bytes of the header that a copy has otherwise than its original: how it is written (18), how often it was changed (24), the number of its schema,
/// which copying raises (40), and who changed it last (92). SQLite's "Database File Format", 1.3.
const HEADER: usize = 100;
const OF_THE_FILE: [Range<usize>; 4] = [18..20, 24..28, 40..44, 92..100];

impl Store {
    /// Writes the database as it is at one moment into a new file. Others go on reading and writing meanwhile. Blocks the thread.
    pub fn copy_to(&self, path: &Path) -> Result<(), StoreError> {
        self.connections.read(|connection, _| copy_pages(connection, path).map_err(store_error))
    }
}

/// Makes a database one file that nobody has open, so that it can be moved; waits so long for others to close it. Whoever has it open while it is
/// moved would write to the wrong place, and take away the log of the one that comes instead.
pub fn release(path: &Path, patience: Duration) -> Result<(), StoreError> {
    if has_only_its_log(path) {
        return Ok(());
    }
    drop_log(path, patience).map_err(store_error)
}

/// Reads a file without a log as what it holds: two that read the same are copies of each other, with nothing committed in between.
pub fn pages(path: &Path) -> io::Result<impl Read + use<>> {
    let mut file = File::open(path)?;
    let mut header = Vec::with_capacity(HEADER);
    file.by_ref().take(HEADER as u64).read_to_end(&mut header)?;
    for place in OF_THE_FILE {
        if let Some(bytes) = header.get_mut(place) {
            bytes.fill(0);
        }
    }
    Ok(Cursor::new(header).chain(file))
}

/// What a copied file holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contents {
    /// What SQLite finds wrong with it; empty when it is sound.
    pub faults: Vec<String>,
    /// Rows by table; tables without any are left out. Empty when it is not sound.
    pub rows: BTreeMap<String, u64>,
}

/// Reads a copied file from end to end without changing it. Blocks the thread.
pub fn contents(path: &Path, catalogue: &Catalogue) -> Result<Contents, StoreError> {
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
        let tables = lines(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name",
        )
        .map_err(store_error)?;
        for table in tables
            .into_iter()
            .filter(|table| !kept.iter().any(|(name, _)| name == table) && !search::is_kept(catalogue, table))
        {
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
