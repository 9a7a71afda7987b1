//! The index of segments and cubes, and of the rows that no segment covers.

use super::layout::{Layout, ROWS, SLOT_BITS, Slot};
use super::pack::Column;
use rusqlite::{Connection, OptionalExtension as _};

/// A segment, or a part of a cube.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    /// [`ROWS`], or the number of the cube, from 1.
    pub grain: i64,
    /// First and last row id that it covers.
    pub first: i64,
    pub last: i64,
    /// The base of its column ids; 0 for a cube that would not be smaller than the rows.
    pub id: i64,
    pub rows: usize,
    pub earliest: Option<i64>,
    pub latest: Option<i64>,
    /// Whether its times are exactly those of the rows.
    pub exact: bool,
    pub stale: bool,
}

/// All segments and cubes of a table.
#[derive(Debug, Default)]
pub(super) struct Index {
    /// Segments of rows, in row order.
    pub segments: Vec<Entry>,
    pub cubes: Vec<Entry>,
}

impl Entry {
    pub fn column(&self, slot: Slot) -> i64 {
        self.id | i64::try_from(slot).unwrap_or_default()
    }

    pub fn is_within(&self, first: i64, last: i64) -> bool {
        self.first >= first && self.last <= last
    }
}

/// A new id for a segment. Ids are never reused, therefore data cached under them never becomes outdated.
pub(super) fn fresh_id() -> i64 {
    let (random, _) = uuid::Uuid::new_v4().as_u64_pair();
    // Positive, with free low bits for the slot.
    i64::try_from(random >> 1 >> SLOT_BITS << SLOT_BITS).unwrap_or_default().max(1 << SLOT_BITS)
}

/// The epoch of the table's dictionaries; `None` if its segments were built with another layout.
pub(super) fn epoch(connection: &Connection, layout: &Layout<'_>) -> rusqlite::Result<Option<i64>> {
    let sql = format!("SELECT \"epoch\" FROM {} WHERE \"words\" = ?1", layout.name("layout"));
    connection.prepare_cached(&sql)?.query_row([layout.signature()], |row| row.get(0)).optional()
}

pub(super) fn read(connection: &Connection, layout: &Layout<'_>) -> rusqlite::Result<Index> {
    let sql = format!(
        "SELECT \"grain\", \"first_row\", \"last_row\", \"id\", \"rows\", \"earliest\", \"latest\", \"exact\", \"stale\" \
         FROM {} ORDER BY \"grain\", \"first_row\"",
        layout.name("segments")
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let entries = statement.query_map([], |row| {
        Ok(Entry {
            grain: row.get(0)?,
            first: row.get(1)?,
            last: row.get(2)?,
            id: row.get(3)?,
            rows: row.get(4)?,
            earliest: row.get(5)?,
            latest: row.get(6)?,
            exact: row.get(7)?,
            stale: row.get(8)?,
        })
    })?;
    let mut index = Index::default();
    for entry in entries {
        let entry = entry?;
        if entry.grain == ROWS { index.segments.push(entry) } else { index.cubes.push(entry) }
    }
    Ok(index)
}

pub(super) fn write(connection: &Connection, layout: &Layout<'_>, entry: &Entry) -> rusqlite::Result<()> {
    let sql = format!(
        "INSERT INTO {} (\"grain\", \"first_row\", \"last_row\", \"id\", \"rows\", \"earliest\", \"latest\", \"exact\") \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        layout.name("segments")
    );
    connection.prepare_cached(&sql)?.execute((
        entry.grain,
        entry.first,
        entry.last,
        entry.id,
        entry.rows,
        entry.earliest,
        entry.latest,
        entry.exact,
    ))?;
    Ok(())
}

/// Deletes an entry with its columns.
pub(super) fn remove(connection: &Connection, layout: &Layout<'_>, entry: &Entry) -> rusqlite::Result<()> {
    let sql = format!("DELETE FROM {} WHERE \"grain\" = ?1 AND \"first_row\" = ?2", layout.name("segments"));
    connection.prepare_cached(&sql)?.execute((entry.grain, entry.first))?;
    let sql = format!("DELETE FROM {} WHERE \"id\" BETWEEN ?1 AND ?2", layout.name("columns"));
    connection.prepare_cached(&sql)?.execute((entry.id, entry.id | ((1 << SLOT_BITS) - 1)))?;
    Ok(())
}

pub(super) fn write_column(
    connection: &Connection,
    layout: &Layout<'_>,
    id: i64,
    column: &Column,
) -> rusqlite::Result<()> {
    let sql = format!("INSERT INTO {} (\"id\", \"data\") VALUES (?1, ?2)", layout.name("columns"));
    connection.prepare_cached(&sql)?.execute((id, column.pack()))?;
    Ok(())
}

/// A column of `rows` rows; `None` if the segment does not have it. A damaged column is logged and treated as absent.
pub(super) fn read_column(
    connection: &Connection,
    layout: &Layout<'_>,
    id: i64,
    rows: usize,
) -> rusqlite::Result<Option<Column>> {
    let sql = format!("SELECT \"data\" FROM {} WHERE \"id\" = ?1", layout.name("columns"));
    let mut statement = connection.prepare_cached(&sql)?;
    let mut cursor = statement.query([id])?;
    let Some(row) = cursor.next()? else { return Ok(None) };
    let read = Column::unpack(row.get_ref(0)?.as_blob().unwrap_or_default(), rows);
    if read.is_err() {
        tracing::error!(
            "a column of the segments of `{}` cannot be read; rows answer instead, and `doctor --repair` makes it anew",
            layout.table.name
        );
    }
    Ok(read.ok())
}

impl Index {
    /// The last row covered by a valid segment. Rows without a segment come after it, or are within stale segments.
    fn watermark(&self) -> i64 {
        self.segments
            .iter()
            .filter(|segment| !segment.stale)
            .map(|segment| segment.last)
            .max()
            .unwrap_or(i64::MIN)
    }

    /// Ranges of rows that no segment covers, with an upper bound for their number of rows.
    pub fn loose(
        &self,
        connection: &Connection,
        layout: &Layout<'_>,
    ) -> rusqlite::Result<Vec<(i64, i64, u64)>> {
        let watermark = self.watermark();
        let mut ranges: Vec<(i64, i64, u64)> = self
            .segments
            .iter()
            .filter(|segment| segment.stale && segment.last < watermark)
            .map(|segment| (segment.first, segment.last, segment.rows as u64))
            .collect();
        let sql = format!("SELECT max(rowid) FROM \"{}\"", layout.table.name);
        let last: Option<i64> = connection.prepare_cached(&sql)?.query_row([], |row| row.get(0))?;
        if let Some(last) = last.filter(|last| *last > watermark) {
            let first = watermark.saturating_add(1);
            ranges.push((first, i64::MAX, last.abs_diff(first.max(0)) + 1));
        }
        Ok(ranges)
    }
}
