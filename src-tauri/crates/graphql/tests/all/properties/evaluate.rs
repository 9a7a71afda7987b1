//! Computes the expected response from the rows in memory.

use super::condition::compare;
use super::data::{COLUMNS, Row};
use super::request::Ask;
use catalogue::{Decimal, Value, format_date, format_timestamp};
use std::cmp::Ordering;

/// The whole body of the response.
pub fn answer(rows: &[Row], ask: &Ask) -> String {
    let chosen = chosen(rows, ask);
    let objects: Vec<String> = chosen.iter().map(|row| object(row, rows)).collect();
    let nodes: Vec<String> = chosen.iter().map(|row| format!("{{\"id\":{}}}", printed(&row[0]))).collect();
    format!(
        "{{\"data\":{{\"rows\":[{}],\"figures\":{{\"aggregate\":{},\"nodes\":[{}]}}}}}}",
        objects.join(","),
        figures(&chosen),
        nodes.join(",")
    )
}

fn chosen<'a>(rows: &'a [Row], ask: &Ask) -> Vec<&'a Row> {
    let mut chosen: Vec<&Row> =
        rows.iter().filter(|row| ask.condition.holds(row, rows) == Some(true)).collect();
    chosen.sort_by(|left, right| {
        let by = |(column, descending, first): &(usize, bool, bool)| {
            let (left, right) = (&left[*column], &right[*column]);
            match (left.is_null(), right.is_null()) {
                (true, true) => Ordering::Equal,
                (true, false) => {
                    if *first {
                        Ordering::Less
                    } else {
                        Ordering::Greater
                    }
                }
                (false, true) => {
                    if *first {
                        Ordering::Greater
                    } else {
                        Ordering::Less
                    }
                }
                (false, false) if *descending => compare(*column, right, left),
                (false, false) => compare(*column, left, right),
            }
        };
        ask.order.iter().map(by).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    });
    let keys: Vec<usize> = ask.order[..ask.distinct].iter().map(|(column, ..)| *column).collect();
    if !keys.is_empty() {
        let mut firsts: Vec<&Row> = Vec::new();
        for row in chosen {
            let is_known = |other: &&Row| keys.iter().all(|key| same(*key, &row[*key], &other[*key]));
            if !firsts.iter().any(is_known) {
                firsts.push(row);
            }
        }
        chosen = firsts;
    }
    chosen.into_iter().skip(ask.offset.unwrap_or(0)).take(ask.limit.unwrap_or(usize::MAX)).collect()
}

/// Equality in which null equals null.
fn same(column: usize, left: &Value, right: &Value) -> bool {
    match (left.is_null(), right.is_null()) {
        (false, false) => compare(column, left, right).is_eq(),
        (left, right) => left == right,
    }
}

fn object(row: &Row, rows: &[Row]) -> String {
    let mut members: Vec<String> =
        COLUMNS.iter().zip(row).map(|(name, cell)| format!("\"{name}\":{}", printed(cell))).collect();
    let of = |row: &Row| format!("{{\"id\":{}}}", printed(&row[0]));
    let parent = rows.iter().find(|other| other[0] == row[1]).map_or("null".to_owned(), of);
    let children: Vec<String> = rows.iter().filter(|other| other[1] == row[0]).map(of).collect();
    members.push(format!("\"parent\":{parent},\"children\":[{}]", children.join(",")));
    format!("{{{}}}", members.join(","))
}

fn figures(rows: &[&Row]) -> String {
    let column = |name: &str| COLUMNS.iter().position(|known| *known == name).unwrap();
    let cells = |name: &str| -> Vec<&Value> {
        rows.iter().map(|row| &row[column(name)]).filter(|cell| !cell.is_null()).collect()
    };
    let kinds = |names: &[&str], with_nulls: bool| {
        let mut seen: Vec<Vec<&Value>> = Vec::new();
        for row in rows {
            let key: Vec<&Value> = names.iter().map(|name| &row[column(name)]).collect();
            let is_same = |other: &Vec<&Value>| {
                names
                    .iter()
                    .zip(key.iter().zip(other))
                    .all(|(name, (left, right))| same(column(name), left, right))
            };
            if (with_nulls || !key[0].is_null()) && !seen.iter().any(is_same) {
                seen.push(key);
            }
        }
        seen.len()
    };
    let extreme = |name: &str, wanted: Ordering| {
        let cells = cells(name);
        let best = cells
            .iter()
            .copied()
            .reduce(|best, cell| if compare(column(name), cell, best) == wanted { cell } else { best });
        format!("\"{name}\":{}", best.map_or("null".to_owned(), printed))
    };
    let (least, most) = (Ordering::Less, Ordering::Greater);
    format!(
        "{{\"count\":{},\"named\":{},\"names\":{},\"nicks\":{},\"pairs\":{},\"sum\":{{{},{},{},{}}},\"min\":{{{},{},{}}},\"max\":{{{},{},{},{}}}}}",
        rows.len(),
        cells("name").len(),
        kinds(&["name"], false),
        kinds(&["nick"], false),
        kinds(&["name", "cost"], true),
        sum("amount", &cells("amount")),
        sum("big", &cells("big")),
        sum("price", &cells("price")),
        sum("cost", &cells("cost")),
        extreme("name", least),
        extreme("price", least),
        extreme("at", least),
        extreme("big", most),
        extreme("cost", most),
        extreme("day", most),
        extreme("ratio", most),
    )
}

/// The exact sum; null if there are no values.
fn sum(name: &str, cells: &[&Value]) -> String {
    let as_decimal = |cell: &&Value| match cell {
        Value::Decimal(number) => *number,
        Value::Int(number) => Decimal::from(*number),
        other => panic!("no number: {other:?}"),
    };
    let total = cells.iter().map(as_decimal).reduce(|left, right| left.checked_add(right).unwrap());
    format!("\"{name}\":{}", total.map_or("null".to_owned(), |total| total.to_string()))
}

fn printed(cell: &Value) -> String {
    let text = |text: &str| serde_json::Value::from(text).to_string();
    match cell {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        // SQLite stores no negative zero.
        Value::Float(value) => (value + 0.0).to_string(),
        Value::Decimal(value) => value.to_string(),
        Value::Text(value) => text(value),
        Value::Json(json) => json.clone(),
        Value::Uuid(id) => text(&id.to_string()),
        Value::Timestamp(micros) => text(&format_timestamp(*micros)),
        Value::Date(days) => text(&format_date(*days)),
    }
}
