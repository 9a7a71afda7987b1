//! Reads documents with the crate `formats` and sends their records to the writing thread in batches.

use super::bills::{CurrencyCode, question};
use super::{
    Batch, FormAnswers, FormsOutcome, NamelessCluster, ReadStop, Readable, RecordSink, Skips, Summary,
    damaged_gzip,
};
use crate::limit::{BYTES_PER_PROGRESS, DOCUMENT_RECORDS};
use crate::outcome::Failure;
use crate::source::Source;
use ::formats::record::Record;
use ::formats::{Format, InnerFile, Position, ReadError, Sink, UNNAMED_CLUSTER};
use std::io::{self, Read};
use std::sync::atomic::Ordering;

/// A recognised document.
#[derive(Debug, Clone)]
pub struct Document {
    pub format: &'static Format,
    /// The currency of costs in a file that does not state one.
    currency: Option<CurrencyCode>,
    /// The cluster that the user selected for a file that does not name one.
    pub cluster: Option<ClusterName>,
}

/// Number and name of a cluster's account.
#[derive(Debug, Clone)]
pub struct ClusterName {
    pub number: String,
    pub name: String,
}

impl Document {
    pub fn of(format: &'static Format) -> Self {
        Self { format, currency: None, cluster: None }
    }

    /// Applies the answers. Returns a question if the file cannot state its currency.
    pub fn decide_forms(&mut self, answers: FormAnswers) -> FormsOutcome {
        self.currency = answers.currency;
        let called =
            |cluster: NamelessCluster| ClusterName { number: cluster.number(), name: cluster.name() };
        self.cluster = answers.cluster.map(called);
        if self.format.lacks_currency && self.currency.is_none() {
            return FormsOutcome::Ask(Box::new(question::currency()));
        }
        FormsOutcome::Yes
    }
}

/// A record and its position in the file.
#[derive(Debug)]
pub struct PlacedRecord {
    pub place: Position,
    pub record: Record,
}

/// Reads a document to its end and sends the records in batches. The writer counts which rows were written.
pub fn read(document: &Document, file: Readable, reading: &RecordSink<'_>) -> Result<Summary, ReadStop> {
    let Readable::Csv { mut source, .. } = file else {
        return Err(ReadStop::Io(io::Error::other("a document is text")));
    };
    source.unbound();
    let is_gzip = source.is_gzip();
    let mut watched = WatchedReader { source: *source, reading, told: 0, is_cancelled: false };
    let mut batches = Batches {
        reading,
        currency: document.currency,
        cluster: document.cluster.clone(),
        batch: Vec::new(),
        rows: 0,
        summary: Summary { is_document: true, ..Summary::default() },
        stop: None,
    };
    let read = (document.format.read)(&mut watched, &mut batches);
    if watched.is_cancelled {
        return Err(ReadStop::Cancelled);
    }
    if let Some(stop) = batches.stop.take() {
        return Err(stop);
    }
    match read {
        Ok(()) => {}
        Err(ReadError::Refused { message, expected, found }) => {
            return Err(ReadStop::Refused(Box::new(Failure { message, looked_for: vec![expected], found })));
        }
        Err(ReadError::Ended) => return Err(ReadStop::Abandoned),
        Err(ReadError::Io(error)) if is_gzip => return Err(damaged_gzip(&error, batches.rows)),
        Err(ReadError::Io(error)) => return Err(ReadStop::Io(error)),
    }
    batches.send()?;
    (reading.progress.on_progress)(watched.source.bytes_read(), batches.rows);
    let mut summary = batches.summary;
    summary.rows_read = summary.skips.count;
    summary.sha256 = watched.source.finish().map_err(ReadStop::Io)?;
    Ok(summary)
}

/// Reads the bytes of the file, reports progress and supports cancellation.
struct WatchedReader<'a> {
    source: Source,
    reading: &'a RecordSink<'a>,
    told: u64,
    is_cancelled: bool,
}

impl Read for WatchedReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.reading.progress.cancelled.load(Ordering::Relaxed) {
            self.is_cancelled = true;
            return Err(io::Error::other("cancelled"));
        }
        let bytes = self.source.bytes_read();
        if bytes - self.told >= BYTES_PER_PROGRESS {
            self.told = bytes;
            (self.reading.progress.on_progress)(bytes, 0);
        }
        self.source.read(buffer)
    }
}

/// Collects records into batches.
struct Batches<'a> {
    reading: &'a RecordSink<'a>,
    currency: Option<CurrencyCode>,
    cluster: Option<ClusterName>,
    batch: Vec<PlacedRecord>,
    /// Number of records sent and of rows left out.
    rows: u64,
    summary: Summary,
    stop: Option<ReadStop>,
}

impl Batches<'_> {
    fn send(&mut self) -> Result<(), ReadStop> {
        self.rows += self.batch.len() as u64;
        self.reading.send(Batch::Records(std::mem::take(&mut self.batch)))
    }
}

impl Sink for Batches<'_> {
    fn record(&mut self, place: &Position, mut record: Record) -> Result<(), ReadError> {
        if let (Record::Charge(charge), Some(currency)) = (&mut record, self.currency)
            && charge.currency.is_none()
        {
            charge.currency = Some(currency.as_str().to_owned());
        }
        if let Some(cluster) = &self.cluster {
            call(&mut record, cluster);
        }
        self.batch.push(PlacedRecord { place: place.clone(), record });
        if self.batch.len() >= DOCUMENT_RECORDS {
            self.send().map_err(|stop| {
                self.stop = Some(stop);
                ReadError::Ended
            })?;
        }
        Ok(())
    }

    fn skip(&mut self, place: &Position, reason: &'static str, quote: &str) -> Result<(), ReadError> {
        self.rows += 1;
        self.summary.skips.add_at(&place.0, quote, reason);
        self.summary.rows_without_action += u64::from(::formats::reason::is_without_action(reason));
        Ok(())
    }

    fn file(&mut self, file: InnerFile) {
        self.summary.files.push(file);
    }

    fn note(&mut self, sentence: String) {
        if !self.summary.notes.contains(&sentence) {
            self.summary.notes.push(sentence);
        }
    }
}

/// Assigns a record of an unnamed cluster to the cluster that the user selected.
fn call(record: &mut Record, cluster: &ClusterName) {
    let (number, name) = match record {
        Record::Cluster(of) => (&mut of.number, &mut of.name),
        Record::Charge(charge) => (&mut charge.account.number, &mut charge.account.name),
        Record::Metric(metric) => (&mut metric.account.number, &mut metric.account.name),
        _ => return,
    };
    if number == UNNAMED_CLUSTER {
        number.clone_from(&cluster.number);
        *name = Some(cluster.name.clone());
    }
}

/// Counts the rows of a document while they are written: all records with the same position are one row.
#[derive(Debug, Default)]
pub struct RowCount {
    place: Option<Position>,
    is_written: bool,
    left_out: Option<&'static str>,
    pub written: u64,
    pub skips: Skips,
}

impl RowCount {
    /// Records the result of writing a record; `Err` is the reason it was left out.
    pub fn add(&mut self, place: &Position, outcome: Result<(), &'static str>) {
        if self.place.as_ref() != Some(place) {
            self.end_row();
            self.place = Some(place.clone());
        }
        match outcome {
            Ok(()) => self.is_written = true,
            Err(reason) => self.left_out = Some(reason),
        }
    }

    /// Counts the last row.
    pub fn end_row(&mut self) {
        let Some(place) = self.place.take() else { return };
        match self.left_out.take() {
            Some(reason) if !self.is_written => self.skips.add_at(&place.0, "", reason),
            _ => self.written += 1,
        }
        self.is_written = false;
    }
}
