//! Adds the rows of one part to groups: places of keys to one number, dense arrays by that number, then what they hold to the
//! groups.

use super::groups::{Distinct, Extremes, Groups, TooLong, widen};
use super::layout::{Held, Slot};
use super::pack::{Codes, Column, Integers, NULL, Numbers, Places};
use super::room::{Room, fill};
use super::values::Derived;
use crate::calendar::{next, start_of};
use crate::query::TimeUnit;
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

/// Combinations counted in an array; more are given numbers as they are met.
const DENSE: usize = 1 << 18;
/// Bits of "this group has this value" kept in an array.
const SEEN: usize = 1 << 24;

/// A key of groups.
#[derive(Debug, Clone)]
pub(super) struct Key {
    pub slot: Slot,
    pub held: Held,
    pub cut: Cut,
    /// Where that is null: another slot, and its texts by code, numbered as those of the cut.
    pub or: Option<(Slot, Arc<[u32]>)>,
}

/// What of a value makes a group.
#[derive(Debug, Clone)]
pub(super) enum Cut {
    Whole,
    /// The start of the unit a time lies in.
    Start(TimeUnit),
    /// The text under a key of a JSON value.
    Under(Arc<Derived>),
}

/// What is added up.
#[derive(Debug, Clone, Default)]
pub(super) struct Wanted {
    pub keys: Vec<Key>,
    pub sums: Vec<Slot>,
    pub distinct: Vec<Vec<Slot>>,
    /// Dimensions that are whole numbers, of which the smallest or the greatest is wanted.
    pub extremes: Vec<Slot>,
}

impl Wanted {
    /// The dimensions that are looked at.
    pub fn dimensions(&self) -> Vec<Slot> {
        let keys = self
            .keys
            .iter()
            .flat_map(|key| std::iter::once(key.slot).chain(key.or.as_ref().map(|(slot, _)| *slot)));
        keys.chain(self.distinct.iter().flatten().copied()).chain(self.extremes.iter().copied()).collect()
    }

    /// Whether groups are told by how many rows they have and what these come to.
    pub fn is_sums_only(&self) -> bool {
        self.distinct.is_empty() && self.extremes.is_empty()
    }
}

/// A part of the rows: a segment, a cube, or rows read a moment ago.
#[derive(Debug)]
pub(super) struct Part {
    pub rows: usize,
    /// By slot.
    pub columns: Vec<Option<Arc<Column>>>,
    /// Where rows stand for more than one of the table.
    pub weights: Option<Arc<Column>>,
}

/// Which rows of a part count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Chosen {
    All,
    Rows(Vec<u32>),
}

/// Some of the chosen rows, one after another.
#[derive(Debug, Clone, Copy)]
pub(super) enum Rows<'a> {
    /// This one and those behind it.
    From(usize),
    These(&'a [u32]),
}

impl Chosen {
    /// So many of them, behind the first `skipped`.
    pub fn block(&self, skipped: usize, count: usize) -> Rows<'_> {
        match self {
            Self::All => Rows::From(skipped),
            Self::Rows(rows) => Rows::These(&rows[skipped..][..count]),
        }
    }

    pub fn count(&self, rows: usize) -> usize {
        match self {
            Self::All => rows,
            Self::Rows(chosen) => chosen.len(),
        }
    }
}

impl Part {
    pub fn codes(&self, slot: Slot) -> Option<&Codes> {
        match self.columns.get(slot)?.as_deref()? {
            Column::Codes(codes) => Some(codes),
            _ => None,
        }
    }

    pub fn numbers(&self, slot: Slot) -> Option<&Numbers> {
        match self.columns.get(slot)?.as_deref()? {
            Column::Numbers(numbers) => Some(numbers),
            Column::Alias(other) => self.numbers(*other),
            _ => None,
        }
    }

    fn weights(&self) -> Option<&[u32]> {
        match self.weights.as_deref()? {
            Column::Weights(weights) => Some(weights),
            _ => None,
        }
    }
}

/// What is known of a group while a part is added.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Cell {
    sum: i64,
    count: u32,
    /// One of its rows.
    row: u32,
}

/// A key in one part: the number of each place of the palette, and the group's id of each number.
pub(super) struct Digits {
    of_place: Option<Vec<u32>>,
    pub ids: Vec<u32>,
}

impl Digits {
    /// The group's id of every place of the palette.
    pub fn ids_by_place(&self) -> Cow<'_, [u32]> {
        match &self.of_place {
            None => Cow::Borrowed(&self.ids),
            Some(digits) => digits.iter().map(|digit| self.ids[widen(*digit)]).collect(),
        }
    }

    /// The group's id of a place of the palette.
    pub fn id(&self, place: usize) -> u32 {
        self.ids[self.of_place.as_ref().map_or(place, |digits| widen(digits[place]))]
    }
}

/// Adds the chosen rows of a part. The part has every column that is wanted.
pub(super) fn add(
    part: &Part,
    chosen: &Chosen,
    wanted: &Wanted,
    groups: &mut Groups,
    room: &mut Room,
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
    let Room { numbers, cells, others, group_of, weights, present: room_of_present, seen } = room;
    let size = number(part, chosen, &codes, &digits, numbers);
    let cells = fill(cells, size, Cell::default());
    let first =
        wanted.sums.first().and_then(|slot| part.numbers(*slot)).filter(|numbers| fits(numbers, part.rows));
    match first.map(|numbers| &numbers.values) {
        None | Some(Integers::Same(_) | Integers::Wide(_)) if size == 1 && *chosen == Chosen::All => {
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
    // The group of each number.
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
        see(part, chosen, slots, numbers, group_of, distinct, seen);
    }
    for (slot, extremes) in wanted.extremes.iter().zip(&mut groups.extremes) {
        let Some(codes) = part.codes(*slot) else { continue };
        reach(codes, chosen, numbers, group_of, extremes);
    }
    Ok(())
}

/// Shows the smallest or the greatest value of each group to `extremes`.
fn reach(codes: &Codes, chosen: &Chosen, numbers: &[u32], group_of: &[u32], extremes: &mut Extremes) {
    let last = codes.palette.len() - 1;
    // Places ascend with the values, and null comes first.
    let first = usize::from(codes.palette[0] == NULL && last > 0);
    let wanted = if extremes.is_greatest { last } else { first };
    if matches!((chosen, numbers.len(), group_of), (Chosen::All, 1.., [_])) || codes.palette.len() == 1 {
        // Every value of the palette is some row's.
        for group in group_of.iter().filter(|group| **group != u32::MAX) {
            extremes.see(widen(*group), codes.palette[wanted]);
        }
        return;
    }
    let best = match &codes.places {
        // A palette of one value was told above.
        Places::Same => return,
        Places::Narrow(places) => best(places, chosen, numbers, group_of.len(), extremes.is_greatest, first),
        Places::Wide(places) => best(places, chosen, numbers, group_of.len(), extremes.is_greatest, first),
    };
    for (group, place) in group_of.iter().zip(best) {
        if let Some(value) = codes.palette.get(widen(place)) {
            extremes.see(widen(*group), *value);
        }
    }
}

/// The greatest place of each number's rows, or the smallest from `first` on; beyond all places where there is none.
fn best<T: Copy + Into<u32>>(
    places: &[T],
    chosen: &Chosen,
    numbers: &[u32],
    size: usize,
    is_greatest: bool,
    first: usize,
) -> Vec<u32> {
    let first = u32::try_from(first).unwrap_or_default();
    // One more than the place, so that 0 stands for none.
    let mut best = vec![if is_greatest { 0 } else { u32::MAX }; size];
    let mut see = |number: u32, place: T| {
        let known = &mut best[widen(number)];
        let place: u32 = place.into();
        if is_greatest {
            *known = (*known).max(place + 1);
        } else if place >= first {
            *known = (*known).min(place + 1);
        }
    };
    match chosen {
        Chosen::All => numbers.iter().zip(places).for_each(|(number, place)| see(*number, *place)),
        Chosen::Rows(rows) => {
            numbers.iter().zip(rows).for_each(|(number, row)| see(*number, places[widen(*row)]));
        }
    }
    best.iter().map(|place| place.wrapping_sub(1)).collect()
}

/// Whether sums of so many of the numbers stay within 64 bits.
pub(super) fn fits(numbers: &Numbers, rows: usize) -> bool {
    numbers.largest.saturating_mul(rows as u128) <= i64::MAX.unsigned_abs().into()
}

/// The codes of a key in one part, and the texts of its values where these are told from them.
pub(super) struct KeyCodes<'a> {
    pub codes: Cow<'a, Codes>,
    pub texts: Option<&'a [u32]>,
}

impl<'a> KeyCodes<'a> {
    pub fn of(part: &'a Part, key: &'a Key, empty: &'a Codes) -> Self {
        let codes = part.codes(key.slot).unwrap_or(empty);
        let texts = match &key.cut {
            Cut::Under(derived) => Some(derived.codes.as_slice()),
            Cut::Whole | Cut::Start(_) => None,
        };
        let (Some((slot, others)), Some(first)) = (&key.or, texts) else {
            return Self { codes: Cow::Borrowed(codes), texts };
        };
        let other = part.codes(*slot).unwrap_or(empty);
        let is_null = |code: &i64| text(first, *code) == 0;
        if codes.palette.iter().all(is_null) {
            return Self { codes: Cow::Borrowed(other), texts: Some(others) };
        }
        if !codes.palette.iter().any(is_null) {
            return Self { codes: Cow::Borrowed(codes), texts };
        }
        let values: Vec<i64> = (0..part.rows)
            .map(|row| match text(first, codes.value(row)) {
                0 => text(others, other.value(row)),
                text => text,
            })
            .map(i64::from)
            .collect();
        Self { codes: Cow::Owned(Codes::of(&values)), texts: None }
    }
}

/// The text of a code; 0 for none.
fn text(texts: &[u32], code: i64) -> u32 {
    usize::try_from(code).ok().and_then(|code| texts.get(code)).copied().unwrap_or_default()
}

pub(super) fn digits(
    place: usize,
    key: &Key,
    codes: &Codes,
    texts: Option<&[u32]>,
    groups: &mut Groups,
) -> Digits {
    match (&key.cut, texts) {
        (Cut::Whole, _) | (Cut::Under(_), None) => {
            let ids = codes.palette.iter().map(|value| id(place, key.held, *value, groups)).collect();
            Digits { of_place: None, ids }
        }
        (Cut::Start(unit), _) => spans(&codes.palette, *unit, |start| id(place, key.held, start, groups)),
        (Cut::Under(derived), Some(texts)) => {
            let texts = codes.palette.iter().map(|code| text(texts, *code));
            few(texts, derived.values.len(), |text| id(place, key.held, text.into(), groups))
        }
    }
}

/// The digits of times, which ascend: the calendar is asked once a unit, not once a time.
fn spans(times: &[i64], unit: TimeUnit, mut id: impl FnMut(i64) -> u32) -> Digits {
    let mut ids = Vec::new();
    // The first time that is not of the last id's unit.
    let mut end = None;
    let digit = |time: &i64| {
        if ids.is_empty() || end.is_some_and(|end| *time >= end) {
            let start = if *time == NULL { NULL } else { start_of(*time, unit) };
            end = if *time == NULL { Some(NULL + 1) } else { next(start, unit) };
            ids.push(id(start));
        }
        u32::try_from(ids.len() - 1).unwrap_or(u32::MAX)
    };
    let of_place = times.iter().map(digit).collect();
    Digits { of_place: Some(of_place), ids }
}

/// The digits of texts numbered up to `most`, of which there are far fewer than values that they are told of.
fn few(texts: impl Iterator<Item = u32>, most: usize, mut id: impl FnMut(u32) -> u32) -> Digits {
    // The digit of each text, and one for those not met yet.
    let mut known = vec![u32::MAX; most + 1];
    let mut ids = Vec::new();
    let digit = |text: u32| {
        let digit = &mut known[widen(text)];
        if *digit == u32::MAX {
            *digit = u32::try_from(ids.len()).unwrap_or(u32::MAX);
            ids.push(id(text));
        }
        *digit
    };
    let of_place = texts.map(digit).collect();
    Digits { of_place: Some(of_place), ids }
}

/// The groups' id of a value.
fn id(key: usize, held: Held, value: i64, groups: &mut Groups) -> u32 {
    match (held, &mut groups.numbers[key]) {
        (Held::Number, Some(numbered)) => numbered.id(value),
        _ => u32::try_from(value).unwrap_or_default(),
    }
}

/// One number for each chosen row, the same for rows with the same keys; one more than the largest.
fn number(
    part: &Part,
    chosen: &Chosen,
    codes: &[&Codes],
    digits: &[Digits],
    numbers: &mut Vec<u32>,
) -> usize {
    let count = chosen.count(part.rows);
    let numbers = fill(numbers, count, 0);
    let rows = chosen.block(0, count);
    let mut size = 1usize;
    for (codes, digits) in codes.iter().zip(digits) {
        if digits.ids.len() == 1 {
            continue;
        }
        if size.saturating_mul(digits.ids.len()) > DENSE.min((4 * count).max(4096)) {
            size = renumber(numbers);
        }
        // At most 2^16 rows' worth of numbers times as many digits: it fits.
        let factor = u32::try_from(digits.ids.len()).unwrap_or(u32::MAX);
        match (&codes.places, &digits.of_place) {
            (Places::Same, _) => {}
            (Places::Narrow(places), None) => {
                each(numbers, rows, places, |number, place| number * factor + u32::from(place));
            }
            (Places::Wide(places), None) => {
                each(numbers, rows, places, |number, place| number * factor + u32::from(place));
            }
            (Places::Narrow(places), Some(of)) => {
                // As many as there are places, so that no look-up has to be checked.
                let mut table = [0u32; 256];
                table[..of.len()].copy_from_slice(of);
                each(numbers, rows, places, |number, place| number * factor + table[usize::from(place)]);
            }
            (Places::Wide(places), Some(of)) => {
                each(numbers, rows, places, |number, place| number * factor + of[usize::from(place)]);
            }
        }
        size *= digits.ids.len();
        if size > DENSE.min((4 * count).max(4096)) {
            size = renumber(numbers);
        }
    }
    size
}

pub(super) fn each<T: Copy>(numbers: &mut [u32], rows: Rows<'_>, places: &[T], next: impl Fn(u32, T) -> u32) {
    match rows {
        Rows::From(first) => {
            for (number, place) in numbers.iter_mut().zip(&places[first..]) {
                *number = next(*number, *place);
            }
        }
        Rows::These(rows) => {
            for (number, row) in numbers.iter_mut().zip(rows) {
                *number = next(*number, places[widen(*row)]);
            }
        }
    }
}

/// Numbers without gaps, in the order they are met; how many there are.
fn renumber(numbers: &mut [u32]) -> usize {
    let mut known: HashMap<u32, u32, foldhash::fast::RandomState> = HashMap::default();
    for number in numbers {
        let next = u32::try_from(known.len()).unwrap_or(u32::MAX);
        *number = *known.entry(*number).or_insert(next);
    }
    known.len().max(1)
}

/// Counts rows, adds up numbers and keeps a row of each group, in one go.
fn fused<T: Copy + Into<i64>>(numbers: &[u32], chosen: &Chosen, values: &[T], cells: &mut [Cell]) {
    match chosen {
        Chosen::All => {
            for (row, (number, value)) in (0u32..).zip(numbers.iter().zip(values)) {
                let cell = &mut cells[widen(*number)];
                cell.sum += (*value).into();
                cell.count += 1;
                cell.row = row;
            }
        }
        Chosen::Rows(rows) => {
            for (number, row) in numbers.iter().zip(rows) {
                let cell = &mut cells[widen(*number)];
                cell.sum += values[widen(*row)].into();
                cell.count += 1;
                cell.row = *row;
            }
        }
    }
}

/// The same without a number to add up.
fn counted(numbers: &[u32], chosen: &Chosen, cells: &mut [Cell]) {
    let mut count = |number: u32, row: u32| {
        let cell = &mut cells[widen(number)];
        cell.count += 1;
        cell.row = row;
    };
    match chosen {
        Chosen::All => numbers.iter().zip(0u32..).for_each(|(number, row)| count(*number, row)),
        Chosen::Rows(rows) => numbers.iter().zip(rows).for_each(|(number, row)| count(*number, *row)),
    }
}

/// Counts of rows, added up by number.
fn summed<'r>(
    numbers: &[u32],
    chosen: &Chosen,
    counts: &[u32],
    size: usize,
    room: &'r mut Vec<u64>,
) -> &'r [u64] {
    let sums = fill(room, size, 0);
    match chosen {
        Chosen::All => {
            for (number, count) in numbers.iter().zip(counts) {
                sums[widen(*number)] += u64::from(*count);
            }
        }
        Chosen::Rows(rows) => {
            for (number, row) in numbers.iter().zip(rows) {
                sums[widen(*number)] += u64::from(counts[widen(*row)]);
            }
        }
    }
    sums
}

/// The sums of a column by number; `None` where one outgrows 128 bits.
fn totals(
    numbers: &[u32],
    chosen: &Chosen,
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
                    Chosen::All => place,
                    Chosen::Rows(rows) => widen(rows[place]),
                };
                let sum = &mut sums[widen(*number)];
                *sum = sum.and_then(|sum| sum.checked_add(other.get(row)));
            }
            return sums;
        }
    }
    sums.iter().map(|cell| Some(i128::from(cell.sum))).collect()
}

/// Notes which combinations of values the groups have.
fn see(
    part: &Part,
    chosen: &Chosen,
    slots: &[Slot],
    numbers: &[u32],
    group_of: &[u32],
    distinct: &mut Distinct,
    room: &mut Vec<bool>,
) {
    let empty = Codes { palette: vec![NULL], places: Places::Same };
    let codes: Vec<&Codes> = slots.iter().map(|slot| part.codes(*slot).unwrap_or(&empty)).collect();
    let row_of = |place: usize| match chosen {
        Chosen::All => place,
        Chosen::Rows(rows) => widen(rows[place]),
    };
    if let [codes] = codes[..]
        && codes.palette.len().saturating_mul(group_of.len()) <= SEEN
    {
        let width = codes.palette.len();
        let seen = fill(room, width * group_of.len(), false);
        for (place, number) in numbers.iter().enumerate() {
            seen[widen(*number) * width + codes.place(row_of(place))] = true;
        }
        let ids: Vec<Option<u32>> = codes.palette.iter().map(|value| distinct.id(&[*value])).collect();
        for (number, row) in seen.chunks(width).enumerate() {
            for (id, _) in ids.iter().zip(row).filter(|(_, seen)| **seen) {
                if let Some(id) = id {
                    distinct.see(widen(group_of[number]), *id);
                }
            }
        }
        return;
    }
    let mut combination = vec![0; codes.len()];
    for (place, number) in numbers.iter().enumerate() {
        let row = row_of(place);
        for (value, codes) in combination.iter_mut().zip(&codes) {
            *value = codes.value(row);
        }
        if let Some(id) = distinct.id(&combination) {
            distinct.see(widen(group_of[widen(*number)]), id);
        }
    }
}
