//! Numbers rows by their keys: each key's value in a part has a digit, and the digits of a row form one number.

use super::groups::{Groups, widen};
use super::layout::SlotKind;
use super::pack::{Codes, NULL, Places};
use super::part::{Cut, Key, Part, RowSelection, Rows};
use super::scratch::fill;
use crate::query::TimeUnit;
use crate::values::calendar::{next, start_of};
use std::borrow::Cow;
use std::collections::HashMap;

/// Up to this number of combinations is counted in an array; with more, numbers are assigned as they occur.
const DENSE: usize = 1 << 18;

/// A key in one part: the digit of each palette entry, and the global id of each digit.
pub(super) struct Digits {
    of_place: Option<Vec<u32>>,
    pub ids: Vec<u32>,
}

impl Digits {
    /// The global id of every palette entry.
    pub fn ids_by_place(&self) -> Cow<'_, [u32]> {
        match &self.of_place {
            None => Cow::Borrowed(&self.ids),
            Some(digits) => digits.iter().map(|digit| self.ids[widen(*digit)]).collect(),
        }
    }

    /// The global id of a palette entry.
    pub fn id(&self, place: usize) -> u32 {
        self.ids[self.of_place.as_ref().map_or(place, |digits| widen(digits[place]))]
    }
}

/// The codes of a key in one part, and the texts derived from its values, if the key is a derived text.
pub(super) struct KeyCodes<'a> {
    pub codes: Cow<'a, Codes>,
    pub texts: Option<&'a [u32]>,
}

impl<'a> KeyCodes<'a> {
    pub fn of(part: &'a Part, key: &'a Key, empty: &'a Codes) -> Self {
        let codes = part.codes(key.slot).unwrap_or(empty);
        let texts = match &key.cut {
            Cut::Derived(derived) => Some(derived.codes.as_slice()),
            Cut::Whole | Cut::Start(_) => None,
        };
        let (Some((slot, others)), Some(first)) = (&key.fallback, texts) else {
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
        (Cut::Whole, _) | (Cut::Derived(_), None) => {
            let ids = codes.palette.iter().map(|value| id(place, key.storage, *value, groups)).collect();
            Digits { of_place: None, ids }
        }
        (Cut::Start(unit), _) => spans(&codes.palette, *unit, |start| id(place, key.storage, start, groups)),
        (Cut::Derived(derived), Some(texts)) => {
            let texts = codes.palette.iter().map(|code| text(texts, *code));
            few(texts, derived.values.len(), |text| id(place, key.storage, text.into(), groups))
        }
    }
}

/// The digits of ascending times: the calendar is evaluated once per unit, not once per time.
fn spans(times: &[i64], unit: TimeUnit, mut id: impl FnMut(i64) -> u32) -> Digits {
    let mut ids = Vec::new();
    // The first time after the unit of the last id.
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

/// The digits of texts numbered up to `most`, when there are far fewer texts than values they are derived from.
fn few(texts: impl Iterator<Item = u32>, most: usize, mut id: impl FnMut(u32) -> u32) -> Digits {
    // The digit of each text; `u32::MAX` for texts not seen yet.
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

/// The global id of a value.
fn id(key: usize, held: SlotKind, value: i64, groups: &mut Groups) -> u32 {
    match (held, &mut groups.numbers[key]) {
        (SlotKind::Number, Some(numbered)) => numbered.id(value),
        _ => u32::try_from(value).unwrap_or_default(),
    }
}

/// Computes one number per chosen row, equal for rows with equal keys. Returns the largest number plus one.
pub(super) fn number(
    part: &Part,
    chosen: &RowSelection,
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
        // Cannot overflow: there are at most 2^16 numbers, multiplied by as many digits.
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
                // A table with an entry for every possible `u8`, which avoids bounds checks.
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

/// Renumbers without gaps, in order of occurrence. Returns how many numbers there are.
fn renumber(numbers: &mut [u32]) -> usize {
    let mut known: HashMap<u32, u32, foldhash::fast::RandomState> = HashMap::default();
    for number in numbers {
        let next = u32::try_from(known.len()).unwrap_or(u32::MAX);
        *number = *known.entry(*number).or_insert(next);
    }
    known.len().max(1)
}
