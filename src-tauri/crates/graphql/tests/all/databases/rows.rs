//! Generates rows of every table from the catalogue, with few distinct ids in all columns, so that rows of different tables match.

use crate::properties::data::{JSON, TEXTS};
use crate::properties::random::Random;
use catalogue::{
    Caller, Catalogue, Column, ColumnId, Decimal, Scalar, Scope, Table, TableId, TableKind, Value,
};
use std::collections::{BTreeMap, BTreeSet};
use store::{Store, StoreError};
use uuid::Uuid;

/// Maximum number of rows of a table.
pub const ROWS: usize = 9;
/// The index of the caller's tenant.
pub const TENANT: usize = 0;

/// The rows of a table, as column names and values.
type Rows = Vec<Vec<(String, Value)>>;

pub type Tables = BTreeMap<String, Rows>;

/// The id with this index: the same in every table.
pub fn id(place: usize) -> Uuid {
    Uuid::from_u128(0xABCD_0000_1000 + place as u128)
}

pub fn of_all_tables(catalogue: &Catalogue, random: &mut Random) -> Tables {
    let needs_bytes =
        |table: &Table| table.columns.iter().any(|column| column.scalar == Scalar::Bytea && !column.nullable);
    let is_made = |table: &Table| {
        matches!(table.kind, TableKind::Table) && table.scope != Scope::Service && !needs_bytes(table)
    };
    let tables = catalogue.iter().filter(|(_, table)| is_made(table));
    let mut tables: BTreeMap<String, Rows> =
        tables.map(|(id, table)| (table.name.clone(), of_table(catalogue, id, random))).collect();
    while let Some((table, place, column)) = dangling(catalogue, &tables) {
        let rows = tables.entry(table.name.clone()).or_default();
        let cell = rows[place].iter_mut().find(|(name, _)| *name == column.name);
        match cell {
            Some(cell) if column.nullable => cell.1 = Value::Null,
            _ => drop(rows.remove(place)),
        }
    }
    tables
}

/// A cell that refers to a missing row.
fn dangling<'c>(
    catalogue: &'c Catalogue,
    tables: &BTreeMap<String, Rows>,
) -> Option<(&'c Table, usize, &'c Column)> {
    let cell = |row: &[(String, Value)], name: &str| {
        row.iter().find(|(column, _)| column == name).map(|(_, value)| value.clone())
    };
    for (_, table) in catalogue.iter() {
        for column in &table.columns {
            let Some(reference) = &column.references else { continue };
            let target = catalogue.table(reference.table);
            if matches!(target.kind, TableKind::Lookup { .. }) {
                continue;
            }
            let there = &target.column(reference.column).name;
            let known: Vec<Value> =
                tables.get(&target.name).into_iter().flatten().filter_map(|row| cell(row, there)).collect();
            let rows = tables.get(&table.name).into_iter().flatten();
            let leads_nowhere = |row: &Vec<(String, Value)>| {
                cell(row, &column.name).is_some_and(|value| !value.is_null() && !known.contains(&value))
            };
            if let Some(place) = rows.into_iter().position(leads_nowhere) {
                return Some((table, place, column));
            }
        }
    }
    None
}

/// Copies the rows of a table until there are `wanted`, each with a unique id and text. Returns false if it has none.
pub fn multiply(tables: &mut Tables, table: &str, text: &str, wanted: usize) -> bool {
    let Some(rows) = tables.get_mut(table).filter(|rows| !rows.is_empty()) else { return false };
    for place in rows.len()..wanted {
        let mut row = rows[place % ROWS.min(rows.len())].clone();
        for (name, value) in &mut row {
            if name == "id" {
                *value = Value::Uuid(id(1_000 + place));
            } else if name == text {
                *value = Value::Text(format!("copy {place}"));
            }
        }
        rows.push(row);
    }
    true
}

/// Inserts the rows into a store; references may point to rows inserted later.
pub fn fill(store: &Store, tables: &BTreeMap<String, Rows>) {
    let load = store.load(&Caller::system(), "spends", 0, |transaction| {
        for (table, rows) in tables {
            for row in rows {
                let named: Vec<_> = row.iter().map(|(name, value)| (name.as_str(), value.borrow())).collect();
                transaction.insert(table, &named)?;
            }
        }
        Ok::<_, StoreError>(())
    });
    load.unwrap();
}

fn of_table(catalogue: &Catalogue, table: TableId, random: &mut Random) -> Rows {
    let described = catalogue.table(table);
    // Unique values used so far. Uniqueness ignores case where the column does, and PostgreSQL ignores invisible characters.
    let mut known: BTreeSet<String> = BTreeSet::new();
    let mut rows = Rows::new();
    for place in 0..ROWS {
        let cells: Vec<(ColumnId, Value)> = described
            .iter_columns()
            .filter_map(|(id, _)| Some((id, cell(catalogue, described, id, place, random)?)))
            .collect();
        let keys = keys(described, &cells);
        if keys.iter().any(|key| known.contains(key)) {
            continue;
        }
        known.extend(keys);
        let named = |(id, value): (ColumnId, Value)| (described.column(id).name.clone(), value);
        rows.push(cells.into_iter().map(named).collect());
    }
    rows
}

/// The row's values under each constraint.
fn keys(table: &Table, cells: &[(ColumnId, Value)]) -> Vec<String> {
    let primary = (&table.primary_key, &table.primary_key_name, None);
    let unique = table.unique.iter().map(|unique| (&unique.columns, &unique.name, unique.only_where_null));
    let value = |column: &ColumnId| cells.iter().find(|(id, _)| id == column).map(|(_, value)| value);
    let mut keys = Vec::new();
    for (columns, name, _) in std::iter::once(primary).chain(unique) {
        let values: Vec<_> = columns.iter().map(value).collect();
        if !columns.is_empty() {
            keys.push(format!("{name} {values:?}").to_lowercase().replace("\\0", ""));
        }
    }
    keys
}

/// A cell; `None` if the row omits it.
fn cell(
    catalogue: &Catalogue,
    table: &Table,
    id: ColumnId,
    place: usize,
    random: &mut Random,
) -> Option<Value> {
    let column = table.column(id);
    let is_key = table.primary_key.contains(&id);
    if table.scope == Scope::Tenant(id) {
        return Some(as_id(&column.scalar, if random.one_in(5) { TENANT + 1 } else { TENANT }));
    }
    if is_key && table.primary_key.len() == 1 && column.scalar == Scalar::Uuid {
        return Some(as_id(&column.scalar, place));
    }
    if column.nullable && random.one_in(4) {
        return Some(Value::Null);
    }
    if let Some(reference) = &column.references
        && let TableKind::Lookup { values, .. } = &catalogue.table(reference.table).kind
    {
        return Some(Value::Text(values[random.below(values.len())].value.clone()));
    }
    value(catalogue, &column.scalar, column.exact, random)
}

fn as_id(scalar: &Scalar, place: usize) -> Value {
    match scalar {
        Scalar::Uuid => Value::Uuid(id(place)),
        _ => Value::Text(id(place).to_string()),
    }
}

/// A random value of this type from a small set, so that rows match. Sums of the floats are exact.
pub fn value(catalogue: &Catalogue, scalar: &Scalar, exact: bool, random: &mut Random) -> Option<Value> {
    Some(match scalar {
        Scalar::Uuid => Value::Uuid(id(random.below(ROWS))),
        Scalar::String | Scalar::Citext if random.one_in(4) => as_id(scalar, random.below(ROWS)),
        // SQLite functions that build JSON, which views use, end a text at U+0000.
        Scalar::String | Scalar::Citext => Value::Text(random.pick(&TEXTS).replace('\0', "")),
        Scalar::Enum { name, .. } => {
            let values = catalogue.enum_values(name)?;
            Value::Text(values[random.below(values.len())].value.clone())
        }
        Scalar::Int => Value::Int(random.pick(&[0, 1, -1, 7, 1_000])),
        Scalar::Bigint => Value::Int(random.pick(&[0, 1, -1, i64::MAX, i64::MIN, 9_007_199_254_740_993])),
        Scalar::Float8 | Scalar::Numeric if exact => {
            let texts = ["0", "0.1", "-0.1", "2", "10", "12345678901234567890.123456789", "1e-15", "47.58"];
            Value::Decimal(Decimal::parse(random.pick(&texts)).ok()?)
        }
        Scalar::Float8 | Scalar::Numeric => Value::Float(random.pick(&[0.0, 0.5, 1.5, -2.25, 1024.0, 1e6])),
        Scalar::Boolean => Value::Bool(random.one_in(2)),
        Scalar::Timestamp | Scalar::Timestamptz => Value::Timestamp(random.pick(&[
            0,
            -1,
            1_725_166_800_000_000,
            1_725_166_800_123_456,
            1_727_740_799_000_000,
            1_727_740_800_000_000,
        ])),
        Scalar::Date => Value::Date(random.pick(&[0, -1, 19_967, 20_000])),
        Scalar::Json | Scalar::Jsonb => Value::Json(random.pick(&JSON).to_owned()),
        Scalar::StringList => Value::Json(random.pick(&["[]", "[\"a\"]", "[\"b\",\"a\"]"]).to_owned()),
        Scalar::Bytea => return None,
    })
}
