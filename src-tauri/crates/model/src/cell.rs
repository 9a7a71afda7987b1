//! What a cell of the database is in Rust, both ways.

use catalogue::{Decimal, Value};
use serde_json::Value as Json;
use store::StoreError;
use uuid::Uuid;

/// A type that cells of a column can have.
pub trait Cell: Sized {
    /// The type without `Option`: what such a column is compared with.
    type Plain: Cell;
    /// What a person expects to find, for the message that it is not there.
    const EXPECTED: &'static str;

    /// The value of a cell; the cell again when it holds something else.
    fn from_value(value: Value) -> Result<Self, Value>;

    fn into_value(self) -> Value;

    /// The same value as a grouping answers it.
    fn from_json(json: &Json) -> Option<Self>;
}

impl<T: Cell> Cell for Option<T> {
    type Plain = T::Plain;
    const EXPECTED: &'static str = T::EXPECTED;

    fn from_value(value: Value) -> Result<Self, Value> {
        if value.is_null() { Ok(None) } else { T::from_value(value).map(Some) }
    }

    fn into_value(self) -> Value {
        self.map_or(Value::Null, T::into_value)
    }

    fn from_json(json: &Json) -> Option<Self> {
        if json.is_null() { Some(None) } else { T::from_json(json).map(Some) }
    }
}

/// A type that is one variant of [`Value`] and has a way to be read from JSON.
macro_rules! cell {
    ($type:ty, $expected:literal, $variant:ident, $json:expr) => {
        impl Cell for $type {
            type Plain = Self;
            const EXPECTED: &'static str = $expected;

            fn from_value(value: Value) -> Result<Self, Value> {
                match value {
                    Value::$variant(value) => Ok(value),
                    other => Err(other),
                }
            }

            fn into_value(self) -> Value {
                Value::$variant(self)
            }

            fn from_json(json: &Json) -> Option<Self> {
                let read: fn(&Json) -> Option<Self> = $json;
                read(json)
            }
        }
    };
}

cell!(bool, "true or false", Bool, |json| json.as_bool());
cell!(i64, "a whole number", Int, |json| json.as_i64());
cell!(String, "a text", Text, |json| json.as_str().map(str::to_owned));
cell!(Uuid, "a UUID", Uuid, |json| Uuid::parse_str(json.as_str()?).ok());
cell!(Decimal, "a decimal", Decimal, |json| match json {
    Json::Number(number) => Decimal::parse(number.as_str()).ok(),
    _ => None,
});

impl Cell for f64 {
    type Plain = Self;
    const EXPECTED: &'static str = "a number";

    fn from_value(value: Value) -> Result<Self, Value> {
        match value {
            Value::Float(number) => Ok(number),
            // A column of floats may hold a whole number.
            #[allow(clippy::cast_precision_loss, reason = "a float is what the column holds")]
            Value::Int(number) => Ok(number as Self),
            other => Err(other),
        }
    }

    fn into_value(self) -> Value {
        Value::Float(self)
    }

    fn from_json(json: &Json) -> Option<Self> {
        json.as_f64()
    }
}

impl Cell for Vec<String> {
    type Plain = Self;
    const EXPECTED: &'static str = "a list of texts";

    fn from_value(value: Value) -> Result<Self, Value> {
        let list = value.as_text().and_then(|text| serde_json::from_str(text).ok());
        list.ok_or(value)
    }

    fn into_value(self) -> Value {
        Value::Json(Json::from(self).to_string())
    }

    fn from_json(json: &Json) -> Option<Self> {
        let text = |member: &Json| member.as_str().map(str::to_owned);
        json.as_array()?.iter().map(text).collect()
    }
}

/// The cells of one row, taken one after another.
pub struct Cells {
    table: &'static str,
    columns: std::slice::Iter<'static, &'static str>,
    values: std::vec::IntoIter<Value>,
}

impl Cells {
    pub(crate) fn new(table: &'static str, columns: &'static [&'static str], values: Vec<Value>) -> Self {
        Self { table, columns: columns.iter(), values: values.into_iter() }
    }

    /// The next cell.
    pub fn take<V: Cell>(&mut self) -> Result<V, StoreError> {
        let column = self.columns.next().copied().unwrap_or_default();
        let value = self.values.next().unwrap_or(Value::Null);
        V::from_value(value).map_err(|found| StoreError::WrongValue {
            table: self.table.to_owned(),
            column: column.to_owned(),
            expected: V::EXPECTED.to_owned(),
            found: format!("{found:?}"),
        })
    }
}
