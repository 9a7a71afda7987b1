//! What a format of documents is.

use crate::head::Head;
use crate::read_error::ReadError;
use crate::sink::Sink;
use std::fmt;
use std::io::Read;

/// A kind of file, and how it is read.
pub struct Format {
    /// The id of the interface, such as `trivy`.
    pub id: &'static str,
    /// The name for people, such as "Trivy report".
    pub title: &'static str,
    /// How people get such a file, in one line for the page, the command line's help and the README.
    pub source: &'static str,
    /// What it fills, in words, such as "recommendations, resources".
    pub fills: &'static str,
    /// Its files tell costs and never name their currency: a person says which one it is.
    pub lacks_currency: bool,
    /// How sure it is that the file is of this kind: 0 not at all, 100 certain. By content, never by name.
    pub certainty: fn(&Head<'_>) -> u8,
    /// Reads the whole content into records.
    pub read: fn(&mut dyn Read, &mut dyn Sink) -> Result<(), ReadError>,
}

impl fmt::Debug for Format {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Format({})", self.id)
    }
}
