//! A streaming JSON reader: a cursor over objects and lists that holds at most one of their values in memory.

use crate::read_error::ReadError;
use crate::shape::OBJECT_BYTES;
use crate::sink::Position;
use serde_json::Value;
use std::fmt::Write as _;
use std::io::{ErrorKind, Read};

const BUFFER_BYTES: usize = 1 << 16;
/// Maximum length of an object key, in bytes.
const KEY_BYTES: usize = 64 << 10;
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The type of the next value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Object,
    List,
    Text,
    /// A number, `true`, `false` or `null`.
    Other,
    /// The end of the file.
    End,
}

/// The reason one value of a file is left out while the others are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flaw {
    TooLong,
    /// Objects and lists nested more than 127 deep.
    TooDeep,
    NotJson,
}

impl Flaw {
    /// The reason as reports show it.
    pub fn reason(self) -> &'static str {
        match self {
            Self::TooLong => "longer than 16 MiB",
            Self::TooDeep => "nested more than 127 deep",
            Self::NotJson => "not JSON",
        }
    }
}

enum Step {
    Key(String),
    Index(usize),
}

/// A cursor in a JSON document, or in a sequence of them (NDJSON).
///
/// The cursor is positioned before a value. [`Json::object`] and [`Json::list`] iterate over one; a value that their callback does not
/// read is skipped.
pub struct Json<'r> {
    read: &'r mut dyn Read,
    buffer: Vec<u8>,
    next: usize,
    is_begun: bool,
    line: u64,
    /// The line on which the current document begins, if it is not the first document.
    document_line: Option<u64>,
    documents: u64,
    path: Vec<Step>,
    /// The value at the cursor has not been read yet.
    is_pending: bool,
}

impl<'r> Json<'r> {
    pub fn new(read: &'r mut dyn Read) -> Self {
        Self {
            read,
            buffer: Vec::new(),
            next: 0,
            is_begun: false,
            line: 1,
            document_line: None,
            documents: 0,
            path: Vec::new(),
            is_pending: true,
        }
    }

    /// Moves to the next document of the sequence. Returns whether there is one.
    pub fn next_document(&mut self) -> Result<bool, ReadError> {
        let is_there = self.look()?.is_some();
        if is_there {
            self.documents += 1;
            self.document_line = (self.documents > 1).then_some(self.line);
            self.is_pending = true;
        }
        Ok(is_there)
    }

    /// The cursor's position: `$.items[17]`, or `line 3 $.id` in a sequence of documents.
    pub fn position(&self) -> Position {
        let mut text = self.document_line.map_or_else(String::new, |line| format!("line {line}"));
        if text.is_empty() {
            text.push('$');
        } else if !self.path.is_empty() {
            text.push_str(" $");
        }
        for step in &self.path {
            match step {
                Step::Index(index) => {
                    let _ = write!(text, "[{index}]");
                }
                Step::Key(key) if key.chars().all(|c| c.is_alphanumeric() || c == '_') => {
                    text.push('.');
                    text.push_str(key);
                }
                Step::Key(key) => {
                    let _ = write!(text, "[{key:?}]");
                }
            }
        }
        Position(text)
    }

    /// The type of the next value.
    pub fn kind(&mut self) -> Result<Kind, ReadError> {
        Ok(match self.look()? {
            None => Kind::End,
            Some(b'{') => Kind::Object,
            Some(b'[') => Kind::List,
            Some(b'"') => Kind::Text,
            Some(_) => Kind::Other,
        })
    }

    /// Iterates over the members of an object. A value that is not an object is skipped, and the result is `false`.
    pub fn object(
        &mut self,
        each: &mut dyn FnMut(&mut Self, &str) -> Result<(), ReadError>,
    ) -> Result<bool, ReadError> {
        if self.kind()? != Kind::Object {
            self.skip()?;
            return Ok(false);
        }
        self.next += 1;
        loop {
            match self.needed()? {
                b'}' => break self.next += 1,
                b',' => self.next += 1,
                b'"' => {
                    let mut raw = Vec::new();
                    self.scan(Some((&mut raw, KEY_BYTES)))?;
                    let key: String = serde_json::from_slice(&raw).map_err(|_| self.damaged("a key"))?;
                    if self.needed()? != b':' {
                        return Err(self.damaged("a colon"));
                    }
                    self.next += 1;
                    self.path.push(Step::Key(key.clone()));
                    self.is_pending = true;
                    each(self, &key)?;
                    self.leave()?;
                }
                _ => return Err(self.damaged("a key or the end of an object")),
            }
        }
        self.is_pending = false;
        Ok(true)
    }

    /// Iterates over the elements of a list. A value that is not a list is skipped, and the result is `false`.
    pub fn list(
        &mut self,
        each: &mut dyn FnMut(&mut Self, usize) -> Result<(), ReadError>,
    ) -> Result<bool, ReadError> {
        if self.kind()? != Kind::List {
            self.skip()?;
            return Ok(false);
        }
        self.next += 1;
        let mut index = 0;
        loop {
            match self.needed()? {
                b']' => break self.next += 1,
                b',' => self.next += 1,
                _ => {
                    self.path.push(Step::Index(index));
                    self.is_pending = true;
                    each(self, index)?;
                    self.leave()?;
                    index += 1;
                }
            }
        }
        self.is_pending = false;
        Ok(true)
    }

    /// Reads the next value, which the file cannot be read without.
    pub fn value(&mut self, most_bytes: usize) -> Result<Value, ReadError> {
        match self.limited(most_bytes)? {
            Ok(value) => Ok(value),
            Err(Flaw::TooLong) => {
                let found = format!("more than {} MiB at {}", most_bytes >> 20, self.position().0);
                Err(ReadError::Refused {
                    message: format!("The file is too long for what it is: {found}. Nothing was imported."),
                    expected: format!("at most {} MiB", most_bytes >> 20),
                    found,
                })
            }
            Err(flaw) => Err(self.refused(flaw.reason())),
        }
    }

    /// Reads the next value, or returns the reason it is left out; the reading continues after it.
    pub fn element(&mut self) -> Result<Result<Value, Flaw>, ReadError> {
        self.limited(OBJECT_BYTES)
    }

    /// Reads the next value if it is a string. Any other value is skipped.
    pub fn text(&mut self) -> Result<Option<String>, ReadError> {
        if self.kind()? != Kind::Text {
            self.skip()?;
            return Ok(None);
        }
        Ok(self.element()?.ok().and_then(|value| value.as_str().map(str::to_owned)))
    }

    /// Skips the next value.
    pub fn skip(&mut self) -> Result<(), ReadError> {
        self.needed()?;
        self.scan(None)?;
        self.is_pending = false;
        Ok(())
    }

    /// Checks that nothing follows.
    pub fn end(&mut self) -> Result<(), ReadError> {
        match self.look()? {
            None => Ok(()),
            Some(_) => Err(self.damaged("the end of the file")),
        }
    }

    fn leave(&mut self) -> Result<(), ReadError> {
        if self.is_pending {
            self.skip()?;
        }
        self.path.pop();
        Ok(())
    }

    fn limited(&mut self, most_bytes: usize) -> Result<Result<Value, Flaw>, ReadError> {
        self.needed()?;
        let mut raw = Vec::new();
        let is_long = self.scan(Some((&mut raw, most_bytes)))?;
        self.is_pending = false;
        if is_long {
            return Ok(Err(Flaw::TooLong));
        }
        Ok(serde_json::from_slice(&raw).map_err(|error| {
            // `serde_json` has no error kind for its depth limit.
            if error.to_string().starts_with("recursion") { Flaw::TooDeep } else { Flaw::NotJson }
        }))
    }

    /// Moves past one value and copies its bytes into `kept`. Returns whether there were more bytes than the limit.
    fn scan(&mut self, mut kept: Option<(&mut Vec<u8>, usize)>) -> Result<bool, ReadError> {
        let mut depth = 0_usize;
        let mut is_text = false;
        let mut is_escaped = false;
        let mut is_begun = false;
        let mut is_long = false;
        loop {
            if self.next == self.buffer.len() && !self.fill()? {
                // A number or literal may end at the end of the file.
                if depth == 0 && is_begun && !is_text {
                    return Ok(is_long);
                }
                return Err(self.cut());
            }
            let from = self.next;
            let mut is_done = false;
            while self.next < self.buffer.len() {
                let byte = self.buffer[self.next];
                if byte == b'\n' {
                    self.line += 1;
                }
                if is_text {
                    self.next += 1;
                    match byte {
                        _ if is_escaped => is_escaped = false,
                        b'\\' => is_escaped = true,
                        b'"' => {
                            is_text = false;
                            is_done = depth == 0;
                        }
                        _ => {}
                    }
                } else {
                    match byte {
                        b'"' => is_text = true,
                        b'{' | b'[' => depth += 1,
                        b'}' | b']' if depth > 0 => {
                            depth -= 1;
                            if depth == 0 {
                                self.next += 1;
                                is_done = true;
                            }
                        }
                        // A value is required here; without this error the cursor would never advance.
                        b',' | b':' | b'}' | b']' if depth == 0 && !is_begun => {
                            return Err(self.damaged("a value"));
                        }
                        b',' | b':' | b'}' | b']' if depth == 0 => is_done = true,
                        _ if byte.is_ascii_whitespace() && depth == 0 && is_begun => is_done = true,
                        _ => {}
                    }
                    if !is_done {
                        self.next += 1;
                    }
                }
                is_begun = true;
                if is_done {
                    break;
                }
            }
            if let Some((bytes, most)) = &mut kept {
                let piece = &self.buffer[from..self.next];
                is_long |= bytes.len() + piece.len() > *most;
                if is_long {
                    bytes.clear();
                } else {
                    bytes.extend_from_slice(piece);
                }
            }
            if is_done {
                return Ok(is_long);
            }
        }
    }

    /// The next byte that is not whitespace, without consuming it; `None` at the end.
    fn look(&mut self) -> Result<Option<u8>, ReadError> {
        loop {
            if self.next == self.buffer.len() && !self.fill()? {
                return Ok(None);
            }
            match self.buffer[self.next] {
                b'\n' => self.line += 1,
                b' ' | b'\t' | b'\r' => {}
                byte => return Ok(Some(byte)),
            }
            self.next += 1;
        }
    }

    fn needed(&mut self) -> Result<u8, ReadError> {
        self.look()?.ok_or_else(|| self.cut())
    }

    /// Refills the buffer. Returns whether there were more bytes.
    fn fill(&mut self) -> Result<bool, ReadError> {
        // The byte order mark may be split over several reads.
        let least = if self.is_begun { 1 } else { BYTE_ORDER_MARK.len() };
        self.buffer.resize(BUFFER_BYTES, 0);
        self.next = 0;
        let mut count = 0;
        while count < least {
            match self.read.read(&mut self.buffer[count..]) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => {
                    self.buffer.clear();
                    return Err(error.into());
                }
                Ok(0) => break,
                Ok(more) => count += more,
            }
        }
        self.buffer.truncate(count);
        if !self.is_begun && self.buffer.starts_with(BYTE_ORDER_MARK) {
            self.next = BYTE_ORDER_MARK.len();
        }
        let was_begun = std::mem::replace(&mut self.is_begun, true);
        if !was_begun && count > 0 && self.next == count {
            return self.fill();
        }
        Ok(self.next < count)
    }

    fn cut(&self) -> ReadError {
        let place = self.position().0;
        ReadError::Refused {
            message: format!(
                "The file ends in the middle of {place} (line {}); nothing was imported. Export or copy it again.",
                self.line
            ),
            expected: "a JSON document that is whole".to_owned(),
            found: format!("JSON that ends in {place}"),
        }
    }

    fn damaged(&self, expected: &str) -> ReadError {
        self.refused(&format!("not JSON: {expected} was expected"))
    }

    fn refused(&self, why: &str) -> ReadError {
        let place = self.position().0;
        ReadError::Refused {
            message: format!(
                "The file is damaged at {place} (line {}): {why}. Nothing was imported. Export or copy it again.",
                self.line
            ),
            expected: "JSON".to_owned(),
            found: format!("{place}: {why}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stray_sign_where_a_value_must_begin_ends_reading() {
        for text in ["{\"a\": 1} : {\"b\": 2}", "[}]", "{\"a\":}", ",", "[1] ]"] {
            let mut bytes = text.as_bytes();
            let mut json = Json::new(&mut bytes);
            let mut documents = 0;
            let read = loop {
                match json.next_document() {
                    Ok(true) if documents > 4 => break Ok(()),
                    Ok(true) => documents += 1,
                    other => break other.map(drop),
                }
                if let Err(error) = json.object(&mut |json, _| json.skip()) {
                    break Err(error);
                }
            };
            assert!(matches!(read, Err(ReadError::Refused { .. })), "{text}: {documents} documents");
        }
    }

    /// Objects with their positions.
    type Items = Vec<(String, Result<Value, Flaw>)>;

    /// Reads a file of one object with a list `items`, in reads of `size` bytes.
    fn items(text: &str, size: usize) -> Result<Items, ReadError> {
        let mut found = Vec::new();
        let mut pieces = Pieces(text.as_bytes(), size);
        let mut json = Json::new(&mut pieces);
        json.object(&mut |json, key| {
            if key != "items" {
                return Ok(());
            }
            json.list(&mut |json, _| {
                let place = json.position().0;
                found.push((place, json.element()?));
                Ok(())
            })
            .map(drop)
        })?;
        json.end()?;
        Ok(found)
    }

    struct Pieces<'a>(&'a [u8], usize);

    impl Read for Pieces<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let most = buffer.len().min(self.1);
            self.0.read(&mut buffer[..most])
        }
    }

    #[test]
    fn elements_come_with_their_place_whatever_the_pieces() {
        let text = "\u{feff}{\"a\": [1, {\"b\": \"]}\\\"\"}],\n \"items\": [{\"x\": 1}, 2 , \"\\u00e9,\\\\\"], \"z\": null}\n";
        for size in [1, 2, 3, 7, 1000] {
            let found = items(text, size).unwrap();
            let places: Vec<&str> = found.iter().map(|(place, _)| place.as_str()).collect();
            assert_eq!(places, ["$.items[0]", "$.items[1]", "$.items[2]"]);
            assert_eq!(found[2].1, Ok(Value::from("é,\\")), "{size}");
        }
    }

    #[test]
    fn one_bad_element_does_not_stop_the_file() {
        let deep =
            format!("{{\"items\": [1, {}{}, 2, {{oops}}, 3]}}", "[".repeat(100_000), "]".repeat(100_000));
        let found: Vec<_> = items(&deep, 5000).unwrap().into_iter().map(|(_, value)| value).collect();
        let expected = [Ok(1.into()), Err(Flaw::TooDeep), Ok(2.into()), Err(Flaw::NotJson), Ok(3.into())];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_file_that_is_cut_or_damaged_is_refused_with_the_place() {
        let message = |text: &str| items(text, 9).unwrap_err().to_string();
        assert!(message("{\"items\": [{\"a\": 1}, {\"b\": ").contains("ends in the middle of $.items[1]"));
        assert!(message("{\"items\" [").contains("a colon was expected"));
        assert!(message("{\"items\": []} x").contains("the end of the file was expected"));
    }

    #[test]
    fn a_sequence_of_documents_is_read_line_by_line() {
        let mut text = "{\"a\": 1}\n\n{\"a\": 2}\n".as_bytes();
        let mut json = Json::new(&mut text);
        let mut found = Vec::new();
        while json.next_document().unwrap() {
            let place = json.position().0;
            found.push((place, json.element().unwrap().unwrap()["a"].clone()));
        }
        assert_eq!(found, [("$".to_owned(), 1.into()), ("line 3".to_owned(), 2.into())]);
    }
}
