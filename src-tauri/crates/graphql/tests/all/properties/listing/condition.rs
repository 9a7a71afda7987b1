//! Conditions of listings: generated at random, written as `where`, and evaluated row by row.

use super::columns::{PLAIN, cell, like_column};
use crate::properties::condition::{compare, known, like, meets, written};
use crate::properties::data::{COLUMNS, Row, TEXTS, value};
use crate::properties::random::Random;
use catalogue::Value;
use serde_json::{Value as Json, json};

pub enum Condition {
    And(Vec<Condition>),
    Or(Vec<Condition>),
    Not(Box<Condition>),
    Compare(&'static str, &'static str, Value),
    OneOf(&'static str, bool, Vec<Value>),
    IsNull(&'static str, bool),
    Like(&'static str, &'static str, String),
    Between(&'static str, Value, Value),
    Beside(&'static str, &'static str, &'static str),
}

/// Text columns, which support patterns.
const TEXT: [&str; 6] = ["name", "kind", "parent_name", "label", "path", "member"];
const ORDERED: [&str; 3] = ["amount", "price", "at"];

impl Condition {
    pub fn random(random: &mut Random, rows: usize, depth: usize) -> Self {
        let several = |random: &mut Random| {
            (0..random.below(4)).map(|_| Self::random(random, rows, depth - 1)).collect()
        };
        let column = random.pick(&PLAIN);
        let some = |random: &mut Random| value(random, COLUMNS[like_column(column)], rows);
        match random.below(if depth == 0 { 6 } else { 10 }) {
            0 if ORDERED.contains(&column) => {
                let operator = random.pick(&["_eq", "_neq", "_gt", "_gte", "_lt", "_lte"]);
                Self::Compare(column, operator, some(random))
            }
            0 => Self::Compare(column, random.pick(&["_eq", "_neq"]), some(random)),
            1 if ["flag", "recent"].contains(&column) => Self::IsNull(column, random.one_in(2)),
            1 => {
                // Only texts have `_not_in`.
                let wanted = ORDERED.contains(&column) || random.one_in(2);
                Self::OneOf(column, wanted, (0..random.below(4)).map(|_| some(random)).collect())
            }
            2 => Self::IsNull(column, random.one_in(2)),
            3 => {
                let pattern = random.pick(&TEXTS).to_owned();
                Self::Like(random.pick(&TEXT), random.pick(&["_like", "_nlike", "_ilike"]), pattern)
            }
            4 => {
                let column = random.pick(&ORDERED);
                let one = value(random, column, rows);
                let other = value(random, column, rows);
                let is_turned = compare(like_column(column), &one, &other).is_gt();
                let (from, to) = if is_turned { (other, one) } else { (one, other) };
                Self::Between(column, from, to)
            }
            5 => Self::Beside(random.pick(&TEXT), random.pick(&["_eq_f", "_neq_f"]), random.pick(&TEXT)),
            6 | 7 => Self::And(several(random)),
            8 => Self::Or(several(random)),
            _ => Self::Not(Box::new(Self::random(random, rows, depth - 1))),
        }
    }

    /// The condition in the interface's notation.
    pub fn to_json(&self) -> Json {
        let all = |parts: &[Self]| Json::Array(parts.iter().map(Self::to_json).collect());
        match self {
            Self::And(parts) => json!({ "_and": all(parts) }),
            Self::Or(parts) => json!({ "_or": all(parts) }),
            Self::Not(part) => json!({ "_not": part.to_json() }),
            Self::Compare(column, operator, value) => json!({ *column: { *operator: written(value) } }),
            Self::OneOf(column, wanted, values) => {
                let operator = if *wanted { "_in" } else { "_not_in" };
                json!({ *column: { operator: values.iter().map(written).collect::<Json>() } })
            }
            Self::IsNull(column, wanted) => json!({ *column: { "_is_null": wanted } }),
            Self::Like(column, operator, pattern) => json!({ *column: { *operator: pattern } }),
            Self::Between(column, from, to) => {
                json!({ *column: { "_between": { "_gte": written(from), "_lt": written(to) } } })
            }
            Self::Beside(left, operator, right) => json!({ *left: { *operator: right } }),
        }
    }

    /// The result of SQL's three-valued logic for a row.
    pub fn holds(&self, row: &Row, rows: &[Row]) -> Option<bool> {
        let of = |column: &str| cell(row, rows, column);
        match self {
            Self::And(parts) => {
                let truths: Vec<_> = parts.iter().map(|part| part.holds(row, rows)).collect();
                if truths.contains(&Some(false)) {
                    Some(false)
                } else {
                    (!truths.contains(&None)).then_some(true)
                }
            }
            Self::Or(parts) if parts.is_empty() => Some(true),
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
                known(&of(column)).map(|cell| meets(operator, compare(like_column(column), cell, value)))
            }
            Self::OneOf(_, _, values) if values.is_empty() => Some(true),
            Self::OneOf(column, wanted, values) => known(&of(column)).map(|cell| {
                values.iter().any(|value| compare(like_column(column), cell, value).is_eq()) == *wanted
            }),
            Self::IsNull(column, wanted) => Some(of(column).is_null() == *wanted),
            Self::Like(column, operator, pattern) => known(&of(column)).map(|cell| {
                let (mut text, mut pattern) = (cell.as_text().unwrap().to_owned(), pattern.clone());
                if *operator == "_ilike" {
                    (text, pattern) = (text.to_lowercase(), pattern.to_lowercase());
                }
                let (text, pattern): (Vec<char>, Vec<char>) =
                    (text.chars().collect(), pattern.chars().collect());
                like(&text, &pattern) != operator.starts_with("_n")
            }),
            Self::Between(column, from, to) => known(&of(column)).map(|cell| {
                let to_bound = |bound| compare(like_column(column), cell, bound);
                to_bound(from).is_ge() && to_bound(to).is_lt()
            }),
            Self::Beside(left, operator, right) => {
                let (left, right) = (of(left), of(right));
                let equal = known(&left)?.as_text() == known(&right)?.as_text();
                Some(equal == (*operator == "_eq_f"))
            }
        }
    }
}
