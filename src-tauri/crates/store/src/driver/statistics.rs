//! What SQLite knows of the numbers of rows, from which it chooses between indices (`sqlite_stat1`).

mod distinct;

use super::sqlite::begin_within;
use rusqlite::{Connection, OptionalExtension as _};
use std::time::Duration;

/// Entries of an index that are looked at: a table of millions takes no longer than one of thousands.
const LOOKED_AT: u32 = 1000;
/// What is due, as statements, of all tables: those never analysed, and those that have grown tenfold.
const DUE: &str = "PRAGMA optimize(0x10003)";
/// How long another process may write before it is left for later.
const PATIENCE: Duration = Duration::from_secs(1);

/// How such a statement begins; the table's quoted name follows.
const ANALYZE: &str = "ANALYZE \"main\".";

/// The tables whose numbers are to be brought up to date. Changes nothing.
pub(crate) fn due(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut statement = connection.prepare(DUE)?;
    let lines = statement.query_map([], |row| row.get::<_, String>(0))?;
    let mut due = distinct::unknown(connection)?;
    for line in lines {
        let line = line?;
        let Some(table) = line.strip_prefix(ANALYZE).map(|name| name.trim_matches('"').to_owned()) else {
            continue;
        };
        // Of a table without rows nothing is kept, so that it would be due for ever.
        let any = format!("SELECT 1 FROM \"{table}\" LIMIT 1");
        if !due.contains(&table) && connection.query_row(&any, [], |_| Ok(())).optional()?.is_some() {
            due.push(table);
        }
    }
    Ok(due)
}

/// Counts a table anew in a transaction of its own. It changes the schema, so that every connection of every process takes note.
pub(crate) fn renew(connection: &Connection, table: &str) -> rusqlite::Result<()> {
    connection.pragma_update(None, "analysis_limit", LOOKED_AT)?;
    let transaction = begin_within(connection, PATIENCE)?;
    // Samples of values would have every statement planned anew whenever another value is bound.
    transaction.execute_batch(&format!("{ANALYZE}\"{table}\"; DROP TABLE IF EXISTS sqlite_stat4"))?;
    distinct::correct(&transaction, table)?;
    // This connection read the numbers before they were corrected. Others read them when they see that the schema has changed.
    transaction.execute_batch("ANALYZE sqlite_schema; DROP TABLE IF EXISTS sqlite_stat4")?;
    transaction.commit()
}
