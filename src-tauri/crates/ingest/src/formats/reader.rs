//! Reading the records of a delimited file: one at a time, watched for length, damage, progress and cancellation.

use super::Batch;
use super::bills::{Charge, Evidence, Translation};
use crate::Progress;
use crate::limit::{BYTES_PER_PROGRESS, RECORD_BYTES, ROWS_PER_PROGRESS};
use crate::report::Failure;
use crate::source::{RecordTooLong, Source};
use csv::ByteRecord;
use std::error::Error;
use std::io;
use std::sync::atomic::Ordering;
use std::sync::mpsc::SyncSender;

/// Rows between two looks at the wish to cancel.
const ROWS_PER_LOOK: u64 = 512;

/// Why reading ended before the end of the file.
#[derive(Debug)]
pub enum Stop {
    /// The file's fault.
    Refused(Box<Failure>),
    Cancelled,
    /// The disk's fault.
    Io(io::Error),
    /// The writing thread has given up; it knows why.
    Abandoned,
    /// A cell is written as no row looked at before; the whole file must be looked at before its rows are read.
    UnexpectedForm,
}

/// A recognised file: its bytes from the header on, and how its cells are separated.
pub struct Readable {
    pub source: Source,
    pub delimiter: u8,
}

/// Where records go, and who wants to know how far reading has come.
pub struct Reading<'a> {
    pub batches: SyncSender<Batch>,
    pub progress: &'a Progress<'a>,
}

impl Reading<'_> {
    /// Hands a batch to the writing thread; waits while that one is behind.
    pub fn send(&self, batch: Batch) -> Result<(), Stop> {
        self.batches.send(batch).map_err(|_| Stop::Abandoned)
    }
}

/// The records of a file after its header.
pub struct Records<'a> {
    csv: csv::Reader<Source>,
    is_gzip: bool,
    rows: u64,
    progress: &'a Progress<'a>,
    rows_told: u64,
    bytes_told: u64,
    translator: Option<Translator<'a>>,
}

/// Makes rows of FOCUS of those of a bill in another format.
struct Translator<'a> {
    translation: &'a Translation,
    charge: Charge,
    original: ByteRecord,
    short_rows: u64,
    first_short_line: u64,
    /// Rows that wait for an answer, by what they say about it.
    evidence: [u64; Evidence::COUNT],
}

impl<'a> Records<'a> {
    pub fn new(file: Readable, progress: &'a Progress<'a>) -> Self {
        let is_gzip = file.source.is_gzip();
        let csv = csv::ReaderBuilder::new()
            .delimiter(file.delimiter)
            .has_headers(true)
            .flexible(true)
            .buffer_capacity(1 << 18)
            .from_reader(file.source);
        Self { csv, is_gzip, rows: 0, progress, rows_told: 0, bytes_told: 0, translator: None }
    }

    /// The same records as rows of FOCUS.
    pub fn translated(self, translation: &'a Translation) -> Self {
        let translator =
            Translator {
                translation,
                charge: Charge::default(),
                original: ByteRecord::new(),
                short_rows: 0,
                first_short_line: 0,
                evidence: [0; Evidence::COUNT],
            };
        Self { translator: Some(translator), ..self }
    }

    /// Reads the next record; the physical line of the file it begins in, or `None` after the last.
    pub fn next(&mut self, record: &mut ByteRecord) -> Result<Option<u64>, Stop> {
        if self.rows.is_multiple_of(ROWS_PER_LOOK) {
            self.look_up()?;
        }
        if self.rows == 0 {
            // So that the first record, too, is known to begin after the header.
            let header = self.csv.byte_headers().map(drop);
            header.map_err(|error| self.stop(error, 0))?;
        }
        let start = self.csv.position().byte();
        let read = match &mut self.translator {
            Some(translator) => self.csv.read_byte_record(&mut translator.original),
            None => self.csv.read_byte_record(record),
        };
        match read {
            Ok(false) => {
                self.tell();
                Ok(None)
            }
            Ok(true) => {
                self.csv.get_mut().record_done();
                self.rows += 1;
                let line = self.csv.get_mut().line_of(start);
                if let Some(translator) = &mut self.translator {
                    translator.translate(line, record);
                }
                Ok(Some(line))
            }
            Err(error) => Err(self.stop(error, start)),
        }
    }

    /// The names of the columns, once a record was read.
    pub fn header(&mut self) -> ByteRecord {
        self.csv.byte_headers().cloned().unwrap_or_default()
    }

    /// What rows have said about an answer that nobody has given; nothing while no row waits for one.
    pub fn evidence(&self) -> Option<&[u64; Evidence::COUNT]> {
        let met = &self.translator.as_ref()?.evidence;
        met.iter().any(|count| *count > 0).then_some(met)
    }

    /// What a person should know about how the records were read.
    pub fn notes(&self) -> Vec<String> {
        let of_short = self.translator.as_ref().filter(|translator| translator.short_rows > 0).map(|translator| {
            format!(
                "{} rows have fewer cells than the header (first in line {}); the columns at their end were taken as empty.",
                translator.short_rows, translator.first_short_line
            )
        });
        of_short.into_iter().collect()
    }

    /// Records read so far.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// The SHA-256 of the whole file.
    pub fn finish(self) -> Result<String, Stop> {
        self.csv.into_inner().finish().map_err(Stop::Io)
    }

    fn look_up(&mut self) -> Result<(), Stop> {
        if self.progress.cancelled.load(Ordering::Relaxed) {
            return Err(Stop::Cancelled);
        }
        let bytes = self.csv.get_ref().bytes_read();
        if self.rows - self.rows_told >= ROWS_PER_PROGRESS || bytes - self.bytes_told >= BYTES_PER_PROGRESS {
            self.tell();
        }
        Ok(())
    }

    fn tell(&mut self) {
        self.rows_told = self.rows;
        self.bytes_told = self.csv.get_ref().bytes_read();
        (self.progress.tell)(self.bytes_told, self.rows);
    }

    /// Why reading stops with the record that begins at the offset `start`.
    fn stop(&mut self, error: csv::Error, start: u64) -> Stop {
        let rows = self.rows;
        let line = self.csv.get_mut().line_of(start);
        match error.into_kind() {
            csv::ErrorKind::Io(error)
                if error.get_ref().is_some_and(<dyn Error + Send + Sync>::is::<RecordTooLong>) =>
            {
                Stop::Refused(Box::new(Failure {
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
            csv::ErrorKind::Io(error) => Stop::Io(error),
            other => Stop::Io(io::Error::other(format!("{other:?}"))),
        }
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
        if let Some(evidence) = self.charge.evidence {
            self.evidence[evidence as usize] += 1;
        }
    }
}

/// The refusal of a gzip file that cannot be inflated to its end; other errors are the disk's.
pub fn damaged_gzip(error: &io::Error, rows: u64) -> Stop {
    let how = match error.kind() {
        io::ErrorKind::UnexpectedEof => "ends too early",
        io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput => "is damaged",
        kind => return Stop::Io(io::Error::new(kind, error.to_string())),
    };
    Stop::Refused(Box::new(Failure {
        message: format!(
            "The gzip data {how} after {rows} rows; nothing was imported. Download or copy the file again."
        ),
        looked_for: vec!["a gzip file that is whole".to_owned()],
        found: format!("gzip data that {how}"),
    }))
}
