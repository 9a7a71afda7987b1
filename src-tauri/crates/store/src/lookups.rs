//! Updates references to a lookup when the catalogue changes its values.

use rusqlite::Result;

use catalogue::{Catalogue, LookupValue, Table, TableId};

use crate::driver::db::Db;
use crate::values::sqlite_value::Cell;

/// Sets the new value in rows that refer to a column of the lookup other than its key.
pub(crate) fn update_references(
    connection: Db<'_>,
    catalogue: &Catalogue,
    (id, table): (TableId, &Table),
    value: &LookupValue,
) -> Result<()> {
    let key = table.primary_key[0];
    let cell = |wanted| value.cells.iter().find(|(column, _)| *column == wanted).map(|(_, cell)| cell);
    let Some(name) = cell(key) else { return Ok(()) };
    for (_, child) in catalogue.iter() {
        for column in &child.columns {
            let Some(reference) = column.references.as_ref().filter(|to| to.table == id && to.column != key)
            else {
                continue;
            };
            let Some(wanted) = cell(reference.column) else { continue };
            let (child, column, lookup) = (&child.name, &column.name, &table.name);
            let (target, key) = (&table.column(reference.column).name, &table.column(key).name);
            let sql = format!(
                "UPDATE \"{child}\" SET \"{column}\" = ?1 WHERE \"{column}\" <> ?1 AND \"{column}\" = (SELECT \"{target}\" FROM \"{lookup}\" WHERE \"{key}\" = ?2)"
            );
            let mut statement = connection.prepare_cached(&sql)?;
            statement.bind_all(&[&Cell(wanted.borrow()), &Cell(name.borrow())])?;
            statement.execute()?;
        }
    }
    Ok(())
}
