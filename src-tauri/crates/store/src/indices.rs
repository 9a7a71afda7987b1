//! Indices taken down for a load and built at its end.

use crate::ddl;
use crate::driver::cache::{Cache, set_cache};
use crate::driver::db::Db;
use catalogue::Table;

/// Below this many rows an index is kept up faster than built.
pub(crate) const WORTH_IT: u64 = 20_000;

/// Drops the plain indices of a table that holds fewer than twice the `expected` rows; the statements that build them.
/// Unique ones stay: they are what finds a conflict.
pub(crate) fn suspend(connection: Db<'_>, table: &Table, expected: u64) -> rusqlite::Result<Vec<String>> {
    // PostgreSQL would lock the table for everybody.
    let Db::Sqlite(connection) = connection else { return Ok(Vec::new()) };
    let sql = format!("SELECT coalesce(max(rowid), 0) FROM \"{}\"", table.name);
    let present =
        u64::try_from(connection.query_row(&sql, [], |row| row.get::<_, i64>(0))?).unwrap_or_default();
    if expected < WORTH_IT || present > expected * 2 {
        return Ok(Vec::new());
    }
    let plain = |name: &&(&str, String)| table.indices.iter().any(|index| index.name == name.0);
    let indices = ddl::create_indices(table);
    for (name, _) in indices.iter().filter(plain) {
        connection.execute_batch(&format!("DROP INDEX \"{name}\""))?;
    }
    Ok(indices.iter().filter(plain).map(|(_, statement)| statement.clone()).collect())
}

/// Builds the indices of [`suspend`] again.
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
