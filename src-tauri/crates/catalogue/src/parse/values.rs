//! Converts literals of the catalogue (defaults, cells of lookup rows) to column values.

use super::columns::Enums;
use crate::{Decimal, Scalar, Value, parse_date, parse_timestamp};
use async_graphql_value::ConstValue;

/// The column value of the literal; otherwise a message that states what is wrong with it.
pub(super) fn literal(
    value: &ConstValue,
    scalar: &Scalar,
    is_exact: bool,
    enums: &Enums<'_>,
) -> Result<Value, String> {
    read(value, scalar, is_exact, enums)
        .ok_or_else(|| format!("{value} is no value of type {}", scalar.graphql_name()))
}

fn read(value: &ConstValue, scalar: &Scalar, is_exact: bool, enums: &Enums<'_>) -> Option<Value> {
    match scalar {
        Scalar::Json | Scalar::Jsonb => json(value),
        Scalar::StringList => match value {
            ConstValue::List(items) if items.iter().all(|item| matches!(item, ConstValue::String(_))) => {
                json(value)
            }
            _ => None,
        },
        Scalar::Int => number(value)?.parse::<i32>().ok().map(|number| Value::Int(number.into())),
        Scalar::Bigint => number(value)?.parse().ok().map(Value::Int),
        Scalar::Float8 if !is_exact => number(value)?.parse().ok().map(Value::Float),
        Scalar::Float8 | Scalar::Numeric => Decimal::parse(&number(value)?).ok().map(Value::Decimal),
        Scalar::Boolean => match value {
            ConstValue::Boolean(flag) => Some(Value::Bool(*flag)),
            _ => None,
        },
        Scalar::Uuid => text(value)?.parse().ok().map(Value::Uuid),
        Scalar::Timestamp | Scalar::Timestamptz => parse_timestamp(text(value)?).map(Value::Timestamp),
        Scalar::Date => parse_date(text(value)?).map(Value::Date),
        Scalar::String | Scalar::Citext => text(value).map(|text| Value::Text(text.to_owned())),
        Scalar::Enum { name, .. } => {
            let text = text(value)?;
            enums.get(name.as_str())?.1.contains(&text).then(|| Value::Text(text.to_owned()))
        }
        Scalar::Bytea => None,
    }
}

fn json(value: &ConstValue) -> Option<Value> {
    serde_json::to_string(value).ok().map(Value::Json)
}

fn number(value: &ConstValue) -> Option<String> {
    match value {
        ConstValue::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

fn text(value: &ConstValue) -> Option<&str> {
    match value {
        ConstValue::String(text) => Some(text),
        ConstValue::Enum(name) => Some(name),
        _ => None,
    }
}
