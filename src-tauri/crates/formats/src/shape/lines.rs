//! Reads lines of text with their numbers. At most 1 MiB of a line is held in memory.

use crate::read_error::ReadError;
use crate::sink::Position;
use std::io::{BufRead, BufReader, Read};

/// Bytes of one line that are retained.
const LINE_BYTES: usize = 1 << 20;

/// One line without its line break.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line<'a> {
    /// Counted from 1.
    pub number: u64,
    pub bytes: &'a [u8],
    /// The line was longer than 1 MiB; `bytes` is its beginning.
    pub is_cut: bool,
}

impl Line<'_> {
    pub fn position(&self) -> Position {
        Position(format!("line {}", self.number))
    }
}

/// The lines of a file.
pub struct Lines<'r> {
    read: BufReader<&'r mut dyn Read>,
    number: u64,
    line: Vec<u8>,
}

impl<'r> Lines<'r> {
    pub fn new(read: &'r mut dyn Read) -> Self {
        Self { read: BufReader::with_capacity(1 << 16, read), number: 0, line: Vec::new() }
    }

    /// The next line; `None` after the last.
    pub fn next_line(&mut self) -> Result<Option<Line<'_>>, ReadError> {
        self.line.clear();
        let mut is_cut = false;
        let mut is_there = false;
        loop {
            let bytes = self.read.fill_buf()?;
            if bytes.is_empty() {
                break;
            }
            is_there = true;
            let end = bytes.iter().position(|byte| *byte == b'\n');
            let piece = &bytes[..end.unwrap_or(bytes.len())];
            let room = LINE_BYTES - self.line.len();
            is_cut |= piece.len() > room;
            self.line.extend_from_slice(&piece[..piece.len().min(room)]);
            let used = end.map_or(bytes.len(), |end| end + 1);
            self.read.consume(used);
            if end.is_some() {
                break;
            }
        }
        if !is_there {
            return Ok(None);
        }
        self.number += 1;
        if self.line.last() == Some(&b'\r') {
            self.line.pop();
        }
        Ok(Some(Line { number: self.number, bytes: &self.line, is_cut }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_and_long_ones_cut() {
        let text = format!("a\r\n\n{}\nlast", "x".repeat(LINE_BYTES + 5));
        let mut bytes = text.as_bytes();
        let mut lines = Lines::new(&mut bytes);
        let mut found = Vec::new();
        while let Some(line) = lines.next_line().unwrap() {
            found.push((line.number, line.bytes.len(), line.is_cut));
        }
        assert_eq!(found, [(1, 1, false), (2, 0, false), (3, LINE_BYTES, true), (4, 4, false)]);
    }
}
