//! A bounded sample of the row identities of one account in one billing period.
//!
//! A row's key is a hash of the fields that identify the charge, without amounts. When there are too many keys, those with the smallest hashes
//! are retained. This is an unbiased sample: shares in the sample estimate shares of all keys.

use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD as BASE64;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// The number of keys to which a sketch is reduced once it contains [`MOST`].
const KEYS: usize = 16_384;
/// The capacity of a hash table with twice as many slots, of which 7 in 8 may be used: one more key would double the table.
const MOST: usize = KEYS * 2 / 8 * 7;

/// The hashes of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowKey {
    /// Hash of the fields that identify the charge.
    pub identity: u64,
    /// Hash of the amounts.
    pub amounts: u32,
}

/// The rows with one key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Rows {
    pub count: u32,
    /// Sum of the amount hashes; independent of the order of the rows.
    pub amounts: u32,
}

/// The keys of rows: all, or only those up to a bound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sketch {
    bound: u64,
    keys: HashMap<u64, Rows, BuildHasherDefault<AsItIs>>,
}

impl Default for Sketch {
    fn default() -> Self {
        Self { bound: u64::MAX, keys: HashMap::default() }
    }
}

impl Sketch {
    /// Adds a row.
    pub fn add(&mut self, row: RowKey) {
        if row.identity > self.bound {
            return;
        }
        let rows = self.keys.entry(row.identity).or_insert(Rows { count: 0, amounts: 0 });
        rows.count = rows.count.saturating_add(1);
        rows.amounts = rows.amounts.wrapping_add(row.amounts);
        if self.keys.len() >= MOST {
            self.cut(KEYS);
        }
    }

    /// Adds the rows of another sketch.
    pub fn merge(&mut self, other: &Self) {
        if other.bound < self.bound {
            self.bound = other.bound;
            let bound = self.bound;
            self.keys.retain(|key, _| *key <= bound);
        }
        for (key, rows) in other.keys.iter().filter(|(key, _)| **key <= self.bound) {
            let mine = self.keys.entry(*key).or_insert(Rows { count: 0, amounts: 0 });
            mine.count = mine.count.saturating_add(rows.count);
            mine.amounts = mine.amounts.wrapping_add(rows.amounts);
        }
        if self.keys.len() >= MOST {
            self.cut(KEYS);
        }
    }

    /// Retains the `count` smallest keys.
    pub fn cut(&mut self, count: usize) {
        if self.keys.len() <= count || count == 0 {
            return;
        }
        let mut sorted: Vec<u64> = self.keys.keys().copied().collect();
        let (_, bound, _) = sorted.select_nth_unstable(count - 1);
        self.bound = *bound;
        let bound = self.bound;
        // Build a new table: removing entries does not free slots.
        self.keys =
            self.keys.iter().filter(|(key, _)| **key <= bound).map(|(key, rows)| (*key, *rows)).collect();
    }

    /// Number of keys in memory.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Memory use in bytes, from the layout of the hash table: a power of two of slots, of which 7 in 8 may be used, each with its key, its rows and
    /// one control byte.
    #[cfg(test)]
    pub(crate) fn bytes(&self) -> usize {
        let places = (self.keys.capacity() * 8).div_ceil(7).next_power_of_two();
        places * (size_of::<(u64, Rows)>() + 1)
    }

    /// All keys in memory.
    pub fn keys(&self) -> impl Iterator<Item = u64> {
        self.keys.keys().copied()
    }

    pub(super) fn bound(&self) -> u64 {
        self.bound
    }

    pub(super) fn up_to(&self, bound: u64) -> impl Iterator<Item = (u64, Rows)> {
        self.keys.iter().filter(move |(key, _)| **key <= bound).map(|(key, rows)| (*key, *rows))
    }

    pub(super) fn rows(&self, key: u64) -> Option<Rows> {
        self.keys.get(&key).copied()
    }

    /// The sketch as text: the bound, then for each key the distance from the previous one, the count and the amount hash.
    pub fn to_text(&self) -> String {
        let mut sorted: Vec<(u64, Rows)> = self.up_to(u64::MAX).collect();
        sorted.sort_unstable_by_key(|(key, _)| *key);
        let mut bytes = Vec::with_capacity(8 + sorted.len() * 14);
        bytes.extend_from_slice(&self.bound.to_le_bytes());
        let mut before = 0;
        for (key, rows) in sorted {
            put(&mut bytes, key - before);
            put(&mut bytes, u64::from(rows.count));
            bytes.extend_from_slice(&rows.amounts.to_le_bytes());
            before = key;
        }
        BASE64.encode(bytes)
    }

    /// Parses the output of [`Self::to_text`]; `None` for anything else.
    pub fn from_text(text: &str) -> Option<Self> {
        let bytes = BASE64.decode(text).ok()?;
        let (bound, mut rest) = bytes.split_first_chunk::<8>()?;
        let mut sketch = Self { bound: u64::from_le_bytes(*bound), keys: HashMap::default() };
        let mut key = 0_u64;
        while !rest.is_empty() {
            key = key.checked_add(take(&mut rest)?)?;
            let count = u32::try_from(take(&mut rest)?).ok()?;
            let (amounts, after) = rest.split_first_chunk::<4>()?;
            rest = after;
            sketch.keys.insert(key, Rows { count, amounts: u32::from_le_bytes(*amounts) });
        }
        Some(sketch)
    }
}

/// Appends a number in LEB128: seven bits per byte, lowest first.
fn put(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    bytes.push(number.to_le_bytes()[0]);
}

fn take(rest: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (byte, after) = rest.split_first()?;
        *rest = after;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

/// The identity hasher: keys are hashes already.
#[derive(Default)]
struct AsItIs(u64);

impl Hasher for AsItIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(number: u64) -> RowKey {
        RowKey { identity: crate::keys::mix(number), amounts: 7 }
    }

    #[test]
    fn a_sketch_is_bounded_and_survives_as_text() {
        let mut sketch = Sketch::default();
        for number in 0..100_000 {
            sketch.add(row(number));
        }
        assert!((KEYS..=KEYS * 2).contains(&sketch.len()), "{}", sketch.len());
        let text = sketch.to_text();
        assert!(text.len() <= sketch.len() * 20, "{} bytes for {} keys", text.len(), sketch.len());
        assert_eq!(Sketch::from_text(&text), Some(sketch));
    }

    #[test]
    fn text_of_something_else_is_no_sketch() {
        for text in ["", "abc", "AAAAAAAAAACA", "?"] {
            assert_eq!(Sketch::from_text(text), None, "{text}");
        }
    }

    #[test]
    fn two_halves_make_the_whole() {
        let (mut whole, mut left, mut right) = (Sketch::default(), Sketch::default(), Sketch::default());
        for number in 0..1000 {
            whole.add(row(number));
            if number % 3 == 0 { left.add(row(number)) } else { right.add(row(number)) }
        }
        left.merge(&right);
        assert_eq!(left, whole);
    }
}
