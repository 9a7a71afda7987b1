//! DDL of SQLite, generated from the catalogue.

pub(crate) mod postgres;

use crate::sql::DECIMAL_COLLATION;
use crate::values::citext;
use crate::{marks, search, segments, shared};
use catalogue::{
    Catalogue, Column, ColumnId, Default, OnDelete, Reference, Scalar, Table, TableKind, Unique, Value,
};

/// Whether its rows are stored; those of a view are computed when read.
pub(crate) fn is_table(table: &Table) -> bool {
    !matches!(table.kind, TableKind::View { .. })
}

/// Statements that create the whole schema, in order. `quarterdeck-server` runs them; `schema/generated/sqlite.sql` shows them.
pub fn sqlite(catalogue: &Catalogue) -> Vec<String> {
    let mut statements = Vec::new();
    for (_, table) in catalogue.iter() {
        if is_table(table) {
            statements.push(create_table(catalogue, table));
            statements.extend(create_indices(table).into_iter().map(|(_, sql)| sql));
        }
    }
    for (_, table) in catalogue.iter() {
        if let TableKind::View { select, parameters } = &table.kind
            && parameters.is_empty()
        {
            statements.push(create_view(table, select));
        }
    }
    let mut kept = segments::tables(catalogue);
    kept.extend(segments::triggers(catalogue));
    kept.extend(search::tables(catalogue));
    kept.extend(search::triggers(catalogue));
    kept.extend(marks::tables(catalogue));
    kept.extend(shared::tables(catalogue));
    kept.extend(marks::triggers(catalogue));
    statements.extend(kept.into_iter().map(|(_, sql)| sql));
    statements
}

pub(crate) fn create_view(table: &Table, select: &str) -> String {
    format!("CREATE VIEW \"{}\" AS\n{}", table.name, select.trim().trim_end_matches(';'))
}

pub(crate) fn create_table(catalogue: &Catalogue, table: &Table) -> String {
    let own = table.columns.iter().filter(|column| column.shared.is_none());
    let mut parts: Vec<String> = own.map(column).collect();
    parts.extend(shared::groups(table).iter().map(|group| group.definition(table)));
    if !table.primary_key.is_empty() {
        parts.push(format!("PRIMARY KEY ({})", names(table, &table.primary_key)));
    }
    for column in &table.columns {
        if let Some(reference) = &column.references {
            parts.push(format!("FOREIGN KEY (\"{}\") {}", column.name, references(catalogue, reference)));
        }
    }
    format!("CREATE TABLE \"{}\" (\n  {}\n) STRICT", table.name, parts.join(",\n  "))
}

/// The REFERENCES clause of a column or FOREIGN KEY.
pub(crate) fn references(catalogue: &Catalogue, reference: &Reference) -> String {
    let target = catalogue.table(reference.table);
    let on_delete = match reference.on_delete {
        OnDelete::Restrict => "RESTRICT",
        OnDelete::Cascade => "CASCADE",
        OnDelete::SetNull => "SET NULL",
    };
    format!(
        "REFERENCES \"{}\" (\"{}\") ON DELETE {on_delete} DEFERRABLE INITIALLY DEFERRED",
        target.name,
        target.column(reference.column).name
    )
}

/// Name and statement of each index, unique constraints first. Unique constraints are created as indices, because a partial one can only
/// be an index. If the interface has several names for one constraint, one index is created.
pub(crate) fn create_indices(table: &Table) -> Vec<(&str, String)> {
    let first_of_its_columns = |place: usize, unique: &Unique| {
        unique.columns != table.primary_key
            && !table.unique[..place].iter().any(|other| {
                other.columns.len() == unique.columns.len()
                    && unique.columns.iter().all(|column| other.columns.contains(column))
            })
    };
    let distinct =
        table.unique.iter().enumerate().filter(|(place, unique)| first_of_its_columns(*place, unique));
    let unique = distinct.map(|(_, unique)| {
        let mut sql = format!(
            "CREATE UNIQUE INDEX \"{}\" ON \"{}\" ({})",
            unique.name,
            table.name,
            names(table, &unique.columns)
        );
        if let Some(column) = unique.only_where_null {
            sql.push_str(&format!(" WHERE \"{}\" IS NULL", table.column(column).name));
        }
        (unique.name.as_str(), sql)
    });
    let plain = table.indices.iter().map(|index| {
        let columns = names(table, &index.columns);
        (index.name.as_str(), format!("CREATE INDEX \"{}\" ON \"{}\" ({columns})", index.name, table.name))
    });
    unique.chain(plain).collect()
}

fn names(table: &Table, columns: &[ColumnId]) -> String {
    let quoted: Vec<String> = columns.iter().map(|id| format!("\"{}\"", table.column(*id).name)).collect();
    quoted.join(", ")
}

/// A column definition for CREATE TABLE and ALTER TABLE … ADD.
pub(crate) fn column(column: &Column) -> String {
    let mut sql = format!("\"{}\" {}", column.name, kind(column));
    if !column.nullable {
        sql.push_str(" NOT NULL");
    }
    if let Some(Default::Literal(value)) = &column.default {
        sql.push_str(" DEFAULT ");
        sql.push_str(&literal(value));
    }
    if column.scalar == Scalar::Boolean {
        sql.push_str(&format!(" CHECK (\"{}\" IN (0, 1))", column.name));
    }
    sql
}

/// The column's SQLite type and collation.
pub(crate) fn kind(column: &Column) -> String {
    match column.scalar {
        Scalar::Uuid | Scalar::Bytea => "BLOB".to_owned(),
        Scalar::Int
        | Scalar::Bigint
        | Scalar::Boolean
        | Scalar::Timestamp
        | Scalar::Timestamptz
        | Scalar::Date => "INTEGER".to_owned(),
        Scalar::Numeric => format!("TEXT COLLATE {DECIMAL_COLLATION}"),
        Scalar::Float8 if column.exact => format!("TEXT COLLATE {DECIMAL_COLLATION}"),
        Scalar::Float8 => "REAL".to_owned(),
        Scalar::Citext => format!("TEXT COLLATE {}", citext::COLLATION),
        Scalar::String | Scalar::Json | Scalar::Jsonb | Scalar::StringList | Scalar::Enum { .. } => {
            "TEXT".to_owned()
        }
    }
}

pub(crate) fn literal(value: &Value) -> String {
    let text = |text: &str| format!("'{}'", text.replace('\'', "''"));
    match value {
        Value::Null => "NULL".to_owned(),
        Value::Bool(value) => i64::from(*value).to_string(),
        Value::Int(value) | Value::Timestamp(value) => value.to_string(),
        Value::Date(value) => value.to_string(),
        Value::Float(value) => format!("{value:?}"),
        Value::Decimal(value) => text(&value.to_string()),
        Value::Text(value) | Value::Json(value) => text(value),
        Value::Uuid(value) => format!("x'{}'", value.simple()),
    }
}
