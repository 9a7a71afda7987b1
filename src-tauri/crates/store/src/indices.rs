//! Drops indices before a bulk load and rebuilds them at its end.

use crate::ddl;
use crate::driver::cache::{Cache, set_cache};
use crate::driver::db::Db;
use catalogue::Table;

/// Below this number of rows, updating an index is faster than rebuilding it.
pub(crate) const WORTH_IT: u64 = 20_000;

/// Drops the non-unique indices of a table with at most twice the `expected` rows, and adds the statements that rebuild them to
/// `suspended`. Returns whether they were dropped; not if fewer than [`WORTH_IT`] rows are expected. Unique indices stay, because they
/// detect conflicts.
pub(crate) fn suspend(
    connection: Db<'_>,
    table: &Table,
    expected: u64,
    suspended: &mut Vec<String>,
) -> rusqlite::Result<bool> {
    // PostgreSQL would lock the table for all sessions.
    let Db::Sqlite(connection) = connection else { return Ok(false) };
    let sql = format!("SELECT coalesce(max(rowid), 0) FROM \"{}\"", table.name);
    let present =
        u64::try_from(connection.query_row(&sql, [], |row| row.get::<_, i64>(0))?).unwrap_or_default();
    if expected < WORTH_IT || present > expected * 2 {
        return Ok(false);
    }
    let is_plain = |name: &str| table.indices.iter().any(|index| index.name == name);
    for (name, statement) in ddl::create_indices(table) {
        if is_plain(name) && !suspended.contains(&statement) {
            connection.execute_batch(&format!("DROP INDEX \"{name}\""))?;
            suspended.push(statement);
        }
    }
    Ok(true)
}

/// Rebuilds the indices dropped by [`suspend`].
pub(crate) fn build(connection: Db<'_>, statements: &[String]) -> rusqlite::Result<()> {
    let Db::Sqlite(sqlite) = connection else { return Ok(()) };
    if statements.is_empty() {
        return Ok(());
    }
    set_cache(sqlite, Cache::Sort)?;
    for statement in statements {
        sqlite.execute_batch(statement)?;
    }
    set_cache(sqlite, Cache::Load)
}
