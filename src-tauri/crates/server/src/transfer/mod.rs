//! Dumps tables to files and loads them: CSV, and JSON with one object per line (NDJSON), by the catalogue's column types.
//!
//! CSV cannot distinguish a missing text from an empty one: an empty cell is null if the column is nullable. NDJSON can. Spreadsheets take a cell
//! that begins with `=` for a formula: CSV for people escapes such texts ([`formula`]), and reading removes the escape.

mod cell;
mod dump;
mod formula;
mod load;
mod references;

pub use dump::dump;
pub use load::{TableFile, load};

use catalogue::{Catalogue, Column, Scope, Table, TableKind};
use store::StoreError;

/// How a file says what a table holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// A header with the column names, then one line per row
    Csv,
    /// CSV for programs: texts that a spreadsheet would take for formulas stand as they are
    #[value(skip)]
    RawCsv,
    /// One JSON object per row and line
    Ndjson,
}

/// Why a table could not be loaded or dumped.
#[derive(Debug, thiserror::Error)]
pub enum TransferError {
    #[error("there is no table {name:?}{}", suggestion(close))]
    UnknownTable { name: String, close: Vec<String> },
    #[error("{name} is kept by the service itself and is neither loaded nor dumped")]
    NotForPeople { name: String },
    #[error("{name} cannot be loaded: its rows come from the catalogue or from other tables")]
    NotWritable { name: String },
    #[error("line {line}: the table {table} has no column {column:?}; it has {known}")]
    UnknownColumn { line: u64, table: String, column: String, known: String },
    #[error("line {line}, column {column}: {found} is not {expected}")]
    WrongCell { line: u64, column: String, found: String, expected: String },
    #[error("line {line}, column {column}: there is no {found}; expected {expected}")]
    NoSuchRow { line: u64, column: String, found: String, expected: String },
    #[error(
        "line {line}: {one} and {other} are names of one value and have different ones; give one of them"
    )]
    TwoValues { line: u64, one: String, other: String },
    #[error("line {line}: expected a JSON object")]
    NotAnObject {
        line: u64,
        #[source]
        cause: serde_json::Error,
    },
    #[error("the file is empty: expected a header with column names")]
    NoHeader,
    #[error("the CSV file cannot be read")]
    Csv(#[from] csv::Error),
    #[error("line {line} was refused; nothing was loaded")]
    Refused {
        line: u64,
        #[source]
        cause: StoreError,
    },
    #[error("the database could not be used")]
    Store(#[from] StoreError),
    #[error("the file could not be read or written")]
    Io(#[from] std::io::Error),
}

/// The table of that name, unless it holds the service's own rows. Tables that GraphQL exposes only through operations are included.
fn find<'a>(catalogue: &'a Catalogue, name: &str) -> Result<&'a Table, TransferError> {
    let Some(id) = catalogue.find(name) else {
        let wanted = name.to_lowercase();
        let close = catalogue
            .tables
            .iter()
            .filter(|table| table.name.contains(&wanted) || wanted.contains(&table.name))
            .map(|table| table.name.clone())
            .collect();
        return Err(TransferError::UnknownTable { name: name.to_owned(), close });
    };
    let table = catalogue.table(id);
    if table.scope == Scope::Service {
        return Err(TransferError::NotForPeople { name: name.to_owned() });
    }
    Ok(table)
}

/// The columns that people may read, in the order of the catalogue.
fn readable(table: &Table) -> Vec<&Column> {
    table.columns.iter().filter(|column| !column.secret).collect()
}

fn check_writable(table: &Table) -> Result<(), TransferError> {
    match table.kind {
        TableKind::Table => Ok(()),
        TableKind::View { .. } | TableKind::Lookup { .. } => {
            Err(TransferError::NotWritable { name: table.name.clone() })
        }
    }
}

fn suggestion(close: &[String]) -> String {
    if close.is_empty() { String::new() } else { format!("; did you mean {}?", close.join(", ")) }
}
