//! Updates a database file of any version to the catalogue.
//!
//! New tables, columns, indices, views, triggers and lookup values are added automatically. Everything else (renamed or removed parts,
//! changed type, default, nullability or `on_delete`) needs a numbered migration of the catalogue (`schema/migrations/`): its statements
//! run once, then tables that differ are rebuilt with their rows. All steps run in one transaction, after a copy of the database is
//! written beside it. An interrupted or refused migration therefore leaves the database unchanged. [`state`] reports the necessary steps,
//! [`apply`] performs them; opening a store performs them too.
//!
//! No table is named here, and nothing is removed that no migration names.

mod compare;
mod definition;
#[cfg(test)]
mod first_schema;
mod foreign_keys;
mod history;
mod lookups;
mod migrate;
pub(crate) mod postgres;
mod rebuild;
#[cfg(test)]
mod tests;

pub use crate::error::{Difference, DifferenceKind};
pub use history::AppliedMigration;
pub(crate) use history::TABLE as MIGRATIONS;
pub use migrate::Report;

use crate::driver::database_file::{APPLICATION_ID, SCHEMA_VERSION, is_new, pragma};
use crate::driver::sqlite::store_error;
use crate::values::citext;
use crate::{DatabaseFile, OpenError};
use catalogue::Catalogue;
use rusqlite::Connection;

/// The steps necessary to update a database to the catalogue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    /// The version of its schema; 0 for an empty file.
    pub version: i64,
    pub applied: Vec<AppliedMigration>,
    /// Numbers and names of the pending migrations.
    pub pending: Vec<(u32, String)>,
    /// Statements that add tables, columns, indices, views and triggers.
    pub additions: Vec<String>,
    /// Other differences; pending migrations may remove them.
    pub differences: Vec<Difference>,
    /// Applied migrations whose text in the catalogue has changed since.
    pub edited: Vec<u32>,
}

/// Compares a database with the catalogue, without changing it.
pub fn state(file: &DatabaseFile, catalogue: &Catalogue) -> Result<State, OpenError> {
    let cannot = |cause| OpenError::Cannot { path: file.path.clone(), cause: store_error(cause) };
    let snapshot = file.connection.unchecked_transaction().map_err(cannot)?;
    let applied = history::applied(&snapshot).map_err(cannot)?;
    history::check_known(&file.path, catalogue, &applied)?;
    let is_new = is_new(&snapshot, &file.path)?;
    let pending = if is_new { Vec::new() } else { history::pending(catalogue, &applied) };
    let comparison = compare::compare(&snapshot, catalogue).map_err(cannot)?;
    let is_edited = |one: &&AppliedMigration| {
        catalogue
            .migrations
            .iter()
            .any(|migration| migration.number == one.number && history::checksum(migration) != one.checksum)
    };
    Ok(State {
        version: pragma(&snapshot, "user_version").map_err(cannot)?,
        pending: pending.iter().map(|migration| (migration.number, migration.name.clone())).collect(),
        additions: comparison.additions.into_iter().chain(comparison.derived).collect(),
        differences: comparison.differences,
        edited: applied.iter().filter(is_edited).map(|one| one.number).collect(),
        applied,
    })
}

/// Name and statement of the table of applied migrations.
pub(crate) fn history_table() -> [(String, String); 1] {
    [(history::TABLE.to_owned(), history::create())]
}

/// Updates a database to the catalogue. With `dry_run` everything is tried and rolled back, and no copy is made. Blocks the thread.
pub fn apply(file: &mut DatabaseFile, catalogue: &Catalogue, dry_run: bool) -> Result<Report, OpenError> {
    if !dry_run {
        order_indices(file, catalogue)?;
    }
    migrate::migrate(file, catalogue, dry_run)
}

/// Rebuilds indices that an earlier version sorted by ASCII case only. Fails if two names now differ in case only.
fn order_indices(file: &DatabaseFile, catalogue: &Catalogue) -> Result<(), OpenError> {
    citext::order_indices(&file.connection, catalogue).map_err(|error| {
        let path = file.path.clone();
        match error.to_string().split_once("UNIQUE constraint failed: ") {
            Some((_, columns)) => OpenError::SameValue { path, columns: columns.to_owned() },
            None => OpenError::Cannot { path, cause: store_error(error) },
        }
    })
}

/// Updates the database of a store that is being opened.
pub(crate) fn update_schema(file: &mut DatabaseFile, catalogue: &Catalogue) -> Result<(), OpenError> {
    let cannot = |cause| OpenError::Cannot { path: file.path.clone(), cause: store_error(cause) };
    order_indices(file, catalogue)?;
    // Most databases need no change; writing would have to wait while another process imports a long file.
    if is_current(&file.connection, catalogue).map_err(cannot)? {
        return Ok(());
    }
    migrate::migrate(file, catalogue, false).map(drop)
}

/// Whether there is nothing to create, add, migrate or refuse.
fn is_current(connection: &Connection, catalogue: &Catalogue) -> rusqlite::Result<bool> {
    let snapshot = connection.unchecked_transaction()?;
    if pragma(&snapshot, "application_id")? != APPLICATION_ID
        || pragma(&snapshot, "user_version")? != i64::from(SCHEMA_VERSION)
    {
        return Ok(false);
    }
    let applied = history::applied(&snapshot)?;
    let is_known = applied.len() == catalogue.migrations.len();
    Ok(is_known
        && history::pending(catalogue, &applied).is_empty()
        && compare::compare(&snapshot, catalogue)?.is_empty()
        && lookups::are_filled(&snapshot, catalogue)?)
}
