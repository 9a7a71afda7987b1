//! Maps byte offsets of a file's content to physical line numbers.
//!
//! LF, CR LF and a lone CR each end a line: between records, on blank lines and inside quotes.

use std::collections::VecDeque;

/// Consecutive line breaks without other bytes in between.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Breaks {
    /// Offset of the first byte of the breaks.
    start: u64,
    /// Offset after the last byte of the breaks.
    end: u64,
    /// The line that begins at `end`, counted from 1.
    next_line: u64,
}

/// The line breaks of the content read so far, stored until a later offset is queried.
#[derive(Debug)]
pub struct Lines {
    offset: u64,
    /// Line of the next byte to be read.
    line: u64,
    /// Line of the offset that was queried last.
    asked_line: u64,
    ends_in_cr: bool,
    breaks: VecDeque<Breaks>,
}

impl Lines {
    /// Starts counting at the given line; offset 0 is the next byte passed.
    pub fn starting_at(line: u64) -> Self {
        Self { offset: 0, line, asked_line: line, ends_in_cr: false, breaks: VecDeque::new() }
    }

    /// Processes the next bytes of the content.
    pub fn pass(&mut self, bytes: &[u8]) {
        for place in memchr::memchr2_iter(b'\n', b'\r', bytes) {
            let at = self.offset + place as u64;
            let previous = self.breaks.back_mut().filter(|breaks| breaks.end == at);
            let is_second_half =
                bytes[place] == b'\n' && if place == 0 { self.ends_in_cr } else { bytes[place - 1] == b'\r' };
            self.line += u64::from(!is_second_half);
            match previous {
                Some(breaks) => {
                    breaks.end = at + 1;
                    breaks.next_line = self.line;
                }
                None => self.breaks.push_back(Breaks { start: at, end: at + 1, next_line: self.line }),
            }
        }
        if let Some(last) = bytes.last() {
            self.ends_in_cr = *last == b'\r';
        }
        self.offset += bytes.len() as u64;
    }

    /// The number of bytes passed, if they do not end with a line break.
    pub fn end_within_line(&self) -> Option<u64> {
        let ends_in_break = self.breaks.back().is_some_and(|breaks| breaks.end == self.offset);
        (self.offset > 0 && !ends_in_break).then_some(self.offset)
    }

    /// The line of the first byte at or after `offset` that is not part of a line break. Queried offsets must ascend.
    pub fn line_of(&mut self, offset: u64) -> u64 {
        while let Some(breaks) = self.breaks.front().filter(|breaks| breaks.start <= offset) {
            self.asked_line = breaks.next_line;
            if breaks.end == self.offset {
                // More of these breaks may follow; they must be merged.
                break;
            }
            self.breaks.pop_front();
        }
        self.asked_line
    }
}

/// The number of line breaks in the bytes.
pub fn count(bytes: &[u8]) -> u64 {
    let mut lines = Lines::starting_at(0);
    lines.pass(bytes);
    lines.line
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the lines of all bytes marked with `#`, with the text split into pieces of every size.
    fn check(text: &str, expected: &[u64]) {
        for size in 1..=text.len() {
            let mut lines = Lines::starting_at(1);
            text.as_bytes().chunks(size).for_each(|piece| lines.pass(piece));
            let found: Vec<u64> = text.match_indices('#').map(|(at, _)| lines.line_of(at as u64)).collect();
            assert_eq!(found, expected, "{text:?} in pieces of {size}");
        }
    }

    #[test]
    fn every_kind_of_line_break_ends_a_line() {
        check("#\n#\n#", &[1, 2, 3]);
        check("#\r\n#\r\n#", &[1, 2, 3]);
        check("#\r#\r#", &[1, 2, 3]);
        check("#\n\n\r\n#\r\r#", &[1, 4, 6]);
        check("\r\n#", &[2]);
    }

    #[test]
    fn a_place_at_or_within_breaks_means_what_follows_them() {
        let mut lines = Lines::starting_at(1);
        lines.pass(b"a\r\n\r\nb");
        assert_eq!(lines.line_of(2), 3);
        assert_eq!(lines.line_of(5), 3);
    }

    #[test]
    fn breaks_that_pass_in_two_pieces_are_one() {
        let mut lines = Lines::starting_at(1);
        lines.pass(b"a\r");
        assert_eq!(lines.line_of(2), 2);
        lines.pass(b"\nb\n");
        assert_eq!(lines.line_of(3), 2);
        assert_eq!(lines.line_of(5), 3);
    }

    #[test]
    fn lines_that_end_are_counted() {
        assert_eq!([count(b""), count(b"a"), count(b"a\n"), count(b"a\r\nb\rc\n")], [0, 0, 1, 3]);
    }
}
