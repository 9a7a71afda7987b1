//! A statement, what its parameters are bound to, and how its cells are written as JSON.

use crate::driver::db::Call;
use crate::values::sqlite_value::Cell;
use catalogue::{Column, Scalar, Value};
use uuid::Uuid;

/// SQL text. Parameter 1 is the caller's tenant; the next ones are cells of the parent's row, or lists of the cells of many,
/// when the rows are nested; the rest are `values`.
#[derive(Debug, Clone)]
pub(crate) struct Statement {
    pub sql: String,
    pub values: Vec<Bound>,
}

/// What a parameter is bound to.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Bound {
    Value(Value),
    /// What this slot is filled with.
    Slot(usize),
    /// The time so many microseconds after the moment of the answer.
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
    /// Decimal text, written as a number.
    Decimal,
    Boolean,
    Timestamp,
    Timestamptz,
    /// A time as RFC 3339 has it, with `Z`.
    Instant,
    Date,
    /// JSON text, put in as it is.
    Json,
    /// The same, without the blanks it has.
    LooseJson,
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

/// Keys of a row, copied so that they can be bound while that row is still open.
pub(crate) type Keys = Vec<rusqlite::types::Value>;

/// What a plan is given when it runs.
#[derive(Clone, Copy, Default)]
pub(crate) struct PlanArguments<'a> {
    /// The moment of the answer.
    pub now: i64,
    /// What the slots are filled with.
    pub slots: &'a [Value],
}

impl PlanArguments<'_> {
    /// What runs at once, and so has no slots.
    pub(crate) fn at(now: i64) -> Self {
        Self { now, slots: &[] }
    }
}

/// Binds the tenant to 1, then the parent's cells, then the values with what is given now.
pub(crate) fn bind(
    statement: &mut Call<'_>,
    tenant: Option<Uuid>,
    keys: &Keys,
    values: &[Bound],
    given: PlanArguments<'_>,
) -> rusqlite::Result<()> {
    let wanted = statement.parameter_count();
    for (place, key) in keys.iter().enumerate().take_while(|(place, _)| place + 2 <= wanted) {
        statement.bind(place + 2, key)?;
    }
    bind_values(statement, tenant, keys.len(), values, given)
}

/// Binds the tenant to 1, and the values behind so many parameters of parents.
pub(crate) fn bind_values(
    statement: &mut Call<'_>,
    tenant: Option<Uuid>,
    parents: usize,
    values: &[Bound],
    given: PlanArguments<'_>,
) -> rusqlite::Result<()> {
    if statement.parameter_count() >= 1 {
        statement.bind(1, Cell(tenant.map_or(catalogue::ValueRef::Null, Into::into)))?;
    }
    for (place, value) in values.iter().enumerate() {
        let value = match value {
            Bound::Value(value) => value.borrow(),
            Bound::Slot(slot) => {
                given.slots.get(*slot).expect("a plan runs with a value for each of its slots").borrow()
            }
            Bound::After(after) => catalogue::ValueRef::Timestamp(given.now.saturating_add(*after)),
        };
        statement.bind(place + 2 + parents, Cell(value))?;
    }
    Ok(())
}
