//! Reads rows of delimited text with a header.

use crate::read_error::ReadError;
use crate::sink::Position;
use std::io::Read;

/// Maximum length of one row, in bytes.
const ROW_BYTES: usize = 4 << 20;
/// Maximum length of the header line for recognition, in bytes.
const HEADER_BYTES: usize = 256 << 10;

/// A delimited text file: its columns, and an iterator over its rows.
pub struct Table<'r> {
    rows: csv::Reader<&'r mut dyn Read>,
    columns: Vec<String>,
    record: csv::StringRecord,
    bytes: csv::ByteRecord,
}

/// One row; cells are looked up by column name.
pub struct Row<'a> {
    columns: &'a [String],
    record: &'a csv::StringRecord,
    /// Line number, starting at 1 with the header.
    pub line: u64,
}

impl Row<'_> {
    /// The cell in a column (ignoring case), trimmed; `None` when it is empty or the file has no such column.
    pub fn cell(&self, column: &str) -> Option<&str> {
        let place = self.columns.iter().position(|name| name.eq_ignore_ascii_case(column))?;
        Some(self.record.get(place)?.trim()).filter(|cell| !cell.is_empty())
    }

    pub fn position(&self) -> Position {
        Position(format!("line {}", self.line))
    }

    /// Whether the row has as many cells as the header.
    pub fn is_whole(&self) -> bool {
        self.record.len() == self.columns.len()
    }

    /// The non-empty cells, each with its column.
    pub fn filled(&self) -> impl Iterator<Item = (&str, &str)> {
        let cells = self.columns.iter().map(String::as_str).zip(self.record.iter());
        cells.filter(|(_, cell)| !cell.trim().is_empty())
    }
}

impl<'r> Table<'r> {
    /// Reads the header.
    pub fn new(read: &'r mut dyn Read, delimiter: u8) -> Result<Self, ReadError> {
        let mut rows = csv::ReaderBuilder::new().delimiter(delimiter).flexible(true).from_reader(read);
        let header = rows.byte_headers().map_err(fault)?;
        let columns = header.iter().map(|name| String::from_utf8_lossy(name).trim().to_owned()).collect();
        Ok(Self { rows, columns, record: csv::StringRecord::new(), bytes: csv::ByteRecord::new() })
    }

    /// The next row; `None` after the last. Invalid UTF-8 is replaced.
    pub fn next_row(&mut self) -> Result<Option<Row<'_>>, ReadError> {
        if !self.rows.read_byte_record(&mut self.bytes).map_err(fault)? {
            return Ok(None);
        }
        let line = self.bytes.position().map_or(0, csv::Position::line);
        if self.bytes.as_slice().len() > ROW_BYTES {
            return Err(ReadError::Refused {
                message: format!(
                    "The row in line {line} is longer than {} MiB; nothing was imported. A quote that is opened and never \
                     closed does this.",
                    ROW_BYTES >> 20
                ),
                expected: format!("rows of at most {} MiB", ROW_BYTES >> 20),
                found: "a longer row".to_owned(),
            });
        }
        self.record = csv::StringRecord::from_byte_record_lossy(self.bytes.clone());
        Ok(Some(Row { columns: &self.columns, record: &self.record, line }))
    }

    /// The delimiter that gives the most columns in the first line, and those columns.
    pub fn columns_of(head: &[u8]) -> Option<(u8, Vec<String>)> {
        let read = |delimiter: u8| {
            let mut rows = csv::ReaderBuilder::new()
                .delimiter(delimiter)
                .flexible(true)
                .from_reader(&head[..head.len().min(HEADER_BYTES)]);
            let header = rows.byte_headers().ok()?;
            let columns: Vec<String> =
                header.iter().map(|name| String::from_utf8_lossy(name).trim().to_owned()).collect();
            Some((delimiter, columns))
        };
        [b',', b';', b'\t', b'|'].into_iter().filter_map(read).max_by_key(|(_, columns)| columns.len())
    }
}

fn fault(error: csv::Error) -> ReadError {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => ReadError::Io(error),
        other => ReadError::Io(std::io::Error::other(format!("{other:?}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_found_by_the_name_of_their_column() {
        let mut bytes = "ID;Text\n1;\"a\nb\"\n2;\n".as_bytes();
        assert_eq!(Table::columns_of(bytes), Some((b';', vec!["ID".to_owned(), "Text".to_owned()])));
        let mut table = Table::new(&mut bytes, b';').unwrap();
        let row = table.next_row().unwrap().unwrap();
        assert_eq!(
            (row.cell("id"), row.cell("text"), row.cell("other"), row.line),
            (Some("1"), Some("a\nb"), None, 2)
        );
        let row = table.next_row().unwrap().unwrap();
        assert_eq!((row.cell("text"), row.line, row.is_whole()), (None, 4, true));
        assert!(table.next_row().unwrap().is_none());
    }
}
