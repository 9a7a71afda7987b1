//! A response in chunks: text that is complete, and long lists of groups that are written when they are sent.
//!
//! A response of ten megabytes is written from groups that take three and need no database row any more. Only the groups, not the text,
//! therefore occupy memory while a slow client is served.

use crate::segments::ListedAnswer;
use std::collections::VecDeque;

/// Approximate length of a chunk in bytes. A list that might be shorter than two chunks is written at once.
const PIECE_BYTES: usize = if cfg!(test) { 64 } else { 64 * 1024 };

/// A response, as chunks in the order of the text.
#[derive(Default)]
pub struct ResponseChunks {
    before: VecDeque<Piece>,
    last: Vec<u8>,
}

enum Piece {
    Text(Vec<u8>),
    Later(Box<ListedAnswer>),
}

impl ResponseChunks {
    /// The end of the text, for appending.
    pub(crate) fn text(&mut self) -> &mut Vec<u8> {
        &mut self.last
    }

    /// Whether a list of at most this many bytes is worth deferring.
    pub(crate) fn is_worth(bytes: usize) -> bool {
        bytes >= 2 * PIECE_BYTES
    }

    /// Appends rows that are written later.
    pub(crate) fn later(&mut self, rows: ListedAnswer) {
        self.before.push_back(Piece::Text(std::mem::take(&mut self.last)));
        self.before.push_back(Piece::Later(Box::new(rows)));
    }

    /// Adds a text before and one after the response. Moves text within its own buffer: a long response is never held twice.
    pub fn enclose(&mut self, before: &[u8], behind: &[u8]) {
        let first = match self.before.front_mut() {
            Some(Piece::Text(text)) => text,
            Some(Piece::Later(_)) => {
                self.before.push_front(Piece::Text(before.to_vec()));
                self.last.extend_from_slice(behind);
                return;
            }
            None => &mut self.last,
        };
        first.splice(..0, before.iter().copied());
        self.last.extend_from_slice(behind);
    }

    /// Whether all text is already written; it is then a single chunk.
    pub fn is_whole(&self) -> bool {
        self.before.is_empty()
    }

    /// The whole text.
    pub fn into_bytes(mut self) -> Vec<u8> {
        if self.is_whole() {
            return self.last;
        }
        let mut all = Vec::new();
        while self.write(&mut all, usize::MAX) {}
        all
    }

    /// Appends text until `out` has at least `most` bytes or the response ends. Returns whether there is more.
    fn write(&mut self, out: &mut Vec<u8>, most: usize) -> bool {
        while out.len() < most {
            match self.before.front_mut() {
                Some(Piece::Text(text)) => {
                    out.append(text);
                    self.before.pop_front();
                }
                Some(Piece::Later(rows)) => {
                    while out.len() < most && rows.write_row(out) {}
                    if rows.is_written() {
                        self.before.pop_front();
                    }
                }
                None => {
                    out.append(&mut self.last);
                    return false;
                }
            }
        }
        !(self.before.is_empty() && self.last.is_empty())
    }
}

impl From<Vec<u8>> for ResponseChunks {
    fn from(text: Vec<u8>) -> Self {
        Self { before: VecDeque::new(), last: text }
    }
}

impl Iterator for ResponseChunks {
    type Item = Vec<u8>;

    fn next(&mut self) -> Option<Vec<u8>> {
        if self.is_whole() {
            return (!self.last.is_empty()).then(|| std::mem::take(&mut self.last));
        }
        let mut piece = Vec::with_capacity(PIECE_BYTES + PIECE_BYTES / 8);
        self.write(&mut piece, PIECE_BYTES);
        (!piece.is_empty()).then_some(piece)
    }
}

#[cfg(test)]
mod tests {
    use super::ResponseChunks;

    #[test]
    fn what_is_there_is_one_piece_with_what_encloses_it() {
        let mut pieces = ResponseChunks::from(b"[1]".to_vec());
        pieces.enclose(b"{\"data\":", b"}");
        assert!(pieces.is_whole());
        assert_eq!(pieces.next().as_deref(), Some(&b"{\"data\":[1]}"[..]));
        assert_eq!(pieces.next(), None);
    }
}
