//! Conditions: generated at random, written as `where`, and evaluated row by row.

use super::data::{COLUMNS, Row, TEXTS, value};
use super::random::Random;
use catalogue::{Value, format_date, format_timestamp};
use serde_json::{Value as Json, json};
use std::cmp::Ordering;

pub enum Condition {
    And(Vec<Condition>),
    Or(Vec<Condition>),
    Not(Box<Condition>),
    Compare(usize, &'static str, Value),
    OneOf(usize, bool, Vec<Value>),
    IsNull(usize, bool),
    Like(usize, &'static str, String),
    HasKey(String),
    Parent(Box<Condition>),
    Children(Box<Condition>),
    CountOfChildren(&'static str, i64, Box<Condition>),
}

const OPERATORS: [&str; 6] = ["_eq", "_neq", "_gt", "_gte", "_lt", "_lte"];
const PATTERNS: [&str; 4] = ["_like", "_nlike", "_ilike", "_nilike"];

impl Condition {
    pub fn random(random: &mut Random, rows: usize, depth: usize) -> Self {
        let inner = |random: &mut Random| Box::new(Self::random(random, rows, depth - 1));
        let column = 1 + random.below(COLUMNS.len() - 2);
        let several = |random: &mut Random| {
            (0..random.below(4)).map(|_| Self::random(random, rows, depth - 1)).collect()
        };
        match random.below(if depth == 0 { 5 } else { 11 }) {
            0 => {
                // Enums have no order.
                let operators = if COLUMNS[column] == "kind" { &OPERATORS[..2] } else { &OPERATORS[..] };
                let operator = random.pick(operators);
                Self::Compare(column, operator, value(random, COLUMNS[column], rows))
            }
            1 => {
                let values = (0..random.below(4)).map(|_| value(random, COLUMNS[column], rows)).collect();
                Self::OneOf(column, random.one_in(2), values)
            }
            2 => Self::IsNull(column, random.one_in(2)),
            3 => Self::Like(2, random.pick(&PATTERNS), random.pick(&TEXTS).to_owned()),
            4 => Self::HasKey(random.pick(&["a", "b", "'", "", "\" OR 1=1 --"]).to_owned()),
            5 | 6 => Self::And(several(random)),
            7 => Self::Or(several(random)),
            8 => Self::Not(inner(random)),
            9 if random.one_in(2) => Self::Parent(inner(random)),
            9 => Self::Children(inner(random)),
            _ => Self::CountOfChildren(
                random.pick(&OPERATORS),
                i64::try_from(random.below(3)).unwrap(),
                inner(random),
            ),
        }
    }

    /// The condition in the interface's notation.
    pub fn to_json(&self) -> Json {
        let all = |parts: &[Self]| Json::Array(parts.iter().map(Self::to_json).collect());
        match self {
            Self::And(parts) => json!({ "_and": all(parts) }),
            Self::Or(parts) => json!({ "_or": all(parts) }),
            Self::Not(part) => json!({ "_not": part.to_json() }),
            Self::Compare(column, operator, value) => {
                json!({ COLUMNS[*column]: { *operator: written(value) } })
            }
            Self::OneOf(column, wanted, values) => {
                let operator = if *wanted { "_in" } else { "_nin" };
                json!({ COLUMNS[*column]: { operator: values.iter().map(written).collect::<Json>() } })
            }
            Self::IsNull(column, wanted) => json!({ COLUMNS[*column]: { "_is_null": wanted } }),
            Self::Like(column, operator, pattern) => json!({ COLUMNS[*column]: { *operator: pattern } }),
            Self::HasKey(key) => json!({ "data": { "_has_key": key } }),
            Self::Parent(part) => json!({ "parent": part.to_json() }),
            Self::Children(part) => json!({ "children": part.to_json() }),
            Self::CountOfChildren(operator, count, part) => {
                json!({ "children_aggregate": { "count": { "filter": part.to_json(), "predicate": { *operator: count } } } })
            }
        }
    }

    /// The result of SQL's three-valued logic for a row; unknown rows are not selected.
    pub fn holds(&self, row: &Row, rows: &[Row]) -> Option<bool> {
        match self {
            Self::And(parts) => {
                let truths: Vec<_> = parts.iter().map(|part| part.holds(row, rows)).collect();
                if truths.contains(&Some(false)) {
                    Some(false)
                } else {
                    (!truths.contains(&None)).then_some(true)
                }
            }
            Self::Or(parts) => {
                let truths: Vec<_> = parts.iter().map(|part| part.holds(row, rows)).collect();
                if truths.contains(&Some(true)) {
                    Some(true)
                } else {
                    (!truths.contains(&None)).then_some(false)
                }
            }
            Self::Not(part) => part.holds(row, rows).map(|truth| !truth),
            Self::Compare(column, operator, value) => {
                known(&row[*column]).map(|cell| meets(operator, compare(*column, cell, value)))
            }
            Self::OneOf(_, wanted, values) if values.is_empty() => Some(!wanted),
            Self::OneOf(column, wanted, values) => known(&row[*column])
                .map(|cell| values.iter().any(|value| compare(*column, cell, value).is_eq()) == *wanted),
            Self::IsNull(column, wanted) => Some(row[*column].is_null() == *wanted),
            Self::Like(column, operator, pattern) => known(&row[*column]).map(|cell| {
                let (mut text, mut pattern) = (cell.as_text().unwrap().to_owned(), pattern.clone());
                if operator.ends_with("ilike") || COLUMNS[*column] == "nick" {
                    (text, pattern) = (text.to_lowercase(), pattern.to_lowercase());
                }
                let (text, pattern): (Vec<char>, Vec<char>) =
                    (text.chars().collect(), pattern.chars().collect());
                like(&text, &pattern) != operator.starts_with("_n")
            }),
            Self::HasKey(key) => {
                known(&row[13]).map(|cell| match serde_json::from_str(cell.as_text().unwrap()).unwrap() {
                    Json::Object(object) => object.contains_key(key),
                    Json::Array(array) => array.contains(&Json::from(key.as_str())),
                    Json::String(text) => text == *key,
                    _ => false,
                })
            }
            Self::Parent(part) => {
                Some(rows.iter().any(|other| other[0] == row[1] && part.holds(other, rows) == Some(true)))
            }
            Self::Children(part) => {
                Some(rows.iter().any(|other| other[1] == row[0] && part.holds(other, rows) == Some(true)))
            }
            Self::CountOfChildren(operator, count, part) => {
                let children = rows
                    .iter()
                    .filter(|other| other[1] == row[0] && part.holds(other, rows) == Some(true))
                    .count();
                Some(meets(operator, i64::try_from(children).unwrap().cmp(count)))
            }
        }
    }
}

pub fn known(cell: &Value) -> Option<&Value> {
    (!cell.is_null()).then_some(cell)
}

pub fn meets(operator: &str, order: Ordering) -> bool {
    match operator {
        "_eq" => order.is_eq(),
        "_neq" => order.is_ne(),
        "_gt" => order.is_gt(),
        "_gte" => order.is_ge(),
        "_lt" => order.is_lt(),
        "_lte" => order.is_le(),
        other => panic!("no operator {other}"),
    }
}

/// Compares two values of a column.
pub fn compare(column: usize, left: &Value, right: &Value) -> Ordering {
    match (left, right) {
        (Value::Text(left), Value::Text(right)) if COLUMNS[column] == "nick" => {
            left.to_lowercase().cmp(&right.to_lowercase())
        }
        (Value::Text(left), Value::Text(right)) => left.cmp(right),
        (Value::Int(left), Value::Int(right)) | (Value::Timestamp(left), Value::Timestamp(right)) => {
            left.cmp(right)
        }
        (Value::Date(left), Value::Date(right)) => left.cmp(right),
        (Value::Bool(left), Value::Bool(right)) => left.cmp(right),
        (Value::Uuid(left), Value::Uuid(right)) => left.cmp(right),
        (Value::Decimal(left), Value::Decimal(right)) => left.cmp(right),
        (Value::Float(left), Value::Float(right)) => left.partial_cmp(right).unwrap(),
        other => panic!("not of one column: {other:?}"),
    }
}

/// LIKE by definition: every way to fill a `%` is tried.
pub fn like(text: &[char], pattern: &[char]) -> bool {
    match pattern {
        [] => text.is_empty(),
        ['%', rest @ ..] => (0..=text.len()).any(|from| like(&text[from..], rest)),
        ['_', rest @ ..] => !text.is_empty() && like(&text[1..], rest),
        ['\\', letter, rest @ ..] | [letter, rest @ ..] => {
            text.first() == Some(letter) && like(&text[1..], rest)
        }
    }
}

/// A value as a client writes it.
pub fn written(value: &Value) -> Json {
    match value {
        Value::Null => Json::Null,
        Value::Bool(value) => (*value).into(),
        Value::Int(value) => (*value).into(),
        Value::Float(value) => (*value).into(),
        Value::Decimal(value) => value.to_string().into(),
        Value::Text(text) => text.as_str().into(),
        Value::Json(text) => serde_json::from_str(text).unwrap(),
        Value::Uuid(id) => id.to_string().into(),
        Value::Timestamp(micros) => format_timestamp(*micros).into(),
        Value::Date(days) => format_date(*days).into(),
    }
}
