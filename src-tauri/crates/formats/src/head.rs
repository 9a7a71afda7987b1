//! The beginning of a file, as formats look at it.

use crate::shape::{Outline, Table};
use serde_json::Value;

/// The first bytes of a file's content: inflated, without a byte order mark, in UTF-8 where it is text.
#[derive(Debug)]
pub struct Head<'a> {
    pub bytes: &'a [u8],
    /// Whether that is all of the file.
    pub is_whole: bool,
    outline: Option<Outline>,
    columns: Option<(u8, Vec<String>)>,
}

impl<'a> Head<'a> {
    /// Looks at the beginning of a file once, for all formats.
    pub fn new(bytes: &'a [u8], is_whole: bool) -> Self {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let outline = Outline::of(bytes);
        let columns = if outline.is_none() { Table::columns_of(bytes) } else { None };
        Self { bytes, is_whole, outline, columns }
    }

    /// What it shows of a JSON document; `None` when it is no JSON.
    pub fn outline(&self) -> Option<&Outline> {
        self.outline.as_ref()
    }

    /// The document as far as it shows, when it is one JSON object; else null.
    pub fn object(&self) -> &Value {
        self.outline.as_ref().map_or(&Value::Null, Outline::object)
    }

    /// The first of a list or of a sequence of JSON documents; else null.
    pub fn first(&self) -> &Value {
        self.outline.as_ref().map_or(&Value::Null, Outline::first)
    }

    /// The delimiter and the columns of a file of delimited text; `None` when it is JSON.
    pub fn columns(&self) -> Option<(u8, &[String])> {
        self.columns.as_ref().map(|(delimiter, columns)| (*delimiter, columns.as_slice()))
    }

    /// Whether a file of delimited text has all these columns, in any case.
    pub fn has_columns(&self, names: &[&str]) -> bool {
        let Some((_, columns)) = self.columns() else { return false };
        names.iter().all(|name| columns.iter().any(|column| column.eq_ignore_ascii_case(name)))
    }
}

/// Whether an object has all of these keys.
pub fn has(object: &Value, keys: &[&str]) -> bool {
    keys.iter().all(|key| object.get(key).is_some())
}
