//! Sums of many groups over many parts: one cell per key combination, added to the groups once at the end.
//!
//! If a part of 65,536 rows has tens of thousands of groups, looking up each group in every part takes longer than adding its rows. The
//! results are the same as those of [`super::add::add`], which handles parts that do not fit.

use super::add::fits;
use super::digits::{Digits, KeyCodes, digits, each};
use super::groups::{Groups, TooLong, widen};
use super::pack::{Codes, Integers, NULL, Numbers, Places};
use super::part::{AggregateRequest, Part, RowSelection, Rows};
use super::scratch::{ScratchBuffers, fill};
use std::borrow::Cow;

/// A part is considered to have many groups if more than one in this many of its rows could start one.
const ROWS_A_GROUP: usize = 16;
/// Number of rows processed at once, so that their numbers stay in the processor cache.
const AT_ONCE: usize = if cfg!(test) { 16 } else { 2048 };

/// Integer sums by key combination.
#[derive(Debug, Default)]
pub(super) struct Tally {
    /// The number of ids of each key.
    sizes: Vec<u32>,
    /// By combination: the first sum, and the row count.
    cells: Vec<[i64; 2]>,
    /// The other sums, by combination.
    others: Vec<Vec<i64>>,
    /// Digits after the point of each sum.
    scales: Vec<u8>,
    /// Upper bounds for the absolute values of the sums.
    reached: Vec<u128>,
    is_used: bool,
}

impl Tally {
    /// Adds the chosen rows of a part. Returns whether it did; a part that does not fit is left unchanged.
    pub fn add(
        &mut self,
        part: &Part,
        chosen: &RowSelection,
        wanted: &AggregateRequest,
        groups: &mut Groups,
        room: &mut ScratchBuffers,
    ) -> Result<bool, TooLong> {
        let rows = chosen.count(part.rows);
        let Some(sizes) = groups.sizes().filter(|_| part.weights.is_none() && wanted.is_sums_only()) else {
            return Ok(false);
        };
        let columns: Option<Vec<&Numbers>> = wanted
            .sums
            .iter()
            .map(|slot| part.numbers(*slot).filter(|numbers| suits(numbers, part.rows)))
            .collect();
        let Some(columns) = columns else { return Ok(false) };
        let empty = Codes { palette: vec![NULL], places: Places::Same };
        let keys: Vec<KeyCodes<'_>> = wanted.keys.iter().map(|key| KeyCodes::of(part, key, &empty)).collect();
        let sizes = sizes.to_vec();
        let digits: Vec<Digits> = wanted
            .keys
            .iter()
            .zip(&keys)
            .enumerate()
            .map(|(place, (key, of))| digits(place, key, &of.codes, of.texts, groups))
            .collect();
        let groups_of_part = digits.iter().map(|digits| digits.ids.len()).fold(1, usize::saturating_mul);
        // A key may have a value that was not expected.
        let is_known = |(digits, size): (&Digits, &u32)| digits.ids.iter().all(|id| id < size);
        if rows == 0 || groups_of_part < rows / ROWS_A_GROUP || !digits.iter().zip(&sizes).all(is_known) {
            return Ok(false);
        }
        let ids: Vec<Cow<'_, [u32]>> = digits.iter().map(Digits::ids_by_place).collect();
        self.prepare(&sizes, &columns, part.rows, groups)?;
        let numbers = fill(&mut room.numbers, rows.min(AT_ONCE), 0);
        for start in (0..rows).step_by(AT_ONCE) {
            let count = AT_ONCE.min(rows - start);
            let (numbers, of) = (&mut numbers[..count], chosen.block(start, count));
            numbers.fill(0);
            for ((key, ids), size) in keys.iter().zip(&ids).zip(&sizes) {
                match &key.codes.places {
                    Places::Same => numbers.iter_mut().for_each(|number| *number = *number * size + ids[0]),
                    Places::Narrow(places) => {
                        each(numbers, of, places, |number, place| number * size + ids[usize::from(place)]);
                    }
                    Places::Wide(places) => {
                        each(numbers, of, places, |number, place| number * size + ids[usize::from(place)]);
                    }
                }
            }
            let cells = &mut self.cells;
            match columns.first().map(|numbers| &numbers.values) {
                None | Some(Integers::Same(_) | Integers::Wide(_)) => {
                    for number in &*numbers {
                        cells[widen(*number)][1] += 1;
                    }
                }
                Some(Integers::Byte(values)) => counted(numbers, of, values, cells),
                Some(Integers::Short(values)) => counted(numbers, of, values, cells),
                Some(Integers::Int(values)) => counted(numbers, of, values, cells),
                Some(Integers::Long(values)) => counted(numbers, of, values, cells),
            }
            for (column, sums) in columns.iter().skip(1).zip(&mut self.others) {
                match &column.values {
                    Integers::Same(_) | Integers::Wide(_) => {}
                    Integers::Byte(values) => summed(numbers, of, values, sums),
                    Integers::Short(values) => summed(numbers, of, values, sums),
                    Integers::Int(values) => summed(numbers, of, values, sums),
                    Integers::Long(values) => summed(numbers, of, values, sums),
                }
            }
        }
        Ok(true)
    }

    /// Allocates memory. Hands over the current sums if numbers like these could overflow them or have another scale.
    fn prepare(
        &mut self,
        sizes: &[u32],
        columns: &[&Numbers],
        rows: usize,
        groups: &mut Groups,
    ) -> Result<(), TooLong> {
        let most = |column: &&Numbers| column.largest.saturating_mul(rows as u128);
        let overflows = |(reached, column): (&u128, &&Numbers)| {
            reached.saturating_add(most(column)) > i64::MAX.unsigned_abs().into()
        };
        let unlike = |(scale, column): (&u8, &&Numbers)| *scale != column.scale;
        if self.is_used
            && (self.reached.iter().zip(columns).any(overflows)
                || self.scales.iter().zip(columns).any(unlike))
        {
            self.hand_over(groups)?;
        }
        if !self.is_used {
            let size = sizes.iter().map(|size| widen(*size)).product();
            let mut cells = Vec::new();
            fill(&mut cells, size, [0; 2]);
            *self = Self {
                sizes: sizes.to_vec(),
                cells,
                others: columns.iter().skip(1).map(|_| vec![0; size]).collect(),
                scales: columns.iter().map(|column| column.scale).collect(),
                reached: vec![0; columns.len()],
                is_used: true,
            };
        }
        for (reached, column) in self.reached.iter_mut().zip(columns) {
            *reached += most(column);
        }
        Ok(())
    }

    /// Adds the sums to the groups and clears them.
    pub fn hand_over(&mut self, groups: &mut Groups) -> Result<(), TooLong> {
        let tally = std::mem::take(self);
        let mut factors = Vec::with_capacity(tally.scales.len());
        for (sums, scale) in groups.sums.iter_mut().zip(&tally.scales) {
            factors.push(sums.align(*scale)?);
        }
        // An upper bound for the new groups. Growing by doubling would temporarily double the memory.
        groups.reserve(tally.cells.iter().filter(|[_, count]| *count > 0).count());
        let mut ids = vec![0; tally.sizes.len()];
        for (number, [sum, count]) in tally.cells.iter().enumerate().filter(|(_, [_, count])| *count > 0) {
            let mut rest = number;
            for (id, size) in ids.iter_mut().zip(&tally.sizes).rev() {
                *id = u32::try_from(rest % widen(*size)).unwrap_or_default();
                rest /= widen(*size);
            }
            let group = groups.find(&ids);
            let count = count.unsigned_abs();
            groups.counts[group] += count;
            let sums = std::iter::once(*sum).chain(tally.others.iter().map(|sums| sums[number]));
            for ((of, sum), factor) in groups.sums.iter_mut().zip(sums).zip(&factors) {
                of.add(group, sum.into(), *factor, count)?;
            }
        }
        Ok(())
    }

    /// Adds the sums of another thread, if both use the same combinations and scales and the sums fit. Returns whether it did.
    pub fn merge(&mut self, other: &mut Self) -> bool {
        let reached =
            self.reached.iter().zip(&other.reached).map(|(ours, theirs)| ours.saturating_add(*theirs));
        let reached: Vec<u128> = reached.collect();
        if !(self.is_used && other.is_used)
            || (&self.sizes, &self.scales) != (&other.sizes, &other.scales)
            || reached.iter().any(|reached| *reached > i64::MAX.unsigned_abs().into())
        {
            return false;
        }
        self.reached = reached;
        for (ours, theirs) in self.cells.iter_mut().zip(&other.cells) {
            ours[0] += theirs[0];
            ours[1] += theirs[1];
        }
        for (ours, theirs) in self.others.iter_mut().zip(&other.others) {
            ours.iter_mut().zip(theirs).for_each(|(ours, theirs)| *ours += theirs);
        }
        *other = Self::default();
        true
    }
}

/// Whether a column has no nulls and its sums fit 64 bits. Columns of one constant value or of 128-bit values are left to
/// [`super::add::add`].
fn suits(numbers: &Numbers, rows: usize) -> bool {
    numbers.present.is_none()
        && fits(numbers, rows)
        && !matches!(numbers.values, Integers::Same(_) | Integers::Wide(_))
}

fn counted<T: Copy + Into<i64>>(numbers: &[u32], of: Rows<'_>, values: &[T], cells: &mut [[i64; 2]]) {
    let mut add = |number: u32, value: T| {
        let [sum, count] = &mut cells[widen(number)];
        *sum += value.into();
        *count += 1;
    };
    match of {
        Rows::From(first) => {
            numbers.iter().zip(&values[first..]).for_each(|(number, value)| add(*number, *value));
        }
        Rows::These(rows) => {
            numbers.iter().zip(rows).for_each(|(number, row)| add(*number, values[widen(*row)]));
        }
    }
}

fn summed<T: Copy + Into<i64>>(numbers: &[u32], of: Rows<'_>, values: &[T], sums: &mut [i64]) {
    match of {
        Rows::From(first) => {
            for (number, value) in numbers.iter().zip(&values[first..]) {
                sums[widen(*number)] += (*value).into();
            }
        }
        Rows::These(rows) => {
            for (number, row) in numbers.iter().zip(rows) {
                sums[widen(*number)] += values[widen(*row)].into();
            }
        }
    }
}
