//! Builds segments for rows that have none, in the transaction that wrote them.

use super::cubes;
use super::index::{self, Entry, Index, fresh_id};
use super::layout::{Layout, ROWS, Slot, SlotKind};
use super::read::{BLOCK, Coder, blocks};
use rusqlite::{Connection, OptionalExtension as _};
use std::collections::HashMap;

/// Maximum number of distinct values of a dimension, and of their bytes together: more are not worth a dictionary.
const MOST_VALUES: usize = 1 << 19;
const MOST_BYTES: usize = 24 * 1024 * 1024;
/// Number of segments built in one renewal step: other writers wait meanwhile.
const STEP: usize = 2;
/// Up to this number of rows after the last segment is read from the table fast enough.
pub(super) const LITTLE: u64 = if cfg!(test) { 8 } else { 1 << 11 };
/// A neighbouring segment with fewer rows is rebuilt together with the one that must be rebuilt.
const SMALL: usize = BLOCK / 2;

/// Updates the segments and cubes of a table to its rows.
pub(super) fn refresh(connection: &Connection, layout: &Layout<'_>) -> rusqlite::Result<()> {
    if index::epoch(connection, layout)?.is_none() {
        clear(connection, layout)?;
    }
    let before = index::read(connection, layout)?;
    let ranges = ranges(&before, connection, layout)?;
    make(connection, layout, &before, &ranges)
}

/// Whether [`renew`] would find something to do.
pub(super) fn is_due(connection: &Connection, layout: &Layout<'_>) -> rusqlite::Result<bool> {
    if index::epoch(connection, layout)?.is_none() {
        return Ok(loose_rows(connection, layout)?.0 > 0);
    }
    Ok(due(&index::read(connection, layout)?, connection, layout)?.is_some())
}

/// Performs one short step of an update. Returns whether anything was due.
pub(super) fn renew(connection: &Connection, layout: &Layout<'_>) -> rusqlite::Result<bool> {
    if index::epoch(connection, layout)?.is_none() {
        clear(connection, layout)?;
    }
    let before = index::read(connection, layout)?;
    let Some(range) = due(&before, connection, layout)? else { return Ok(false) };
    make(connection, layout, &before, &[range])?;
    Ok(true)
}

/// The first range of rows that needs segments, limited to one step.
fn due(index: &Index, connection: &Connection, layout: &Layout<'_>) -> rusqlite::Result<Option<(i64, i64)>> {
    let is_stale = |range: &(i64, i64)| {
        index.segments.iter().any(|segment| segment.stale && segment.is_within(range.0, range.1))
    };
    let (behind, _) = loose_rows(connection, layout)?;
    let ranges = ranges(index, connection, layout)?;
    let Some((first, last)) = ranges.into_iter().find(|range| is_stale(range) || behind > LITTLE) else {
        return Ok(None);
    };
    let within = index.segments.iter().filter(|segment| segment.is_within(first, last));
    let sql = format!(
        "SELECT rowid FROM \"{}\" WHERE rowid BETWEEN ?1 AND ?2 ORDER BY rowid LIMIT 1 OFFSET ?3",
        layout.table.name
    );
    let end: Option<i64> = connection
        .prepare_cached(&sql)?
        .query_row((first, last, STEP * BLOCK - 1), |row| row.get(0))
        .optional()?;
    // A segment can only be rebuilt as a whole.
    let end =
        end.map(|end| within.map(|segment| segment.last).filter(|last| *last >= end).min().unwrap_or(end));
    Ok(Some((first, end.unwrap_or(last))))
}

/// Builds segments for the rows of `ranges`, and the cubes that cover them.
fn make(
    connection: &Connection,
    layout: &Layout<'_>,
    before: &Index,
    ranges: &[(i64, i64)],
) -> rusqlite::Result<()> {
    if ranges.is_empty() {
        return Ok(());
    }
    let mut values = Values::read(connection, layout)?;
    let wanted = vec![true; layout.slots()];
    for range in ranges {
        for entry in before.segments.iter().filter(|entry| entry.is_within(range.0, range.1)) {
            index::remove(connection, layout, entry)?;
        }
        blocks(connection, layout, &wanted, *range, &mut values, &mut |block| {
            let entry = Entry {
                grain: ROWS,
                first: block.first,
                last: block.last,
                id: fresh_id(),
                rows: block.rows,
                earliest: block.earliest,
                latest: block.latest,
                exact: true,
                stale: false,
            };
            for (slot, column) in block.columns.iter().enumerate() {
                if let Some(column) = column {
                    index::write_column(connection, layout, entry.column(slot), column)?;
                }
            }
            index::write(connection, layout, &entry)
        })?;
    }
    drop(values);
    cubes::refresh(connection, layout, ranges)
}

/// Deletes all segments, cubes and dictionaries of the table. Cached data becomes invalid with its epoch.
pub(super) fn clear(connection: &Connection, layout: &Layout<'_>) -> rusqlite::Result<()> {
    for part in ["layout", "segments", "columns", "values"] {
        connection.execute(&format!("DELETE FROM {}", layout.name(part)), [])?;
    }
    let sql = format!("INSERT INTO {} (\"words\", \"epoch\") VALUES (?1, ?2)", layout.name("layout"));
    connection.execute(&sql, (layout.signature(), fresh_id()))?;
    Ok(())
}

/// Ranges of rows to build segments for. Every row without a valid segment is in one of them.
fn ranges(index: &Index, connection: &Connection, layout: &Layout<'_>) -> rusqlite::Result<Vec<(i64, i64)>> {
    let segments = &index.segments;
    let loose = index.loose(connection, layout)?;
    let has_tail = loose.last().is_some_and(|(_, last, _)| *last == i64::MAX);
    let mut anew: Vec<bool> = segments.iter().map(|segment| segment.stale).collect();
    for place in (0..segments.len()).rev() {
        let next = anew.get(place + 1).copied().unwrap_or(has_tail);
        anew[place] |= next && segments[place].rows < SMALL;
    }
    for place in 1..segments.len() {
        anew[place] |= anew[place - 1] && segments[place].rows < SMALL;
    }
    let mut ranges: Vec<(i64, i64)> = Vec::new();
    let mut is_open = false;
    for (segment, anew) in segments.iter().zip(&anew) {
        match ranges.last_mut().filter(|_| is_open && *anew) {
            Some(range) => range.1 = segment.last,
            None if *anew => ranges.push((segment.first, segment.last)),
            None => {}
        }
        is_open = *anew;
    }
    if has_tail {
        match ranges.last_mut().filter(|_| is_open) {
            Some(range) => range.1 = i64::MAX,
            None => {
                ranges.push((segments.last().map_or(i64::MIN, |last| last.last.saturating_add(1)), i64::MAX));
            }
        }
    }
    Ok(ranges)
}

/// The dictionaries of a table during a build.
struct Values<'a> {
    connection: &'a Connection,
    insert: String,
    of: Vec<Of>,
}

#[derive(Default)]
struct Of {
    codes: HashMap<Box<[u8]>, i64, foldhash::fast::RandomState>,
    bytes: usize,
}

impl<'a> Values<'a> {
    fn read(connection: &'a Connection, layout: &Layout<'_>) -> rusqlite::Result<Self> {
        let mut of: Vec<Of> = (0..layout.dimensions()).map(|_| Of::default()).collect();
        let sql = format!("SELECT \"slot\", \"code\", \"value\" FROM {}", layout.name("values"));
        let mut statement = connection.prepare_cached(&sql)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let (slot, code): (Slot, i64) = (row.get(0)?, row.get(1)?);
            let value = row.get_ref(2)?.as_blob().unwrap_or_default();
            if let Some(of) = of.get_mut(slot).filter(|_| layout.storage(slot) == SlotKind::Value) {
                of.bytes += value.len();
                of.codes.insert(value.into(), code);
            }
        }
        let insert = format!(
            "INSERT INTO {} (\"slot\", \"code\", \"value\") VALUES (?1, ?2, ?3)",
            layout.name("values")
        );
        Ok(Self { connection, insert, of })
    }
}

impl Coder for Values<'_> {
    fn code(&mut self, slot: Slot, value: &[u8]) -> rusqlite::Result<Option<i64>> {
        let of = &mut self.of[slot];
        if let Some(code) = of.codes.get(value) {
            return Ok(Some(*code));
        }
        if of.codes.len() >= MOST_VALUES || of.bytes + value.len() > MOST_BYTES {
            return Ok(None);
        }
        let code = i64::try_from(of.codes.len() + 1).unwrap_or(i64::MAX);
        self.connection.prepare_cached(&self.insert)?.execute((slot, code, value))?;
        of.bytes += value.len();
        of.codes.insert(value.into(), code);
        Ok(Some(code))
    }
}

/// Upper bounds for the number of rows after the last segment, and of rows in stale segments.
pub(super) fn loose_rows(connection: &Connection, layout: &Layout<'_>) -> rusqlite::Result<(u64, u64)> {
    let segments = layout.name("segments");
    let sql = format!(
        "SELECT max(coalesce((SELECT max(rowid) FROM \"{0}\"), 0) \
         - coalesce((SELECT max(\"last_row\") FROM {segments} WHERE \"grain\" = {ROWS}), 0), 0), \
         (SELECT coalesce(sum(\"rows\"), 0) FROM {segments} WHERE \"grain\" = {ROWS} AND \"stale\")",
        layout.table.name
    );
    connection.prepare_cached(&sql)?.query_row([], |row| Ok((row.get(0)?, row.get(1)?)))
}
