//! Converts cells between the catalogue's types and SQLite's.

use crate::StoreError;
use catalogue::{Column, Decimal, Scalar, Table, Value, ValueRef};
use rusqlite::types::ValueRef as Held;
use uuid::Uuid;

/// Refuses a value that the column cannot hold.
pub(crate) fn check(table: &Table, column: &Column, value: ValueRef<'_>) -> Result<(), StoreError> {
    let fits = match (&column.scalar, value) {
        (_, ValueRef::Null) => column.nullable,
        (Scalar::Uuid, ValueRef::Uuid(_))
        | (Scalar::String | Scalar::Citext | Scalar::Enum { .. }, ValueRef::Text(_))
        | (Scalar::Int | Scalar::Bigint, ValueRef::Int(_))
        | (Scalar::Boolean, ValueRef::Bool(_))
        | (Scalar::Timestamp | Scalar::Timestamptz, ValueRef::Timestamp(_))
        | (Scalar::Date, ValueRef::Date(_))
        | (Scalar::Json | Scalar::Jsonb, ValueRef::Json(_))
        | (Scalar::Numeric, ValueRef::Decimal(_)) => true,
        (Scalar::StringList, ValueRef::Json(json)) => serde_json::from_str::<Vec<String>>(json).is_ok(),
        (Scalar::Float8, ValueRef::Float(_)) => !column.exact,
        (Scalar::Float8, ValueRef::Decimal(_)) => column.exact,
        _ => false,
    };
    if fits {
        return Ok(());
    }
    let nullable = if column.nullable { " or null" } else { "" };
    Err(StoreError::WrongValue {
        table: table.name.clone(),
        column: column.name.clone(),
        expected: format!("{}{nullable}", column.scalar.graphql_name()),
        found: format!("{value:?}"),
    })
}

/// Converts a stored cell to the column's type.
pub(crate) fn decode(column: &Column, cell: Held<'_>) -> Value {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    match (&column.scalar, cell) {
        (_, Held::Null) => Value::Null,
        (Scalar::Uuid, Held::Blob(bytes)) => Uuid::from_slice(bytes).map_or(Value::Null, Value::Uuid),
        (Scalar::Boolean, Held::Integer(number)) => Value::Bool(number != 0),
        (Scalar::Timestamp | Scalar::Timestamptz, Held::Integer(micros)) => Value::Timestamp(micros),
        (Scalar::Date, Held::Integer(days)) => Value::Date(i32::try_from(days).unwrap_or_default()),
        (Scalar::Json | Scalar::Jsonb | Scalar::StringList, Held::Text(bytes)) => Value::Json(text(bytes)),
        (Scalar::Numeric | Scalar::Float8, Held::Text(bytes)) => {
            Decimal::parse(&text(bytes)).map_or(Value::Null, Value::Decimal)
        }
        (_, Held::Integer(number)) => Value::Int(number),
        (_, Held::Real(number)) => Value::Float(number),
        (_, Held::Text(bytes) | Held::Blob(bytes)) => Value::Text(text(bytes)),
    }
}
