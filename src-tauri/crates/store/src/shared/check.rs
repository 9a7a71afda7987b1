//! Checks references to shared cells, and deletes unreferenced ones.

use super::{TABLE, groups, held};
use catalogue::{Catalogue, Table};
use rusqlite::{Connection, Result};

/// The database columns that may refer to shared cells, with their tables.
fn holders(catalogue: &Catalogue) -> Vec<(&Table, String)> {
    let of = |table| groups(table).into_iter().map(move |group| (table, held("", group.name)));
    catalogue.iter().flat_map(|(_, table)| of(table)).collect()
}

/// Describes tables with rows that refer to missing cells.
pub(crate) fn faults(connection: &Connection, catalogue: &Catalogue) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for (table, column) in holders(catalogue) {
        let sql = format!(
            "SELECT count(*) FROM \"{}\" WHERE typeof({column}) = 'integer' \
             AND {column} NOT IN (SELECT \"id\" FROM \"{TABLE}\")",
            table.name
        );
        let count: i64 = connection.query_row(&sql, [], |row| row.get(0))?;
        if count > 0 {
            found.push(format!(
                "{count} rows of {} refer to shared cells that are missing ({column})",
                table.name
            ));
        }
    }
    Ok(found)
}

/// Deletes cells that no row refers to. Returns their number. Reads all rows that may refer to cells.
pub(crate) fn sweep(connection: &Connection, catalogue: &Catalogue) -> Result<usize> {
    let of = |(table, column): &(&Table, String)| {
        format!("SELECT {column} FROM \"{}\" WHERE typeof({column}) = 'integer'", table.name)
    };
    let referring: Vec<String> = holders(catalogue).iter().map(of).collect();
    if referring.is_empty() {
        return Ok(0);
    }
    let referring = referring.join(" UNION ");
    connection.execute(&format!("DELETE FROM \"{TABLE}\" WHERE \"id\" NOT IN ({referring})"), [])
}
