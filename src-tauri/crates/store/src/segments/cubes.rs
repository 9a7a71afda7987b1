//! Cubes: precomputed sums of the rows of segments by time and columns, in parts of several segments each.

use super::add::add;
use super::groups::{Groups, widen};
use super::index::{self, Entry, fresh_id};
use super::layout::{Layout, Slot, SlotKind, TIME};
use super::pack::{Codes, Column, NULL, Numbers};
use super::part::{AggregateRequest, Cut, Key, Part, RowSelection};
use super::read::alias;
use super::scratch::ScratchBuffers;
use crate::query::TimeUnit;
use crate::values::calendar::start_of;
use catalogue::{Cube, Every};
use rusqlite::Connection;
use std::sync::Arc;

/// Number of segments covered by a part.
const SEGMENTS: usize = 16;
/// Maximum number of distinct values of a dimension in a part.
const MOST_VALUES: usize = 4096;
/// Maximum size of a part: one row per this many rows of the table, and an absolute number of rows.
const WORTH_IT: usize = 4;
const MOST_ROWS: usize = 1 << 19;

/// The time unit of a cube.
pub(super) fn unit(cube: &Cube) -> TimeUnit {
    match cube.every {
        Every::Day => TimeUnit::Day,
        Every::Month => TimeUnit::Month,
    }
}

/// Builds the missing parts of all cubes, after the segments of `ranges` were rebuilt.
pub(super) fn refresh(
    connection: &Connection,
    layout: &Layout<'_>,
    ranges: &[(i64, i64)],
) -> rusqlite::Result<()> {
    let index = index::read(connection, layout)?;
    for (grain, cube) in (1..).zip(&layout.segments.cubes) {
        let mut parts = Vec::new();
        for part in index.cubes.iter().filter(|part| part.grain == grain) {
            if ranges.iter().any(|(first, last)| part.first <= *last && part.last >= *first) {
                index::remove(connection, layout, part)?;
            } else {
                parts.push(part);
            }
        }
        let of = |segment: &Entry| parts.iter().position(|part| segment.is_within(part.first, part.last));
        let mut open: Vec<&Entry> = Vec::new();
        // Segments of the part just before the open ones. A small part is rebuilt together with them.
        let mut before: Vec<&Entry> = Vec::new();
        for segment in &index.segments {
            let Some(part) = of(segment) else {
                if open.is_empty() && before.len() < SEGMENTS / 2 && !before.is_empty() {
                    if let Some(part) = of(before[0]) {
                        index::remove(connection, layout, parts[part])?;
                    }
                    open.append(&mut before);
                }
                open.push(segment);
                if open.len() == SEGMENTS {
                    make(connection, layout, (grain, cube), &std::mem::take(&mut open))?;
                    before.clear();
                }
                continue;
            };
            if !open.is_empty() {
                make(connection, layout, (grain, cube), &std::mem::take(&mut open))?;
            }
            if before.first().is_some_and(|first| of(first) != Some(part)) {
                before.clear();
            }
            before.push(segment);
        }
        if !open.is_empty() {
            make(connection, layout, (grain, cube), &open)?;
        }
    }
    Ok(())
}

/// Builds the part of a cube that covers these segments.
fn make(
    connection: &Connection,
    layout: &Layout<'_>,
    (grain, cube): (i64, &Cube),
    segments: &[&Entry],
) -> rusqlite::Result<()> {
    let (Some(first), Some(last)) = (segments.first(), segments.last()) else { return Ok(()) };
    let mut entry = Entry {
        grain,
        first: first.first,
        last: last.last,
        id: 0,
        rows: 0,
        earliest: segments.iter().filter_map(|segment| segment.earliest).min(),
        latest: segments.iter().filter_map(|segment| segment.latest).max(),
        exact: true,
        stale: false,
    };
    if let Some((columns, rows, exact)) = sums(connection, layout, cube, segments)? {
        entry = Entry { id: fresh_id(), rows, exact, ..entry };
        for (slot, column) in &columns {
            index::write_column(connection, layout, entry.column(*slot), column)?;
        }
    }
    index::write(connection, layout, &entry)
}

/// Columns by slot, their number of rows, and whether their times are those of the table's rows.
type Sums = (Vec<(Slot, Column)>, usize, bool);

/// The sums of a part; `None` if the part is not worth storing.
fn sums(
    connection: &Connection,
    layout: &Layout<'_>,
    cube: &Cube,
    segments: &[&Entry],
) -> rusqlite::Result<Option<Sums>> {
    let unit = unit(cube);
    let slots = layout.cube_slots(cube);
    let sum_slots: Vec<Slot> = (layout.dimensions()..layout.weight()).collect();
    let key = |slot: &Slot| Key {
        slot: *slot,
        storage: layout.storage(*slot),
        cut: if *slot == TIME { Cut::Start(unit) } else { Cut::Whole },
        fallback: None,
    };
    let wanted = AggregateRequest {
        keys: slots.iter().map(key).collect(),
        sums: sum_slots.clone(),
        ..AggregateRequest::default()
    };
    let sizes: Vec<(Option<u32>, bool)> =
        wanted.keys.iter().map(|key| (None, key.storage == SlotKind::Number)).collect();
    let mut groups = Groups::new(&sizes, sum_slots.len(), Vec::new(), Vec::new());
    let mut room = ScratchBuffers::default();
    let mut has_sum = vec![true; sum_slots.len()];
    let (mut exact, mut rows) = (true, 0);
    for segment in segments {
        let mut columns: Vec<Option<Arc<Column>>> = (0..layout.slots()).map(|_| None).collect();
        for slot in slots.iter().chain(&sum_slots) {
            let column = index::read_column(connection, layout, segment.column(*slot), segment.rows)?;
            columns[*slot] = column.map(Arc::new);
        }
        let part = Part { rows: segment.rows, columns, weights: None };
        let is_broad = |slot: &Slot| {
            part.codes(*slot).is_none_or(|codes| *slot != TIME && codes.palette.len() > MOST_VALUES)
        };
        if slots.iter().any(is_broad) {
            return Ok(None);
        }
        for (has, slot) in has_sum.iter_mut().zip(&sum_slots) {
            *has &= part.numbers(*slot).is_some();
        }
        exact &= part.codes(TIME).is_some_and(|times| {
            times.palette.iter().all(|time| *time == NULL || start_of(*time, unit) == *time)
        });
        if add(&part, &RowSelection::All, &wanted, &mut groups, &mut room).is_err() {
            return Ok(None);
        }
        rows += segment.rows;
        if groups.len() > MOST_ROWS {
            return Ok(None);
        }
    }
    if groups.len() > 256 && groups.len() * WORTH_IT > rows {
        return Ok(None);
    }
    let columns = columns(layout, &wanted, &groups, &has_sum);
    Ok(Some((columns, groups.len(), exact)))
}

fn columns(
    layout: &Layout<'_>,
    wanted: &AggregateRequest,
    groups: &Groups,
    has_sum: &[bool],
) -> Vec<(Slot, Column)> {
    let value = |group: usize, key: usize| {
        let id = groups.id(group, key);
        match &groups.numbers[key] {
            Some(numbered) => numbered.values[widen(id)],
            None if id == 0 => NULL,
            None => id.into(),
        }
    };
    // Sorted by time first, because queries mostly ask for a range of time.
    let mut order: Vec<usize> = (0..groups.len()).collect();
    order
        .sort_by_cached_key(|group| (0..wanted.keys.len()).map(|key| value(*group, key)).collect::<Vec<_>>());
    let mut by_slot: Vec<Option<Column>> = (0..layout.slots()).map(|_| None).collect();
    for (key, of) in wanted.keys.iter().enumerate() {
        let values: Vec<i64> = order.iter().map(|group| value(*group, key)).collect();
        by_slot[of.slot] = Some(Column::Codes(Codes::of(&values)));
    }
    let narrow = |count: u64| u32::try_from(count).unwrap_or(u32::MAX);
    let weights: Vec<u32> = order.iter().map(|group| narrow(groups.counts[*group])).collect();
    for ((slot, sums), _) in wanted.sums.iter().zip(&groups.sums).zip(has_sum).filter(|(_, has)| **has) {
        let totals: Vec<i128> = order.iter().map(|group| sums.totals[*group]).collect();
        let present: Vec<u32> = order.iter().map(|group| narrow(sums.present[*group])).collect();
        let present = (present != weights).then_some(present);
        by_slot[*slot] = Some(Column::Numbers(Numbers::of(&totals, sums.scale, present)));
    }
    alias(&mut by_slot, layout.dimensions());
    by_slot[layout.weight()] = Some(Column::Weights(weights));
    by_slot.into_iter().enumerate().filter_map(|(slot, column)| Some((slot, column?))).collect()
}
