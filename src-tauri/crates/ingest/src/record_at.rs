//! Finds one record of a file by its line: from a number back to the text of the file.

use crate::detect::unknown_table;
use crate::formats::{ReadStop, Readable, Records};
use crate::open::{JsonColumns, Mappings, open};
use crate::source::Source;
use crate::unpack::{self, UnpackError};
use crate::{Failure, Progress};
use csv::ByteRecord;
use std::io::{self, Read};
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// A record, or a line that is not part of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordAt {
    /// The line on which it begins, counted from 1.
    pub line: u64,
    /// Its text as in the file, in UTF-8 and without the line break at its end.
    pub text: String,
    /// Column names and cells; empty when the line is not part of a record.
    pub columns: Vec<(String, String)>,
}

/// The reason a record cannot be shown.
#[derive(Debug, thiserror::Error)]
pub enum RecordAtError {
    #[error("the file cannot be read")]
    Read(#[from] io::Error),
    #[error("{}", .0.message)]
    Damaged(Box<Failure>),
}

/// The record that contains line `line` of a file, or only the line if it precedes the first record or the file is not a table. `None`
/// when the file has fewer lines.
///
/// For an archive of one file, the record of that file.
pub fn record_at(path: &Path, line: u64) -> Result<Option<RecordAt>, RecordAtError> {
    let unpacked = unpack::unpack(path).map_err(|error| match error {
        UnpackError::Refused(failure) => RecordAtError::Damaged(failure),
        UnpackError::Io(error) => RecordAtError::Read(error),
    })?;
    match unpacked.as_ref().map(|unpacked| unpacked.members.as_slice()) {
        Some([member]) => of_file(&member.path, line),
        Some(_) => Ok(None),
        None => of_file(path, line),
    }
}

fn of_file(path: &Path, line: u64) -> Result<Option<RecordAt>, RecordAtError> {
    let Some(readable) = readable(path)? else { return plain(path, line) };
    if !matches!(readable, Readable::Csv { .. }) {
        return numbered(readable, line);
    }
    let record = find_record(readable, line)?;
    let (start, next, columns) = record.unwrap_or((line, line + 1, Vec::new()));
    let text = lines(path, start, next)?;
    Ok(text.map(|text| RecordAt { line: start, text, columns }))
}

/// The line a record begins on, the line of the next record, and the cells.
type PlacedRow = (u64, u64, Vec<(String, String)>);

/// The rows of a file; `None` when it is not a table.
fn readable(path: &Path) -> Result<Option<Readable>, RecordAtError> {
    match open(path, &JsonColumns::new(), &Mappings::default()) {
        Ok((_, readable)) => return Ok(Some(readable)),
        Err(ReadStop::Io(error)) => return Err(error.into()),
        Err(_) => {}
    }
    // The table may have been read with a mapping.
    let mut source = Source::open(path)?;
    let Some(table) = source.peek().ok().and_then(unknown_table) else { return Ok(None) };
    source.skip(table.skip);
    Ok(Some(Readable::Csv { source: Box::new(source), delimiter: table.delimiter }))
}

/// A line of a file that is not a table.
fn plain(path: &Path, line: u64) -> Result<Option<RecordAt>, RecordAtError> {
    let text = lines(path, line, line + 1)?;
    Ok(text.map(|text| RecordAt { line, text, columns: Vec::new() }))
}

/// The record with this number, in a file whose rows have no lines of text.
fn numbered(readable: Readable, number: u64) -> Result<Option<RecordAt>, RecordAtError> {
    let found = find_record(readable, number)?.filter(|(start, ..)| *start == number);
    Ok(found.map(|(line, _, columns)| {
        let object = columns.iter().map(|(name, cell)| (name.clone(), cell.as_str().into()));
        let text = serde_json::Value::Object(object.collect()).to_string();
        RecordAt { line, text, columns }
    }))
}

fn find_record(readable: Readable, line: u64) -> Result<Option<PlacedRow>, RecordAtError> {
    let cancelled = AtomicBool::new(false);
    let progress = Progress { on_progress: &|_, _| {}, cancelled: &cancelled };
    let mut records = Records::new(readable, &progress);
    let mut record = ByteRecord::new();
    let mut before: Option<(u64, ByteRecord)> = None;
    let next = loop {
        match records.next(&mut record) {
            Ok(Some(start)) if start > line => break start,
            Ok(Some(start)) => before = Some((start, record.clone())),
            Ok(None) => break u64::MAX,
            Err(ReadStop::Io(error)) => return Err(error.into()),
            Err(ReadStop::Refused(failure)) => return Err(RecordAtError::Damaged(failure)),
            Err(
                ReadStop::Cancelled
                | ReadStop::Abandoned
                | ReadStop::UnexpectedForm
                | ReadStop::NeedsMapping(_),
            ) => {
                return Ok(None);
            }
        }
    };
    let names = records.header();
    Ok(before.map(|(start, record)| {
        let text = |cell: &[u8]| String::from_utf8_lossy(cell).into_owned();
        (start, next, names.iter().zip(&record).map(|(name, cell)| (text(name), text(cell))).collect())
    }))
}

/// The text from the start of one line to the start of another, without the final line break; `None` when the file ends before.
fn lines(path: &Path, start: u64, end: u64) -> Result<Option<String>, RecordAtError> {
    let mut source = Source::open(path)?;
    source.peek()?;
    let mut buffer = vec![0; 1 << 16];
    let mut text = Vec::new();
    let (mut line, mut after_cr, mut is_there) = (1, false, false);
    'file: loop {
        let count = source.read(&mut buffer)?;
        if count == 0 {
            break;
        }
        // These are not records; the limit on the length of a record does not apply.
        source.record_done();
        for byte in &buffer[..count] {
            let is_second_half = after_cr && *byte == b'\n';
            after_cr = *byte == b'\r';
            if line >= end && !is_second_half {
                break 'file;
            }
            if line >= start && !is_second_half || is_second_half && line > start {
                is_there = true;
                text.push(*byte);
            }
            line += u64::from(matches!(byte, b'\n' | b'\r') && !is_second_half);
        }
    }
    let text = String::from_utf8_lossy(text.trim_ascii_end());
    Ok(is_there.then(|| text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "BilledCost,BillingCurrency,BillingAccountId,BillingPeriodStart,ChargePeriodStart,ChargePeriodEnd,\
                          ChargeCategory,ServiceName,ProviderName";
    const ONE: &str = "1,USD,1,2026-05-01,2026-05-01,2026-05-02,Usage,First,P";
    const TWO: &str = "2,USD,1,2026-05-01,2026-05-01,2026-05-02,Usage,\"Two\nlines\",P";

    fn found(text: &str, line: u64) -> Option<(u64, String, Option<String>)> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file.csv");
        std::fs::write(&path, text).unwrap();
        let record = record_at(&path, line).unwrap()?;
        let service = record.columns.into_iter().find(|(name, _)| name == "ServiceName");
        Some((record.line, record.text, service.map(|(_, cell)| cell)))
    }

    #[test]
    fn a_line_leads_to_its_record() {
        for line_break in ["\n", "\r\n", "\r"] {
            let text = format!("Title\n{HEADER}\n{ONE}\n\n{TWO}\n").replace('\n', line_break);
            let text = text.as_str();
            let two = TWO.replace('\n', line_break);
            let lines = format!("Two{line_break}lines");
            assert_eq!(found(text, 1), Some((1, "Title".to_owned(), None)));
            assert_eq!(found(text, 2), Some((2, HEADER.to_owned(), None)));
            assert_eq!(found(text, 3), Some((3, ONE.to_owned(), Some("First".to_owned()))));
            assert_eq!(found(text, 5), Some((5, two.clone(), Some(lines.clone()))));
            assert_eq!(found(text, 6), Some((5, two, Some(lines))));
        }
    }

    #[test]
    fn a_line_of_another_file_stands_for_itself() {
        assert_eq!(found("a\nb\n", 2), Some((2, "b".to_owned(), None)));
        assert_eq!(found("a\nb\n", 3), None);
    }
}
