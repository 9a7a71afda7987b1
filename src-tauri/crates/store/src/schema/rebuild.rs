//! Rebuilds a table to match the catalogue: a new table takes over its rows and name.

use super::definition::Definition;
use crate::ddl;
use crate::driver::database_file::{MigrationStep, Progress};
use crate::driver::db::Db;
use crate::rows::Sharer;
use crate::shared;
use catalogue::{Catalogue, Column, Default, Table};
use rusqlite::Connection;
use rusqlite::types::{ToSqlOutput, Value};

/// Number of rows per progress step.
const ROWS_A_STEP: u64 = if cfg!(test) { 2 } else { 20_000 };

/// Rebuilds the table with its rows and their row ids; columns that the catalogue does not have are dropped. Foreign keys must be off and
/// views and triggers dropped: the caller recreates them and checks the foreign keys.
pub(super) fn rebuild(
    connection: &Connection,
    catalogue: &Catalogue,
    table: &Table,
    progress: &Progress,
) -> rusqlite::Result<()> {
    let sql = format!("SELECT count(*) FROM \"{}\"", table.name);
    let all = connection.query_row(&sql, [], |row| row.get(0))?;
    let progress = |done| progress(MigrationStep::Rows { table: table.name.clone(), done, all });
    progress(0);
    let new = format!("{}#new", table.name);
    let created = ddl::create_table(catalogue, table);
    let begin = format!("CREATE TABLE \"{}\"", table.name);
    connection.execute_batch(&created.replacen(&begin, &format!("CREATE TABLE \"{new}\""), 1))?;
    let sql = "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?1";
    let before = Definition::parse(&connection.query_row(sql, [&table.name], |row| row.get::<_, String>(0))?);
    let kept: Vec<(&Column, String)> =
        table.columns.iter().filter_map(|column| Some((column, source(&before, column)?))).collect();
    if kept.iter().any(|(column, _)| column.shared.is_some()) {
        copy_sharing(connection, table, &new, &kept, progress)?;
    } else {
        let names: String = kept.iter().map(|(column, _)| format!(", \"{}\"", column.name)).collect();
        let values: String = kept.iter().map(|(_, source)| format!(", {source}")).collect();
        // Segments, words and vectors refer to rows by row id.
        connection.execute_batch(&format!(
            "INSERT INTO \"{new}\" (rowid{names}) SELECT rowid{values} FROM \"{}\"",
            table.name
        ))?;
    }
    connection
        .execute_batch(&format!("DROP TABLE \"{0}\"; ALTER TABLE \"{new}\" RENAME TO \"{0}\"", table.name))?;
    for (_, index) in ddl::create_indices(table) {
        connection.execute_batch(&index)?;
    }
    Ok(())
}

/// Copies the rows one by one: repeated cells are moved to the shared table.
fn copy_sharing(
    connection: &Connection,
    table: &Table,
    new: &str,
    kept: &[(&Column, String)],
    progress: impl Fn(u64),
) -> rusqlite::Result<()> {
    connection.execute_batch(&shared::create_if_missing())?;
    let groups = shared::groups(table);
    let own: Vec<usize> = (0..kept.len()).filter(|place| kept[*place].0.shared.is_none()).collect();
    let names = own.iter().map(|place| format!(", \"{}\"", kept[*place].0.name));
    let names: String =
        names.chain(groups.iter().map(|group| format!(", {}", shared::held("", group.name)))).collect();
    let places: String = (2..=1 + own.len() + groups.len()).map(|place| format!(", ?{place}")).collect();
    let mut write =
        connection.prepare(&format!("INSERT INTO \"{new}\" (rowid{names}) VALUES (?1{places})"))?;
    let sources: String = kept.iter().map(|(_, source)| format!(", {source}")).collect();
    let mut read =
        connection.prepare(&format!("SELECT rowid{sources} FROM \"{}\" ORDER BY rowid", table.name))?;
    let mut sharer = Sharer::new(Db::Sqlite(connection));
    let mut packed = Vec::new();
    let mut done = 0;
    let mut rows = read.query([])?;
    while let Some(row) = rows.next()? {
        write.raw_bind_parameter(1, row.get::<_, i64>(0)?)?;
        for (number, place) in own.iter().enumerate() {
            write.raw_bind_parameter(number + 2, ToSqlOutput::Borrowed(row.get_ref(place + 1)?))?;
        }
        for (number, group) in groups.iter().enumerate() {
            let mut cells = Vec::with_capacity(group.columns.len());
            for id in &group.columns {
                let column = table.column(*id);
                cells.push(match kept.iter().position(|(known, _)| known.name == column.name) {
                    Some(place) => row.get::<_, Value>(place + 1)?,
                    None => Value::Null,
                });
            }
            shared::pack(cells.iter().map(Into::into), &mut packed);
            write.raw_bind_parameter(own.len() + number + 2, sharer.hold(&packed)?)?;
        }
        write.raw_execute()?;
        done += 1;
        if done % ROWS_A_STEP == 0 {
            progress(done);
        }
    }
    Ok(())
}

/// The expression for a new column's value, read from a row of the old table: the default where null is no longer allowed. `None` if the
/// old table has no such column.
fn source(before: &Definition, column: &Column) -> Option<String> {
    let held = if before.columns.contains_key(&column.name) {
        format!("\"{}\"", column.name)
    } else {
        shared::read("", &before.shared_place(&column.name)?)
    };
    Some(match &column.default {
        Some(Default::Literal(value)) if !column.nullable => {
            format!("coalesce({held}, {})", ddl::literal(value))
        }
        _ => held,
    })
}
