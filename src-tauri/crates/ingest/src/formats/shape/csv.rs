//! Reads rows of delimited text, with the physical line on which each begins.

use crate::formats::reader::{ReadStop, damaged_gzip};
use crate::limit::RECORD_BYTES;
use crate::outcome::Failure;
use crate::source::{RecordTooLong, Source};
use csv::ByteRecord;
use std::error::Error;
use std::io;

/// The rows of a source that is positioned at the header.
pub struct CsvRows {
    reader: csv::Reader<Source>,
    is_gzip: bool,
    rows: u64,
    /// The number of cells in the header.
    width: usize,
    /// Whether the file ends inside the last row: it has too few cells, and no line break follows.
    pub is_cut: bool,
}

impl CsvRows {
    pub fn new(source: Source, delimiter: u8) -> Self {
        let is_gzip = source.is_gzip();
        let reader = csv::ReaderBuilder::new()
            .delimiter(delimiter)
            .has_headers(true)
            .flexible(true)
            .buffer_capacity(1 << 18)
            .from_reader(source);
        Self { reader, is_gzip, rows: 0, width: 0, is_cut: false }
    }

    /// Reads the next row. Returns the line on which it begins, or `None` after the last.
    pub fn next(&mut self, record: &mut ByteRecord) -> Result<Option<u64>, ReadStop> {
        if self.rows == 0 {
            // Read the header first; the position of the first row is then known.
            let width = self.reader.byte_headers().map(ByteRecord::len);
            self.width = width.map_err(|error| self.stop(error, 0))?;
        }
        let start = self.reader.position().byte();
        match self.reader.read_byte_record(record) {
            Ok(false) => Ok(None),
            Ok(true) => {
                let end = self.reader.position().byte();
                let source = self.reader.get_mut();
                source.record_done();
                self.rows += 1;
                self.is_cut = record.len() < self.width && source.ends_within_line_at(end);
                Ok(Some(source.line_of(start)))
            }
            Err(error) => Err(self.stop(error, start)),
        }
    }

    /// The column names, once a row was read.
    pub fn header(&mut self) -> ByteRecord {
        self.reader.byte_headers().cloned().unwrap_or_default()
    }

    pub fn bytes_read(&self) -> u64 {
        self.reader.get_ref().bytes_read()
    }

    /// The SHA-256 of the whole file.
    pub fn finish(self) -> io::Result<String> {
        self.reader.into_inner().finish()
    }

    /// The reason that reading stops at the row beginning at the offset `start`.
    fn stop(&mut self, error: csv::Error, start: u64) -> ReadStop {
        let rows = self.rows;
        let line = self.reader.get_mut().line_of(start);
        match error.into_kind() {
            csv::ErrorKind::Io(error)
                if error.get_ref().is_some_and(<dyn Error + Send + Sync>::is::<RecordTooLong>) =>
            {
                ReadStop::Refused(Box::new(Failure {
                    message: format!(
                        "The row that begins near line {line} is longer than {} MiB; nothing was imported. A quote that \
                         is opened and never closed does this.",
                        RECORD_BYTES >> 20
                    ),
                    looked_for: vec![format!("rows of at most {} MiB", RECORD_BYTES >> 20)],
                    found: format!("{rows} rows, and then one without an end"),
                }))
            }
            csv::ErrorKind::Io(error) if self.is_gzip => damaged_gzip(&error, rows),
            csv::ErrorKind::Io(error) => ReadStop::Io(error),
            other => ReadStop::Io(io::Error::other(format!("{other:?}"))),
        }
    }
}
