//! Reads rows as JSON objects: in sequence (one per line or not), or in one list. They are read one by one; a list of a gigabyte needs only the
//! memory of its longest row.

use super::{DUPLICATE_COLUMN, NO_OBJECT, TRUNCATED, value};
use crate::formats::reader::{ReadStop, damaged_gzip};
use crate::limit::RECORD_BYTES;
use crate::outcome::Failure;
use crate::source::Source;
use csv::ByteRecord;
use serde::de::IgnoredAny;
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::io::{self, Read};

/// Maximum number of columns in a file.
const COLUMNS: usize = 5_000;
/// Bytes read at a time.
const PIECE: usize = 1 << 16;

/// The rows of a file of JSON objects.
pub struct JsonRows {
    objects: Objects<Source>,
    columns: Vec<String>,
    places: HashMap<String, usize>,
    cells: Vec<String>,
    /// The number of rows that are not JSON.
    broken: u64,
    /// The reason the last row cannot be used, with its column.
    pub fault: Option<(String, &'static str)>,
}

impl JsonRows {
    /// The rows of a source, with the columns from [`Self::columns`]. `are_lines`: each line is a row.
    pub fn new(source: Source, columns: Vec<String>, are_lines: bool) -> Self {
        let places = columns.iter().cloned().enumerate().map(|(place, name)| (name, place)).collect();
        let cells = vec![String::new(); columns.len()];
        Self { objects: Objects::new(source, are_lines), columns, places, cells, broken: 0, fault: None }
    }

    /// The columns of all rows of a source, in order of first occurrence.
    pub fn columns(source: Source, are_lines: bool) -> Result<Vec<String>, ReadStop> {
        let mut columns = Columns::default();
        let mut objects = Objects::new(source, are_lines);
        while let Some(object) = objects.next()? {
            if let Ok(Value::Object(object)) = serde_json::from_slice(object) {
                columns.see(object);
            }
        }
        Ok(columns.names)
    }

    pub fn names(&self) -> &[String] {
        &self.columns
    }

    /// Reads the next row. Returns whether there was one.
    pub fn next(&mut self, record: &mut ByteRecord) -> Result<bool, ReadStop> {
        record.clear();
        self.fault = None;
        let Some(object) = self.objects.next()? else { return self.end() };
        let fault = match serde_json::from_slice(object) {
            Ok(Value::Object(members)) => {
                self.cells.iter_mut().for_each(String::clear);
                let (places, cells) = (&self.places, &mut self.cells);
                value::cells(members, &mut |name, text| {
                    if let Some(place) = places.get(name) {
                        cells[*place] = text;
                    }
                });
                self.cells.iter().for_each(|cell| record.push_field(cell.as_bytes()));
                value::find_duplicate_name(object).map(|name| (name, DUPLICATE_COLUMN))
            }
            Ok(_) => Some((String::new(), NO_OBJECT)),
            Err(_) => {
                self.broken += 1;
                Some((String::new(), if self.objects.ends == Ends::Nowhere { TRUNCATED } else { NO_OBJECT }))
            }
        };
        self.fault = fault;
        Ok(true)
    }

    /// Whether the file ends inside the last row.
    pub fn is_cut(&self) -> bool {
        self.fault.as_ref().is_some_and(|(_, reason)| *reason == TRUNCATED)
    }

    /// A file of lines that are mostly not JSON is of another type, or badly damaged.
    fn end(&self) -> Result<bool, ReadStop> {
        let (broken, lines) = (self.broken, self.objects.count);
        if self.objects.ends == Ends::AtBrackets || broken * 2 <= lines {
            return Ok(false);
        }
        Err(ReadStop::Refused(Box::new(Failure {
            message: format!(
                "{broken} of the {lines} lines are no JSON that can be read; nothing was imported. Export or download the file again."
            ),
            looked_for: vec!["lines of one JSON object each".to_owned()],
            found: format!("{lines} lines, of which {broken} are no JSON"),
        })))
    }

    pub fn bytes_read(&self) -> u64 {
        self.objects.source.bytes_read()
    }

    /// The SHA-256 of the whole file.
    pub fn finish(self) -> io::Result<String> {
        self.objects.source.finish()
    }
}

/// The columns of the objects at the beginning of a text; `None` when it contains no objects.
pub fn columns_of(head: &[u8]) -> Option<Vec<String>> {
    let mut columns = Columns::default();
    let are_lines = are_lines(head);
    let mut objects = Objects::new(head, are_lines);
    while let Ok(Some(object)) = objects.next() {
        match serde_json::from_slice(object) {
            Ok(Value::Object(object)) => columns.see(object),
            _ if columns.names.is_empty() && !are_lines => return None,
            // Values other than objects are skipped when the file is read.
            _ => {}
        }
    }
    (!columns.names.is_empty()).then_some(columns.names)
}

/// Whether a text with this beginning has one JSON object per line. A broken line then ends at its line break and does not affect others.
pub fn are_lines(head: &[u8]) -> bool {
    if !plain(head).trim_ascii_start().starts_with(b"{") {
        return false;
    }
    let is_object =
        |line: &[u8]| line.starts_with(b"{") && serde_json::from_slice::<IgnoredAny>(line).is_ok();
    // Nested objects are usually indented.
    let mut lines: Vec<&[u8]> =
        head.split(|byte| *byte == b'\n').map(|line| plain(line).trim_ascii_end()).collect();
    // The end of the head may cut off the last line.
    lines.pop_if(|last| !is_object(last));
    let filled = lines.iter().filter(|line| !line.is_empty()).count();
    let objects = lines.iter().filter(|line| is_object(line)).count();
    objects > 0 && objects * 4 >= filled
}

fn plain(line: &[u8]) -> &[u8] {
    line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line)
}

#[derive(Default)]
struct Columns {
    names: Vec<String>,
    places: HashMap<String, usize>,
}

impl Columns {
    fn see(&mut self, object: Map<String, Value>) {
        value::cells(object, &mut |name, _| {
            if self.names.len() < COLUMNS && !self.places.contains_key(name) {
                self.places.insert(name.to_owned(), self.names.len());
                self.names.push(name.to_owned());
            }
        });
    }
}

/// The bytes of JSON rows: a file or a text. `passed` is called for the bytes read, to reset the limit on the length of a record.
trait Bytes: Read {
    fn passed(&mut self) {}
    fn is_gzip(&self) -> bool {
        false
    }
}

impl Bytes for &[u8] {}

impl Bytes for Source {
    fn passed(&mut self) {
        // The row length is limited here instead.
        self.record_done();
    }

    fn is_gzip(&self) -> bool {
        Self::is_gzip(self)
    }
}

/// The top-level values of a text, or the elements of its top-level list.
struct Objects<R> {
    source: R,
    piece: Vec<u8>,
    at: usize,
    object: Vec<u8>,
    depth: usize,
    is_in_list: bool,
    is_in_text: bool,
    is_escaped: bool,
    count: u64,
    ends: Ends,
}

/// Where a row ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ends {
    /// At its closing bracket.
    AtBrackets,
    AtLines,
    /// The last line has no line break.
    Nowhere,
}

impl<R: Bytes> Objects<R> {
    fn new(source: R, are_lines: bool) -> Self {
        Self {
            source,
            piece: Vec::new(),
            at: 0,
            object: Vec::new(),
            depth: 0,
            is_in_list: false,
            is_in_text: false,
            is_escaped: false,
            count: 0,
            ends: if are_lines { Ends::AtLines } else { Ends::AtBrackets },
        }
    }

    /// The next object; `None` at the end.
    fn next(&mut self) -> Result<Option<&[u8]>, ReadStop> {
        self.object.clear();
        if self.ends != Ends::AtBrackets {
            return self.next_line();
        }
        loop {
            if self.at == self.piece.len() && !self.fill()? {
                return self.end();
            }
            let byte = self.piece[self.at];
            self.at += 1;
            if self.object.is_empty() {
                match byte {
                    b'[' if !self.is_in_list && self.count == 0 => self.is_in_list = true,
                    b']' if self.is_in_list => self.is_in_list = false,
                    b',' | 0xef | 0xbb | 0xbf => {}
                    _ if byte.is_ascii_whitespace() => {}
                    _ => self.take(byte)?,
                }
            } else {
                self.take(byte)?;
            }
            let is_done =
                self.depth == 0 && !self.is_in_text && matches!(self.object.last(), Some(b'}' | b']'));
            // A value that is not an object ends at the next separator or line break.
            let is_other = self.depth == 0
                && !self.is_in_text
                && !self.object.is_empty()
                && !is_done
                && matches!(self.piece.get(self.at), Some(b',' | b']' | b'\n' | b'\r'));
            if is_done || is_other {
                self.count += 1;
                return Ok(Some(&self.object));
            }
        }
    }

    /// The next non-blank line; `None` at the end.
    fn next_line(&mut self) -> Result<Option<&[u8]>, ReadStop> {
        loop {
            if self.at == self.piece.len() && !self.fill()? {
                if self.object.trim_ascii().is_empty() {
                    return Ok(None);
                }
                self.ends = Ends::Nowhere;
                break;
            }
            let rest = &self.piece[self.at..];
            let end = memchr::memchr(b'\n', rest);
            self.object.extend_from_slice(&rest[..end.unwrap_or(rest.len())]);
            self.at += end.map_or(rest.len(), |end| end + 1);
            self.bound()?;
            if end.is_some() && !plain(&self.object).trim_ascii().is_empty() {
                break;
            }
            if end.is_some() {
                self.object.clear();
            }
        }
        self.count += 1;
        Ok(Some(plain(&self.object).trim_ascii()))
    }

    fn bound(&self) -> Result<(), ReadStop> {
        if (self.object.len() as u64) < RECORD_BYTES {
            return Ok(());
        }
        Err(ReadStop::Refused(Box::new(Failure {
            message: format!(
                "Row {} is longer than {} MiB; nothing was imported.",
                self.count + 1,
                RECORD_BYTES >> 20
            ),
            looked_for: vec![format!("JSON objects of at most {} MiB", RECORD_BYTES >> 20)],
            found: format!("{} rows, and then one without an end", self.count),
        })))
    }

    fn take(&mut self, byte: u8) -> Result<(), ReadStop> {
        self.bound()?;
        self.object.push(byte);
        if self.is_in_text {
            self.is_in_text = self.is_escaped || byte != b'"';
            self.is_escaped = byte == b'\\' && !self.is_escaped;
            return Ok(());
        }
        match byte {
            b'"' => self.is_in_text = true,
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        Ok(())
    }

    fn fill(&mut self) -> Result<bool, ReadStop> {
        self.piece.resize(PIECE, 0);
        let count = match self.source.read(&mut self.piece) {
            Ok(count) => count,
            Err(error) if self.source.is_gzip() => return Err(damaged_gzip(&error, self.count)),
            Err(error) => return Err(ReadStop::Io(error)),
        };
        self.source.passed();
        self.piece.truncate(count);
        self.at = 0;
        Ok(count > 0)
    }

    fn end(&mut self) -> Result<Option<&[u8]>, ReadStop> {
        if self.object.is_empty() && !self.is_in_list {
            return Ok(None);
        }
        let place = if self.object.is_empty() {
            format!("after row {}, before the list closes", self.count)
        } else {
            format!("inside row {}", self.count + 1)
        };
        Err(ReadStop::Refused(Box::new(Failure {
            message: format!(
                "The JSON ends too early: the file ends {place}, it may be cut off; download it again. Nothing was imported."
            ),
            looked_for: vec!["JSON that is whole".to_owned()],
            found: "JSON that ends too early".to_owned(),
        })))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn objects(text: &str) -> Result<Vec<String>, ReadStop> {
        let mut objects = Objects::new(text.as_bytes(), are_lines(text.as_bytes()));
        let mut all = Vec::new();
        while let Some(object) = objects.next()? {
            all.push(String::from_utf8_lossy(object).into_owned());
        }
        Ok(all)
    }

    #[test]
    fn lists_and_lines_of_objects_are_taken_apart() {
        let expected = [r#"{"a":"}]\""}"#, r#"{"b":[{"c":1}]}"#];
        let joined = |separator: &str| expected.join(separator);
        for text in [
            joined("\n"),
            joined("\r\n\r\n"),
            joined(""),
            format!("[{}]", joined(",")),
            format!(" [\n{}\n]\n", joined(" ,\n")),
        ] {
            assert_eq!(objects(&text).unwrap(), expected, "{text}");
        }
        assert_eq!(objects("[1,{\"a\":2}]").unwrap(), ["1", r#"{"a":2}"#]);
        assert_eq!(objects("[]").unwrap(), Vec::<String>::new());
    }

    #[test]
    fn a_text_that_ends_too_early_is_refused() {
        for text in ["[{\"a\":1}", "{\"b\"", "{\n\"a\":1\n}\n{\n\"b\"", "[{\"a\":\"x"] {
            assert!(matches!(objects(text), Err(ReadStop::Refused(_))), "{text}");
        }
    }

    #[test]
    fn a_broken_line_spoils_no_other() {
        for broken in [r#"{"b":1"#, r#"{"b":"x}"#, r#"{"b":1}}"#, r#""b":1}"#, "}"] {
            let text = format!("{{\"a\":1}}\n{broken}\r\n\n{{\"c\":2}}\n{{\"d\":3}}");
            assert_eq!(objects(&text).unwrap(), [r#"{"a":1}"#, broken, r#"{"c":2}"#, r#"{"d":3}"#]);
            let first = format!("{{{broken}\n{{\"a\":1}}\n");
            assert_eq!(objects(&first).unwrap().len(), 2, "{first}");
        }
        assert!(!are_lines(b"{\n  \"a\": [\n    {\"b\": 1}\n  ]\n}\n"), "a document over several lines");
    }

    #[test]
    fn brackets_in_brackets_need_no_stack() {
        let deep = format!("{}{}", "[{\"a\":".repeat(100_000), "1");
        assert!(objects(&deep).is_err());
    }
}
