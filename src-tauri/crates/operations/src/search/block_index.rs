//! An index that tells which blocks of rows may contain given letters, without scanning their names.
//!
//! A block is 128 rows. Each block has a Bloom-filter-like bit set of the 1-, 2- and 3-byte sequences in its
//! names, and of the sequences of 1 and 2 bytes that start a word. Sequences may share a bit: a missing bit proves
//! that a block lacks the sequence. The bit sets are stored transposed: the bits of all blocks for one
//! sequence are adjacent. A search therefore reads only a few rows of bits, then scans the few remaining blocks.

use std::ops::Range;

/// Rows per block.
const ROWS_PER_BLOCK: usize = 128;
/// Bits per bit set.
const BITS: usize = 8192;
/// Lengths in bytes of the indexed sequences, anywhere in a name and at the start of a word.
const LENGTHS: [usize; 3] = [1, 2, 3];
const WORD_START_LENGTHS: [usize; 2] = [1, 2];
const WORD: usize = u64::BITS as usize;

/// A type of indexed byte sequence: anywhere, or at the start of a word.
#[derive(Clone, Copy)]
enum Gram {
    Anywhere,
    BeginsWord,
}

impl Gram {
    /// The bit for a sequence of up to three bytes.
    fn place(self, bytes: &[u8]) -> usize {
        let kind = match self {
            Self::Anywhere => 0_u32,
            Self::BeginsWord => 4,
        };
        let length = u32::try_from(bytes.len()).unwrap_or_default();
        let number = bytes.iter().fold(kind + length, |number, byte| (number << 8) | u32::from(*byte));
        // Fibonacci hashing: the upper bits are distributed best.
        (number.wrapping_mul(0x9E37_79B9) >> (u32::BITS - BITS.ilog2())) as usize
    }
}

/// The bits that a block must have set.
pub(super) struct RequiredBits(Vec<usize>);

impl RequiredBits {
    /// Requires each of these texts, anywhere.
    pub fn all<'l>(letters: impl Iterator<Item = &'l str>) -> Self {
        let mut places: Vec<usize> = letters
            .flat_map(|letters| {
                LENGTHS.into_iter().flat_map(move |length| letters.as_bytes().windows(length))
            })
            .map(|bytes| Gram::Anywhere.place(bytes))
            .collect();
        places.sort_unstable();
        places.dedup();
        Self(places)
    }

    /// Requires these letters at the start of a word.
    pub fn beginning_word(letters: &str) -> Self {
        let Self(mut places) = Self::all(std::iter::once(letters));
        let bytes = letters.as_bytes();
        places.extend(
            WORD_START_LENGTHS
                .into_iter()
                .filter_map(|length| bytes.get(..length))
                .map(|bytes| Gram::BeginsWord.place(bytes)),
        );
        Self(places)
    }
}

/// The bit sets of all blocks.
#[derive(Default)]
pub(super) struct BlockIndex {
    /// Number of `u64` words per bit position.
    width: usize,
    bits: Vec<u64>,
}

impl BlockIndex {
    /// Builds the index. `ends` holds the end of each row in `text`.
    pub fn of(text: &str, ends: &[usize]) -> Self {
        let width = ends.len().div_ceil(ROWS_PER_BLOCK).div_ceil(WORD);
        let mut bits = vec![0_u64; width * BITS];
        let mut begin = 0;
        for (block, rows) in ends.chunks(ROWS_PER_BLOCK).enumerate() {
            let end = rows.last().copied().unwrap_or(begin);
            for (number, word) in set_of(&text[begin..end]).into_iter().enumerate() {
                let mut left = word;
                while left != 0 {
                    let place = number * WORD + left.trailing_zeros() as usize;
                    bits[place * width + block / WORD] |= 1 << (block % WORD);
                    left &= left - 1;
                }
            }
            begin = end;
        }
        Self { width, bits }
    }

    /// The row ranges of blocks that have all needed bits set, in order. The last range may extend past the last row.
    pub fn matching<'s>(&'s self, required: &'s RequiredBits) -> impl Iterator<Item = Range<usize>> + 's {
        (0..self.width).flat_map(move |number| {
            let lines = required.0.iter().map(|place| self.bits[place * self.width + number]);
            let mut left = lines.fold(u64::MAX, |left, word| left & word);
            std::iter::from_fn(move || {
                let place = left.trailing_zeros() as usize;
                left &= left.checked_sub(1)?;
                let first = (number * WORD + place) * ROWS_PER_BLOCK;
                Some(first..first + ROWS_PER_BLOCK)
            })
        })
    }
}

/// The bit set of the names of a block.
fn set_of(text: &str) -> [u64; BITS / WORD] {
    let mut set = [0_u64; BITS / WORD];
    let mut add = |gram: Gram, bytes: Option<&[u8]>| {
        if let Some(bytes) = bytes {
            let place = gram.place(bytes);
            set[place / WORD] |= 1 << (place % WORD);
        }
    };
    let bytes = text.as_bytes();
    for at in 0..bytes.len() {
        for length in LENGTHS {
            add(Gram::Anywhere, bytes.get(at..at + length));
        }
    }
    for (at, letter) in text.char_indices().filter(|(_, letter)| !letter.is_alphanumeric()) {
        let begin = at + letter.len_utf8();
        for length in WORD_START_LENGTHS {
            add(Gram::BeginsWord, bytes.get(begin..begin + length));
        }
    }
    set
}

#[cfg(test)]
mod tests {
    use super::{BlockIndex, ROWS_PER_BLOCK, RequiredBits};

    /// The indices, from 0, of blocks of one-name rows that may contain what is needed.
    fn matching(names: &[String], required: &RequiredBits) -> Vec<usize> {
        let (mut text, mut ends) = (String::new(), Vec::new());
        for name in names {
            text.extend(["\0", name, "\0"]);
            ends.push(text.len());
        }
        BlockIndex::of(&text, &ends).matching(required).map(|rows| rows.start / ROWS_PER_BLOCK).collect()
    }

    fn all(letters: &str) -> RequiredBits {
        RequiredBits::all(std::iter::once(letters))
    }

    #[test]
    fn a_search_goes_through_the_stretches_that_may_have_its_letters() {
        let names: Vec<String> = (0..100 * ROWS_PER_BLOCK).map(|row| format!("node-{row:06}")).collect();
        let found = matching(&names, &all("node-009600"));
        assert!(found.contains(&(9600 / ROWS_PER_BLOCK)) && found.len() < 10, "{found:?}");
        assert_eq!(matching(&names, &all("ode-")).len(), 100);
        assert!(matching(&names, &all("zebra")).len() < 10);
        // Occurs in every name, but never at the start of a word.
        assert!(matching(&names, &RequiredBits::beginning_word("ode")).len() < 10);
        assert_eq!(matching(&names, &RequiredBits::beginning_word("n")).len(), 100);
        assert_eq!(
            matching(&names, &RequiredBits::all(std::iter::empty())).len(),
            128,
            "whole words of bits"
        );
        assert!(matching(&[], &all("node")).is_empty());
    }

    #[test]
    fn words_of_every_script_begin_behind_what_is_no_letter() {
        let names: Vec<String> = ["große übersicht", "ab·über"].map(str::to_owned).to_vec();
        for word in ["ü", "über", "große"] {
            assert_eq!(matching(&names, &RequiredBits::beginning_word(word)), [0], "{word}");
        }
    }
}
