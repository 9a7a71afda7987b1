//! Opens a recognised file at its first row.

use crate::detect::{DetectedFormat, UnknownTable, detect, is_unknown, of_columns, unknown_table};
use crate::formats::bills::Bill;
use crate::formats::{Format, JsonRows, ParquetRows, ReadStop, Readable, are_lines, damaged_gzip};
use crate::mapping::{Mapping, SavedMapping};
use crate::outcome::list;
use crate::report::{Decision, Failure};
use crate::source::Source;
use std::cell::OnceCell;
use std::path::Path;

/// The cached column names of a JSON file. Finding them needs a full scan, because any row may have its own keys.
pub type JsonColumns = OnceCell<Vec<String>>;

/// The mappings available for a table of unknown format.
#[derive(Debug, Default)]
pub struct Mappings {
    pub kept: Vec<SavedMapping>,
    /// The mapping that the user selected for this import.
    pub named: Option<String>,
    /// An unsaved mapping to try out; it has precedence.
    pub draft: Option<Mapping>,
}

impl Mappings {
    /// The mapping for a header.
    fn find(&self, header: &[String]) -> Option<&Mapping> {
        if let Some(draft) = &self.draft {
            return Some(draft);
        }
        let found = match &self.named {
            Some(name) => self.kept.iter().find(|kept| kept.mapping.name == *name),
            None => self.kept.iter().find(|kept| kept.is_for(header)),
        };
        found.map(|kept| &kept.mapping)
    }
}

/// Recognises a file by its content, and a cost table of unknown format by a mapping.
pub fn open(path: &Path, columns: &JsonColumns, mappings: &Mappings) -> Result<(Format, Readable), ReadStop> {
    let refused = |failure| ReadStop::Refused(Box::new(failure));
    if ParquetRows::is_parquet(path) {
        let rows = ParquetRows::open(path)?;
        let format = of_columns(rows.names()).map_err(refused)?;
        return Ok((format, Readable::Parquet(Box::new(rows))));
    }
    let mut source = Source::open(path).map_err(ReadStop::Io)?;
    let is_gzip = source.is_gzip();
    let head =
        source.peek().map_err(|error| if is_gzip { damaged_gzip(&error, 0) } else { ReadStop::Io(error) })?;
    let detected = detect(head);
    let table = unknown_table(head);
    let are_lines = are_lines(head);
    let DetectedFormat { format, delimiter, skip, is_json } = match (detected, table) {
        (Err(failure), Some(table)) if is_unknown(&failure) => by_mapping(table, mappings, failure)?,
        (detected, _) => detected.map_err(refused)?,
    };
    if is_json {
        if columns.get().is_none() {
            let mut whole = Source::open(path).map_err(ReadStop::Io)?;
            whole.peek().map_err(ReadStop::Io)?;
            let found = JsonRows::columns(whole, are_lines)?;
            columns.get_or_init(|| found);
        }
        let columns = columns.get().cloned().unwrap_or_default();
        let format = of_columns(&columns).map_err(refused)?;
        return Ok((format, Readable::Json(Box::new(JsonRows::new(source, columns, are_lines)))));
    }
    source.skip(skip);
    Ok((format, Readable::Csv { source: Box::new(source), delimiter }))
}

/// Reads a table of unknown format with a mapping.
fn by_mapping(
    table: UnknownTable,
    mappings: &Mappings,
    failure: Failure,
) -> Result<DetectedFormat, ReadStop> {
    let Some(mapping) = mappings.find(&table.header) else {
        return Err(if table.has_costs() {
            ReadStop::NeedsMapping(Box::new(question(&table.header)))
        } else {
            ReadStop::Refused(Box::new(failure))
        });
    };
    let mut bill =
        Bill::by_mapping(&table.header, mapping).map_err(|failure| ReadStop::Refused(Box::new(failure)))?;
    bill.layout.delimiter = table.delimiter;
    Ok(DetectedFormat {
        format: Format::Bill(Box::new(bill)),
        delimiter: table.delimiter,
        skip: table.skip,
        is_json: false,
    })
}

fn question(header: &[String]) -> Decision {
    Decision {
        reason: "mapping".to_owned(),
        question: format!(
            "No format knows this table, and it seems to tell costs (columns {}). Say which column is what: map its columns on the \
             page of imports, or import the file with --mapping NAME and --map cost=COLUMN, date=COLUMN, provider==NAME, account=COLUMN and \
             service=COLUMN. The mapping is kept and used by itself for files with the same header.",
            list(header)
        ),
        choices: Vec::new(),
        decided: None,
    }
}

/// The beginning of a CSV table of unknown format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TablePreview {
    pub header: Vec<String>,
    /// Cells as in the file, row by row.
    pub rows: Vec<Vec<String>>,
}

/// The columns and first rows of a CSV table of unknown format; `None` for any other file.
pub fn table_preview(path: &Path, most_rows: usize) -> std::io::Result<Option<TablePreview>> {
    let mut source = Source::open(path)?;
    let head = source.peek()?;
    let is_of_none = detect(head).is_err_and(|failure| is_unknown(&failure));
    let Some(table) = unknown_table(head).filter(|_| is_of_none) else { return Ok(None) };
    let text = head.get(table.skip..).unwrap_or_default();
    let mut reader = csv::ReaderBuilder::new().delimiter(table.delimiter).flexible(true).from_reader(text);
    // A row that is cut off at the end of the beginning is omitted.
    let rows = reader.byte_records().map_while(Result::ok).take(most_rows);
    let cells =
        |row: csv::ByteRecord| row.iter().map(|cell| String::from_utf8_lossy(cell).into_owned()).collect();
    Ok(Some(TablePreview { rows: rows.map(cells).collect(), header: table.header }))
}

/// The column names of a CSV table of unknown format; `None` for any other file.
pub fn table_header(path: &Path) -> std::io::Result<Option<Vec<String>>> {
    let mut source = Source::open(path)?;
    let head = source.peek()?;
    let is_of_none = detect(head).is_err_and(|failure| is_unknown(&failure));
    Ok(unknown_table(head).filter(|_| is_of_none).map(|table| table.header))
}
