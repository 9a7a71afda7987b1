//! Adds the rows of one part to groups: maps the keys of each row to one number, sums in dense arrays indexed by that number, then adds
//! the results to the groups.

use super::digits::{Digits, KeyCodes, digits, number};
use super::distinct::{add_distinct, add_extremes};
use super::groups::{Groups, TooLong, widen};
use super::pack::{Codes, Integers, NULL, Numbers, Places};
use super::part::{AggregateRequest, Part, RowSelection};
use super::scratch::{ScratchBuffers, fill};

/// The running totals of one group within a part.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Cell {
    sum: i64,
    count: u32,
    /// Any row of the group.
    row: u32,
}

/// Adds the chosen rows of a part. The part must have every requested column.
pub(super) fn add(
    part: &Part,
    chosen: &RowSelection,
    wanted: &AggregateRequest,
    groups: &mut Groups,
    room: &mut ScratchBuffers,
) -> Result<(), TooLong> {
    if chosen.count(part.rows) == 0 {
        return Ok(());
    }
    let empty = Codes { palette: vec![NULL], places: Places::Same };
    let keys: Vec<KeyCodes<'_>> = wanted.keys.iter().map(|key| KeyCodes::of(part, key, &empty)).collect();
    let codes: Vec<&Codes> = keys.iter().map(|key| &*key.codes).collect();
    let digits: Vec<Digits> = wanted
        .keys
        .iter()
        .zip(&keys)
        .enumerate()
        .map(|(place, (key, of))| digits(place, key, &of.codes, of.texts, groups))
        .collect();
    let ScratchBuffers { numbers, cells, others, group_of, weights, present: room_of_present, seen } = room;
    let size = number(part, chosen, &codes, &digits, numbers);
    let cells = fill(cells, size, Cell::default());
    let first =
        wanted.sums.first().and_then(|slot| part.numbers(*slot)).filter(|numbers| fits(numbers, part.rows));
    match first.map(|numbers| &numbers.values) {
        None | Some(Integers::Same(_) | Integers::Wide(_)) if size == 1 && *chosen == RowSelection::All => {
            let count = u32::try_from(part.rows).unwrap_or(u32::MAX);
            cells[0] = Cell { count, ..Cell::default() };
        }
        None | Some(Integers::Same(_) | Integers::Wide(_)) => {
            counted(numbers, chosen, cells);
        }
        Some(Integers::Byte(values)) => fused(numbers, chosen, values, cells),
        Some(Integers::Short(values)) => fused(numbers, chosen, values, cells),
        Some(Integers::Int(values)) => fused(numbers, chosen, values, cells),
        Some(Integers::Long(values)) => fused(numbers, chosen, values, cells),
    }
    let (numbers, cells) = (&*numbers, &*cells);
    // The global group of each number.
    let mut ids = vec![0; wanted.keys.len()];
    group_of.clear();
    group_of.extend(cells.iter().map(|cell| {
        if cell.count == 0 {
            return u32::MAX;
        }
        let row = widen(cell.row);
        for ((id, codes), digits) in ids.iter_mut().zip(&codes).zip(&digits) {
            *id = digits.id(codes.place(row));
        }
        u32::try_from(groups.find(&ids)).unwrap_or(u32::MAX)
    }));
    let group_of = &*group_of;
    let met = || group_of.iter().enumerate().filter(|(_, group)| **group != u32::MAX);
    let weights = part.weights().map(|of| summed(numbers, chosen, of, size, weights));
    for (number, group) in met() {
        groups.counts[widen(*group)] +=
            weights.as_ref().map_or(cells[number].count.into(), |weights| weights[number]);
    }
    for (place, slot) in wanted.sums.iter().enumerate() {
        let Some(column) = part.numbers(*slot) else { continue };
        let present =
            column.present.as_ref().map(|present| summed(numbers, chosen, present, size, room_of_present));
        let present_in = |number: usize| match (present, weights) {
            (Some(present), _) => present[number],
            (None, Some(weights)) => weights[number],
            (None, None) => cells[number].count.into(),
        };
        let sums = &mut groups.sums[place];
        let factor = sums.align(column.scale)?;
        if place == 0 && first.is_some() && !matches!(column.values, Integers::Same(_)) {
            for (number, group) in met() {
                sums.add(widen(*group), cells[number].sum.into(), factor, present_in(number))?;
            }
            continue;
        }
        let totals = totals(numbers, chosen, column, cells, part.rows, others);
        for (number, group) in met() {
            sums.add(widen(*group), totals[number].ok_or(TooLong)?, factor, present_in(number))?;
        }
    }
    for (slots, distinct) in wanted.distinct.iter().zip(&mut groups.distinct) {
        add_distinct(part, chosen, slots, numbers, group_of, distinct, seen);
    }
    for (slot, extremes) in wanted.extremes.iter().zip(&mut groups.extremes) {
        let Some(codes) = part.codes(*slot) else { continue };
        add_extremes(codes, chosen, numbers, group_of, extremes);
    }
    Ok(())
}

/// Whether the sum of this many of the numbers fits 64 bits.
pub(super) fn fits(numbers: &Numbers, rows: usize) -> bool {
    numbers.largest.saturating_mul(rows as u128) <= i64::MAX.unsigned_abs().into()
}

/// Counts rows, sums a column and remembers one row per group, in one pass.
fn fused<T: Copy + Into<i64>>(numbers: &[u32], chosen: &RowSelection, values: &[T], cells: &mut [Cell]) {
    match chosen {
        RowSelection::All => {
            for (row, (number, value)) in (0u32..).zip(numbers.iter().zip(values)) {
                let cell = &mut cells[widen(*number)];
                cell.sum += (*value).into();
                cell.count += 1;
                cell.row = row;
            }
        }
        RowSelection::Rows(rows) => {
            for (number, row) in numbers.iter().zip(rows) {
                let cell = &mut cells[widen(*number)];
                cell.sum += values[widen(*row)].into();
                cell.count += 1;
                cell.row = *row;
            }
        }
    }
}

/// Counts rows as [`fused`] does, without a column to sum.
fn counted(numbers: &[u32], chosen: &RowSelection, cells: &mut [Cell]) {
    let mut count = |number: u32, row: u32| {
        let cell = &mut cells[widen(number)];
        cell.count += 1;
        cell.row = row;
    };
    match chosen {
        RowSelection::All => numbers.iter().zip(0u32..).for_each(|(number, row)| count(*number, row)),
        RowSelection::Rows(rows) => numbers.iter().zip(rows).for_each(|(number, row)| count(*number, *row)),
    }
}

/// Sums the row weights by number.
fn summed<'r>(
    numbers: &[u32],
    chosen: &RowSelection,
    counts: &[u32],
    size: usize,
    room: &'r mut Vec<u64>,
) -> &'r [u64] {
    let sums = fill(room, size, 0);
    match chosen {
        RowSelection::All => {
            for (number, count) in numbers.iter().zip(counts) {
                sums[widen(*number)] += u64::from(*count);
            }
        }
        RowSelection::Rows(rows) => {
            for (number, row) in numbers.iter().zip(rows) {
                sums[widen(*number)] += u64::from(counts[widen(*row)]);
            }
        }
    }
    sums
}

/// The sums of a column by number; `None` if one exceeds 128 bits.
fn totals(
    numbers: &[u32],
    chosen: &RowSelection,
    column: &Numbers,
    cells: &[Cell],
    rows: usize,
    room: &mut Vec<Cell>,
) -> Vec<Option<i128>> {
    let sums = fill(room, cells.len(), Cell::default());
    match &column.values {
        Integers::Same(value) => {
            return cells.iter().map(|cell| value.checked_mul(cell.count.into())).collect();
        }
        Integers::Byte(values) => fused(numbers, chosen, values, sums),
        Integers::Short(values) => fused(numbers, chosen, values, sums),
        Integers::Int(values) if fits(column, rows) => fused(numbers, chosen, values, sums),
        Integers::Long(values) if fits(column, rows) => fused(numbers, chosen, values, sums),
        other => {
            let mut sums = vec![Some(0i128); cells.len()];
            for (place, number) in numbers.iter().enumerate() {
                let row = match chosen {
                    RowSelection::All => place,
                    RowSelection::Rows(rows) => widen(rows[place]),
                };
                let sum = &mut sums[widen(*number)];
                *sum = sum.and_then(|sum| sum.checked_add(other.get(row)));
            }
            return sums;
        }
    }
    sums.iter().map(|cell| Some(i128::from(cell.sum))).collect()
}
