//! Computes the expected response of a listing from the rows in memory.

use super::ask::Ask;
use super::columns::{FIGURES, cell, cut, like_column, printed, stored};
use crate::properties::condition::compare;
use crate::properties::data::Row;
use catalogue::{Decimal, Value};
use std::cmp::Ordering;

/// The rows of one result row.
struct Group<'a> {
    keys: Vec<Value>,
    rows: Vec<&'a Row>,
}

pub fn answer(rows: &[Row], ask: &Ask) -> String {
    let chosen: Vec<&Row> = rows.iter().filter(|row| ask.condition.holds(row, rows) == Some(true)).collect();
    let keys = if ask.is_grouped { ask.keys() } else { Vec::new() };
    let mut groups: Vec<Group<'_>> = Vec::new();
    for row in chosen {
        let found: Vec<Value> = keys.iter().map(|key| plain(ask, row, rows, key)).collect();
        let same = |group: &&mut Group<'_>| group.keys == found;
        match groups.iter_mut().find(same).filter(|_| ask.is_grouped) {
            Some(group) => group.rows.push(row),
            None => groups.push(Group { keys: found, rows: vec![row] }),
        }
    }
    // Aggregates without keys form one group, even of no rows.
    if ask.is_grouped && keys.is_empty() && groups.is_empty() {
        groups.push(Group { keys: Vec::new(), rows: Vec::new() });
    }
    groups.sort_by(|left, right| {
        let by = |(column, descending, first): &(&str, bool, bool)| {
            let of = |group: &Group<'_>| ordered(ask, group, rows, column, &keys);
            sides(column, &of(left), &of(right), *descending, *first)
        };
        ask.order.iter().map(by).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    });
    let page = groups.iter().skip(ask.offset.unwrap_or(0)).take(ask.limit.unwrap_or(1000));
    let lines: Vec<String> = page.map(|group| line(ask, group, rows, &keys)).collect();
    let name = if ask.is_grouped { "item_groupings_v2" } else { "items_v2" };
    format!("{{\"data\":{{\"{name}\":{{\"rows\":[{}]}}}}}}", lines.join(","))
}

/// A plain column of a row; times are truncated as requested, and to days in groups.
fn plain(ask: &Ask, row: &Row, rows: &[Row], column: &str) -> Value {
    let value = cell(row, rows, column);
    match (column, ask.unit) {
        ("at", Some(unit)) => cut(&value, unit),
        ("at", None) if ask.is_grouped => cut(&value, "day"),
        _ => value,
    }
}

/// The sort value of a group: a key, an aggregate, or else the largest value.
fn ordered(ask: &Ask, group: &Group<'_>, rows: &[Row], column: &str, keys: &[&str]) -> Value {
    if FIGURES.contains(&column) {
        return figure(ask, group, rows, column);
    }
    if let Some(place) = keys.iter().position(|key| *key == column) {
        return group.keys[place].clone();
    }
    let cells = group.rows.iter().map(|row| plain(ask, row, rows, column)).filter(|cell| !cell.is_null());
    cells
        .reduce(|best, cell| if compare(like_column(column), &cell, &best).is_gt() { cell } else { best })
        .unwrap_or(Value::Null)
}

fn sides(column: &str, left: &Value, right: &Value, descending: bool, first: bool) -> Ordering {
    let nulls = if first { Ordering::Less } else { Ordering::Greater };
    match (left.is_null(), right.is_null()) {
        (true, true) => Ordering::Equal,
        (true, false) => nulls,
        (false, true) => nulls.reverse(),
        (false, false) => {
            let like = match column {
                "count" | "most" => "amount",
                "total" => "price",
                column => column,
            };
            let order = compare(like_column(like), left, right);
            if descending { order.reverse() } else { order }
        }
    }
}

fn line(ask: &Ask, group: &Group<'_>, rows: &[Row], keys: &[&str]) -> String {
    let members: Vec<String> = ask
        .selected
        .iter()
        .map(|column| {
            let value = if !ask.asked().contains(column) {
                Value::Null
            } else if FIGURES.contains(column) {
                figure(ask, group, rows, column)
            } else {
                match keys.iter().position(|key| key == column) {
                    Some(place) => group.keys[place].clone(),
                    None => plain(ask, group.rows[0], rows, column),
                }
            };
            let as_text = !ask.is_grouped && ["amount", "flag"].contains(column);
            format!("\"{column}\":{}", printed(&value, as_text))
        })
        .collect();
    format!("{{{}}}", members.join(","))
}

fn figure(ask: &Ask, group: &Group<'_>, rows: &[Row], name: &str) -> Value {
    let of = |column: &str| -> Vec<&Value> {
        group.rows.iter().map(|row| stored(row, column)).filter(|cell| !cell.is_null()).collect()
    };
    let count = |number: usize| Value::Int(i64::try_from(number).unwrap());
    let is_ball = |row: &&&Row| stored(row, "kind").as_text() == Some("Ball");
    match name {
        "count" if !ask.distinct.is_empty() => {
            let mut seen: Vec<Vec<Value>> = Vec::new();
            for row in &group.rows {
                let combination: Vec<Value> =
                    ask.distinct.iter().map(|column| uncut(ask, row, rows, column)).collect();
                let is_nothing = combination.len() == 1 && combination[0].is_null();
                if !is_nothing && !seen.contains(&combination) {
                    seen.push(combination);
                }
            }
            count(seen.len())
        }
        "count" => count(group.rows.len()),
        "names" => count(different(of("name")).len()),
        "total" => sum(&of("price")),
        "others" => {
            let rows = group.rows.iter().filter(|row| !is_ball(row));
            sum(&rows.map(|row| stored(row, "price")).filter(|cell| !cell.is_null()).collect::<Vec<_>>())
        }
        "balls" => count(group.rows.iter().filter(is_ball).count()),
        "least" => extreme("at", of("at"), Ordering::Less),
        "most" => extreme("amount", of("amount"), Ordering::Greater),
        "newest" => {
            // Null is smallest; among equals the larger id wins.
            let rank = |row: &Row| match stored(row, "at") {
                Value::Timestamp(micros) => (Some(*micros), row[0].clone()),
                _ => (None, row[0].clone()),
            };
            let best = group.rows.iter().copied().reduce(|best, row| {
                let ((at, id), (best_at, best_id)) = (rank(row), rank(best));
                let order = at.cmp(&best_at).then_with(|| compare(0, &id, &best_id));
                if order.is_gt() { row } else { best }
            });
            best.map_or(Value::Null, |row| row[0].clone())
        }
        "different" => {
            let texts: Vec<String> =
                different(of("name")).iter().map(|text| serde_json::Value::from(*text).to_string()).collect();
            Value::Text(format!("[{}]", texts.join(", ")))
        }
        other => panic!("no figure {other}"),
    }
}

/// Combinations are counted with unchanged times, or as the request truncates them.
fn uncut(ask: &Ask, row: &Row, rows: &[Row], column: &str) -> Value {
    let value = cell(row, rows, column);
    if column == "at" { ask.unit.map_or(value.clone(), |unit| cut(&value, unit)) } else { value }
}

fn different(cells: Vec<&Value>) -> Vec<&str> {
    let mut texts: Vec<&str> = cells.into_iter().map(|cell| cell.as_text().unwrap()).collect();
    texts.sort_unstable();
    texts.dedup();
    texts
}

fn extreme(column: &str, cells: Vec<&Value>, wanted: Ordering) -> Value {
    let better = |best, cell| if compare(like_column(column), cell, best) == wanted { cell } else { best };
    cells.into_iter().reduce(better).cloned().unwrap_or(Value::Null)
}

fn sum(cells: &[&Value]) -> Value {
    let numbers = cells.iter().map(|cell| match cell {
        Value::Decimal(number) => *number,
        other => panic!("no price: {other:?}"),
    });
    let total: Option<Decimal> = numbers.reduce(|left, right| left.checked_add(right).unwrap());
    total.map_or(Value::Null, Value::Decimal)
}
