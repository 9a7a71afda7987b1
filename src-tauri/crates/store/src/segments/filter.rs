//! Conditions on dimensions, tested once a value instead of once a row, with SQL's three truths.

use super::add::{Chosen, Part};
use super::groups::widen;
use super::layout::{Held, Slot};
use super::pack::{NULL, Places};
use super::plan::{self, Cut, Keys, kept};
use crate::json_tests::{has_key, holds, order};
use crate::like::matches;
use crate::pattern::{Dialect, compile};
use crate::plan::Print;
use crate::query::{Filter, Key, Operator, Subject, Test};
use catalogue::{Decimal, Value};
use regex::Regex;
use std::cmp::Ordering;
use uuid::Uuid;

/// True, false, or unknown as comparisons with null are.
pub(super) type Truth = Option<bool>;

/// A condition on one row.
#[derive(Debug, Clone)]
pub(super) enum Condition {
    All(Vec<Condition>),
    Any(Vec<Condition>),
    Not(Box<Condition>),
    On(Slot, Check),
    /// On a number that is added up otherwise.
    Amount(Slot, Check),
    /// On a text that is told of values when the plan runs.
    Text(Box<plan::Key>, Check),
    /// The same, once it is told.
    Told(Told),
}

/// Whether a condition holds, by the codes of a column.
#[derive(Debug, Clone)]
pub(super) struct Told {
    pub slot: Slot,
    pub truths: Vec<Truth>,
    /// Codes that leave it to another column, and the truths by that one's codes.
    pub or: Option<(Vec<bool>, Slot, Vec<Truth>)>,
}

impl Told {
    /// Whether it holds of a row.
    fn of(&self, code: i64, other: i64) -> Truth {
        let place = |code: i64| usize::try_from(code).unwrap_or_default();
        match &self.or {
            Some((leaves, _, others)) if leaves.get(place(code)) == Some(&true) => {
                others.get(place(other)).copied().flatten()
            }
            _ => self.truths.get(place(code)).copied().flatten(),
        }
    }
}

/// A condition on one value.
#[derive(Debug, Clone)]
pub(super) enum Check {
    All(Vec<Check>),
    Any(Vec<Check>),
    Not(Box<Check>),
    Order(Operator, Constant),
    OneOf(Vec<Constant>),
    Like {
        pattern: String,
        any_case: bool,
    },
    Pattern(Box<Regex>),
    /// Of the text of an id.
    IdText(Box<Check>),
    JsonOrder(Operator, String),
    Holds(String),
    HeldBy(String),
    HasKey(String),
    IsNull,
    /// A comparison with null.
    Unknown,
}

#[derive(Debug, Clone)]
pub(super) enum Constant {
    Number(i64),
    Bytes(Vec<u8>),
    Decimal(Decimal),
    Null,
}

/// A value as a check sees it.
#[derive(Debug, Clone, Copy)]
pub(super) enum Seen<'a> {
    Null,
    Number(i64),
    Bytes(&'a [u8]),
    /// A mantissa, and how many of its digits stand behind the point.
    Decimal(i128, u8),
}

/// Reads a filter; why it cannot be told from dimensions otherwise.
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
            let (slot, print) = kept(layout, &Key::Column(*column))?;
            Ok(Condition::On(slot, check(test, print, layout.held(slot))?))
        }
        Filter::Test { subject: Subject::Key(key), test } => {
            let Ok((slot, print)) = kept(layout, key) else { return on_text(keys, key, test) };
            Ok(Condition::On(slot, check(test, print, layout.held(slot))?))
        }
        Filter::Test { subject: Subject::KeyText(key), test } => match kept(layout, key) {
            Err(_) => on_text(keys, key, test),
            Ok(kept) => on_text_of(kept, test),
        },
        _ => Err("a condition is about more than one column's value".to_owned()),
    }
}

/// Of a text that is told of a column's values.
fn on_text(keys: &Keys<'_>, key: &Key, test: &Test) -> Result<Condition, String> {
    let key = keys.key(key)?;
    if key.print != Print::Text || !matches!(key.cut, Cut::Of(_) | Cut::Told(_)) {
        return Err("a condition is about what is told by other rows".to_owned());
    }
    Ok(Condition::Text(Box::new(key), check(test, Print::Text, Held::Value)?))
}

/// Of the text of a value that is kept.
fn on_text_of(kept: (Slot, Print), test: &Test) -> Result<Condition, String> {
    match kept {
        (slot, Print::Text) => Ok(Condition::On(slot, check(test, Print::Text, Held::Value)?)),
        (slot, Print::Uuid) => {
            let check = check(test, Print::Text, Held::Value)?;
            Ok(Condition::On(slot, Check::IdText(Box::new(check))))
        }
        (_, print) => Err(format!("a {print:?} is filtered by as a text")),
    }
}

/// A check of an exact number.
fn amount_check(test: &Test) -> Result<Check, String> {
    let constant = |value: &Value| match value {
        Value::Null => Ok(Constant::Null),
        Value::Decimal(number) => Ok(Constant::Decimal(*number)),
        Value::Int(number) => Ok(Constant::Decimal((*number).into())),
        value => Err(format!("an amount is compared with {value:?}")),
    };
    Ok(match test {
        Test::All(tests) => Check::All(tests.iter().map(amount_check).collect::<Result<_, _>>()?),
        Test::Not(test) => Check::Not(Box::new(amount_check(test)?)),
        Test::IsNull => Check::IsNull,
        Test::OneOf(values) => Check::OneOf(values.iter().map(constant).collect::<Result<_, _>>()?),
        Test::Compare(_, Value::Null) => Check::Unknown,
        Test::Compare(
            operator @ (Operator::Equal
            | Operator::NotEqual
            | Operator::Less
            | Operator::LessOrEqual
            | Operator::Greater
            | Operator::GreaterOrEqual),
            value,
        ) => Check::Order(*operator, constant(value)?),
        Test::Compare(operator, _) => return Err(format!("an amount is compared by {operator:?}")),
        Test::CompareSlot(..) | Test::OneOfSlots(_) => {
            return Err("a value is told when the plan runs".to_owned());
        }
        Test::HasKeys { .. } => return Err("keys are asked of what is no JSON".to_owned()),
    })
}

fn check(test: &Test, print: Print, held: Held) -> Result<Check, String> {
    let value = |value: &Value| constant(value, print, held);
    Ok(match test {
        Test::All(tests) => {
            Check::All(tests.iter().map(|test| check(test, print, held)).collect::<Result<_, _>>()?)
        }
        Test::Not(test) => Check::Not(Box::new(check(test, print, held)?)),
        Test::IsNull => Check::IsNull,
        Test::OneOf(values) if print == Print::Json => Check::Any(
            values
                .iter()
                .map(|value| compare(Operator::Equal, value, print, held))
                .collect::<Result<_, _>>()?,
        ),
        Test::OneOf(values) => Check::OneOf(values.iter().map(value).collect::<Result<_, _>>()?),
        Test::Compare(operator, value) => compare(*operator, value, print, held)?,
        Test::HasKeys { keys, all } if print == Print::Json => {
            let checks = keys.iter().map(|key| Check::HasKey(key.clone())).collect();
            if *all { Check::All(checks) } else { Check::Any(checks) }
        }
        Test::CompareSlot(..) | Test::OneOfSlots(_) => {
            return Err("a value is told when the plan runs".to_owned());
        }
        Test::HasKeys { .. } => return Err("keys are asked of what is no JSON".to_owned()),
    })
}

fn compare(operator: Operator, value: &Value, print: Print, held: Held) -> Result<Check, String> {
    let unlike = || format!("a {print:?} is compared with {value:?}");
    if value.is_null() {
        return Ok(Check::Unknown);
    }
    let json = || value.as_text().map(str::to_owned).filter(|_| print == Print::Json).ok_or_else(unlike);
    let text = || value.as_text().filter(|_| print == Print::Text).ok_or_else(unlike);
    let pattern = |dialect| {
        let compiled = compile(text()?, dialect).map_err(|error| error.to_string())?;
        Ok::<_, String>(Check::Pattern(Box::new(compiled)))
    };
    Ok(match operator {
        Operator::Like => Check::Like { pattern: text()?.to_owned(), any_case: false },
        Operator::LikeAnyCase => Check::Like { pattern: text()?.to_owned(), any_case: true },
        Operator::Similar => pattern(Dialect::Similar)?,
        Operator::Regex => pattern(Dialect::Regex)?,
        Operator::RegexAnyCase => pattern(Dialect::RegexAnyCase)?,
        Operator::Contains => Check::Holds(json()?),
        Operator::ContainedIn => Check::HeldBy(json()?),
        operator if print == Print::Json => Check::JsonOrder(operator, json()?),
        operator => Check::Order(operator, constant(value, print, held)?),
    })
}

/// A value in the form the dimension has it.
fn constant(value: &Value, print: Print, held: Held) -> Result<Constant, String> {
    Ok(match (held, value) {
        (_, Value::Null) => Constant::Null,
        (Held::Number, Value::Int(number) | Value::Timestamp(number)) => Constant::Number(*number),
        (Held::Number, Value::Bool(truth)) => Constant::Number((*truth).into()),
        (Held::Number, Value::Date(days)) => Constant::Number((*days).into()),
        (Held::Value, Value::Uuid(id)) if print == Print::Uuid => Constant::Bytes(id.as_bytes().to_vec()),
        (Held::Value, Value::Text(text)) if print == Print::Text => {
            Constant::Bytes(text.clone().into_bytes())
        }
        (_, value) => return Err(format!("a {print:?} is compared with {value:?}")),
    })
}

impl Condition {
    /// The condition without the lists of conditions that must all hold.
    pub fn flat(self, into: &mut Vec<Self>) {
        match self {
            Self::All(conditions) => conditions.into_iter().for_each(|condition| condition.flat(into)),
            // Checks of one value, of which all must hold, stay together: they are told from its values at once.
            other => into.push(other),
        }
    }

    /// The slots it is about.
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
                key.or.iter().for_each(|(slot, _)| note(*slot, into));
            }
            Self::Told(told) => {
                note(told.slot, into);
                told.or.iter().for_each(|(_, slot, _)| note(*slot, into));
            }
        }
    }

    /// Whether it holds of a value, when it is about one slot only; `code` is what the slot holds.
    pub fn of(&self, code: i64, seen: Seen<'_>) -> Truth {
        match self {
            Self::All(conditions) => all(conditions.iter().map(|condition| condition.of(code, seen))),
            Self::Any(conditions) => any(conditions.iter().map(|condition| condition.of(code, seen))),
            Self::Not(condition) => condition.of(code, seen).map(|truth| !truth),
            Self::On(_, check) | Self::Amount(_, check) => check.of(seen),
            Self::Told(told) => told.of(code, code),
            // What is not told is not known.
            Self::Text(..) => None,
        }
    }

    fn is_told(&self) -> bool {
        match self {
            Self::All(conditions) | Self::Any(conditions) => conditions.iter().any(Self::is_told),
            Self::Not(condition) => condition.is_told(),
            Self::Told(_) | Self::Text(..) => true,
            Self::On(..) | Self::Amount(..) => false,
        }
    }

    /// The same condition with its texts told; `None` when it has none.
    pub fn told<E>(
        &self,
        tell: &mut dyn FnMut(&plan::Key, &Check) -> Result<Told, E>,
    ) -> Result<Option<Self>, E> {
        let mut every = |conditions: &[Self]| -> Result<Option<Vec<Self>>, E> {
            let told: Vec<Option<Self>> =
                conditions.iter().map(|condition| condition.told(tell)).collect::<Result<_, _>>()?;
            if told.iter().all(Option::is_none) {
                return Ok(None);
            }
            Ok(Some(
                told.into_iter()
                    .zip(conditions)
                    .map(|(told, as_it_was)| told.unwrap_or_else(|| as_it_was.clone()))
                    .collect(),
            ))
        };
        Ok(match self {
            Self::All(conditions) => every(conditions)?.map(Self::All),
            Self::Any(conditions) => every(conditions)?.map(Self::Any),
            Self::Not(condition) => condition.told(tell)?.map(|told| Self::Not(Box::new(told))),
            Self::Text(key, check) => Some(Self::Told(tell(key, check)?)),
            Self::On(..) | Self::Amount(..) | Self::Told(_) => None,
        })
    }

    /// Whether telling it of a value takes more than a look at it, and it may be remembered.
    pub fn is_costly(&self) -> bool {
        match self {
            Self::All(conditions) | Self::Any(conditions) => {
                conditions.iter().any(Self::is_costly) && !conditions.iter().any(Self::is_told)
            }
            Self::Not(condition) => condition.is_costly(),
            Self::On(_, check) | Self::Amount(_, check) => check.is_costly(),
            // It is told for this answer only.
            Self::Text(..) | Self::Told(_) => false,
        }
    }

    /// The times between which it can hold: from, and up to and including.
    pub fn times(&self) -> (i64, i64) {
        match self {
            Self::On(super::layout::TIME, check) => check.range(),
            _ => (i64::MIN, i64::MAX),
        }
    }

    /// Whether, for times, it is the same within every span that `start` gives the beginning of.
    pub fn is_even(&self, start: &dyn Fn(i64) -> i64) -> bool {
        match self {
            Self::All(conditions) | Self::Any(conditions) => {
                conditions.iter().all(|condition| condition.is_even(start))
            }
            Self::Not(condition) => condition.is_even(start),
            Self::On(super::layout::TIME, check) => check.is_even(start),
            Self::On(..) | Self::Amount(..) | Self::Text(..) | Self::Told(_) => true,
        }
    }

    /// Whether it holds of each of `rows`, by the truths of each slot's places.
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
            Self::Told(told) => {
                let Some(codes) = part.codes(told.slot) else { return vec![None; rows.len()] };
                let others = told.or.as_ref().and_then(|(_, slot, _)| part.codes(*slot));
                let of = |row: &u32| {
                    let other = others.map_or(NULL, |others| others.value(widen(*row)));
                    told.of(codes.value(widen(*row)), other)
                };
                rows.iter().map(of).collect()
            }
            Self::Amount(slot, check) => {
                let Some(numbers) = part.numbers(*slot) else { return vec![None; rows.len()] };
                let of = |row: &u32| {
                    let row = widen(*row);
                    let is_there = numbers.present.as_ref().is_none_or(|present| present[row] > 0);
                    let number = Seen::Decimal(numbers.values.get(row), numbers.scale);
                    check.of(if is_there { number } else { Seen::Null })
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

/// What is known of whether a condition holds, by code: 0 nothing, 1 that it does, 2 that it does not.
pub(super) type Known = Vec<u8>;

/// Which rows of a part meet all conditions. `seen` finds the value a code stands for; `known` is kept from part to part.
pub(super) fn choose<'a>(
    part: &Part,
    conditions: &[&Condition],
    seen: &dyn Fn(Slot, i64) -> Seen<'a>,
    known: &mut [Known],
) -> Chosen {
    let mut chosen = Chosen::All;
    let every = |chosen: &Chosen| match chosen {
        Chosen::All => (0..u32::try_from(part.rows).unwrap_or(u32::MAX)).collect(),
        Chosen::Rows(rows) => rows.clone(),
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
            chosen = Chosen::Rows(kept.map(|(row, _)| row).collect());
            continue;
        };
        let holds: Vec<bool> = codes
            .palette
            .iter()
            .map(|value| {
                let seen = seen(slots[0], *value);
                let place = match seen {
                    Seen::Number(_) | Seen::Decimal(..) => return condition.of(*value, seen) == Some(true),
                    Seen::Null => 0,
                    Seen::Bytes(_) => usize::try_from(*value).unwrap_or_default(),
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
            return Chosen::Rows(Vec::new());
        }
        chosen = Chosen::Rows(match (&codes.places, chosen) {
            // A palette of one value holds or does not.
            (Places::Same, chosen) => every(&chosen),
            (Places::Narrow(places), Chosen::All) => {
                let mut table = [false; 256];
                table[..holds.len()].copy_from_slice(&holds);
                (0u32..)
                    .zip(places)
                    .filter(|(_, place)| table[usize::from(**place)])
                    .map(|(row, _)| row)
                    .collect()
            }
            (Places::Wide(places), Chosen::All) => (0u32..)
                .zip(places)
                .filter(|(_, place)| holds[usize::from(**place)])
                .map(|(row, _)| row)
                .collect(),
            (_, Chosen::Rows(mut rows)) => {
                rows.retain(|row| holds[codes.place(widen(*row))]);
                rows
            }
        });
    }
    chosen
}

fn all(truths: impl Iterator<Item = Truth>) -> Truth {
    let mut answer = Some(true);
    for truth in truths {
        match truth {
            Some(false) => return Some(false),
            None => answer = None,
            Some(true) => {}
        }
    }
    answer
}

fn any(truths: impl Iterator<Item = Truth>) -> Truth {
    let mut answer = Some(false);
    for truth in truths {
        match truth {
            Some(true) => return Some(true),
            None => answer = None,
            Some(false) => {}
        }
    }
    answer
}

impl Check {
    pub fn of(&self, seen: Seen<'_>) -> Truth {
        let text = |test: &dyn Fn(&str) -> bool| match seen {
            Seen::Bytes(bytes) => Some(test(&String::from_utf8_lossy(bytes))),
            _ => None,
        };
        match self {
            Self::All(checks) => all(checks.iter().map(|check| check.of(seen))),
            Self::Any(checks) => any(checks.iter().map(|check| check.of(seen))),
            Self::Not(check) => check.of(seen).map(|truth| !truth),
            Self::IsNull => Some(matches!(seen, Seen::Null)),
            Self::Unknown => None,
            Self::Order(operator, constant) => constant.cmp(seen).map(|order| meets(order, *operator)),
            Self::OneOf(constants) if constants.is_empty() => Some(false),
            Self::OneOf(constants) => {
                any(constants.iter().map(|constant| constant.cmp(seen).map(Ordering::is_eq)))
            }
            Self::Like { pattern, any_case } => text(&|text| matches(text, pattern, *any_case)),
            Self::Pattern(pattern) => text(&|text| pattern.is_match(text)),
            Self::IdText(check) => match seen {
                Seen::Bytes(bytes) => {
                    let id = Uuid::from_slice(bytes).map(|id| id.to_string()).unwrap_or_default();
                    check.of(Seen::Bytes(id.as_bytes()))
                }
                other => check.of(other),
            },
            Self::JsonOrder(operator, json) => text(&|text| meets(order(text, json), *operator)),
            Self::Holds(json) => text(&|text| holds(text, json)),
            Self::HeldBy(json) => text(&|text| holds(json, text)),
            Self::HasKey(key) => text(&|text| has_key(text, key)),
        }
    }

    fn is_costly(&self) -> bool {
        match self {
            Self::All(checks) | Self::Any(checks) => checks.iter().any(Self::is_costly),
            Self::Not(check) | Self::IdText(check) => check.is_costly(),
            Self::Like { .. }
            | Self::Pattern(_)
            | Self::JsonOrder(..)
            | Self::Holds(_)
            | Self::HeldBy(_)
            | Self::HasKey(_) => true,
            Self::Order(..) | Self::OneOf(_) | Self::IsNull | Self::Unknown => false,
        }
    }

    fn range(&self) -> (i64, i64) {
        match self {
            Self::All(checks) => checks
                .iter()
                .map(Self::range)
                .fold((i64::MIN, i64::MAX), |left, right| (left.0.max(right.0), left.1.min(right.1))),
            Self::Order(operator, Constant::Number(number)) => match operator {
                Operator::Equal => (*number, *number),
                Operator::Less | Operator::LessOrEqual => (i64::MIN, *number),
                Operator::Greater | Operator::GreaterOrEqual => (*number, i64::MAX),
                _ => (i64::MIN, i64::MAX),
            },
            _ => (i64::MIN, i64::MAX),
        }
    }

    fn is_even(&self, start: &dyn Fn(i64) -> i64) -> bool {
        match self {
            Self::All(checks) | Self::Any(checks) => checks.iter().all(|check| check.is_even(start)),
            Self::Not(check) => check.is_even(start),
            Self::IsNull | Self::Unknown => true,
            Self::Order(Operator::Less | Operator::GreaterOrEqual, Constant::Number(time)) => {
                start(*time) == *time
            }
            _ => false,
        }
    }
}

fn meets(order: Ordering, operator: Operator) -> bool {
    match operator {
        Operator::Equal => order.is_eq(),
        Operator::NotEqual => order.is_ne(),
        Operator::Less => order.is_lt(),
        Operator::LessOrEqual => order.is_le(),
        Operator::Greater => order.is_gt(),
        Operator::GreaterOrEqual => order.is_ge(),
        _ => false,
    }
}

impl Constant {
    /// How a value stands to this one; unknown when one is null.
    fn cmp(&self, seen: Seen<'_>) -> Option<Ordering> {
        match (seen, self) {
            (Seen::Number(seen), Self::Number(number)) => Some(seen.cmp(number)),
            (Seen::Bytes(seen), Self::Bytes(bytes)) => Some(seen.cmp(bytes.as_slice())),
            (Seen::Decimal(mantissa, scale), Self::Decimal(number)) => Some(beside(mantissa, scale, *number)),
            _ => None,
        }
    }
}

/// How a number stands to another one, to the last digit of both.
fn beside(mantissa: i128, scale: u8, number: Decimal) -> Ordering {
    // What outgrows 128 bits at the other's scale is farther from zero than the other.
    let far = |number: i128| if number > 0 { Ordering::Greater } else { Ordering::Less };
    if scale < number.scale() {
        let raised = Decimal::raise(mantissa, number.scale() - scale);
        return raised.map_or_else(|| far(mantissa), |raised| raised.cmp(&number.mantissa()));
    }
    let raised = Decimal::raise(number.mantissa(), scale - number.scale());
    raised.map_or_else(|| far(number.mantissa()).reverse(), |raised| mantissa.cmp(&raised))
}

/// A whole number as a check sees it.
pub(super) fn number(value: i64) -> Seen<'static> {
    if value == NULL { Seen::Null } else { Seen::Number(value) }
}
