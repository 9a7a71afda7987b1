//! Brings a table into the shape of the catalogue: a new table takes its rows and its name.

use crate::ddl;
use catalogue::{Catalogue, Column, Default, Table};
use rusqlite::Connection;
use std::collections::HashSet;

/// Makes the table anew with the rows it has, each under its row number; columns the catalogue does not have are left behind. Foreign keys must be
/// off, and views and triggers gone: the caller makes them anew and checks the keys.
pub(super) fn rebuild(connection: &Connection, catalogue: &Catalogue, table: &Table) -> rusqlite::Result<()> {
    let new = format!("{}#new", table.name);
    let created = ddl::create_table(catalogue, table);
    let begin = format!("CREATE TABLE \"{}\"", table.name);
    connection.execute_batch(&created.replacen(&begin, &format!("CREATE TABLE \"{new}\""), 1))?;
    let existing: HashSet<String> = connection
        .prepare("SELECT name FROM pragma_table_info(?1)")?
        .query_map([&table.name], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    let kept: Vec<&Column> = table.columns.iter().filter(|column| existing.contains(&column.name)).collect();
    let names: String = kept.iter().map(|column| format!(", \"{}\"", column.name)).collect();
    let values: String = kept.iter().map(|column| format!(", {}", value(column))).collect();
    // Segments, words and vectors find rows by their numbers.
    connection.execute_batch(&format!(
        "INSERT INTO \"{new}\" (rowid{names}) SELECT rowid{values} FROM \"{0}\"; DROP TABLE \"{0}\"; \
         ALTER TABLE \"{new}\" RENAME TO \"{0}\"",
        table.name
    ))?;
    for (_, index) in ddl::create_indices(table) {
        connection.execute_batch(&index)?;
    }
    Ok(())
}

/// What a column has in the new table: where null is no longer allowed, its default instead.
fn value(column: &Column) -> String {
    let name = format!("\"{}\"", column.name);
    match &column.default {
        Some(Default::Literal(value)) if !column.nullable => {
            format!("coalesce({name}, {})", ddl::literal(value))
        }
        _ => name,
    }
}
