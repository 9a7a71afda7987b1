//! Detects a file's format by its content, never by its name: a bill by its columns, or a document format of the crate `formats`.

use crate::formats::document::Document;
use crate::formats::{Format, bills, columns_of, compute_optimizer, focus, readable};
use crate::limit::HEADER_BYTES;
use crate::outcome::{Failure, list, shortened};
use ::formats::Head;
use serde::de::IgnoredAny;

/// Minimum number of FOCUS columns for a file to be treated as FOCUS, possibly with columns missing.
const FOCUS_COLUMNS: usize = 3;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// Maximum number of lines before the header: titles, dates, blank lines.
const TITLE_LINES: usize = 20;

/// A recognised file.
#[derive(Debug)]
pub struct DetectedFormat {
    pub format: Format,
    pub delimiter: u8,
    /// Bytes before the header: a byte order mark, a `sep=;` line, title lines.
    pub skip: usize,
    /// Whether the rows are JSON objects; the format is then detected from the keys of the first rows.
    pub is_json: bool,
}

/// Detects the format from the beginning of a file; `head` is the whole file when shorter than [`HEADER_BYTES`].
pub fn detect(head: &[u8]) -> Result<DetectedFormat, Failure> {
    if head.get(257..262) == Some(b"ustar") {
        return document(head).ok_or_else(|| unknown("a tar archive of files that are not known"));
    }
    if let Some(format) = json_rows(head) {
        return Ok(DetectedFormat { format: format?, delimiter: b',', skip: 0, is_json: true });
    }
    if let Some(found) = not_text(head) {
        return Err(unknown(&found));
    }
    if let Some(found) = json(head) {
        let refusal = || cut(head).or_else(|| missing_parts_failure(head));
        return document(head)
            .ok_or_else(|| refusal().unwrap_or_else(|| unknown(&known(head).unwrap_or(found))));
    }
    let mark = if head.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
    let (stated, stated_bytes) =
        stated_delimiter(&head[mark..]).map_or((None, 0), |(at, end)| (Some(at), end));
    let first = mark + stated_bytes;
    for (skip, title_lines) in candidates(&head[first..]) {
        let Some((delimiter, header)) = best_header(&head[first + skip..], stated) else { continue };
        let notes = title_lines.into_iter().map(title_note);
        let format = if let Some(layout) = compute_optimizer::Layout::find(&header) {
            Format::ComputeOptimizer(layout?)
        } else if let Some(bill) = bills::Bill::find(&header, &head[first..first + skip]) {
            let mut bill = bill?;
            bill.layout.notes.extend(notes);
            bill.layout.delimiter = delimiter;
            Format::Bill(Box::new(bill))
        } else if focus::Layout::count_standard_columns(&header) >= FOCUS_COLUMNS {
            let mut layout = focus::Layout::read(&header)?;
            layout.notes.extend(notes);
            layout.delimiter = delimiter;
            Format::Focus(Box::new(layout))
        } else {
            continue;
        };
        return Ok(DetectedFormat { format, delimiter, skip: first + skip, is_json: false });
    }
    if let Some(detected) = document(head) {
        return Ok(detected);
    }
    if let Some(failure) = missing_parts_failure(head) {
        return Err(failure);
    }
    if let Some(found) = known(head) {
        return Err(unknown(&found));
    }
    let text = &head[first..];
    Err(unknown(&match best_header(text, stated) {
        Some((delimiter, header)) => unknown_text(text, delimiter, &header),
        None => format!("text whose first line is longer than {} KiB", HEADER_BYTES >> 10),
    }))
}

/// The document format of the crate `formats` that recognises the file.
fn document(head: &[u8]) -> Option<DetectedFormat> {
    let skip = if head.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
    let format = ::formats::recognise(&Head::new(&head[skip..], head.len() < HEADER_BYTES))?;
    Some(DetectedFormat {
        format: Format::Document(Document::of(format)),
        delimiter: b',',
        skip,
        is_json: false,
    })
}

/// The format of rows that are JSON objects; `None` when the text is something else.
fn json_rows(head: &[u8]) -> Option<Result<Format, Failure>> {
    json(head)?;
    let columns = columns_of(head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(head))?;
    known_columns(&columns)
}

/// The format of a table with these columns.
pub fn of_columns(columns: &[String]) -> Result<Format, Failure> {
    known_columns(columns)
        .unwrap_or_else(|| Err(unknown(&format!("a table with the columns {}", list(columns)))))
}

fn known_columns(columns: &[String]) -> Option<Result<Format, Failure>> {
    if let Some(bill) = bills::Bill::find(columns, b"") {
        return Some(bill.map(|bill| Format::Bill(Box::new(bill))));
    }
    (focus::Layout::count_standard_columns(columns) >= FOCUS_COLUMNS)
        .then(|| focus::Layout::read(columns).map(|layout| Format::Focus(Box::new(layout))))
}

/// The header of a CSV table with an unknown format.
#[derive(Debug)]
pub struct UnknownTable {
    pub header: Vec<String>,
    pub delimiter: u8,
    /// Bytes before the header.
    pub skip: usize,
}

/// The CSV table in a text with at least two columns. Its first line is taken as the header.
pub fn unknown_table(head: &[u8]) -> Option<UnknownTable> {
    if not_text(head).is_some() || json(head).is_some() {
        return None;
    }
    let mark = if head.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
    let (stated, stated_bytes) =
        stated_delimiter(&head[mark..]).map_or((None, 0), |(at, end)| (Some(at), end));
    let skip = mark + stated_bytes;
    let (delimiter, header) = best_header(&head[skip..], stated)?;
    (header.len() > 1).then_some(UnknownTable { header, delimiter, skip })
}

impl UnknownTable {
    /// Whether one column name suggests money and another one a time.
    pub fn has_costs(&self) -> bool {
        const MONEY: [&str; 9] =
            ["cost", "amount", "price", "charge", "spend", "total", "betrag", "kosten", "preis"];
        const TIME: [&str; 8] = ["date", "day", "month", "period", "time", "datum", "tag", "monat"];
        let has = |words: &[&str]| {
            self.header.iter().any(|name| {
                let name = name.to_lowercase();
                words.iter().any(|word| name.contains(word))
            })
        };
        has(&MONEY) && has(&TIME)
    }
}

/// The error for a file that resembles a document format but lacks required parts.
fn missing_parts_failure(head: &[u8]) -> Option<Failure> {
    let missing_parts = ::formats::find_missing_parts(&Head::new(head, head.len() < HEADER_BYTES))?;
    let message = missing_parts.message();
    let found = format!("{} that lacks {}", missing_parts.title, missing_parts.missing.join(", "));
    Some(Failure { message, looked_for: missing_parts.missing, found })
}

/// The error for JSON that ends before its brackets are closed.
fn cut(head: &[u8]) -> Option<Failure> {
    let text = head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(head);
    let error = serde_json::from_slice::<IgnoredAny>(text).err()?;
    (error.is_eof() && head.len() < HEADER_BYTES).then(|| Failure {
        message: format!(
            "The JSON ends too early: the file ends in line {} before its brackets close, it may be cut off; download it again. Nothing was \
             imported.",
            error.line()
        ),
        looked_for: vec!["JSON that is whole".to_owned()],
        found: "JSON that ends too early".to_owned(),
    })
}

/// The type of a file that is recognised but not supported.
fn known(head: &[u8]) -> Option<String> {
    ::formats::find_unsupported_type(&Head::new(head, head.len() < HEADER_BYTES)).map(str::to_owned)
}

/// The delimiter stated by a first line such as `sep=;`, and the offset of the next line. Excel reads and writes such lines.
fn stated_delimiter(text: &[u8]) -> Option<(u8, usize)> {
    let end = text.iter().position(|byte| matches!(byte, b'\n' | b'\r'))?;
    let next = end + if text[end..].starts_with(b"\r\n") { 2 } else { 1 };
    let line = text[..end].trim_ascii_start();
    let line = line.strip_prefix(b"\"").and_then(|line| line.strip_suffix(b"\"")).unwrap_or(line);
    let (name, delimiter) = line.split_at_checked(4)?;
    match delimiter {
        [delimiter] if name.eq_ignore_ascii_case(b"sep=") && !delimiter.is_ascii_alphanumeric() => {
            Some((*delimiter, next))
        }
        _ => None,
    }
}

/// Offsets at which the header may begin: the first line, or a later line if title lines precede it. Each with the number of lines before
/// it, if any.
fn candidates(text: &[u8]) -> Vec<(usize, Option<usize>)> {
    let ends = text.iter().enumerate().filter(|(at, byte)| match byte {
        b'\n' => true,
        b'\r' => text.get(at + 1) != Some(&b'\n'),
        _ => false,
    });
    let later = ends.enumerate().map(|(line, (at, _))| (at + 1, Some(line + 1)));
    std::iter::once((0, None)).chain(later).take(TITLE_LINES).collect()
}

fn title_note(lines: usize) -> String {
    if lines == 1 {
        "The line before the header was left out.".to_owned()
    } else {
        format!("The {lines} lines before the header were left out.")
    }
}

/// The delimiter and column names of the best reading of the first line; `None` when the line has no end.
fn best_header(text: &[u8], stated: Option<u8>) -> Option<(u8, Vec<String>)> {
    let delimiters = stated.map_or_else(|| DELIMITERS.to_vec(), |delimiter| vec![delimiter]);
    let (delimiter, header) = delimiters
        .iter()
        .map(|delimiter| (*delimiter, header(text, *delimiter)))
        .max_by_key(|(delimiter, header)| {
            let names = header.as_deref().unwrap_or_default();
            // For equally good readings the first delimiter wins; `max_by_key` returns the last maximum.
            let rank = delimiters.iter().rev().position(|other| other == delimiter);
            (focus::Layout::count_standard_columns(names), names.len(), rank)
        })?;
    Some((delimiter, header?))
}

/// The error for a file of unknown format.
pub fn unknown(found: &str) -> Failure {
    Failure {
        message: format!("The file is {found}, which cannot be imported. Nothing was written."),
        looked_for: readable().map(|one| format!("{}: {}", one.title, one.source)).collect(),
        found: found.to_owned(),
    }
}

/// Whether an error reports an unknown format, and not a known format with something missing.
pub fn is_unknown(failure: &Failure) -> bool {
    failure.message == unknown(&failure.found).message
}

/// A description of a file that is certainly not delimited text.
fn not_text(head: &[u8]) -> Option<String> {
    let found = match head {
        [] => "an empty file",
        [b'P', b'K', 3 | 5 | 7, ..] => "a damaged ZIP archive (download or copy it again)",
        [b'P', b'A', b'R', b'1', ..] => "a Parquet file that is cut short (download or copy it again)",
        [0x28, 0xb5, 0x2f, 0xfd, ..] => "damaged data compressed with zstd (download or copy it again)",
        [b'B', b'Z', b'h', b'1'..=b'9', ..] => "data compressed with bzip2 (decompress it)",
        [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => "data compressed with xz (decompress it)",
        [0x1f, 0x8b, ..] => "gzip inside gzip (decompress it once)",
        [b'%', b'P', b'D', b'F', ..] => "a PDF document",
        [0xd0, 0xcf, 0x11, 0xe0, ..] => "an Excel or Word document (save it as CSV)",
        _ if head.contains(&0) => "binary data",
        _ if head.iter().all(u8::is_ascii_whitespace) => "a file of blank lines",
        _ => return None,
    };
    Some(found.to_owned())
}

fn json(head: &[u8]) -> Option<String> {
    let text = head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(head).trim_ascii_start();
    // A CSV header may begin with a quote, but not with a brace or bracket.
    matches!(text, [b'{' | b'[', ..]).then(|| format!("a JSON document that starts with “{}”", start(text)))
}

fn unknown_text(text: &[u8], delimiter: u8, header: &[String]) -> String {
    let columns = || format!("a CSV with the columns {}", list(header));
    match second_record(text, delimiter) {
        // A sentence with a comma is not a table header.
        Some(cells) if header.len() > 1 && cells == header.len() => columns(),
        None if header.len() > 1 && !is_sentence(header) => format!("{} and no rows", columns()),
        _ => format!("text that starts with “{}”", start(text)),
    }
}

/// The number of cells in the second record; `None` when there is no second record.
fn second_record(text: &[u8], delimiter: u8) -> Option<usize> {
    let mut reader =
        csv::ReaderBuilder::new().delimiter(delimiter).has_headers(false).flexible(true).from_reader(text);
    let mut record = csv::ByteRecord::new();
    let mut next =
        || reader.read_byte_record(&mut record).ok().filter(|is_one| *is_one).map(|_| record.len());
    next();
    next()
}

/// Whether the cells are parts of a sentence: the last one ends with sentence punctuation.
fn is_sentence(cells: &[String]) -> bool {
    cells.last().is_some_and(|last| last.ends_with(['.', '!', '?', '…']))
}

fn start(text: &[u8]) -> String {
    let line = text.split(|byte| matches!(byte, b'\n' | b'\r')).next().unwrap_or_default();
    shortened(&String::from_utf8_lossy(&line[..line.len().min(400)]))
}

/// The column names; `None` when the first record does not end within the head.
fn header(text: &[u8], delimiter: u8) -> Option<Vec<String>> {
    let mut reader =
        csv::ReaderBuilder::new().delimiter(delimiter).has_headers(false).flexible(true).from_reader(text);
    let mut record = csv::ByteRecord::new();
    reader.read_byte_record(&mut record).ok()?;
    let has_end = reader.position().byte() < text.len() as u64 || text.len() < HEADER_BYTES - 3;
    has_end
        .then(|| record.iter().map(|name| String::from_utf8_lossy(name.trim_ascii()).into_owned()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const FOCUS: &str = "BilledCost,BillingCurrency,BillingAccountId,BillingPeriodStart,ChargePeriodStart,ChargePeriodEnd,\
                         ChargeCategory,ServiceName,ProviderName\r\n1,USD,1,2026-05-01,2026-05-01,2026-05-02,Usage,S,P\r\n";

    fn found(head: &[u8]) -> String {
        detect(head).unwrap_err().found
    }

    #[test]
    fn focus_is_recognised_with_a_byte_order_mark_and_other_delimiters() {
        for (text, delimiter) in
            [(FOCUS.to_owned(), b','), (FOCUS.replace(',', ";"), b';'), (FOCUS.replace(',', "\t"), b'\t')]
        {
            let marked = format!("\u{feff}{text}");
            let detected = detect(marked.as_bytes()).unwrap();
            assert_eq!((detected.format.name(), detected.delimiter, detected.skip), ("focus", delimiter, 3));
            assert_eq!(detect(text.as_bytes()).unwrap().skip, 0);
        }
    }

    #[test]
    fn what_was_found_instead_is_said() {
        assert_eq!(found(b""), "an empty file");
        assert_eq!(found(b"\n\r\n  \n"), "a file of blank lines");
        assert_eq!(found(b" {\"blobCount\": 1}\n"), "a JSON document that starts with “{\"blobCount\": 1}”");
        assert_eq!(found(b"PK\x03\x04zip"), "a damaged ZIP archive (download or copy it again)");
        assert_eq!(found(b"PAR1\x15"), "a Parquet file that is cut short (download or copy it again)");
        assert_eq!(found(b"abc\x00def"), "binary data");
        assert_eq!(found(b"date,amount\n1,2\n"), "a CSV with the columns date, amount");
        assert_eq!(found(b"date,amount"), "a CSV with the columns date, amount and no rows");
        assert_eq!(
            found(b"Hello, this is a note.\nIt is no bill.\n"),
            "text that starts with “Hello, this is a note.”"
        );
        assert_eq!(found(b"date,amount\n"), "a CSV with the columns date, amount and no rows");
        assert_eq!(found(b"Hello, this is a note.\n"), "text that starts with “Hello, this is a note.”");
        assert_eq!(found(b"# Read me\n\nText"), "text that starts with “# Read me”");
    }

    #[test]
    fn a_first_line_without_end_is_said_to_be_too_long() {
        assert_eq!(found(&vec![b'a'; HEADER_BYTES]), "text whose first line is longer than 256 KiB");
    }
}
