//! Converts single cells between the catalogue's types and the text of files.

use super::formula;
use catalogue::{
    Column, Decimal, Scalar, Value, format_date, format_timestamp, format_timestamptz, parse_date,
    parse_timestamp,
};
use serde_json::Value as Json;
use uuid::Uuid;

/// Parses a cell of a CSV file. The error states what was expected.
pub fn read_text(column: &Column, text: &str) -> Result<Value, String> {
    if text.is_empty() && column.nullable {
        return Ok(Value::Null);
    }
    let value = match &column.scalar {
        Scalar::Uuid => Uuid::parse_str(text).ok().map(Value::Uuid),
        Scalar::String | Scalar::Citext | Scalar::Enum { .. } | Scalar::Bytea => {
            Some(Value::Text(text.to_owned()))
        }
        Scalar::Int => text.parse::<i32>().ok().map(|number| Value::Int(number.into())),
        Scalar::Bigint => text.parse().ok().map(Value::Int),
        Scalar::Numeric => Decimal::parse(text).ok().map(Value::Decimal),
        Scalar::Float8 if column.exact => Decimal::parse(text).ok().map(Value::Decimal),
        Scalar::Float8 => text.parse().ok().filter(|number: &f64| number.is_finite()).map(Value::Float),
        Scalar::Boolean => match text {
            "true" => Some(Value::Bool(true)),
            "false" => Some(Value::Bool(false)),
            _ => None,
        },
        Scalar::Timestamp | Scalar::Timestamptz => parse_timestamp(text).map(Value::Timestamp),
        Scalar::Date => parse_date(text).map(Value::Date),
        Scalar::Json | Scalar::Jsonb => {
            serde_json::from_str::<Json>(text).ok().map(|_| Value::Json(text.to_owned()))
        }
        Scalar::StringList => {
            serde_json::from_str::<Vec<String>>(text).ok().map(|_| Value::Json(text.to_owned()))
        }
    };
    value.ok_or_else(|| expected(column))
}

/// Parses a value of an NDJSON object, given as JSON text to preserve every digit.
pub fn read_json(column: &Column, json: &str) -> Result<Value, String> {
    let json = json.trim();
    if json == "null" {
        return Ok(Value::Null);
    }
    match &column.scalar {
        Scalar::Json | Scalar::Jsonb => Ok(Value::Json(json.to_owned())),
        Scalar::StringList => read_text(column, json),
        Scalar::Int | Scalar::Bigint | Scalar::Numeric | Scalar::Float8 => {
            // Numbers may be JSON strings, as other programs write exact numbers.
            let text = serde_json::from_str::<String>(json).unwrap_or_else(|_| json.to_owned());
            read_filled(column, &text)
        }
        Scalar::Boolean => read_filled(column, json),
        _ => match serde_json::from_str::<String>(json) {
            Ok(text) if text.is_empty() && is_text(column) => Ok(Value::Text(text)),
            Ok(text) => read_filled(column, &text),
            Err(_) => Err(expected(column)),
        },
    }
}

/// Parses a cell of a CSV file for people, in which formula-like texts are escaped.
pub fn read_marked(column: &Column, text: &str) -> Result<Value, String> {
    read_text(column, if is_text(column) { formula::unmark(text) } else { text })
}

/// Formats a cell of a CSV file for people, escaping formula-like texts.
pub fn write_marked(column: &Column, value: &Value) -> String {
    let text = write_text(column, value);
    match value {
        Value::Text(_) if is_text(column) => formula::mark(&text).into_owned(),
        _ => text,
    }
}

/// In JSON, an empty string is not null.
fn read_filled(column: &Column, text: &str) -> Result<Value, String> {
    if text.is_empty() { Err(expected(column)) } else { read_text(column, text) }
}

fn is_text(column: &Column) -> bool {
    matches!(column.scalar, Scalar::String | Scalar::Citext | Scalar::Enum { .. } | Scalar::Bytea)
}

/// Formats a cell of a CSV file.
pub fn write_text(column: &Column, value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::Bool(claim) => claim.to_string(),
        Value::Int(number) => number.to_string(),
        Value::Float(number) => float(*number),
        Value::Decimal(number) => number.to_string(),
        Value::Text(text) | Value::Json(text) => text.clone(),
        Value::Uuid(id) => id.to_string(),
        Value::Timestamp(micros) if column.scalar == Scalar::Timestamptz => format_timestamptz(*micros),
        Value::Timestamp(micros) => format_timestamp(*micros),
        Value::Date(days) => format_date(*days),
    }
}

/// Formats a value of an NDJSON object.
pub fn write_json(column: &Column, value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Decimal(_) | Value::Json(_) => {
            write_text(column, value)
        }
        Value::Text(_) | Value::Uuid(_) | Value::Timestamp(_) | Value::Date(_) => {
            Json::String(write_text(column, value)).to_string()
        }
    }
}

/// Formats a number like JSON: the shortest text that parses to the same number.
fn float(number: f64) -> String {
    serde_json::Number::from_f64(number).map_or_else(|| "null".to_owned(), |number| number.to_string())
}

fn expected(column: &Column) -> String {
    match &column.scalar {
        Scalar::Uuid => "a uuid such as 5a0b7c1e-0c5b-4f0e-9f5b-1d2e3f405162",
        Scalar::Int => "a whole number between -2147483648 and 2147483647",
        Scalar::Bigint => "a whole number",
        Scalar::Numeric | Scalar::Float8 => "a number such as 12.50",
        Scalar::Boolean => "true or false",
        Scalar::Timestamp | Scalar::Timestamptz => "a time such as 2026-11-20T06:38:00",
        Scalar::Date => "a day such as 2026-11-20",
        Scalar::Json | Scalar::Jsonb => "JSON",
        Scalar::StringList => "a JSON list of texts",
        Scalar::String | Scalar::Citext | Scalar::Enum { .. } | Scalar::Bytea => "a text",
    }
    .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(scalar: Scalar, exact: bool) -> Column {
        Column {
            name: "c".to_owned(),
            description: String::new(),
            scalar,
            nullable: true,
            default: None,
            secret: false,
            exact,
            references: None,
            shared: None,
        }
    }

    #[test]
    fn every_cell_comes_back_as_it_went() {
        let money = Decimal::parse("1234567890.123456789012345678").unwrap();
        for (scalar, exact, value) in [
            (Scalar::Uuid, false, Value::Uuid(Uuid::from_u128(7))),
            (Scalar::String, false, Value::Text("a \"b\",\nc".to_owned())),
            (Scalar::String, false, Value::Text("=1+1".to_owned())),
            (Scalar::Int, false, Value::Int(-3)),
            (Scalar::Bigint, false, Value::Int(i64::MAX)),
            (Scalar::Numeric, true, Value::Decimal(money)),
            (Scalar::Float8, true, Value::Decimal(money)),
            (Scalar::Float8, false, Value::Float(0.1)),
            (Scalar::Boolean, false, Value::Bool(true)),
            (Scalar::Timestamp, false, Value::Timestamp(1_725_148_800_000_001)),
            (Scalar::Timestamptz, false, Value::Timestamp(1_725_148_800_000_000)),
            (Scalar::Date, false, Value::Date(20_000)),
            (Scalar::Jsonb, false, Value::Json("{\"a\":1.10}".to_owned())),
            (Scalar::StringList, false, Value::Json("[\"a\"]".to_owned())),
            (Scalar::String, false, Value::Null),
        ] {
            let column = column(scalar, exact);
            assert_eq!(read_text(&column, &write_text(&column, &value)), Ok(value.clone()));
            assert_eq!(read_marked(&column, &write_marked(&column, &value)), Ok(value.clone()));
            assert_eq!(read_json(&column, &write_json(&column, &value)), Ok(value));
        }
    }

    #[test]
    fn a_wrong_cell_says_what_was_expected() {
        assert_eq!(read_text(&column(Scalar::Boolean, false), "yes").unwrap_err(), "true or false");
        assert_eq!(read_json(&column(Scalar::Date, false), "7").unwrap_err(), "a day such as 2026-11-20");
        assert_eq!(read_json(&column(Scalar::Uuid, false), "\"\"").unwrap_err().split(' ').next(), Some("a"));
    }
}
