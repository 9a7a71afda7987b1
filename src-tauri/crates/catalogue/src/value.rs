//! The value of one cell of a row, owned or borrowed.

use crate::Decimal;
use uuid::Uuid;

/// One cell value, owned. `Timestamp` counts microseconds since 1970-01-01T00:00:00 UTC, `Date` days since 1970-01-01.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Decimal(Decimal),
    Text(String),
    /// Valid JSON text.
    Json(String),
    Uuid(Uuid),
    Timestamp(i64),
    Date(i32),
}

/// One cell value, borrowed; lets bulk writers pass values without copying.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ValueRef<'a> {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Decimal(Decimal),
    Text(&'a str),
    /// Valid JSON text.
    Json(&'a str),
    Uuid(Uuid),
    Timestamp(i64),
    Date(i32),
}

impl Value {
    /// The value as a borrowed [`ValueRef`].
    pub fn borrow(&self) -> ValueRef<'_> {
        match self {
            Self::Null => ValueRef::Null,
            Self::Bool(value) => ValueRef::Bool(*value),
            Self::Int(value) => ValueRef::Int(*value),
            Self::Float(value) => ValueRef::Float(*value),
            Self::Decimal(value) => ValueRef::Decimal(*value),
            Self::Text(value) => ValueRef::Text(value),
            Self::Json(value) => ValueRef::Json(value),
            Self::Uuid(value) => ValueRef::Uuid(*value),
            Self::Timestamp(value) => ValueRef::Timestamp(*value),
            Self::Date(value) => ValueRef::Date(*value),
        }
    }

    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// The text of a text or JSON cell.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) | Self::Json(text) => Some(text),
            _ => None,
        }
    }

    pub fn as_uuid(&self) -> Option<Uuid> {
        match self {
            Self::Uuid(uuid) => Some(*uuid),
            _ => None,
        }
    }

    /// The number of an `Int` cell, or the microseconds of a `Timestamp`.
    pub fn as_int(&self) -> Option<i64> {
        match self {
            Self::Int(number) | Self::Timestamp(number) => Some(*number),
            _ => None,
        }
    }
}

impl ValueRef<'_> {
    /// The value as an owned [`Value`].
    pub fn to_owned(self) -> Value {
        match self {
            Self::Null => Value::Null,
            Self::Bool(value) => Value::Bool(value),
            Self::Int(value) => Value::Int(value),
            Self::Float(value) => Value::Float(value),
            Self::Decimal(value) => Value::Decimal(value),
            Self::Text(value) => Value::Text(value.to_owned()),
            Self::Json(value) => Value::Json(value.to_owned()),
            Self::Uuid(value) => Value::Uuid(value),
            Self::Timestamp(value) => Value::Timestamp(value),
            Self::Date(value) => Value::Date(value),
        }
    }
}

impl<'a> From<&'a str> for ValueRef<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(text)
    }
}

impl<'a> From<&'a String> for ValueRef<'a> {
    fn from(text: &'a String) -> Self {
        Self::Text(text)
    }
}

impl From<Uuid> for ValueRef<'_> {
    fn from(uuid: Uuid) -> Self {
        Self::Uuid(uuid)
    }
}

impl From<bool> for ValueRef<'_> {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<i64> for ValueRef<'_> {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

impl From<Decimal> for ValueRef<'_> {
    fn from(value: Decimal) -> Self {
        Self::Decimal(value)
    }
}

impl<'a, T: Into<ValueRef<'a>>> From<Option<T>> for ValueRef<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(ValueRef::Null, Into::into)
    }
}
