//! Compares segments with their rows, and rebuilds them.

use super::build;
use super::index::{self, Entry, Index};
use super::layout::{Layout, Slot, layouts};
use super::pack::{Column, NULL};
use super::part::Part;
use catalogue::{Catalogue, Decimal, DecimalSum};
use rusqlite::Connection;
use rusqlite::types::ValueRef;
use std::sync::Arc;

/// The segments of one table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SegmentReport {
    pub table: String,
    /// Rows covered by valid segments.
    pub rows: u64,
    pub segments: u64,
    pub cube_parts: u64,
    /// Rows without a valid segment; an upper bound.
    pub loose_rows: u64,
    /// Size in the file, in bytes, of segments, cubes and dictionaries together.
    pub bytes: u64,
    /// Descriptions of segments that differ from the rows.
    pub wrong: Vec<String>,
}

/// Compares the totals of every valid segment with those of its rows. Reads all rows once.
pub(crate) fn check(connection: &Connection, catalogue: &Catalogue) -> rusqlite::Result<Vec<SegmentReport>> {
    layouts(catalogue).map(|layout| check_table(connection, &layout)).collect()
}

/// Rebuilds all segments in the open transaction.
pub(crate) fn repair(connection: &Connection, catalogue: &Catalogue) -> rusqlite::Result<()> {
    for layout in layouts(catalogue) {
        build::clear(connection, &layout)?;
        build::refresh(connection, &layout)?;
    }
    Ok(())
}

fn check_table(connection: &Connection, layout: &Layout<'_>) -> rusqlite::Result<SegmentReport> {
    let mut kept = SegmentReport {
        table: layout.table.name.clone(),
        rows: 0,
        segments: 0,
        cube_parts: 0,
        loose_rows: 0,
        bytes: bytes(connection, layout)?,
        wrong: Vec::new(),
    };
    if index::epoch(connection, layout)?.is_none() {
        return Ok(kept);
    }
    let index = index::read(connection, layout)?;
    kept.loose_rows = index.loose(connection, layout)?.iter().map(|(_, _, rows)| rows).sum();
    for entry in index.segments.iter().filter(|entry| !entry.stale) {
        kept.rows += entry.rows as u64;
        kept.segments += 1;
        check_segment(connection, layout, entry, &mut kept.wrong)?;
    }
    for part in index.cubes.iter().filter(|part| part.id != 0) {
        kept.cube_parts += 1;
        check_part(connection, layout, &index, part, &mut kept.wrong)?;
    }
    Ok(kept)
}

fn bytes(connection: &Connection, layout: &Layout<'_>) -> rusqlite::Result<u64> {
    let sum = |part: &str, sql: &str| {
        connection.query_row(
            &format!("SELECT coalesce(sum({sql}), 0) FROM {}", layout.name(part)),
            [],
            |row| row.get::<_, u64>(0),
        )
    };
    Ok(sum("columns", "length(\"data\") + 12")?
        + sum("values", "length(\"value\") + 8")?
        + sum("segments", "48")?)
}

fn sum_slots(layout: &Layout<'_>) -> std::ops::Range<Slot> {
    layout.dimensions()..layout.weight()
}

fn whole(connection: &Connection, layout: &Layout<'_>, entry: &Entry) -> rusqlite::Result<Part> {
    let columns = (0..layout.weight())
        .map(|slot| Ok(index::read_column(connection, layout, entry.column(slot), entry.rows)?.map(Arc::new)))
        .collect::<rusqlite::Result<_>>()?;
    let weights = index::read_column(connection, layout, entry.column(layout.weight()), entry.rows)?;
    Ok(Part { rows: entry.rows, columns, weights: weights.map(Arc::new) })
}

/// The total of a slot; `None` if the part does not have the column.
fn total(part: &Part, slot: Slot) -> Option<String> {
    let numbers = part.numbers(slot)?;
    let mut sum = DecimalSum::new();
    for row in 0..part.rows {
        sum.add(Decimal::from_parts(numbers.values.get(row), numbers.scale)?);
    }
    Some(sum.to_string())
}

fn check_segment(
    connection: &Connection,
    layout: &Layout<'_>,
    entry: &Entry,
    wrong: &mut Vec<String>,
) -> rusqlite::Result<()> {
    let part = whole(connection, layout, entry)?;
    let place = format!("{}: rows {} to {}", layout.table.name, entry.first, entry.last);
    let figures: Vec<String> =
        sum_slots(layout).map(|slot| format!(", decimal_sum({})", layout.expression(slot))).collect();
    let time = &layout.table.column(layout.segments.time).name;
    let sql = format!(
        "SELECT count(*), min(\"{time}\"), max(\"{time}\"){} FROM \"{}\" WHERE rowid BETWEEN ?1 AND ?2",
        figures.concat(),
        layout.table.name
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query((entry.first, entry.last))?;
    let Some(row) = rows.next()? else { return Ok(()) };
    let count: usize = row.get(0)?;
    if count != entry.rows {
        wrong.push(format!("{place}: {} in the segment, {count} in the table", entry.rows));
    }
    let times = (row.get::<_, Option<i64>>(1)?, row.get::<_, Option<i64>>(2)?);
    let kept = part.codes(0).map(|codes| {
        let known = || codes.palette.iter().copied().filter(|time| *time != NULL);
        (known().min(), known().max())
    });
    if kept != Some(times) || (entry.earliest, entry.latest) != times {
        wrong.push(format!("{place}: the times differ"));
    }
    for (figure, slot) in (3..).zip(sum_slots(layout)) {
        let name = layout.describe_slot(slot);
        let found = match row.get_ref(figure)? {
            ValueRef::Text(text) => String::from_utf8_lossy(text).into_owned(),
            _ => "0".to_owned(),
        };
        if let Some(kept) = total(&part, slot).filter(|kept| *kept != found) {
            wrong.push(format!("{place}: {name} sums to {kept} in the segment, {found} in the table"));
        }
    }
    Ok(())
}

/// Compares a part of a cube with its segments.
fn check_part(
    connection: &Connection,
    layout: &Layout<'_>,
    index: &Index,
    entry: &Entry,
    wrong: &mut Vec<String>,
) -> rusqlite::Result<()> {
    let segments: Vec<&Entry> =
        index.segments.iter().filter(|segment| segment.is_within(entry.first, entry.last)).collect();
    if segments.iter().any(|segment| segment.stale) {
        return Ok(());
    }
    let part = whole(connection, layout, entry)?;
    let place =
        format!("{}: cube {}, rows {} to {}", layout.table.name, entry.grain, entry.first, entry.last);
    let weight: u64 = match part.weights.as_deref() {
        Some(Column::Weights(weights)) => weights.iter().map(|weight| u64::from(*weight)).sum(),
        _ => 0,
    };
    let rows: u64 = segments.iter().map(|segment| segment.rows as u64).sum();
    if weight != rows {
        wrong.push(format!("{place}: {weight} rows in the cube, {rows} in its segments"));
    }
    let read: Vec<Part> =
        segments.iter().map(|segment| whole(connection, layout, segment)).collect::<rusqlite::Result<_>>()?;
    for slot in sum_slots(layout).filter(|slot| part.numbers(*slot).is_some()) {
        let mut sum = DecimalSum::new();
        for segment in &read {
            let total = total(segment, slot).and_then(|total| Decimal::parse(&total).ok());
            let Some(total) = total else { return Ok(()) };
            sum.add(total);
        }
        let name = layout.describe_slot(slot);
        if let Some(kept) = total(&part, slot).filter(|kept| *kept != sum.to_string()) {
            wrong.push(format!("{place}: {name} sums to {kept} in the cube, {sum} in its segments"));
        }
    }
    Ok(())
}
