//! Records the applied migrations in the database itself.

use crate::OpenError;
use catalogue::{Catalogue, Migration};
use rusqlite::Connection;
use sha2::{Digest, Sha256};
use std::path::Path;

/// Cannot collide with a table of the catalogue: their names never contain `#`.
pub(crate) const TABLE: &str = "schema#migrations";

/// An applied migration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AppliedMigration {
    pub number: u32,
    pub name: String,
    /// SHA-256 of its file, in hexadecimal.
    pub checksum: String,
    /// µs since 1970 UTC.
    pub at: i64,
    /// The version of Quarterdeck that applied it.
    pub by: String,
    /// The output of its SELECT statements, one line per row. Empty if the database was created after the migration.
    pub notes: Vec<String>,
}

pub(super) fn create() -> String {
    format!(
        "CREATE TABLE \"{TABLE}\" (\"number\" INTEGER PRIMARY KEY, \"name\" TEXT NOT NULL, \"checksum\" TEXT NOT NULL, \
         \"at\" INTEGER NOT NULL, \"by\" TEXT NOT NULL, \"notes\" TEXT NOT NULL) STRICT"
    )
}

/// The applied migrations in order of their numbers; empty for a database older than this table.
pub(super) fn applied(connection: &Connection) -> rusqlite::Result<Vec<AppliedMigration>> {
    let exists = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?1";
    if !connection.prepare_cached(exists)?.exists([TABLE])? {
        return Ok(Vec::new());
    }
    let sql = format!(
        "SELECT \"number\", \"name\", \"checksum\", \"at\", \"by\", \"notes\" FROM \"{TABLE}\" ORDER BY 1"
    );
    let mut statement = connection.prepare(&sql)?;
    let rows = statement.query_map([], |row| {
        let notes: String = row.get(5)?;
        Ok(AppliedMigration {
            number: row.get(0)?,
            name: row.get(1)?,
            checksum: row.get(2)?,
            at: row.get(3)?,
            by: row.get(4)?,
            notes: notes.lines().map(str::to_owned).collect(),
        })
    })?;
    rows.collect()
}

/// The migrations of the catalogue that are not applied yet.
pub(super) fn pending<'a>(catalogue: &'a Catalogue, applied: &[AppliedMigration]) -> Vec<&'a Migration> {
    let is_pending = |migration: &&Migration| !applied.iter().any(|one| one.number == migration.number);
    catalogue.migrations.iter().filter(is_pending).collect()
}

/// Refuses a database with an applied migration that the catalogue does not have.
pub(super) fn check_known(
    path: &Path,
    catalogue: &Catalogue,
    applied: &[AppliedMigration],
) -> Result<(), OpenError> {
    let last = catalogue.migrations.last().map_or(1, |migration| migration.number);
    match applied.last() {
        Some(newest) if newest.number > last => Err(OpenError::Newer {
            path: path.to_owned(),
            found: i64::from(newest.number),
            known: i64::from(last),
        }),
        _ => Ok(()),
    }
}

pub(super) fn checksum(migration: &Migration) -> String {
    let digest = Sha256::digest(migration.text.as_bytes());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

pub(super) fn record(
    connection: &Connection,
    migration: &Migration,
    now: i64,
    notes: &[String],
) -> rusqlite::Result<()> {
    let sql = format!("INSERT INTO \"{TABLE}\" VALUES (?1, ?2, ?3, ?4, ?5, ?6)");
    let by = env!("CARGO_PKG_VERSION");
    let row = (migration.number, &migration.name, checksum(migration), now, by, notes.join("\n"));
    connection.execute(&sql, row).map(drop)
}
