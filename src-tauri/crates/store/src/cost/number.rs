//! A number of rows that is evaluated when a plan runs.

use super::Sizes;
use crate::StoreError;
use catalogue::{TableId, Value};

#[derive(Debug, Clone)]
pub(super) enum Number {
    Known(u64),
    /// The value of a parameter of the plan.
    Parameter(usize),
    /// All rows of a table.
    All(TableId),
    /// The rows of `of` that belong to `rows` rows of `among`, assuming an even distribution.
    Fan {
        rows: Box<Number>,
        of: TableId,
        among: TableId,
    },
    Times(Box<Number>, Box<Number>),
    Least(Box<Number>, Box<Number>),
    /// The number divided by a constant.
    Part(Box<Number>, u64),
}

impl Number {
    pub(super) fn times(self, other: Self) -> Self {
        match (self, other) {
            (Self::Known(1), other) | (other, Self::Known(1)) => other,
            (one, other) => Self::Times(Box::new(one), Box::new(other)),
        }
    }

    pub(super) fn least(self, other: Self) -> Self {
        Self::Least(Box::new(self), Box::new(other))
    }

    pub(super) fn value(&self, sizes: &Sizes<'_>, parameters: &[Value]) -> Result<u64, StoreError> {
        Ok(match self {
            Self::Known(rows) => *rows,
            Self::Parameter(parameter) => match parameters.get(*parameter) {
                Some(Value::Int(rows)) => u64::try_from(*rows).unwrap_or_default(),
                _ => u64::MAX,
            },
            Self::All(table) => sizes.rows(*table)?,
            Self::Fan { rows, of, among } => {
                let (rows, of) = (rows.value(sizes, parameters)?, sizes.rows(*of)?);
                let all = u128::from(rows) * u128::from(of) / u128::from(sizes.rows(*among)?.max(1));
                u64::try_from(all).unwrap_or(u64::MAX)
            }
            Self::Times(one, other) => {
                one.value(sizes, parameters)?.saturating_mul(other.value(sizes, parameters)?)
            }
            Self::Least(one, other) => one.value(sizes, parameters)?.min(other.value(sizes, parameters)?),
            Self::Part(rows, of) => rows.value(sizes, parameters)?.div_ceil(*of),
        })
    }
}
