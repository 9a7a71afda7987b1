//! Conditions on columns for product code.

use super::find;
use crate::StoreError;
use crate::query::{self, Filter, Operator, Subject};
use catalogue::{Table, ValueRef};

/// A condition on one column; all conditions of a list must hold.
#[derive(Debug, Clone)]
pub struct Condition<'a> {
    pub(super) column: &'a str,
    pub(super) test: Test<'a>,
}

#[derive(Debug, Clone)]
pub(super) enum Test<'a> {
    Compare(&'static str, ValueRef<'a>),
    IsNull,
    OneOf(Vec<ValueRef<'a>>),
}

/// `column = value`
pub fn eq<'a>(column: &'a str, value: impl Into<ValueRef<'a>>) -> Condition<'a> {
    Condition { column, test: Test::Compare("=", value.into()) }
}

/// `column <> value`
pub fn ne<'a>(column: &'a str, value: impl Into<ValueRef<'a>>) -> Condition<'a> {
    Condition { column, test: Test::Compare("<>", value.into()) }
}

/// `column < value`
pub fn lt<'a>(column: &'a str, value: impl Into<ValueRef<'a>>) -> Condition<'a> {
    Condition { column, test: Test::Compare("<", value.into()) }
}

/// `column <= value`
pub fn le<'a>(column: &'a str, value: impl Into<ValueRef<'a>>) -> Condition<'a> {
    Condition { column, test: Test::Compare("<=", value.into()) }
}

/// `column > value`
pub fn gt<'a>(column: &'a str, value: impl Into<ValueRef<'a>>) -> Condition<'a> {
    Condition { column, test: Test::Compare(">", value.into()) }
}

/// `column >= value`
pub fn ge<'a>(column: &'a str, value: impl Into<ValueRef<'a>>) -> Condition<'a> {
    Condition { column, test: Test::Compare(">=", value.into()) }
}

/// `column IS NULL`
pub fn is_null(column: &str) -> Condition<'_> {
    Condition { column, test: Test::IsNull }
}

/// `column IN (values)`; an empty list matches nothing.
pub fn one_of<'a>(column: &'a str, values: Vec<ValueRef<'a>>) -> Condition<'a> {
    Condition { column, test: Test::OneOf(values) }
}

/// Converts the conditions to a filter.
pub(super) fn filter(table: &Table, conditions: &[Condition<'_>]) -> Result<Filter, StoreError> {
    let one = |condition: &Condition<'_>| {
        let test = match &condition.test {
            Test::IsNull => query::Test::IsNull,
            Test::OneOf(values) => {
                query::Test::OneOf(values.iter().map(|value| ValueRef::to_owned(*value)).collect())
            }
            Test::Compare(sign, value) => {
                let operator = match *sign {
                    "=" => Operator::Equal,
                    "<>" => Operator::NotEqual,
                    "<" => Operator::Less,
                    "<=" => Operator::LessOrEqual,
                    ">" => Operator::Greater,
                    _ => Operator::GreaterOrEqual,
                };
                query::Test::Compare(operator, ValueRef::to_owned(*value))
            }
        };
        Ok(Filter::Test { subject: Subject::Column(find(table, condition.column)?), test })
    };
    Ok(Filter::And(conditions.iter().map(one).collect::<Result<_, StoreError>>()?))
}
