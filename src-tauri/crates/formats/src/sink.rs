//! Where records go while a file is read.

use crate::read_error::ReadError;
use crate::record::Record;

/// Where in the file a record stands, for people: `line 17`, `$.items[17]`, `cluster-resources/pods/default.json $.items[2]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place(pub String);

/// A file inside an archive, and what became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InnerFile {
    /// Its name in the archive.
    pub name: String,
    pub size_bytes: u64,
    pub outcome: InnerOutcome,
}

/// What became of a file inside an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InnerOutcome {
    /// What it was read as, such as `Pod objects`.
    ReadAs(String),
    /// Why nothing was read of it, as a sentence without its full stop.
    LeftOut(&'static str),
}

/// Takes what a format reads. Every row or object of the file ends in exactly one of the two.
pub trait Sink {
    /// Takes a record. An error ends reading.
    fn record(&mut self, place: &Place, record: Record) -> Result<(), ReadError>;

    /// Counts one row or object of the file that gave no record, by a reason in fixed words, and quotes it in short.
    fn left_out(&mut self, place: &Place, reason: &'static str, quote: &str) -> Result<(), ReadError>;

    /// Lists a file of an archive that is read as one document. Formats that are no archives list none.
    fn file(&mut self, _file: InnerFile) {}

    /// Tells people a sentence about how the file was read.
    fn note(&mut self, sentence: String);
}
