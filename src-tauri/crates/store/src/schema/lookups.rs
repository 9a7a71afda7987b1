//! Fills the lookup tables, whose rows are part of the catalogue.

use crate::driver::db::Db;
use crate::sql::Dialect;
use crate::values::sqlite_value::Cell;
use catalogue::{Catalogue, TableKind};
use rusqlite::Connection;
use rusqlite::types::ToSql;

/// Whether all lookup rows exist with the values of the catalogue.
pub(super) fn are_filled(connection: &Connection, catalogue: &Catalogue) -> rusqlite::Result<bool> {
    for (_, table) in catalogue.iter() {
        let TableKind::Lookup { values, .. } = &table.kind else { continue };
        for value in values {
            let conditions: Vec<String> = (1..)
                .zip(&value.cells)
                .map(|(place, (column, _))| format!("\"{}\" IS ?{place}", table.column(*column).name))
                .collect();
            let sql = format!("SELECT 1 FROM \"{}\" WHERE {}", table.name, conditions.join(" AND "));
            let cells = value.cells.iter().map(|(_, cell)| Cell(cell.borrow()));
            if !connection.prepare_cached(&sql)?.exists(rusqlite::params_from_iter(cells))? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// Inserts and updates the rows of all lookups. Rows are never deleted.
pub(super) fn fill(connection: Db<'_>, catalogue: &Catalogue) -> rusqlite::Result<()> {
    for (id, table) in catalogue.iter() {
        let TableKind::Lookup { values, .. } = &table.kind else { continue };
        let key = &table.column(table.primary_key[0]).name;
        for value in values {
            crate::lookups::update_references(connection, catalogue, (id, table), value)?;
            let columns: Vec<String> =
                value.cells.iter().map(|(column, _)| format!("\"{}\"", table.column(*column).name)).collect();
            let places: Vec<String> = (1..=columns.len()).map(|place| format!("?{place}")).collect();
            let others = || columns.iter().filter(|column| **column != format!("\"{key}\""));
            let changes: Vec<String> =
                others().map(|column| format!("{column} = excluded.{column}")).collect();
            let differences: Vec<String> = others()
                .map(|column| match connection.dialect() {
                    Dialect::Sqlite => format!("{column} IS NOT excluded.{column}"),
                    Dialect::Postgres => format!("t.{column}::text IS DISTINCT FROM excluded.{column}::text"),
                })
                .collect();
            let conflict = if changes.is_empty() {
                "DO NOTHING".to_owned()
            } else {
                format!("DO UPDATE SET {} WHERE {}", changes.join(", "), differences.join(" OR "))
            };
            let sql = format!(
                "INSERT INTO \"{}\" AS t ({}) VALUES ({}) ON CONFLICT (\"{key}\") {conflict}",
                table.name,
                columns.join(", "),
                places.join(", ")
            );
            let cells: Vec<Cell<'_>> = value.cells.iter().map(|(_, cell)| Cell(cell.borrow())).collect();
            let cells: Vec<&dyn ToSql> = cells.iter().map(|cell| cell as _).collect();
            let mut statement = connection.prepare_cached(&sql)?;
            statement.bind_all(&cells)?;
            statement.execute()?;
        }
    }
    Ok(())
}
