//! Values that many rows share, stored once (`@shared` in the catalogue, ADR 039).
//!
//! The columns of a group are stored in a row as one cell, [`held`]: null if all of them are null, the [`cells`] themselves, or the number
//! of a row of [`TABLE`] that stores them. The number is a hash of the cells ([`number`]) and therefore means the same in every file,
//! process and snapshot; cached values ([`Values`]) never become invalid. Bulk inserts share cells that occur a second time
//! (`rows/sharer.rs`); single writes store their own.
//!
//! PostgreSQL stores these columns like all others.

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

/// The table of shared cells. Names in the catalogue never contain `#`.
pub(crate) const TABLE: &str = "shared#values";

/// Name and statement of the table, if any table of the catalogue shares values.
pub(crate) fn tables(catalogue: &Catalogue) -> Vec<(String, String)> {
    let table = || (TABLE.to_owned(), create("CREATE TABLE"));
    catalogue.iter().any(|(_, table)| shares(table)).then(table).into_iter().collect()
}

/// Whether rows of the table share values.
pub(crate) fn shares(table: &Table) -> bool {
    table.columns.iter().any(|column| column.shared.is_some())
}

/// The statement that creates the table if it does not exist.
pub(crate) fn create_if_missing() -> String {
    create("CREATE TABLE IF NOT EXISTS")
}

/// The statement that finds cells by number.
pub(crate) fn find() -> String {
    format!("SELECT \"cells\" FROM \"{TABLE}\" WHERE \"id\" = ?1")
}

fn create(words: &str) -> String {
    format!("{words} \"{TABLE}\" (\"id\" INTEGER PRIMARY KEY, \"cells\" BLOB NOT NULL) STRICT")
}

/// The number of cells: 47 bits of their SHA-256, which SQLite stores in six bytes. If different cells have the same number, only the
/// first are shared; rows store the others themselves.
pub(crate) fn number(cells: &[u8]) -> i64 {
    let digest = Sha256::digest(cells);
    digest[..6].iter().fold(0, |number, byte| number << 8 | i64::from(*byte)) & 0x7fff_ffff_ffff
}
