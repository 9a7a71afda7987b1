//! An SQL statement, its parameters, and how its cells are written as JSON.

use crate::driver::db::Call;
use crate::values::sqlite_value::Cell;
use catalogue::{Column, Scalar, Value};
use uuid::Uuid;

/// SQL text. Parameter 1 is the caller's tenant. For nested rows, the next parameters are cells of the parent row, or lists of the cells
/// of many parents. The rest are `values`.
#[derive(Debug, Clone)]
pub(crate) struct Statement {
    pub sql: String,
    pub values: Vec<ParameterValue>,
}

/// The value of a parameter.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ParameterValue {
    Value(Value),
    /// The request's value for this parameter of the prepared query.
    Parameter(usize),
    /// The time of the request plus this many microseconds.
    After(i64),
}

/// How a cell is written as JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Print {
    Uuid,
    Text,
    Bytes,
    Integer,
    Float,
    /// Decimal text, written as a JSON number.
    Decimal,
    Boolean,
    Timestamp,
    Timestamptz,
    /// A time in RFC 3339 format with `Z`.
    Instant,
    Date,
    /// JSON text, inserted unchanged.
    Json,
    /// JSON text, inserted without its whitespace.
    JsonWithWhitespace,
}

impl Print {
    /// How cells of a column are written.
    pub(crate) fn of(column: &Column) -> Self {
        match &column.scalar {
            Scalar::Uuid => Self::Uuid,
            Scalar::String | Scalar::Citext | Scalar::Enum { .. } => Self::Text,
            Scalar::Int | Scalar::Bigint => Self::Integer,
            Scalar::Float8 if !column.exact => Self::Float,
            Scalar::Float8 | Scalar::Numeric => Self::Decimal,
            Scalar::Boolean => Self::Boolean,
            Scalar::Timestamp => Self::Timestamp,
            Scalar::Timestamptz => Self::Timestamptz,
            Scalar::Date => Self::Date,
            Scalar::Json | Scalar::Jsonb | Scalar::StringList => Self::Json,
            Scalar::Bytea => Self::Bytes,
        }
    }
}

/// Keys of a row, copied so that they can be bound while the row's cursor is open.
pub(crate) type Keys = Vec<rusqlite::types::Value>;

/// The arguments of a plan.
#[derive(Clone, Copy, Default)]
pub(crate) struct PlanArguments<'a> {
    /// The time of the request.
    pub now: i64,
    /// Values for the parameters of the prepared query.
    pub parameters: &'a [Value],
}

impl PlanArguments<'_> {
    /// For statements that run immediately and have no parameters of a prepared query.
    pub(crate) fn at(now: i64) -> Self {
        Self { now, parameters: &[] }
    }
}

/// Binds the tenant to parameter 1, then the parent's cells, then the values.
pub(crate) fn bind(
    statement: &mut Call<'_>,
    tenant: Option<Uuid>,
    keys: &Keys,
    values: &[ParameterValue],
    given: PlanArguments<'_>,
) -> rusqlite::Result<()> {
    let wanted = statement.parameter_count();
    for (place, key) in keys.iter().enumerate().take_while(|(place, _)| place + 2 <= wanted) {
        statement.bind(place + 2, key)?;
    }
    bind_values(statement, tenant, keys.len(), values, given)
}

/// Binds the tenant to parameter 1, and the values after `parents` parameters of parent rows.
pub(crate) fn bind_values(
    statement: &mut Call<'_>,
    tenant: Option<Uuid>,
    parents: usize,
    values: &[ParameterValue],
    given: PlanArguments<'_>,
) -> rusqlite::Result<()> {
    if statement.parameter_count() >= 1 {
        statement.bind(1, Cell(tenant.map_or(catalogue::ValueRef::Null, Into::into)))?;
    }
    for (place, value) in values.iter().enumerate() {
        let value = match value {
            ParameterValue::Value(value) => value.borrow(),
            ParameterValue::Parameter(parameter) => given
                .parameters
                .get(*parameter)
                .expect("a plan runs with a value for each of its slots")
                .borrow(),
            ParameterValue::After(after) => catalogue::ValueRef::Timestamp(given.now.saturating_add(*after)),
        };
        statement.bind(place + 2 + parents, Cell(value))?;
    }
    Ok(())
}
