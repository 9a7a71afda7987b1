//! Readers for the data shapes that document files use. They read in pieces, which bounds memory for files of any size.

pub mod archive;
mod json;
mod lines;
mod outline;
mod table;
pub mod yaml;

pub use json::{Flaw, Json, Kind};
pub use lines::{Line, Lines};
pub use outline::Outline;
pub use table::{Row, Table};

use crate::read_error::ReadError;
use serde_json::Value;
use std::io::Read;

/// Maximum size of one object in a list, in bytes; a longer one is left out and reported.
pub const OBJECT_BYTES: usize = 16 << 20;
/// Maximum size of a document that is read as a whole, in bytes.
pub const DOCUMENT_BYTES: usize = 64 << 20;

/// Reads a whole document. Refuses one that is damaged or longer than [`DOCUMENT_BYTES`].
pub fn document(read: &mut dyn Read) -> Result<Value, ReadError> {
    let mut json = Json::new(read);
    let value = json.value(DOCUMENT_BYTES)?;
    json.end()?;
    Ok(value)
}
