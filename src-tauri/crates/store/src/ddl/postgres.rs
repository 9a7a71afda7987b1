//! DDL of PostgreSQL, generated from the catalogue.

use catalogue::{Catalogue, Column, ColumnId, Default, Scalar, Table, TableKind, Value};
use regex::Regex;
use std::sync::LazyLock;

/// The collation of `citext` columns: case-insensitive for all scripts.
pub(crate) const NO_CASE: &str = "nocase";

/// A table with its key but without foreign keys, because tables refer to each other in cycles.
pub(crate) fn create_table(table: &Table) -> String {
    let mut parts: Vec<String> = table.columns.iter().map(column).collect();
    if !table.primary_key.is_empty() {
        parts.push(format!("PRIMARY KEY ({})", names(table, &table.primary_key)));
    }
    format!("CREATE TABLE \"{}\" (\n  {}\n)", table.name, parts.join(",\n  "))
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
    sql
}

/// The statement that adds a column's foreign key, with the name that messages of the interface use.
pub(crate) fn create_reference(catalogue: &Catalogue, table: &Table, column: &Column) -> Option<String> {
    let reference = column.references.as_ref()?;
    Some(format!(
        "ALTER TABLE \"{}\" ADD CONSTRAINT \"{}\" FOREIGN KEY (\"{}\") {}",
        table.name,
        reference_name(table, column),
        column.name,
        super::references(catalogue, reference)
    ))
}

pub(crate) fn reference_name(table: &Table, column: &Column) -> String {
    format!("{}_{}_fkey", table.name, column.name)
}

/// Name and statement of each view.
pub(crate) fn views(catalogue: &Catalogue) -> Vec<(String, String)> {
    let of = |table: &Table| match &table.kind {
        TableKind::View { select, parameters } if parameters.is_empty() => {
            let sql = format!("CREATE VIEW \"{}\" AS\n{}", table.name, view_text(select));
            Some((table.name.clone(), sql))
        }
        _ => None,
    };
    catalogue.iter().filter_map(|(_, table)| of(table)).collect()
}

/// The SELECT of a view, converted to PostgreSQL.
pub(crate) fn view_text(select: &str) -> String {
    static REAL: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"CAST\(([^()]*) AS REAL\)").ok());
    let text = select.trim().trim_end_matches(';');
    let text = REAL.as_ref().map_or_else(|| text.into(), |real| real.replace_all(text, "text_number($1)"));
    let mut text = text.into_owned();
    for (ours, theirs) in [
        ("decimal_sum(", "sum("),
        ("JOIN json_each(", "CROSS JOIN LATERAL json_members("),
        ("json_type(", "json_typeof("),
        ("json_object(", "json_build_object("),
        ("json_group_array(json(", "json_group_array(to_json("),
        (" json(", " to_json("),
    ] {
        text = text.replace(ours, theirs);
    }
    text
}

fn names(table: &Table, columns: &[ColumnId]) -> String {
    let quoted: Vec<String> = columns.iter().map(|id| format!("\"{}\"", table.column(*id).name)).collect();
    quoted.join(", ")
}

/// The column's type and collation. Text is ordered by its bytes.
fn kind(column: &Column) -> String {
    let kind = scalar_type(column);
    collation(column).map_or_else(|| kind.to_owned(), |name| format!("{kind} COLLATE \"{name}\""))
}

/// The type of the column's values.
pub(crate) fn scalar_type(column: &Column) -> &'static str {
    match column.scalar {
        Scalar::Uuid => "uuid",
        Scalar::Bytea => "bytea",
        Scalar::Int | Scalar::Bigint => "bigint",
        Scalar::Boolean => "boolean",
        Scalar::Timestamp => "timestamp",
        Scalar::Timestamptz => "timestamptz",
        Scalar::Date => "date",
        Scalar::Numeric => "numeric",
        Scalar::Float8 if column.exact => "numeric",
        Scalar::Float8 => "float8",
        // Keeps the text as written: `jsonb` would reorder keys.
        Scalar::Json | Scalar::Jsonb | Scalar::StringList => "json",
        Scalar::Citext | Scalar::String | Scalar::Enum { .. } => "text",
    }
}

/// The collation of the column's text.
pub(crate) fn collation(column: &Column) -> Option<&'static str> {
    match column.scalar {
        Scalar::Citext => Some(NO_CASE),
        Scalar::String | Scalar::Enum { .. } => Some("C"),
        _ => None,
    }
}

fn literal(value: &Value) -> String {
    match value {
        Value::Bool(value) => value.to_string(),
        Value::Uuid(value) => format!("'{value}'"),
        Value::Decimal(value) => value.to_string(),
        Value::Timestamp(micros) => format!("'{}'", catalogue::format_timestamp(*micros)),
        Value::Date(days) => format!("'{}'", catalogue::format_date(*days)),
        value => super::literal(value),
    }
}

#[cfg(test)]
mod tests {
    use super::view_text;

    #[test]
    fn views_are_told_in_the_words_of_postgresql() {
        assert_eq!(
            view_text(
                "SELECT decimal_sum(a), CAST(b ->> 'c' AS REAL), json_group_array(json(d)), 'k', json(e) FROM f;"
            ),
            "SELECT sum(a), text_number(b ->> 'c'), json_group_array(to_json(d)), 'k', to_json(e) FROM f"
        );
    }
}
