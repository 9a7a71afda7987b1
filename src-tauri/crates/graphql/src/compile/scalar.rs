//! Reads values of scalars, with the error messages that clients expect.

use super::input::Input;
use crate::error::{GraphqlError, Path};
use catalogue::{Catalogue, Column, Decimal, DecimalError, Scalar, Value, parse_date, parse_timestamp};
use uuid::Uuid;

/// Reads a value for a column. Null is refused: callers that allow it check first.
pub(super) fn read(
    catalogue: &Catalogue,
    column: &Column,
    input: &Input,
    path: &Path<'_>,
) -> Result<Value, GraphqlError> {
    read_as(catalogue, (&column.scalar, column.scalar.graphql_name(), column.exact), input, path)
}

/// Reads a value of a scalar or enum. The error names the declared type; `exact` numbers keep every digit.
pub(super) fn read_as(
    catalogue: &Catalogue,
    (scalar, kind, exact): (&Scalar, &str, bool),
    input: &Input,
    path: &Path<'_>,
) -> Result<Value, GraphqlError> {
    if *input == Input::Null && !matches!(scalar, Scalar::Json | Scalar::Jsonb) {
        return Err(path.invalid(format!("unexpected null value for type '{kind}'")));
    }
    let syntax = |text: &str| path.unreadable(format!("invalid input syntax for type {kind}: \"{text}\""));
    let expected = |what: &str| {
        path.invalid(format!("expected {what} for type '{kind}', but found {}", input.describe()))
    };
    let beyond = |number: &dyn std::fmt::Display| {
        path.unparsed(format!(
            "The value {number} lies outside the bounds or is not an integer. Maybe it is a float, or is there integer overflow?"
        ))
    };
    match scalar {
        Scalar::Uuid => match input {
            Input::Text(text) => Uuid::parse_str(text).map(Value::Uuid).map_err(|_| syntax(text)),
            _ => Err(expected("a UUID as a string")),
        },
        Scalar::String | Scalar::Citext | Scalar::Bytea => match input {
            Input::Text(text) => Ok(Value::Text(text.to_string())),
            _ => Err(expected("a string")),
        },
        Scalar::Int => {
            let number = whole(input).filter(|number| i32::try_from(*number).is_ok());
            number.map(Value::Int).ok_or_else(|| match input {
                Input::Number(number) if is_whole(&number.to_string()) => beyond(number),
                _ => expected("a 32-bit integer"),
            })
        }
        Scalar::Bigint => match input {
            Input::Text(text) => {
                let refused = |_| if is_whole(text) { beyond(text) } else { syntax(text) };
                text.parse().map(Value::Int).map_err(refused)
            }
            _ => whole(input).map(Value::Int).ok_or_else(|| match input {
                Input::Number(number) if is_whole(&number.to_string()) => beyond(number),
                _ => expected("a 64-bit integer"),
            }),
        },
        Scalar::Float8 | Scalar::Numeric => {
            let text = match input {
                Input::Number(number) => number.to_string(),
                Input::Text(text) => text.to_string(),
                _ => return Err(expected("a number")),
            };
            if exact || *scalar == Scalar::Numeric {
                return Decimal::parse(&text).map(Value::Decimal).map_err(|error| match error {
                    DecimalError::NotANumber => syntax(&text),
                    DecimalError::TooLong => path
                        .unparsed(format!("The value {text} has more than the 38 digits of type '{kind}'")),
                });
            }
            match text.parse::<f64>() {
                Ok(number) if number.is_finite() => Ok(Value::Float(number)),
                Ok(_) if text.contains(|letter: char| letter.is_ascii_digit()) => {
                    Err(path.unparsed(format!("The value {text} lies outside the bounds of type '{kind}'")))
                }
                _ => Err(syntax(&text)),
            }
        }
        Scalar::Boolean => match input {
            Input::Bool(value) => Ok(Value::Bool(*value)),
            _ => Err(expected("a boolean")),
        },
        Scalar::Timestamp | Scalar::Timestamptz => match input {
            Input::Text(text) => parse_timestamp(text).map(Value::Timestamp).ok_or_else(|| syntax(text)),
            _ => Err(expected("a time as a string, such as \"2026-11-20T06:38:00\"")),
        },
        Scalar::Date => match input {
            Input::Text(text) => parse_date(text).map(Value::Date).ok_or_else(|| syntax(text)),
            _ => Err(expected("a date as a string, such as \"2026-11-20\"")),
        },
        Scalar::Json | Scalar::Jsonb => Ok(Value::Json(input.to_json().to_string())),
        // A single value is a list of one.
        Scalar::StringList => {
            match input.members().iter().find(|member| !matches!(member, Input::Text(_))) {
                None => Ok(Value::Json(
                    input.members().iter().map(Input::to_json).collect::<serde_json::Value>().to_string(),
                )),
                Some(Input::Null) => Err(path.invalid("unexpected null value for type 'String'")),
                Some(other) => Err(path
                    .invalid(format!("expected a string for type 'String', but found {}", other.describe()))),
            }
        }
        Scalar::Enum { name, .. } => {
            let Input::Text(text) = input else { return Err(expected("an enum value")) };
            let values = catalogue.enum_values(name).unwrap_or_default();
            if !values.iter().any(|known| known.value == text.as_str()) {
                let names: Vec<String> = values.iter().map(|known| format!("'{}'", known.value)).collect();
                return Err(expected(&format!("one of the values [{}]", names.join(", "))));
            }
            Ok(Value::Text(text.to_string()))
        }
    }
}

/// Whether a number is written without a fraction. It may be larger than any integer type.
fn is_whole(text: &str) -> bool {
    let (digits, exponent) = text.split_once(['e', 'E']).unwrap_or((text, ""));
    let digits = digits.strip_prefix(['-', '+']).unwrap_or(digits);
    let are_digits = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    are_digits && !exponent.starts_with('-')
}

/// An integer, which may be written with a fraction of zero.
fn whole(input: &Input) -> Option<i64> {
    match input {
        Input::Number(number) => {
            number.as_i64().or_else(|| Decimal::parse(&number.to_string()).ok()?.to_i64())
        }
        _ => None,
    }
}

/// A boolean.
pub(super) fn boolean(input: &Input, path: &Path<'_>) -> Result<bool, GraphqlError> {
    match input {
        Input::Bool(value) => Ok(*value),
        other => {
            Err(path
                .invalid(format!("expected a boolean for type 'Boolean', but found {}", other.describe())))
        }
    }
}
