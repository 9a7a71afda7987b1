//! Sorts groups in the requested order and writes them as JSON: byte for byte the same as from SQL.

use super::codes::Values;
use super::groups::{Groups, widen};
use super::layout::SlotKind;
use super::pack::NULL;
use super::part::{self, AggregateRequest};
use super::plan::{Output, Plan};
use super::run::DeclineReason;
use crate::json::cell;
use crate::query::Direction;
use crate::statement::Print;
use catalogue::Decimal;
use rusqlite::types::ValueRef;
use std::cmp::Ordering;
use std::fmt::Write as _;

/// Up to this number of rows is selected during one pass over the groups; more are selected by partial sorting.
const FEW: usize = 256;

/// Groups that are ready to be written.
pub(crate) struct Answer {
    groups: Groups,
    keys: Vec<KeyValues>,
    counts: Vec<Vec<u64>>,
    /// The groups to write, in order.
    rows: Vec<usize>,
}

impl Answer {
    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows.len()
    }

    /// The group of a row.
    pub(super) fn group(&self, row: usize) -> usize {
        self.rows[row]
    }

    /// The id of a key's value in a group.
    pub(super) fn key_id(&self, group: usize, key: usize) -> usize {
        widen(self.groups.id(group, key))
    }

    /// The JSON of a key's values, by id; empty for values that no row has.
    pub(super) fn key_json(&self, key: usize) -> &[Vec<u8>] {
        &self.keys[key].json
    }
}

/// The values of one key.
struct KeyValues {
    print: Print,
    storage: SlotKind,
    /// Sort value by id; 0 is null.
    sorted: Vec<u64>,
    /// JSON by id.
    json: Vec<Vec<u8>>,
}

impl Answer {
    pub(super) fn new(
        plan: &Plan,
        groups: Groups,
        wanted: &AggregateRequest,
        values: Values,
    ) -> Result<Self, DeclineReason> {
        let keys = plan
            .keys
            .iter()
            .zip(&wanted.keys)
            .enumerate()
            .map(|(place, (planned, key))| KeyValues {
                print: planned.print,
                storage: match key.cut {
                    part::Cut::Derived(_) => SlotKind::Value,
                    _ => key.storage,
                },
                sorted: sorted(place, key, &groups, &values),
                json: Vec::new(),
            })
            .collect();
        let counts = groups.distinct.iter().map(|distinct| distinct.counts(groups.len())).collect();
        let mut answer = Self { groups, keys, counts, rows: Vec::new() };
        answer.check(plan)?;
        answer.sort(plan);
        answer.render(wanted, &values);
        answer.groups.drop_indices();
        Ok(answer)
    }

    /// Refuses totals that cannot be written exactly as SQL would.
    fn check(&self, plan: &Plan) -> Result<(), DeclineReason> {
        let outputs =
            plan.fields.iter().map(|(_, output)| output).chain(plan.order.iter().map(|(output, _)| output));
        for output in outputs {
            let output = if let Output::AsText(inner) = output { inner } else { output };
            let Output::Sum(place, print) = output else { continue };
            let sums = &self.groups.sums[*place];
            let fits = |total: &i128| match print {
                Print::Integer => i64::try_from(*total).is_ok(),
                _ => Decimal::from_parts(*total, sums.scale).is_some(),
            };
            if !sums.totals.iter().all(fits) {
                return Err(super::groups::TooLong.into());
            }
        }
        Ok(())
    }

    fn sort(&mut self, plan: &Plan) {
        let mut rows: Vec<usize> = (0..self.groups.len()).collect();
        let end = plan.offset.saturating_add(plan.limit);
        if end == 0 || plan.offset >= rows.len() {
            return;
        }
        if plan.order.is_empty()
            && let Some(packed) = self.packed()
        {
            let mut sorted: Vec<(u128, usize)> = packed.into_iter().zip(rows).collect();
            sorted.sort_unstable();
            rows = sorted.into_iter().map(|(_, group)| group).collect();
        } else {
            let order = |left: &usize, right: &usize| self.order(plan, *left, *right);
            // A few of many rows are selected before they are sorted.
            if end <= FEW && end < rows.len() {
                rows = first(rows.into_iter(), end, order);
            } else if end < rows.len() {
                rows.select_nth_unstable_by(end - 1, order);
                rows.truncate(end);
            }
            rows.sort_unstable_by(order);
        }
        rows.truncate(end);
        rows.drain(..plan.offset);
        self.rows = rows;
    }

    /// The keys of each group packed into one number, if they fit.
    fn packed(&self) -> Option<Vec<u128>> {
        let mut left = 128u32;
        let mut packed = vec![0u128; self.groups.len()];
        for (place, key) in self.keys.iter().enumerate() {
            // Times are far from zero but close to each other.
            let low = key.sorted.iter().copied().filter(|value| *value > 0).min().unwrap_or(1);
            let high = key.sorted.iter().copied().max().unwrap_or(1).max(low);
            let bits = 64 - (high - low + 1).leading_zeros();
            left = left.checked_sub(bits)?;
            for (group, packed) in packed.iter_mut().enumerate() {
                let value = key.sorted[widen(self.groups.id(group, place))];
                let value = if value == 0 { 0 } else { value - low + 1 };
                *packed = (*packed << bits) | u128::from(value);
            }
        }
        Some(packed)
    }

    fn order(&self, plan: &Plan, left: usize, right: usize) -> Ordering {
        for (output, direction) in &plan.order {
            let order = self.compare(output, *direction, left, right);
            if order.is_ne() {
                return order;
            }
        }
        // Groups that are equal in the requested order are sorted by their keys, as in SQL.
        for place in 0..self.keys.len() {
            let order = self.sort_key(left, place).cmp(&self.sort_key(right, place));
            if order.is_ne() {
                return order;
            }
        }
        Ordering::Equal
    }

    fn sort_key(&self, group: usize, place: usize) -> u64 {
        self.keys[place].sorted[widen(self.groups.id(group, place))]
    }

    fn compare(&self, output: &Output, direction: Direction, left: usize, right: usize) -> Ordering {
        match output {
            Output::Key(place) => {
                let value = |group| Some(self.sort_key(group, *place)).filter(|value| *value > 0);
                directed(value(left), value(right), direction)
            }
            Output::Count => {
                directed(Some(self.groups.counts[left]), Some(self.groups.counts[right]), direction)
            }
            Output::Distinct(place) => {
                directed(Some(self.counts[*place][left]), Some(self.counts[*place][right]), direction)
            }
            Output::Extreme(place, _) => {
                let values = &self.groups.extremes[*place].values;
                let value = |group: usize| Some(values[group]).filter(|value| *value != NULL);
                directed(value(left), value(right), direction)
            }
            Output::Sum(place, _) => {
                let sums = &self.groups.sums[*place];
                let value = |group: usize| (sums.present[group] > 0).then(|| sums.totals[group]);
                directed(value(left), value(right), direction)
            }
            Output::AsText(_) | Output::Json(_) => Ordering::Equal,
        }
    }

    /// Writes the JSON of the rows' key values, each value once.
    fn render(&mut self, wanted: &AggregateRequest, values: &Values) {
        for (place, (key, of)) in self.keys.iter_mut().zip(&wanted.keys).enumerate() {
            key.json = vec![Vec::new(); key.sorted.len()];
            for group in &self.rows {
                let id = self.groups.id(*group, place);
                let json = &mut key.json[widen(id)];
                if !json.is_empty() {
                    continue;
                }
                let value = match (&of.cut, key.storage) {
                    _ if key.sorted[widen(id)] == 0 => ValueRef::Null,
                    (_, SlotKind::Number) => ValueRef::Integer(
                        self.groups.numbers[place].as_ref().map_or(0, |numbers| numbers.values[widen(id)]),
                    ),
                    (part::Cut::Derived(derived), _) => ValueRef::Text(derived.values.get(id)),
                    _ if key.print == Print::Uuid => ValueRef::Blob(values.get(of.slot, id)),
                    _ => ValueRef::Text(values.get(of.slot, id)),
                };
                if cell(json, value, key.print).is_err() {
                    json.clear();
                    json.extend_from_slice(b"null");
                }
            }
        }
    }
}

impl Answer {
    /// Writes one value; `text` is a scratch buffer.
    pub(super) fn value(&self, group: usize, output: &Output, text: &mut String, out: &mut Vec<u8>) {
        text.clear();
        match output {
            Output::Key(place) => {
                out.extend_from_slice(&self.keys[*place].json[widen(self.groups.id(group, *place))]);
            }
            Output::Count => {
                let _ = write!(text, "{}", self.groups.counts[group]);
            }
            Output::Distinct(place) => {
                let _ = write!(text, "{}", self.counts[*place][group]);
            }
            Output::Extreme(place, print) => {
                let value = match self.groups.extremes[*place].values[group] {
                    NULL => ValueRef::Null,
                    value => ValueRef::Integer(value),
                };
                let start = out.len();
                if cell(out, value, *print).is_err() {
                    out.truncate(start);
                    out.extend_from_slice(b"null");
                }
            }
            Output::Sum(place, print) => {
                let sums = &self.groups.sums[*place];
                let total = sums.totals[group];
                match Decimal::from_parts(total, sums.scale) {
                    _ if sums.present[group] == 0 => text.push_str("null"),
                    _ if *print == Print::Integer => {
                        let _ = write!(text, "{total}");
                    }
                    Some(total) => out.extend_from_slice(total.to_text().as_str().as_bytes()),
                    None => text.push_str("null"),
                }
            }
            Output::AsText(inner) => self.value(group, inner, text, out),
            Output::Json(json) => out.extend_from_slice(json.as_bytes()),
        }
        out.extend_from_slice(text.as_bytes());
        text.clear();
    }
}

/// The first `count` rows in order. Most rows are rejected by one comparison with the last row selected so far.
fn first(
    rows: impl Iterator<Item = usize>,
    count: usize,
    order: impl Fn(&usize, &usize) -> Ordering,
) -> Vec<usize> {
    let mut first: Vec<usize> = Vec::with_capacity(count + 1);
    for row in rows {
        if first.len() == count && first.last().is_some_and(|last| order(&row, last).is_ge()) {
            continue;
        }
        let place = first.partition_point(|known| order(known, &row).is_lt());
        first.insert(place, row);
        first.truncate(count);
    }
    first
}

/// The sort values of a key by id, in SQLite's order; 0 for null.
fn sorted(place: usize, key: &part::Key, groups: &Groups, values: &Values) -> Vec<u64> {
    if let (Some(numbers), false) = (&groups.numbers[place], matches!(key.cut, part::Cut::Derived(_))) {
        return numbers.values.iter().map(|value| value.cast_unsigned() ^ 1 << 63).collect();
    }
    let ranks = |ranks: &[u32]| ranks.iter().map(|rank| u64::from(*rank)).collect();
    match (&key.cut, values.parts(key.slot)) {
        (part::Cut::Derived(derived), _) => ranks(derived.values.ranks()),
        (_, Some((dictionary, []))) => ranks(dictionary.ranks()),
        (_, Some((dictionary, more))) => ranks(dictionary.extended(more.iter().map(AsRef::as_ref)).ranks()),
        (_, None) => vec![0],
    }
}

/// Compares values and nulls in the order of the interface.
fn directed<T: Ord>(left: Option<T>, right: Option<T>, direction: Direction) -> Ordering {
    let (nulls_first, is_descending) = match direction {
        Direction::Ascending { nulls_first } => (nulls_first, false),
        Direction::Descending { nulls_first } => (nulls_first, true),
    };
    match (left, right) {
        (None, None) => Ordering::Equal,
        (None, Some(_)) => {
            if nulls_first {
                Ordering::Less
            } else {
                Ordering::Greater
            }
        }
        (Some(_), None) => {
            if nulls_first {
                Ordering::Greater
            } else {
                Ordering::Less
            }
        }
        (Some(left), Some(right)) if is_descending => right.cmp(&left),
        (Some(left), Some(right)) => left.cmp(&right),
    }
}

#[cfg(test)]
mod tests {
    use super::first;

    #[test]
    fn the_first_few_are_those_that_sorting_all_would_give() {
        let value = |row: usize| row * 7919 % 101;
        let order = |left: &usize, right: &usize| (value(*left), left).cmp(&(value(*right), right));
        let mut all: Vec<usize> = (0..300).collect();
        all.sort_by(order);
        for count in [1, 2, 20, 299] {
            assert_eq!(first(0..300, count, order), all[..count], "{count}");
        }
    }
}
