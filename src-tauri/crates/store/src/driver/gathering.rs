//! Aggregate functions that select values of a group: the value of the newest row, all distinct values, the first and the last text
//! case-insensitively.

use crate::values::citext;
use rusqlite::functions::{Aggregate, Context, FunctionFlags};
use rusqlite::types::Value;
use rusqlite::{Connection, Result};
use std::cmp::Ordering;

const PURE: FunctionFlags = FunctionFlags::SQLITE_UTF8.union(FunctionFlags::SQLITE_DETERMINISTIC);

/// Registers the functions on a connection.
pub(crate) fn register(connection: &Connection) -> Result<()> {
    connection.create_aggregate_function("value_at_greatest", 3, PURE, AtGreatest)?;
    connection.create_aggregate_function("json_values", 1, PURE, DistinctValues)?;
    connection.create_aggregate_function("text_least", 1, PURE, Outermost(Ordering::Less))?;
    connection.create_aggregate_function("text_greatest", 1, PURE, Outermost(Ordering::Greater))
}

/// `value_at_greatest(value, by, tie)`: the value of the row with the greatest `by`, then `tie`. Null is smallest.
struct AtGreatest;

struct Best {
    value: Value,
    rank: [Value; 2],
}

impl Aggregate<Option<Best>, Option<Value>> for AtGreatest {
    fn init(&self, _: &mut Context<'_>) -> Result<Option<Best>> {
        Ok(None)
    }

    fn step(&self, context: &mut Context<'_>, best: &mut Option<Best>) -> Result<()> {
        let rank = [context.get::<Value>(1)?, context.get::<Value>(2)?];
        let is_better = best.as_ref().is_none_or(|best| {
            let parts = rank.iter().zip(&best.rank).map(|(left, right)| compare(left, right));
            parts.fold(Ordering::Equal, Ordering::then) == Ordering::Greater
        });
        if is_better {
            *best = Some(Best { value: context.get(0)?, rank });
        }
        Ok(())
    }

    fn finalize(&self, _: &mut Context<'_>, best: Option<Option<Best>>) -> Result<Option<Value>> {
        Ok(best.flatten().map(|best| best.value))
    }
}

/// `json_values(value)`: the distinct values that are not null, sorted, as a JSON list; empty if there are no values.
struct DistinctValues;

impl Aggregate<Vec<Value>, String> for DistinctValues {
    fn init(&self, _: &mut Context<'_>) -> Result<Vec<Value>> {
        Ok(Vec::new())
    }

    fn step(&self, context: &mut Context<'_>, known: &mut Vec<Value>) -> Result<()> {
        let value = context.get::<Value>(0)?;
        if value != Value::Null
            && let Err(place) = known.binary_search_by(|other| compare(other, &value))
        {
            known.insert(place, value);
        }
        Ok(())
    }

    fn finalize(&self, _: &mut Context<'_>, known: Option<Vec<Value>>) -> Result<String> {
        let list: Vec<serde_json::Value> = known.unwrap_or_default().iter().map(json).collect();
        Ok(serde_json::Value::from(list).to_string())
    }
}

/// `text_least(text)`, `text_greatest(text)`: the first or last text, case-insensitively; by bytes if texts differ only in case.
struct Outermost(Ordering);

impl Aggregate<Option<String>, Option<String>> for Outermost {
    fn init(&self, _: &mut Context<'_>) -> Result<Option<String>> {
        Ok(None)
    }

    fn step(&self, context: &mut Context<'_>, best: &mut Option<String>) -> Result<()> {
        let Some(text) = context.get::<Option<String>>(0)? else { return Ok(()) };
        let order = |best: &String| citext::fold(&text).cmp(&citext::fold(best)).then_with(|| text.cmp(best));
        if best.as_ref().is_none_or(|best| order(best) == self.0) {
            *best = Some(text);
        }
        Ok(())
    }

    fn finalize(&self, _: &mut Context<'_>, best: Option<Option<String>>) -> Result<Option<String>> {
        Ok(best.flatten())
    }
}

fn json(value: &Value) -> serde_json::Value {
    match value {
        Value::Null | Value::Blob(_) => serde_json::Value::Null,
        Value::Integer(number) => (*number).into(),
        Value::Real(number) => (*number).into(),
        Value::Text(text) => text.as_str().into(),
    }
}

/// SQLite's sort order: null, numbers, texts by bytes, blobs.
fn compare(left: &Value, right: &Value) -> Ordering {
    match (left, right) {
        (Value::Integer(left), Value::Integer(right)) => left.cmp(right),
        (Value::Real(left), Value::Real(right)) => left.total_cmp(right),
        (Value::Text(left), Value::Text(right)) => left.cmp(right),
        (Value::Blob(left), Value::Blob(right)) => left.cmp(right),
        (left, right) => rank(left).cmp(&rank(right)),
    }
}

fn rank(value: &Value) -> u8 {
    match value {
        Value::Null => 0,
        Value::Integer(_) | Value::Real(_) => 1,
        Value::Text(_) => 2,
        Value::Blob(_) => 3,
    }
}
