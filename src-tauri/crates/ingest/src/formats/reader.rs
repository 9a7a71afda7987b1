//! Reads the records of a table one at a time, and handles damage, progress and cancellation.

use super::Batch;
use super::bills::{Charge, EvidenceCounts, Translation};
use super::shape::{CsvRows, JsonRows, ParquetRows, TRUNCATED};
use crate::Progress;
use crate::limit::{BYTES_PER_PROGRESS, ROWS_PER_PROGRESS};
use crate::outcome::{Decision, Failure};
use crate::source::Source;
use csv::ByteRecord;
use std::io;
use std::sync::atomic::Ordering;
use std::sync::mpsc::SyncSender;

/// Rows between two checks for cancellation.
const ROWS_PER_LOOK: u64 = 512;

/// The reason reading ended before the end of the file.
#[derive(Debug)]
pub enum ReadStop {
    /// The file is invalid.
    Refused(Box<Failure>),
    Cancelled,
    /// An I/O error.
    Io(io::Error),
    /// The writing thread has failed; it has the error.
    Abandoned,
    /// The file is a cost table, and the user has to map its columns.
    NeedsMapping(Box<Decision>),
    /// A cell has a form that no examined row has; the whole file has to be examined before its rows are read.
    UnexpectedForm,
}

/// A recognised file, positioned at its first row.
pub enum Readable {
    /// Its bytes from the header on, and the cell delimiter.
    Csv {
        source: Box<Source>,
        delimiter: u8,
    },
    Json(Box<JsonRows>),
    Parquet(Box<ParquetRows>),
}

/// The receiver of records and of progress reports.
pub struct RecordSink<'a> {
    pub batches: SyncSender<Batch>,
    pub progress: &'a Progress<'a>,
}

impl RecordSink<'_> {
    /// Sends a batch to the writing thread; blocks while the queue is full.
    pub fn send(&self, batch: Batch) -> Result<(), ReadStop> {
        self.batches.send(batch).map_err(|_| ReadStop::Abandoned)
    }
}

/// The source of records.
enum Input {
    Csv(Box<CsvRows>),
    Json(Box<JsonRows>),
    Parquet(Box<ParquetRows>),
}

/// The records of a file after its header.
pub struct Records<'a> {
    input: Input,
    rows: u64,
    progress: &'a Progress<'a>,
    rows_reported: u64,
    bytes_reported: u64,
    translator: Option<Translator<'a>>,
    /// The row in which the file ends.
    cut: Option<u64>,
}

/// Translates rows of a bill in another format to FOCUS rows.
struct Translator<'a> {
    translation: &'a Translation,
    charge: Charge,
    original: ByteRecord,
    short_rows: u64,
    first_short_line: u64,
    has_local_times: bool,
    /// Evidence from rows whose meaning depends on a missing answer.
    met: EvidenceCounts,
}

impl<'a> Records<'a> {
    pub fn new(file: Readable, progress: &'a Progress<'a>) -> Self {
        let input = match file {
            Readable::Csv { source, delimiter } => Input::Csv(Box::new(CsvRows::new(*source, delimiter))),
            Readable::Json(rows) => Input::Json(rows),
            Readable::Parquet(rows) => Input::Parquet(rows),
        };
        Self { input, rows: 0, progress, rows_reported: 0, bytes_reported: 0, translator: None, cut: None }
    }

    /// The same records, translated to FOCUS rows.
    #[must_use]
    pub fn translated(self, translation: &'a Translation) -> Self {
        let translator = Translator {
            translation,
            charge: Charge::default(),
            original: ByteRecord::new(),
            short_rows: 0,
            first_short_line: 0,
            has_local_times: false,
            met: EvidenceCounts::default(),
        };
        Self { translator: Some(translator), ..self }
    }

    /// Reads the next record. Returns the physical line on which it begins, or its number in a file without table lines. `None` after the last.
    pub fn next(&mut self, record: &mut ByteRecord) -> Result<Option<u64>, ReadStop> {
        if self.rows.is_multiple_of(ROWS_PER_LOOK) {
            self.check_cancelled()?;
        }
        let original = match &mut self.translator {
            Some(translator) => &mut translator.original,
            None => &mut *record,
        };
        let number = self.rows + 1;
        let line = match &mut self.input {
            Input::Csv(rows) => rows.next(original)?,
            Input::Json(rows) => rows.next(original)?.then_some(number),
            Input::Parquet(rows) => rows.next(original)?.then_some(number),
        };
        let Some(line) = line else {
            self.report_progress();
            return Ok(None);
        };
        self.rows = number;
        // If rows omit empty cells at their end, the last row may too.
        let are_short = self.translator.as_ref().is_some_and(|translator| translator.short_rows > 0);
        let is_cut = match &self.input {
            Input::Csv(rows) => rows.is_cut && !are_short,
            Input::Json(rows) => rows.is_cut(),
            Input::Parquet(_) => false,
        };
        self.cut = is_cut.then_some(line);
        if is_cut {
            record.clear();
        } else if let Some(translator) = &mut self.translator {
            translator.translate(line, record);
        }
        Ok(Some(line))
    }

    /// The reason the last record cannot be used regardless of its cells, with the column, if it concerns one.
    pub fn fault(&self) -> Option<(&str, &'static str)> {
        if self.cut.is_some() {
            return Some(("", TRUNCATED));
        }
        match &self.input {
            Input::Json(rows) => rows.fault.as_ref().map(|(column, reason)| (column.as_str(), *reason)),
            Input::Csv(_) | Input::Parquet(_) => None,
        }
    }

    /// Whether records are identified by number, because the file has no table lines.
    pub fn are_numbered(&self) -> bool {
        !matches!(self.input, Input::Csv(_))
    }

    /// The column names, once a record was read.
    pub fn header(&mut self) -> ByteRecord {
        match &mut self.input {
            Input::Csv(rows) => rows.header(),
            Input::Json(rows) => rows.names().iter().collect(),
            Input::Parquet(rows) => rows.names().iter().collect(),
        }
    }

    /// The evidence for a missing answer; `None` while no row depends on one.
    pub fn evidence(&self) -> Option<&EvidenceCounts> {
        Some(&self.translator.as_ref()?.met).filter(|met| !met.is_empty())
    }

    /// Import notes about how the records were read.
    pub fn notes(&self) -> Vec<String> {
        let of_short = self.translator.as_ref().filter(|translator| translator.short_rows > 0).map(|translator| {
            format!(
                "{} rows have fewer cells than the header (first in line {}); the columns at their end were taken as empty.",
                translator.short_rows, translator.first_short_line
            )
        });
        let of_local = self.translator.as_ref().filter(|translator| translator.has_local_times).map(|_| {
            "Times with an offset from UTC count on the day that they name: 2026-06-01T00:00:00+02:00 is June 1."
                .to_owned()
        });
        let numbered = self.are_numbered().then(|| {
            "The file has no lines of a table: what is said of a line means the number of a row, counted from 1."
                .to_owned()
        });
        let of_cut = self.cut.map(|line| {
            let row =
                if self.are_numbered() { format!("row {line}") } else { format!("the row in line {line}") };
            format!("The file ends inside {row}, it may be cut off; download it again.")
        });
        of_cut.into_iter().chain(of_short).chain(of_local).chain(numbered).collect()
    }

    /// The number of records read so far.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// The SHA-256 of the whole file.
    pub fn finish(self) -> Result<String, ReadStop> {
        let hash = match self.input {
            Input::Csv(rows) => rows.finish(),
            Input::Json(rows) => rows.finish(),
            Input::Parquet(rows) => rows.finish(),
        };
        hash.map_err(ReadStop::Io)
    }

    fn bytes_read(&self) -> u64 {
        match &self.input {
            Input::Csv(rows) => rows.bytes_read(),
            Input::Json(rows) => rows.bytes_read(),
            Input::Parquet(rows) => rows.bytes_read(),
        }
    }

    fn check_cancelled(&mut self) -> Result<(), ReadStop> {
        if self.progress.cancelled.load(Ordering::Relaxed) {
            return Err(ReadStop::Cancelled);
        }
        let bytes = self.bytes_read();
        if self.rows - self.rows_reported >= ROWS_PER_PROGRESS
            || bytes - self.bytes_reported >= BYTES_PER_PROGRESS
        {
            self.report_progress();
        }
        Ok(())
    }

    fn report_progress(&mut self) {
        self.rows_reported = self.rows;
        self.bytes_reported = self.bytes_read();
        (self.progress.on_progress)(self.bytes_reported, self.rows);
    }
}

impl Translator<'_> {
    fn translate(&mut self, line: u64, record: &mut ByteRecord) {
        if self.translation.is_short(&self.original) {
            self.short_rows += 1;
            if self.short_rows == 1 {
                self.first_short_line = line;
            }
        }
        self.translation.translate(&self.original, &mut self.charge, record);
        self.has_local_times |= self.charge.has_local_time;
        self.met.add(&self.charge);
    }
}

/// The error for a damaged or truncated gzip file; other errors are I/O errors.
pub fn damaged_gzip(error: &io::Error, rows: u64) -> ReadStop {
    let how = match error.kind() {
        io::ErrorKind::UnexpectedEof => "ends too early",
        io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput => "is damaged",
        kind => return ReadStop::Io(io::Error::new(kind, error.to_string())),
    };
    ReadStop::Refused(Box::new(Failure {
        message: format!(
            "The gzip data {how} after {rows} rows; nothing was imported. Download or copy the file again."
        ),
        looked_for: vec!["a gzip file that is whole".to_owned()],
        found: format!("gzip data that {how}"),
    }))
}
