//! Values that many rows share, held once (`@shared` in the catalogue, ADR 039).
//!
//! The columns of a group stand in a row as one cell, [`held`]: nothing where all of them are null, the [`cells`] themselves, or the number of a row of
//! [`TABLE`] that holds these cells. The number follows from the cells ([`number`]), so it means the same in every file, process and snapshot, and what is
//! remembered of it ([`Values`]) can never be wrong. Bulk inserts share what they meet a second time (`rows/sharer.rs`); single writes hold their own.
//!
//! PostgreSQL holds these columns as any others.

mod cells;
mod check;
mod functions;
mod group;
#[cfg(test)]
mod tests;
mod values;

pub(crate) use cells::{as_ref, cell, damaged, pack};
pub(crate) use check::{faults, sweep};
pub(crate) use functions::register;
pub(crate) use group::{Group, assignments, default, groups, held, read, stored};
pub(crate) use values::{Values, ValuesInUse};

use catalogue::{Catalogue, Table};
use sha2::{Digest, Sha256};

/// The table of shared cells. No table of the catalogue has a `#` in its name.
pub(crate) const TABLE: &str = "shared#values";

/// Name and statement of the table, where a table of the catalogue shares anything.
pub(crate) fn tables(catalogue: &Catalogue) -> Vec<(String, String)> {
    let table = || (TABLE.to_owned(), create("CREATE TABLE"));
    catalogue.iter().any(|(_, table)| shares(table)).then(table).into_iter().collect()
}

/// Whether rows of the table share values.
pub(crate) fn shares(table: &Table) -> bool {
    table.columns.iter().any(|column| column.shared.is_some())
}

/// The statement that adds the table to a database that may have it.
pub(crate) fn create_if_missing() -> String {
    create("CREATE TABLE IF NOT EXISTS")
}

/// The statement that finds cells by their number.
pub(crate) fn find() -> String {
    format!("SELECT \"cells\" FROM \"{TABLE}\" WHERE \"id\" = ?1")
}

fn create(words: &str) -> String {
    format!("{words} \"{TABLE}\" (\"id\" INTEGER PRIMARY KEY, \"cells\" BLOB NOT NULL) STRICT")
}

/// The number of cells: 47 bits of their SHA-256, which SQLite holds in six bytes. Two that have the same number are told apart where they are
/// shared: the second ones are held in their rows.
pub(crate) fn number(cells: &[u8]) -> i64 {
    let digest = Sha256::digest(cells);
    digest[..6].iter().fold(0, |number, byte| number << 8 | i64::from(*byte)) & 0x7fff_ffff_ffff
}
