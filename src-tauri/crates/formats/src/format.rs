//! The description of one document format.

use crate::head::Head;
use crate::read_error::ReadError;
use crate::sink::Sink;
use std::fmt;
use std::io::Read;

/// A document format: its name, how to recognise a file of it, and how to read one.
pub struct Format {
    /// The format id used by the interface, such as `trivy`.
    pub id: &'static str,
    /// The display name, such as "Trivy report".
    pub title: &'static str,
    /// How to produce such a file, in one line. Shown on the import page, in the command line's help and in the README.
    pub source: &'static str,
    /// The data that this format provides, as text, such as "recommendations, resources".
    pub fills: &'static str,
    /// Its files contain costs without a currency: the user has to supply the currency.
    pub lacks_currency: bool,
    /// How certain it is that a file has this format: 0 not at all, 100 certain. Decided by content, never by file name.
    pub certainty: fn(&Head<'_>) -> u8,
    /// Reads the whole content into records.
    pub read: fn(&mut dyn Read, &mut dyn Sink) -> Result<(), ReadError>,
}

impl fmt::Debug for Format {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Format({})", self.id)
    }
}
