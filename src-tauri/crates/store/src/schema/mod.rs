//! How a database file becomes one of the catalogue, whatever version wrote it.
//!
//! New tables, columns, indices, views, triggers and lookup values are added without further words. Everything else (what was renamed or removed,
//! another type, default, nullability or `on_delete`) needs a numbered migration of the catalogue (`schema/migrations/`): its statements run once, then
//! tables that differ are made anew with their rows. All that is due happens in one transaction, after a copy of the database was put beside it, so a
//! migration that is interrupted or refused leaves what was there. [`state`] tells what is due, [`apply`] does it; opening a store does it, too.
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

/// What there is to do for a database to be one of the catalogue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    /// The version of its schema; 0 for a file with nothing in it.
    pub version: i64,
    pub applied: Vec<AppliedMigration>,
    /// Numbers and names of migrations that are due.
    pub pending: Vec<(u32, String)>,
    /// Statements that add tables, columns, indices, views and triggers.
    pub additions: Vec<String>,
    /// What else differs; migrations that are due may end it.
    pub differences: Vec<Difference>,
    /// Migrations that were applied with another text than the catalogue has today.
    pub edited: Vec<u32>,
}

/// Compares a database with the catalogue and changes nothing.
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

/// Name and statement of the table that says what was applied.
pub(crate) fn kept_table() -> [(String, String); 1] {
    [(history::TABLE.to_owned(), history::create())]
}

/// Brings a database up to the catalogue. With `dry_run` all is tried and undone, and no copy is made. Blocks the thread.
pub fn apply(file: &mut DatabaseFile, catalogue: &Catalogue, dry_run: bool) -> Result<Report, OpenError> {
    if !dry_run {
        order_indices(file, catalogue)?;
    }
    migrate::migrate(file, catalogue, dry_run)
}

/// Indices that an earlier version kept in the order of ASCII are made anew; two names that differ in case beyond ASCII have become one.
fn order_indices(file: &DatabaseFile, catalogue: &Catalogue) -> Result<(), OpenError> {
    citext::order_indices(&file.connection, catalogue).map_err(|error| {
        let path = file.path.clone();
        match error.to_string().split_once("UNIQUE constraint failed: ") {
            Some((_, columns)) => OpenError::SameValue { path, columns: columns.to_owned() },
            None => OpenError::Cannot { path, cause: store_error(error) },
        }
    })
}

/// The same for a store that is opened.
pub(crate) fn bring_up(file: &mut DatabaseFile, catalogue: &Catalogue) -> Result<(), OpenError> {
    let cannot = |cause| OpenError::Cannot { path: file.path.clone(), cause: store_error(cause) };
    order_indices(file, catalogue)?;
    // Most databases need nothing, and while another process imports a long file nobody could write to this one.
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
