//! Values of the API: parsing of ids and lists, and cells as JSON.

use catalogue::{Value as Cell, format_timestamp};
use graphql::Refusal;
use serde::Deserialize;
use serde_json::{Map, Number, Value};
use uuid::Uuid;

/// A row as JSON, by column name.
pub(crate) type Object = Map<String, Value>;

/// Deserialises a nullable list with nullable items; null items are dropped.
pub(crate) fn decoded_list<'a, T, D>(list: D) -> Result<Vec<T>, D::Error>
where
    T: Deserialize<'a>,
    D: serde::Deserializer<'a>,
{
    let list: Option<Vec<Option<T>>> = Option::deserialize(list)?;
    Ok(list.into_iter().flatten().flatten().collect())
}

/// Escapes a text for a LIKE pattern that matches it literally.
pub(crate) fn escape_like(text: &str) -> String {
    let mut pattern = String::with_capacity(text.len());
    for letter in text.chars() {
        if matches!(letter, '\\' | '%' | '_') {
            pattern.push('\\');
        }
        pattern.push(letter);
    }
    pattern
}

/// Parses a UUID.
pub(crate) fn id(name: &str, text: &str) -> Result<Uuid, Refusal> {
    if text.trim().is_empty() {
        return Err(Refusal::invalid(format!("{name} is missing: expected a UUID")));
    }
    Uuid::try_parse(text.trim())
        .map_err(|_| Refusal::invalid(format!("{name} is {text:?}: expected a UUID such as {}", Uuid::nil())))
}

/// The cells of a row by column name.
pub(crate) fn object(columns: &[&str], row: Vec<Cell>) -> Object {
    columns.iter().map(|column| (*column).to_owned()).zip(row.into_iter().map(cell)).collect()
}

/// A cell as JSON in the API's form; times have no zone.
pub(crate) fn cell(cell: Cell) -> Value {
    match cell {
        Cell::Null => Value::Null,
        Cell::Bool(value) => value.into(),
        Cell::Int(number) => number.into(),
        Cell::Float(number) => number.into(),
        Cell::Decimal(number) => decimal(number),
        Cell::Text(text) => text.into(),
        Cell::Json(text) => serde_json::from_str(&text).unwrap_or_default(),
        Cell::Uuid(id) => id.to_string().into(),
        Cell::Timestamp(micros) => format_timestamp(micros).into(),
        Cell::Date(days) => catalogue::format_date(days).into(),
    }
}

/// A decimal as a JSON number with all its digits.
pub(crate) fn decimal(number: catalogue::Decimal) -> Value {
    serde_json::from_str::<Number>(number.to_text().as_str()).map_or(Value::Null, Value::Number)
}

/// The exact number in a JSON cell.
pub(crate) fn exact(cell: &Value) -> Option<catalogue::Decimal> {
    match cell {
        Value::Number(number) => catalogue::Decimal::parse(&number.to_string()).ok(),
        Value::String(text) => catalogue::Decimal::parse(text).ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_id_is_refused_with_the_name_of_the_field() {
        let refused = |text| id("account_id", text).unwrap_err().message;
        assert_eq!(refused(" "), "account_id is missing: expected a UUID");
        assert_eq!(
            refused("prod"),
            "account_id is \"prod\": expected a UUID such as 00000000-0000-0000-0000-000000000000"
        );
    }

    #[test]
    fn money_keeps_its_digits_on_the_way_out() {
        let number = catalogue::Decimal::parse("30.987654321098765434").unwrap();
        assert_eq!(decimal(number).to_string(), "30.987654321098765434");
    }
}
