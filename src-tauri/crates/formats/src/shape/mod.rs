//! The shapes that files of documents have, read piece by piece so that memory stays bounded whatever a file's size.

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

/// What one object of a list may be long at most, in bytes; longer ones are left out by name.
pub const OBJECT_BYTES: usize = 16 << 20;
/// What a document may be long at most that is read as a whole, in bytes.
pub const DOCUMENT_BYTES: usize = 64 << 20;

/// Reads a whole document. It is refused when it is damaged or longer than [`DOCUMENT_BYTES`].
pub fn document(read: &mut dyn Read) -> Result<Value, ReadError> {
    let mut json = Json::new(read);
    let value = json.value(DOCUMENT_BYTES)?;
    json.end()?;
    Ok(value)
}
