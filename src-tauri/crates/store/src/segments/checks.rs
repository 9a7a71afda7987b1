//! Conditions on single values, derived from the tests of a query and evaluated with SQL's three-valued logic.

use super::layout::SlotKind;
use super::pack::NULL;
use crate::query::{Operator, Test};
use crate::statement::Print;
use crate::values::json_predicates::{has_key, holds, order};
use crate::values::like::matches;
use crate::values::pattern::{Dialect, compile};
use catalogue::{Decimal, Value};
use regex::Regex;
use std::cmp::Ordering;
use std::collections::HashSet;
use uuid::Uuid;

/// Up to this number of values is compared one by one.
const FEW: usize = 8;

/// True, false, or unknown as for comparisons with null.
pub(super) type Truth = Option<bool>;

/// A condition on one value.
#[derive(Debug, Clone)]
pub(super) enum Check {
    All(Vec<Check>),
    Any(Vec<Check>),
    Not(Box<Check>),
    Order(Operator, Constant),
    OneOf(Vec<Constant>),
    /// Equals one of many texts or ids.
    Among(HashSet<Vec<u8>>),
    Like {
        pattern: String,
        any_case: bool,
    },
    Pattern(Box<Regex>),
    /// Applies to the text form of an id.
    IdText(Box<Check>),
    JsonOrder(Operator, String),
    Holds(String),
    HeldBy(String),
    HasKey(String),
    IsNull,
    /// A comparison with null; always unknown.
    Unknown,
}

#[derive(Debug, Clone)]
pub(super) enum Constant {
    Number(i64),
    Bytes(Vec<u8>),
    Decimal(Decimal),
    Null,
}

/// A value for evaluation by a check.
#[derive(Debug, Clone, Copy)]
pub(super) enum CheckedValue<'a> {
    Null,
    Number(i64),
    Bytes(&'a [u8]),
    /// Mantissa, and number of digits after the point.
    Decimal(i128, u8),
}

/// Converts a test of an exact number.
pub(super) fn amount_check(test: &Test) -> Result<Check, String> {
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
        Test::CompareParameter(..) | Test::OneOfParameters(_) => {
            return Err("a value is told when the plan runs".to_owned());
        }
        Test::HasKeys { .. } => return Err("keys are asked of what is no JSON".to_owned()),
    })
}

pub(super) fn check(test: &Test, print: Print, held: SlotKind) -> Result<Check, String> {
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
        Test::OneOf(values) => one_of(values.iter().map(value).collect::<Result<_, _>>()?),
        Test::Compare(operator, value) => compare(*operator, value, print, held)?,
        Test::HasKeys { keys, all } if print == Print::Json => {
            let checks = keys.iter().map(|key| Check::HasKey(key.clone())).collect();
            if *all { Check::All(checks) } else { Check::Any(checks) }
        }
        Test::CompareParameter(..) | Test::OneOfParameters(_) => {
            return Err("a value is told when the plan runs".to_owned());
        }
        Test::HasKeys { .. } => return Err("keys are asked of what is no JSON".to_owned()),
    })
}

/// Many texts or ids are put in a hash set, because every value of a dictionary is compared with them.
fn one_of(constants: Vec<Constant>) -> Check {
    let is_many = constants.len() > FEW;
    if !is_many || !constants.iter().all(|constant| matches!(constant, Constant::Bytes(_))) {
        return Check::OneOf(constants);
    }
    let bytes = constants.into_iter().filter_map(|constant| match constant {
        Constant::Bytes(bytes) => Some(bytes),
        _ => None,
    });
    Check::Among(bytes.collect())
}

fn compare(operator: Operator, value: &Value, print: Print, held: SlotKind) -> Result<Check, String> {
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
        Operator::SimilarAnyCase => pattern(Dialect::SimilarAnyCase)?,
        Operator::Regex => pattern(Dialect::Regex)?,
        Operator::RegexAnyCase => pattern(Dialect::RegexAnyCase)?,
        Operator::Contains => Check::Holds(json()?),
        Operator::ContainedIn => Check::HeldBy(json()?),
        operator if print == Print::Json => Check::JsonOrder(operator, json()?),
        operator => Check::Order(operator, constant(value, print, held)?),
    })
}

/// Converts a constant to the storage form of the dimension.
fn constant(value: &Value, print: Print, held: SlotKind) -> Result<Constant, String> {
    Ok(match (held, value) {
        (_, Value::Null) => Constant::Null,
        (SlotKind::Number, Value::Int(number) | Value::Timestamp(number)) => Constant::Number(*number),
        (SlotKind::Number, Value::Bool(truth)) => Constant::Number((*truth).into()),
        (SlotKind::Number, Value::Date(days)) => Constant::Number((*days).into()),
        (SlotKind::Value, Value::Uuid(id)) if print == Print::Uuid => Constant::Bytes(id.as_bytes().to_vec()),
        (SlotKind::Value, Value::Text(text)) if print == Print::Text => {
            Constant::Bytes(text.clone().into_bytes())
        }
        (_, value) => return Err(format!("a {print:?} is compared with {value:?}")),
    })
}

pub(super) fn all(truths: impl Iterator<Item = Truth>) -> Truth {
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

pub(super) fn any(truths: impl Iterator<Item = Truth>) -> Truth {
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
    pub fn of(&self, seen: CheckedValue<'_>) -> Truth {
        let text = |test: &dyn Fn(&str) -> bool| match seen {
            CheckedValue::Bytes(bytes) => Some(test(&String::from_utf8_lossy(bytes))),
            _ => None,
        };
        match self {
            Self::All(checks) => all(checks.iter().map(|check| check.of(seen))),
            Self::Any(checks) => any(checks.iter().map(|check| check.of(seen))),
            Self::Not(check) => check.of(seen).map(|truth| !truth),
            Self::IsNull => Some(matches!(seen, CheckedValue::Null)),
            Self::Unknown => None,
            Self::Order(operator, constant) => constant.cmp(seen).map(|order| meets(order, *operator)),
            Self::OneOf(constants) if constants.is_empty() => Some(false),
            Self::OneOf(constants) => {
                any(constants.iter().map(|constant| constant.cmp(seen).map(Ordering::is_eq)))
            }
            Self::Among(values) => match seen {
                CheckedValue::Bytes(bytes) => Some(values.contains(bytes)),
                _ => None,
            },
            Self::Like { pattern, any_case } => text(&|text| matches(text, pattern, *any_case)),
            Self::Pattern(pattern) => text(&|text| pattern.is_match(text)),
            Self::IdText(check) => match seen {
                CheckedValue::Bytes(bytes) => {
                    let id = Uuid::from_slice(bytes).map(|id| id.to_string()).unwrap_or_default();
                    check.of(CheckedValue::Bytes(id.as_bytes()))
                }
                other => check.of(other),
            },
            Self::JsonOrder(operator, json) => text(&|text| meets(order(text, json), *operator)),
            Self::Holds(json) => text(&|text| holds(text, json)),
            Self::HeldBy(json) => text(&|text| holds(json, text)),
            Self::HasKey(key) => text(&|text| has_key(text, key)),
        }
    }

    pub fn is_costly(&self) -> bool {
        match self {
            Self::All(checks) | Self::Any(checks) => checks.iter().any(Self::is_costly),
            Self::Not(check) | Self::IdText(check) => check.is_costly(),
            Self::Like { .. }
            | Self::Pattern(_)
            | Self::JsonOrder(..)
            | Self::Holds(_)
            | Self::HeldBy(_)
            | Self::HasKey(_) => true,
            Self::Order(..) | Self::OneOf(_) | Self::Among(_) | Self::IsNull | Self::Unknown => false,
        }
    }

    pub fn range(&self) -> (i64, i64) {
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

    pub fn is_constant_per_unit(&self, start: &dyn Fn(i64) -> i64) -> bool {
        match self {
            Self::All(checks) | Self::Any(checks) => {
                checks.iter().all(|check| check.is_constant_per_unit(start))
            }
            Self::Not(check) => check.is_constant_per_unit(start),
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
    /// Compares a value with this constant; unknown if one is null.
    fn cmp(&self, seen: CheckedValue<'_>) -> Option<Ordering> {
        match (seen, self) {
            (CheckedValue::Number(seen), Self::Number(number)) => Some(seen.cmp(number)),
            (CheckedValue::Bytes(seen), Self::Bytes(bytes)) => Some(seen.cmp(bytes.as_slice())),
            (CheckedValue::Decimal(mantissa, scale), Self::Decimal(number)) => {
                Some(beside(mantissa, scale, *number))
            }
            _ => None,
        }
    }
}

/// Compares two numbers exactly.
fn beside(mantissa: i128, scale: u8, number: Decimal) -> Ordering {
    // A number that exceeds 128 bits at the other's scale is farther from zero than the other.
    let far = |number: i128| if number > 0 { Ordering::Greater } else { Ordering::Less };
    if scale < number.scale() {
        let raised = Decimal::raise(mantissa, number.scale() - scale);
        return raised.map_or_else(|| far(mantissa), |raised| raised.cmp(&number.mantissa()));
    }
    let raised = Decimal::raise(number.mantissa(), scale - number.scale());
    raised.map_or_else(|| far(number.mantissa()).reverse(), |raised| mantissa.cmp(&raised))
}

/// An integer for evaluation by a check.
pub(super) fn number(value: i64) -> CheckedValue<'static> {
    if value == NULL { CheckedValue::Null } else { CheckedValue::Number(value) }
}
