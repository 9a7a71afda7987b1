//! Generates rows of every table from its columns: few distinct values in filter columns, times within a year, amounts, texts of realistic
//! length.

use super::TENANT;
use super::cases::Listed;
use catalogue::{Caller, Catalogue, Column, Decimal, Scalar, TableKind, ValueRef};
use rusqlite::Connection;
use std::path::Path;
use store::{Store, StoreError};
use uuid::Uuid;

const DAY: i64 = 86_400_000_000;
/// 2026-01-01.
const NOW: i64 = 1_767_225_600_000_000;
/// Number of accounts, users and other ids that lists are filtered by.
const IDS: u64 = 50;

/// Value number `row` of a column. Filter columns have few distinct values.
pub enum Made {
    Null,
    Text(String),
    Json(String),
    Uuid(Uuid),
    Time(i64),
    Date(i32),
    Number(i64),
    Float(f64),
    Decimal(Decimal),
    Bool(bool),
}

impl Made {
    pub fn borrow(&self) -> ValueRef<'_> {
        match self {
            Self::Null => ValueRef::Null,
            Self::Text(text) => ValueRef::Text(text),
            Self::Json(text) => ValueRef::Json(text),
            Self::Uuid(id) => ValueRef::Uuid(*id),
            Self::Time(at) => ValueRef::Timestamp(*at),
            Self::Date(at) => ValueRef::Date(*at),
            Self::Number(number) => ValueRef::Int(*number),
            Self::Float(number) => ValueRef::Float(*number),
            Self::Decimal(number) => ValueRef::Decimal(*number),
            Self::Bool(truth) => ValueRef::Bool(*truth),
        }
    }
}

/// A pseudo-random number, equal in every run (splitmix64).
fn dice(seed: u64) -> u64 {
    let mut z = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// The value a filter column is compared with: its value in some row.
pub fn value_of(catalogue: &Catalogue, table: &Listed, column: &Column, row: u64) -> Made {
    let place = table.filters.iter().position(|name| *name == column.name);
    let is_ordered = table.orders.contains(&column.name.as_str());
    let seed = column.name.bytes().fold(row, |seed, byte| dice(seed ^ u64::from(byte)));
    if column.nullable && place.is_none() && !is_ordered {
        return Made::Null;
    }
    if column.nullable && is_ordered && seed % 50 == 0 {
        return Made::Null;
    }
    let pick = |values: u64| seed % values;
    // As with statuses, one value of a filter column is much more frequent than the others.
    let few = |values: u64| if pick(10) < 4 { 0 } else { dice(seed) % values };
    match &column.scalar {
        Scalar::Uuid if place.is_some() => Made::Uuid(Uuid::from_u128((1 << 64) + u128::from(pick(IDS)))),
        Scalar::Uuid => Made::Uuid(Uuid::from_u64_pair(seed, row)),
        Scalar::Enum { name, .. } => {
            let values = catalogue.enum_values(name).unwrap_or_default();
            let place = usize::try_from(few(values.len().max(1) as u64)).unwrap_or_default();
            values.get(place).map_or(Made::Null, |value| Made::Text(value.value.clone()))
        }
        Scalar::String | Scalar::Citext if place.is_some() => {
            Made::Text(format!("{}-{}", column.name, few(12)))
        }
        Scalar::String | Scalar::Citext => Made::Text(format!("{} of {row:09} as it is told", column.name)),
        Scalar::Timestamp | Scalar::Timestamptz => {
            Made::Time(NOW - i64::try_from(pick(365 * 86_400)).unwrap_or_default() * (DAY / 86_400))
        }
        Scalar::Date => Made::Date(20_454 - i32::try_from(pick(365)).unwrap_or_default()),
        Scalar::Int | Scalar::Bigint => Made::Number(i64::try_from(pick(10_000)).unwrap_or_default()),
        Scalar::Float8 if !column.exact => {
            Made::Float(f64::from(u32::try_from(pick(1_000_000)).unwrap_or_default()) / 8.0)
        }
        Scalar::Float8 | Scalar::Numeric => {
            Made::Decimal(Decimal::from_parts(i128::from(pick(10_000_000)), 4).expect("it fits"))
        }
        Scalar::Boolean => Made::Bool(pick(10) < 8),
        Scalar::Json | Scalar::Jsonb => {
            Made::Json(format!(r#"{{"team":"team-{}","text":"{}"}}"#, pick(8), "x".repeat(120)))
        }
        Scalar::StringList => Made::Json("[]".to_owned()),
        Scalar::Bytea => Made::Null,
    }
}

/// Inserts the rows. Foreign keys are not checked: the referenced tables are empty.
pub fn fill(store: &Store, table: &Listed, count: u32) {
    let catalogue = store.catalogue();
    let id = catalogue.find(table.name).unwrap_or_else(|| panic!("there is no table {}", table.name));
    let described = catalogue.table(id);
    assert!(matches!(described.kind, TableKind::Table), "{} is no table", table.name);
    for name in table.filters.iter().chain(table.orders) {
        assert!(described.find_column(name).is_some(), "{} has no column {name}", table.name);
    }
    let columns: Vec<&Column> = described.columns.iter().collect();
    let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
    let tenant = TENANT.to_string();
    let loaded = store.load(&Caller::system(), table.name, u64::from(count), |rows| {
        let mut inserter = rows.inserter(table.name, &names)?;
        for row in 0..u64::from(count) {
            let made: Vec<Made> = columns
                .iter()
                .map(|column| match (column.name.as_str(), &column.scalar) {
                    ("tenant" | "tenant_id", Scalar::Uuid) => Made::Uuid(TENANT),
                    ("tenant" | "tenant_id", _) => Made::Text(tenant.clone()),
                    // Set, because some unique constraints apply only to rows without an import.
                    ("import_id", _) => Made::Uuid(Uuid::from_u128(7)),
                    _ => value_of(catalogue, table, column, row),
                })
                .collect();
            let values: Vec<ValueRef<'_>> = made.iter().map(Made::borrow).collect();
            inserter.insert(&values)?;
        }
        Ok::<(), StoreError>(())
    });
    loaded.unwrap_or_else(|error| panic!("{}: {error}", table.name));
}

/// Prints the size of the table, and the time to rebuild each index.
pub fn print_costs(file: &Path, table: &str, count: u32, took: f64) {
    let connection = Connection::open(file).expect("the file is there");
    super::by_hand::register(&connection);
    let bytes = |name: &str| -> f64 {
        let sql = "SELECT coalesce(sum(pgsize), 0) * 1.0 / ?2 FROM dbstat WHERE name = ?1";
        connection.query_row(sql, (name, count), |row| row.get(0)).expect("a number")
    };
    println!("{table:<26}{took:>10.2}{:>12.0}", bytes(table));
    let sql = "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = ?1 AND sql LIKE 'CREATE INDEX%'";
    let mut statement = connection.prepare(sql).expect("sound SQL");
    let indices =
        statement.query_map([table], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)));
    let indices: Vec<_> = indices.and_then(Iterator::collect).expect("texts");
    for (name, sql) in indices {
        let began = super::cpu_micros();
        connection
            .execute_batch(&format!("BEGIN; DROP INDEX \"{name}\"; {sql}; ROLLBACK"))
            .expect("it was built before");
        let micros = (super::cpu_micros() - began) / f64::from(count);
        println!("  {name:<70}{:>6.0} bytes{micros:>7.2} µs", bytes(&name));
    }
}
