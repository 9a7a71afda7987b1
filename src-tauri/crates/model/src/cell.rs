//! Converts database cells to Rust types and back.

use catalogue::{Decimal, Value};
use serde_json::Value as Json;
use store::StoreError;
use uuid::Uuid;

/// A Rust type for the cells of a column.
pub trait Cell: Sized {
    /// The type without `Option`: the type of values compared with the column.
    type Plain: Cell;
    /// The expected type, for error messages.
    const EXPECTED: &'static str;

    /// Converts a cell.
    ///
    /// # Errors
    ///
    /// Returns the value unchanged if it has another type.
    fn from_value(value: Value) -> Result<Self, Value>;

    fn into_value(self) -> Value;

    /// Converts the value from the JSON result of a grouping.
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

/// Implements [`Cell`] for a type that corresponds to one variant of [`Value`] and can be read from JSON.
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
            // A float column may hold an integer.
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

/// The cells of one row, read in order.
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
