//! Collects the distinct values and the smallest and greatest values of groups.

use super::groups::{Distinct, Extremes, widen};
use super::layout::Slot;
use super::pack::{Codes, NULL, Places};
use super::part::{Part, RowSelection};
use super::scratch::fill;

/// Maximum number of bits of a "group has value" table kept in an array.
const SEEN: usize = 1 << 24;

/// Adds the smallest or greatest value of each group to `extremes`.
pub(super) fn add_extremes(
    codes: &Codes,
    chosen: &RowSelection,
    numbers: &[u32],
    group_of: &[u32],
    extremes: &mut Extremes,
) {
    let last = codes.palette.len() - 1;
    // Palette indices ascend with the values, and null comes first.
    let first = usize::from(codes.palette[0] == NULL && last > 0);
    let wanted = if extremes.is_greatest { last } else { first };
    if matches!((chosen, numbers.len(), group_of), (RowSelection::All, 1.., [_])) || codes.palette.len() == 1
    {
        // Every value of the palette occurs in a row.
        for group in group_of.iter().filter(|group| **group != u32::MAX) {
            extremes.see(widen(*group), codes.palette[wanted]);
        }
        return;
    }
    let best = match &codes.places {
        // A palette of one value was handled above.
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

/// The greatest palette index of each number's rows, or the smallest from `first` on; an index outside the palette if there is none.
fn best<T: Copy + Into<u32>>(
    places: &[T],
    chosen: &RowSelection,
    numbers: &[u32],
    size: usize,
    is_greatest: bool,
    first: usize,
) -> Vec<u32> {
    let first = u32::try_from(first).unwrap_or_default();
    // Stored as the index plus one; 0 is none.
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
        RowSelection::All => numbers.iter().zip(places).for_each(|(number, place)| see(*number, *place)),
        RowSelection::Rows(rows) => {
            numbers.iter().zip(rows).for_each(|(number, row)| see(*number, places[widen(*row)]));
        }
    }
    best.iter().map(|place| place.wrapping_sub(1)).collect()
}

/// Records which combinations of values occur in the groups.
pub(super) fn add_distinct(
    part: &Part,
    chosen: &RowSelection,
    slots: &[Slot],
    numbers: &[u32],
    group_of: &[u32],
    distinct: &mut Distinct,
    buffer: &mut Vec<bool>,
) {
    let empty = Codes { palette: vec![NULL], places: Places::Same };
    let codes: Vec<&Codes> = slots.iter().map(|slot| part.codes(*slot).unwrap_or(&empty)).collect();
    let row_of = |place: usize| match chosen {
        RowSelection::All => place,
        RowSelection::Rows(rows) => widen(rows[place]),
    };
    if let [codes] = codes[..]
        && codes.palette.len().saturating_mul(group_of.len()) <= SEEN
    {
        let width = codes.palette.len();
        let seen = fill(buffer, width * group_of.len(), false);
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
