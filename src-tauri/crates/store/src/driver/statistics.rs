//! What SQLite knows of the numbers of rows, from which it chooses between indices (`sqlite_stat1`).

use super::sqlite::begin_within;
use rusqlite::Connection;
use std::time::Duration;

/// Entries of an index that are looked at: a table of millions takes no longer than one of thousands.
const LOOKED_AT: u32 = 1000;
/// What is due, as statements, of all tables: those never analysed, and those that have grown tenfold.
const DUE: &str = "PRAGMA optimize(0x10003)";
/// How long another process may write before it is left for later.
const PATIENCE: Duration = Duration::from_secs(1);

/// How such a statement begins; the table's quoted name follows.
const ANALYZE: &str = "ANALYZE \"main\".";

/// The statements that bring what is known up to date. Changes nothing.
pub(crate) fn due(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut statement = connection.prepare(DUE)?;
    let lines = statement.query_map([], |row| row.get::<_, String>(0))?;
    let mut due = Vec::new();
    for line in lines {
        let line = line?;
        // Of a table without rows nothing is kept, so that it would be due for ever.
        if let Some(table) = line.strip_prefix(ANALYZE)
            && connection
                .query_row(&format!("SELECT EXISTS (SELECT 1 FROM {table})"), [], |row| row.get(0))?
        {
            due.push(line);
        }
    }
    Ok(due)
}

/// The statement for one table.
pub(crate) fn of_table(name: &str) -> String {
    format!("{ANALYZE}\"{name}\"")
}

/// Runs one of them in a transaction of its own. It changes the schema, so that every connection of every process takes note.
pub(crate) fn renew(connection: &Connection, statement: &str) -> rusqlite::Result<()> {
    connection.pragma_update(None, "analysis_limit", LOOKED_AT)?;
    let transaction = begin_within(connection, PATIENCE)?;
    // Samples of values would have every statement planned anew whenever another value is bound.
    transaction.execute_batch(&format!("{statement}; DROP TABLE IF EXISTS sqlite_stat4"))?;
    transaction.commit()
}
