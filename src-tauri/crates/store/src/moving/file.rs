//! Moves rows into a new SQLite file: written as a draft, and renamed to its final name after all of it was compared.

use super::rows::{TableToMove, moved_tables};
use super::{MoveError, MoveReport, TableComparison, TableListener, check_alone};
use crate::backend::Backend;
use crate::driver::cache::{Cache, set_cache};
use crate::driver::database_file::draft_of;
use crate::driver::db::Db;
use crate::driver::journal::drop_log;
use crate::driver::sqlite::{begin, store_error};
use crate::driver::statistics;
use crate::scope::ReadScope;
use crate::{Store, StoreError, ddl, segments};
use catalogue::Catalogue;
use rusqlite::Connection;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// How long this process itself may take to close the new file.
const CLOSING: Duration = Duration::from_secs(10);

pub(super) fn fill(
    source: &Store,
    path: &Path,
    on_table: TableListener<'_>,
) -> Result<MoveReport, MoveError> {
    check_alone(source, path)?;
    let draft = draft_of(path);
    if path.exists() {
        remove(&draft)?;
        let target = Store::open(path, Arc::clone(source.catalogue()))?;
        let tables = super::compare(source, &target)?;
        if tables.iter().all(TableComparison::is_equal) {
            tables.iter().for_each(on_table);
            return Ok(MoveReport { already_equal: true, tables });
        }
        return Err(MoveError::HoldsOther { place: path.to_owned(), tables });
    }
    // Left by a process that was killed.
    remove(&draft)?;
    let tables = match write(source, &draft, on_table) {
        Ok(tables) => tables,
        Err(error) => {
            remove(&draft)?;
            return Err(error);
        }
    };
    let put = || {
        File::open(&draft)?.sync_all()?;
        std::fs::rename(&draft, path)?;
        path.parent().map_or(Ok(()), sync_folder)
    };
    put().map_err(|cause| MoveError::File { path: path.to_owned(), cause })?;
    Ok(MoveReport { already_equal: false, tables })
}

/// Writes all rows into a new file, without a write-ahead log.
pub(crate) fn write(
    source: &Store,
    path: &Path,
    on_table: TableListener<'_>,
) -> Result<Vec<TableComparison>, MoveError> {
    // Created first, so that others see that the move has started.
    let target = Store::open(path, Arc::clone(source.catalogue()))?;
    let compared =
        source.backend.read(ReadScope::default(), |view| copy_rows(view.db, &target, path, on_table))?;
    drop(target);
    drop_log(path, CLOSING)?;
    Ok(compared)
}

fn copy_rows(
    from: Db<'_>,
    target: &Store,
    path: &Path,
    on_table: TableListener<'_>,
) -> Result<Vec<TableComparison>, MoveError> {
    let Backend::Sqlite(connections) = &target.backend else { return Err(StoreError::OfOneFile.into()) };
    let catalogue = target.catalogue();
    let mut writer = connections.writer();
    set_cache(&writer, Cache::Load)?;
    // Foreign keys are checked once, at the end.
    let transaction = begin(&mut writer, true)?;
    let tables = moved_tables(catalogue);
    let built = drop_constraints(&transaction, catalogue)?;
    let mut compared = Vec::new();
    for table in &tables {
        let source = table.copy(from, (&*transaction).into())?;
        let target = table.tally((&*transaction).into())?;
        let one = TableComparison { table: table.name.clone(), source, target };
        if !one.is_empty() {
            on_table(&one);
            compared.push(one);
        }
    }
    for statement in &built {
        transaction.execute_batch(statement)?;
    }
    check_references(&transaction)?;
    if !compared.iter().all(TableComparison::is_equal) {
        return Err(MoveError::Differs { place: path.to_owned(), tables: compared });
    }
    for (id, _) in tables.iter().filter_map(|table| table.table) {
        segments::refresh(&transaction, catalogue, id)?;
    }
    transaction.commit()?;
    set_cache(&writer, Cache::Usual)?;
    for table in tables.iter().filter(|table| compared.iter().any(|one| one.table == table.name)) {
        count(&writer, table);
    }
    Ok(compared)
}

/// Drops the non-unique indices of every table. Returns the statements that rebuild them.
fn drop_constraints(connection: &Connection, catalogue: &Catalogue) -> rusqlite::Result<Vec<String>> {
    let mut built = Vec::new();
    for (_, table) in catalogue.iter().filter(|(_, table)| ddl::is_table(table)) {
        for (name, statement) in ddl::create_indices(table) {
            if table.indices.iter().any(|index| index.name == name) {
                connection.execute_batch(&format!("DROP INDEX \"{name}\""))?;
                built.push(statement);
            }
        }
    }
    Ok(built)
}

fn check_references(connection: &Connection) -> Result<(), MoveError> {
    let mut statement =
        connection.prepare("SELECT \"table\", \"parent\" FROM pragma_foreign_key_check LIMIT 1")?;
    let mut rows = statement.query([])?;
    match rows.next()? {
        None => Ok(()),
        Some(row) => {
            let (table, parent): (String, String) = (row.get(0)?, row.get(1)?);
            Err(StoreError::ForeignKey(format!(
                "a row of {table} refers to a row of {parent} that is not there"
            ))
            .into())
        }
    }
}

fn count(writer: &Connection, table: &TableToMove<'_>) {
    if let Err(error) = statistics::renew(writer, &table.name) {
        // Query plans are slightly worse until the service updates the statistics.
        tracing::debug!(table = table.name, "rows were not counted: {}", store_error(error));
    }
}

fn remove(draft: &Path) -> Result<(), MoveError> {
    // The draft itself last: while it exists, nobody creates a new database in its place.
    for ending in ["-wal", "-shm", "-journal", ""] {
        let mut name = draft.as_os_str().to_owned();
        name.push(ending);
        match std::fs::remove_file(&name) {
            Err(cause) if cause.kind() != std::io::ErrorKind::NotFound => {
                return Err(MoveError::File { path: name.into(), cause });
            }
            _ => {}
        }
    }
    Ok(())
}

#[cfg(unix)]
fn sync_folder(folder: &Path) -> std::io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Folders cannot be opened on other systems.
#[cfg(not(unix))]
fn sync_folder(_: &Path) -> std::io::Result<()> {
    Ok(())
}
