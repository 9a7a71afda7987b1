//! The logical columns of the listings, and their cells.

use crate::properties::data::{COLUMNS, Row};
use catalogue::{Value, format_timestamp, parse_timestamp};

/// Plain columns.
pub const PLAIN: [&str; 12] = [
    "id",
    "name",
    "kind",
    "amount",
    "price",
    "flag",
    "at",
    "parent_name",
    "label",
    "path",
    "member",
    "recent",
];

pub const FIGURES: [&str; 9] =
    ["count", "names", "total", "least", "most", "balls", "others", "newest", "different"];

pub const UNITS: [&str; 5] = ["minute", "hour", "Day", "month", "YEAR"];

pub fn stored<'a>(row: &'a Row, name: &str) -> &'a Value {
    &row[COLUMNS.iter().position(|known| *known == name).unwrap()]
}

/// The index of the table column whose values the logical column has.
pub fn like_column(name: &str) -> usize {
    let column = match name {
        "parent_name" | "label" | "path" | "member" => "name",
        "recent" => "flag",
        name => name,
    };
    COLUMNS.iter().position(|known| *known == column).unwrap()
}

/// The value of a logical column in a row.
pub fn cell(row: &Row, rows: &[Row], name: &str) -> Value {
    let parent = || rows.iter().find(|other| other[0] == row[1]).map(|parent| stored(parent, "name").clone());
    match name {
        "parent_name" => parent().unwrap_or(Value::Null),
        "label" => match stored(row, "name") {
            Value::Null => parent().unwrap_or(Value::Null),
            name => name.clone(),
        },
        "path" => match stored(row, "name") {
            Value::Text(text) => Value::Text(format!("{text}/{text}")),
            _ => Value::Null,
        },
        "member" => match stored(row, "data") {
            Value::Json(json) => match serde_json::from_str::<serde_json::Value>(json).unwrap().get("a") {
                None | Some(serde_json::Value::Null) => Value::Null,
                Some(serde_json::Value::String(text)) => Value::Text(text.clone()),
                Some(other) => Value::Text(other.to_string()),
            },
            _ => Value::Null,
        },
        // All generated times are far in the past.
        "recent" => match stored(row, "at") {
            Value::Null => Value::Null,
            _ => Value::Bool(false),
        },
        name => stored(row, name).clone(),
    }
}

/// A time truncated to the start of its unit, computed on its text.
pub fn cut(value: &Value, unit: &str) -> Value {
    let Value::Timestamp(micros) = value else { return value.clone() };
    let text = format_timestamp(*micros);
    let kept = match unit.to_ascii_lowercase().as_str() {
        "minute" => format!("{}:00", &text[..16]),
        "hour" => format!("{}:00:00", &text[..13]),
        "day" => format!("{}T00:00:00", &text[..10]),
        "month" => format!("{}-01T00:00:00", &text[..7]),
        _ => format!("{}-01-01T00:00:00", &text[..4]),
    };
    Value::Timestamp(parse_timestamp(&kept).unwrap())
}

/// A cell as a listing writes it; `as_text` if the row type declares String.
pub fn printed(value: &Value, as_text: bool) -> String {
    let text = |text: &str| serde_json::Value::from(text).to_string();
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) if as_text => text(&value.to_string()),
        Value::Int(value) if as_text => text(&value.to_string()),
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Decimal(value) => value.to_string(),
        Value::Text(value) => text(value),
        Value::Uuid(id) => text(&id.to_string()),
        Value::Timestamp(micros) => text(&format!("{}Z", format_timestamp(*micros))),
        other => panic!("no column of a listing holds {other:?}"),
    }
}
