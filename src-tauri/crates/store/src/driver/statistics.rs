//! SQLite's table statistics (`sqlite_stat1`), by which it chooses between indices.

mod distinct;

use super::sqlite::begin_within;
use rusqlite::{Connection, OptionalExtension as _};
use std::time::Duration;

/// Number of index entries sampled: a table of millions then takes no longer than one of thousands.
const LOOKED_AT: u32 = 1000;
/// Lists due statements for all tables: those never analysed, and those that have grown tenfold.
const DUE: &str = "PRAGMA optimize(0x10003)";
/// How long to wait for another process that writes before giving up.
const PATIENCE: Duration = Duration::from_secs(1);

/// The start of such a statement; the table's quoted name follows.
const ANALYZE: &str = "ANALYZE \"main\".";

/// The tables whose statistics must be updated. Changes nothing.
pub(crate) fn due(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut statement = connection.prepare(DUE)?;
    let lines = statement.query_map([], |row| row.get::<_, String>(0))?;
    let mut due = distinct::unknown(connection)?;
    for line in lines {
        let line = line?;
        let Some(table) = line.strip_prefix(ANALYZE).map(|name| name.trim_matches('"').to_owned()) else {
            continue;
        };
        // An empty table has no statistics and would always be due.
        let any = format!("SELECT 1 FROM \"{table}\" LIMIT 1");
        if !due.contains(&table) && connection.query_row(&any, [], |_| Ok(())).optional()?.is_some() {
            due.push(table);
        }
    }
    Ok(due)
}

/// Updates the statistics of a table in a separate transaction. This changes the schema version, therefore all connections of all
/// processes reload them.
pub(crate) fn renew(connection: &Connection, table: &str) -> rusqlite::Result<()> {
    connection.pragma_update(None, "analysis_limit", LOOKED_AT)?;
    let transaction = begin_within(connection, PATIENCE)?;
    // With value samples, SQLite would replan a statement whenever another value is bound.
    transaction.execute_batch(&format!("{ANALYZE}\"{table}\"; DROP TABLE IF EXISTS sqlite_stat4"))?;
    distinct::correct(&transaction, table)?;
    // This connection read the statistics before they were corrected. Others reload them when they see the schema change.
    transaction.execute_batch("ANALYZE sqlite_schema; DROP TABLE IF EXISTS sqlite_stat4")?;
    transaction.commit()
}
