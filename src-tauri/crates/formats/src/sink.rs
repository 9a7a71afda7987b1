//! Where records go while a file is read.

use crate::format::ReadError;
use crate::record::Record;

/// Where in the file a record stands, for people: `line 17`, `$.items[17]`, `cluster-resources/pods/default.json $.items[2]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place(pub String);

/// Takes what a format reads. Every row or object of the file ends in exactly one of the two.
pub trait Sink {
    /// Takes a record. An error ends reading.
    fn record(&mut self, place: &Place, record: Record) -> Result<(), ReadError>;

    /// Counts one row or object of the file that gave no record, by a reason in fixed words, and quotes it in short.
    fn left_out(&mut self, place: &Place, reason: &'static str, quote: &str) -> Result<(), ReadError>;

    /// Tells people a sentence about how the file was read.
    fn note(&mut self, sentence: String);
}
