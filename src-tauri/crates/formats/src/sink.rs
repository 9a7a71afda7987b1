//! The receiver of records while a file is read.

use crate::read_error::ReadError;
use crate::record::Record;

/// The position of a record in the file, as shown to users: `line 17`, `$.items[17]`, `cluster-resources/pods/default.json $.items[2]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Position(pub String);

/// A file inside an archive, with the result of reading it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InnerFile {
    /// Its name in the archive.
    pub name: String,
    pub size_bytes: u64,
    pub outcome: InnerOutcome,
}

/// The result of reading a file inside an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InnerOutcome {
    /// It was read; the text describes its content, such as `Pod objects`.
    ReadAs(String),
    /// It was not read; the text is the reason, as a sentence without its full stop.
    Skipped(&'static str),
}

/// Receives the results of reading a file. Every row or object of the file is passed to exactly one of `record` and `skip`.
pub trait Sink {
    /// Accepts a record. An error stops the reading.
    fn record(&mut self, place: &Position, record: Record) -> Result<(), ReadError>;

    /// Counts one row or object of the file that gave no record, under a fixed reason (see [`crate::reason`]), with a short quote.
    fn skip(&mut self, place: &Position, reason: &'static str, quote: &str) -> Result<(), ReadError>;

    /// Lists a file of an archive that is read as one document. Formats that are not archives list no files.
    fn file(&mut self, _file: InnerFile) {}

    /// Adds a sentence to the import notes.
    fn note(&mut self, sentence: String);
}
