//! Conditions on dimensions, evaluated once per distinct value instead of once per row, with SQL's three-valued logic.

use super::checks::{Check, CheckedValue, Truth, all, amount_check, any, check};
use super::groups::widen;
use super::layout::{Slot, SlotKind};
use super::pack::{NULL, Places};
use super::part::{Part, RowSelection};
use super::plan::{self, Cut, Keys, slot_of};
use crate::query::{Filter, Key, Subject, Test};
use crate::statement::Print;

/// A condition on one row.
#[derive(Debug, Clone)]
pub(super) enum Condition {
    All(Vec<Condition>),
    Any(Vec<Condition>),
    Not(Box<Condition>),
    On(Slot, Check),
    /// On a number of a sum column.
    Amount(Slot, Check),
    /// On a text that is derived from values when the plan runs.
    Text(Box<plan::Key>, Check),
    /// On a derived text, already evaluated.
    Evaluated(ColumnTruths),
}

/// The truth of a condition by the codes of a column.
#[derive(Debug, Clone)]
pub(super) struct ColumnTruths {
    pub slot: Slot,
    pub truths: Vec<Truth>,
    /// Codes for which another column decides, and the truths by that column's codes.
    pub fallback: Option<(Vec<bool>, Slot, Vec<Truth>)>,
}

impl ColumnTruths {
    /// Whether the condition holds for a row.
    fn of(&self, code: i64, other: i64) -> Truth {
        let place = |code: i64| usize::try_from(code).unwrap_or_default();
        match &self.fallback {
            Some((leaves, _, others)) if leaves.get(place(code)) == Some(&true) => {
                others.get(place(other)).copied().flatten()
            }
            _ => self.truths.get(place(code)).copied().flatten(),
        }
    }
}

/// Converts a filter; otherwise the reason why it cannot be evaluated on dimensions.
pub(super) fn condition(keys: &Keys<'_>, filter: &Filter) -> Result<Condition, String> {
    let layout = keys.layout;
    let all = |filters: &[Filter]| {
        filters.iter().map(|filter| condition(keys, filter)).collect::<Result<Vec<_>, _>>()
    };
    match filter {
        Filter::And(filters) => Ok(Condition::All(all(filters)?)),
        Filter::Or(filters) => Ok(Condition::Any(all(filters)?)),
        Filter::Not(filter) => Ok(Condition::Not(Box::new(condition(keys, filter)?))),
        Filter::Test { subject: Subject::Column(column) | Subject::Key(Key::Column(column)), test }
            if let Some(slot) = layout.sum_of(*column) =>
        {
            Ok(Condition::Amount(slot, amount_check(test)?))
        }
        Filter::Test { subject: Subject::Column(column), test } => {
            let (slot, print) = slot_of(layout, &Key::Column(*column))?;
            Ok(Condition::On(slot, check(test, print, layout.storage(slot))?))
        }
        Filter::Test { subject: Subject::Key(key), test } => {
            let Ok((slot, print)) = slot_of(layout, key) else { return on_text(keys, key, test) };
            Ok(Condition::On(slot, check(test, print, layout.storage(slot))?))
        }
        Filter::Test { subject: Subject::KeyText(key), test } => match slot_of(layout, key) {
            Err(_) => on_text(keys, key, test),
            Ok(kept) => on_text_of(kept, test),
        },
        Filter::Related { relationship, filter } => {
            let leads = keys.matching_ids(*relationship, filter)?;
            Ok(Condition::Text(Box::new(leads), Check::Not(Box::new(Check::IsNull))))
        }
        Filter::Columns { .. } | Filter::Test { .. } => {
            Err("a condition is about more than one column's value".to_owned())
        }
    }
}

/// A condition on a text derived from a column's values.
fn on_text(keys: &Keys<'_>, key: &Key, test: &Test) -> Result<Condition, String> {
    let key = keys.key(key)?;
    if key.print != Print::Text || !matches!(key.cut, Cut::Of(_) | Cut::Lookup(_) | Cut::Among(_)) {
        return Err("a condition is about what is told by other rows".to_owned());
    }
    Ok(Condition::Text(Box::new(key), check(test, Print::Text, SlotKind::Value)?))
}

/// A condition on the text of a stored value.
fn on_text_of(kept: (Slot, Print), test: &Test) -> Result<Condition, String> {
    match kept {
        (slot, Print::Text) => Ok(Condition::On(slot, check(test, Print::Text, SlotKind::Value)?)),
        (slot, Print::Uuid) => {
            let check = check(test, Print::Text, SlotKind::Value)?;
            Ok(Condition::On(slot, Check::IdText(Box::new(check))))
        }
        (_, print) => Err(format!("a {print:?} is filtered by as a text")),
    }
}

impl Condition {
    /// Flattens nested lists of conditions that must all hold.
    pub fn flat(self, into: &mut Vec<Self>) {
        match self {
            Self::All(conditions) => conditions.into_iter().for_each(|condition| condition.flat(into)),
            // Checks of one value that must all hold stay together: they are evaluated on its values in one pass.
            other => into.push(other),
        }
    }

    /// Adds the slots the condition uses.
    pub fn slots(&self, into: &mut Vec<Slot>) {
        match self {
            Self::All(conditions) | Self::Any(conditions) => {
                for condition in conditions {
                    condition.slots(into);
                }
            }
            Self::Not(condition) => condition.slots(into),
            Self::On(slot, _) | Self::Amount(slot, _) => note(*slot, into),
            Self::Text(key, _) => {
                note(key.slot, into);
                key.fallback.iter().for_each(|(slot, _)| note(*slot, into));
            }
            Self::Evaluated(evaluated) => {
                note(evaluated.slot, into);
                evaluated.fallback.iter().for_each(|(_, slot, _)| note(*slot, into));
            }
        }
    }

    /// Whether a condition on a single slot holds for a value; `code` is the value's code.
    pub fn of(&self, code: i64, seen: CheckedValue<'_>) -> Truth {
        match self {
            Self::All(conditions) => all(conditions.iter().map(|condition| condition.of(code, seen))),
            Self::Any(conditions) => any(conditions.iter().map(|condition| condition.of(code, seen))),
            Self::Not(condition) => condition.of(code, seen).map(|truth| !truth),
            Self::On(_, check) | Self::Amount(_, check) => check.of(seen),
            Self::Evaluated(evaluated) => evaluated.of(code, code),
            // Not evaluated yet, therefore unknown.
            Self::Text(..) => None,
        }
    }

    fn is_evaluated(&self) -> bool {
        match self {
            Self::All(conditions) | Self::Any(conditions) => conditions.iter().any(Self::is_evaluated),
            Self::Not(condition) => condition.is_evaluated(),
            Self::Evaluated(_) | Self::Text(..) => true,
            Self::On(..) | Self::Amount(..) => false,
        }
    }

    /// The condition with its text conditions evaluated; `None` if it has none.
    pub fn evaluated<E>(
        &self,
        evaluate: &mut dyn FnMut(&plan::Key, &Check) -> Result<ColumnTruths, E>,
    ) -> Result<Option<Self>, E> {
        let mut every = |conditions: &[Self]| -> Result<Option<Vec<Self>>, E> {
            let evaluated: Vec<Option<Self>> =
                conditions.iter().map(|condition| condition.evaluated(evaluate)).collect::<Result<_, _>>()?;
            if evaluated.iter().all(Option::is_none) {
                return Ok(None);
            }
            Ok(Some(
                evaluated
                    .into_iter()
                    .zip(conditions)
                    .map(|(evaluated, as_it_was)| evaluated.unwrap_or_else(|| as_it_was.clone()))
                    .collect(),
            ))
        };
        Ok(match self {
            Self::All(conditions) => every(conditions)?.map(Self::All),
            Self::Any(conditions) => every(conditions)?.map(Self::Any),
            Self::Not(condition) => {
                condition.evaluated(evaluate)?.map(|evaluated| Self::Not(Box::new(evaluated)))
            }
            Self::Text(key, check) => Some(Self::Evaluated(evaluate(key, check)?)),
            Self::On(..) | Self::Amount(..) | Self::Evaluated(_) => None,
        })
    }

    /// Whether evaluating it on a value is expensive and the result may be cached.
    pub fn is_costly(&self) -> bool {
        match self {
            Self::All(conditions) | Self::Any(conditions) => {
                conditions.iter().any(Self::is_costly) && !conditions.iter().any(Self::is_evaluated)
            }
            Self::Not(condition) => condition.is_costly(),
            Self::On(_, check) | Self::Amount(_, check) => check.is_costly(),
            // The result is valid for this query only.
            Self::Text(..) | Self::Evaluated(_) => false,
        }
    }

    /// The range of times in which it can hold, both ends included.
    pub fn times(&self) -> (i64, i64) {
        match self {
            Self::On(super::layout::TIME, check) => check.range(),
            _ => (i64::MIN, i64::MAX),
        }
    }

    /// For conditions on time: whether the result is constant within every unit; `start` returns the start of a time's unit.
    pub fn is_constant_per_unit(&self, start: &dyn Fn(i64) -> i64) -> bool {
        match self {
            Self::All(conditions) | Self::Any(conditions) => {
                conditions.iter().all(|condition| condition.is_constant_per_unit(start))
            }
            Self::Not(condition) => condition.is_constant_per_unit(start),
            Self::On(super::layout::TIME, check) => check.is_constant_per_unit(start),
            Self::On(..) | Self::Amount(..) | Self::Text(..) | Self::Evaluated(_) => true,
        }
    }

    /// Evaluates it for each of `rows`, from the truths of each slot's palette entries.
    fn rows(&self, part: &Part, seen: &dyn Fn(Slot, i64, &Check) -> Truth, rows: &[u32]) -> Vec<Truth> {
        let combined = |conditions: &[Self], is_all: bool| {
            let mut truths = vec![Some(is_all); rows.len()];
            for condition in conditions {
                for (truth, other) in truths.iter_mut().zip(condition.rows(part, seen, rows)) {
                    let both = [*truth, other].into_iter();
                    *truth = if is_all { all(both) } else { any(both) };
                }
            }
            truths
        };
        match self {
            Self::All(conditions) => combined(conditions, true),
            Self::Any(conditions) => combined(conditions, false),
            Self::Not(condition) => {
                let truths = condition.rows(part, seen, rows);
                truths.into_iter().map(|truth| truth.map(|truth| !truth)).collect()
            }
            Self::On(slot, check) => {
                let Some(codes) = part.codes(*slot) else { return vec![None; rows.len()] };
                let of_place: Vec<Truth> =
                    codes.palette.iter().map(|value| seen(*slot, *value, check)).collect();
                rows.iter().map(|row| of_place[codes.place(widen(*row))]).collect()
            }
            Self::Evaluated(evaluated) => {
                let Some(codes) = part.codes(evaluated.slot) else { return vec![None; rows.len()] };
                let others = evaluated.fallback.as_ref().and_then(|(_, slot, _)| part.codes(*slot));
                let of = |row: &u32| {
                    let other = others.map_or(NULL, |others| others.value(widen(*row)));
                    evaluated.of(codes.value(widen(*row)), other)
                };
                rows.iter().map(of).collect()
            }
            Self::Amount(slot, check) => {
                let Some(numbers) = part.numbers(*slot) else { return vec![None; rows.len()] };
                let of = |row: &u32| {
                    let row = widen(*row);
                    let is_there = numbers.present.as_ref().is_none_or(|present| present[row] > 0);
                    let number = CheckedValue::Decimal(numbers.values.get(row), numbers.scale);
                    check.of(if is_there { number } else { CheckedValue::Null })
                };
                rows.iter().map(of).collect()
            }
            Self::Text(..) => vec![None; rows.len()],
        }
    }
}

fn note(slot: Slot, into: &mut Vec<Slot>) {
    if !into.contains(&slot) {
        into.push(slot);
    }
}

/// Cached results of a condition by code: 0 unknown, 1 holds, 2 does not hold.
pub(super) type KnownTruths = Vec<u8>;

/// Selects the rows of a part that meet all conditions. `seen` returns the value of a code; `known` caches results across parts.
pub(super) fn choose<'a>(
    part: &Part,
    conditions: &[&Condition],
    seen: &dyn Fn(Slot, i64) -> CheckedValue<'a>,
    known: &mut [KnownTruths],
) -> RowSelection {
    let mut chosen = RowSelection::All;
    let every = |chosen: &RowSelection| match chosen {
        RowSelection::All => (0..u32::try_from(part.rows).unwrap_or(u32::MAX)).collect(),
        RowSelection::Rows(rows) => rows.clone(),
    };
    for (condition, known) in conditions.iter().zip(known) {
        if chosen.count(part.rows) == 0 {
            return chosen;
        }
        let mut slots = Vec::new();
        condition.slots(&mut slots);
        let Some(codes) = (if let [slot] = slots[..] { part.codes(slot) } else { None }) else {
            let rows: Vec<u32> = every(&chosen);
            let truths = condition.rows(part, &|slot, value, check| check.of(seen(slot, value)), &rows);
            let kept = rows.into_iter().zip(truths).filter(|(_, truth)| *truth == Some(true));
            chosen = RowSelection::Rows(kept.map(|(row, _)| row).collect());
            continue;
        };
        let holds: Vec<bool> = codes
            .palette
            .iter()
            .map(|value| {
                let seen = seen(slots[0], *value);
                let place = match seen {
                    CheckedValue::Number(_) | CheckedValue::Decimal(..) => {
                        return condition.of(*value, seen) == Some(true);
                    }
                    CheckedValue::Null => 0,
                    CheckedValue::Bytes(_) => usize::try_from(*value).unwrap_or_default(),
                };
                if known.len() <= place {
                    known.resize(place + 1, 0);
                }
                if known[place] == 0 {
                    known[place] = if condition.of(*value, seen) == Some(true) { 1 } else { 2 };
                }
                known[place] == 1
            })
            .collect();
        if holds.iter().all(|holds| *holds) {
            continue;
        }
        if !holds.contains(&true) {
            return RowSelection::Rows(Vec::new());
        }
        chosen = RowSelection::Rows(match (&codes.places, chosen) {
            // A palette with one value either matches all rows or none.
            (Places::Same, chosen) => every(&chosen),
            (Places::Narrow(places), RowSelection::All) => {
                let mut table = [false; 256];
                table[..holds.len()].copy_from_slice(&holds);
                (0u32..)
                    .zip(places)
                    .filter(|(_, place)| table[usize::from(**place)])
                    .map(|(row, _)| row)
                    .collect()
            }
            (Places::Wide(places), RowSelection::All) => (0u32..)
                .zip(places)
                .filter(|(_, place)| holds[usize::from(**place)])
                .map(|(row, _)| row)
                .collect(),
            (_, RowSelection::Rows(mut rows)) => {
                rows.retain(|row| holds[codes.place(widen(*row))]);
                rows
            }
        });
    }
    chosen
}
