//! The beginning of a file, from which formats recognise it.

use crate::shape::{Outline, Table};
use serde_json::Value;

/// The first bytes of a file's content: decompressed, without a byte order mark, in UTF-8 if it is text.
#[derive(Debug)]
pub struct Head<'a> {
    pub bytes: &'a [u8],
    /// Whether `bytes` is the whole file.
    pub is_whole: bool,
    outline: Option<Outline>,
    columns: Option<(u8, Vec<String>)>,
}

impl<'a> Head<'a> {
    /// Parses the beginning of a file once, for all formats.
    pub fn new(bytes: &'a [u8], is_whole: bool) -> Self {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let outline = Outline::of(bytes);
        let columns = if outline.is_none() { Table::columns_of(bytes) } else { None };
        Self { bytes, is_whole, outline, columns }
    }

    /// The JSON outline; `None` when the content is not JSON.
    pub fn outline(&self) -> Option<&Outline> {
        self.outline.as_ref()
    }

    /// The visible part of the document, when the file is one JSON object; otherwise null.
    pub fn object(&self) -> &Value {
        self.outline.as_ref().map_or(&Value::Null, Outline::object)
    }

    /// The first element of a list, or the first of a sequence of JSON documents; otherwise null.
    pub fn first(&self) -> &Value {
        self.outline.as_ref().map_or(&Value::Null, Outline::first)
    }

    /// The delimiter and the column names of a delimited text file; `None` when it is JSON.
    pub fn columns(&self) -> Option<(u8, &[String])> {
        self.columns.as_ref().map(|(delimiter, columns)| (*delimiter, columns.as_slice()))
    }

    /// Whether this is a delimited text file with all these columns, ignoring case.
    pub fn has_columns(&self, names: &[&str]) -> bool {
        let Some((_, columns)) = self.columns() else { return false };
        names.iter().all(|name| columns.iter().any(|column| column.eq_ignore_ascii_case(name)))
    }
}

/// Whether an object has all of these keys.
pub fn has(object: &Value, keys: &[&str]) -> bool {
    keys.iter().all(|key| object.get(key).is_some())
}
