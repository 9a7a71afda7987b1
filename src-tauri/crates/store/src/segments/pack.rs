//! The binary format of columns. Columns with few distinct values are stored as a palette and indices, numbers as offsets from the
//! smallest, both with as few bits as the largest needs. In memory, whole bytes are used, which are faster to sum.
//!
//! All numbers are little-endian. Unknown data is an error.

use super::bits;
use std::collections::HashMap;

/// Null in codes, times and integers; sorts before all other values.
pub(super) const NULL: i64 = i64::MIN;

/// A dimension of a segment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Codes {
    /// Distinct values, ascending.
    pub palette: Vec<i64>,
    pub places: Places,
}

/// For each row, the index of its value in the palette.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Places {
    /// Every row has the first value.
    Same,
    Narrow(Vec<u8>),
    Wide(Vec<u16>),
}

/// Exact numbers of a segment, all with `scale` digits after the point; 0 for null.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Numbers {
    pub scale: u8,
    pub values: Integers,
    /// The number of rows with a value that each row stands for; `None`: all of them.
    pub present: Option<Vec<u32>>,
    /// The largest absolute value.
    pub largest: u128,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Integers {
    Same(i128),
    Byte(Vec<i8>),
    Short(Vec<i16>),
    Int(Vec<i32>),
    Long(Vec<i64>),
    Wide(Vec<i128>),
}

/// One decoded column.
#[derive(Debug)]
pub(super) enum Column {
    Codes(Codes),
    Numbers(Numbers),
    /// The number of table rows each row stands for.
    Weights(Vec<u32>),
    /// The same numbers as in another slot.
    Alias(usize),
}

/// The bytes are not a valid column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DamagedColumn;

impl Codes {
    /// Encodes the values of at most 65,536 rows.
    pub fn of(values: &[i64]) -> Self {
        let first = values.first().copied().unwrap_or(NULL);
        if values.iter().all(|value| *value == first) {
            return Self { palette: vec![first], places: Places::Same };
        }
        // Numbered in order of occurrence, then sorted.
        let mut numbers: HashMap<i64, usize, foldhash::fast::RandomState> = HashMap::default();
        let mut order = Vec::new();
        let mut last = None;
        let met: Vec<usize> = values
            .iter()
            .map(|value| match last {
                Some((known, number)) if known == *value => number,
                _ => {
                    let number = *numbers.entry(*value).or_insert_with(|| {
                        order.push(*value);
                        order.len() - 1
                    });
                    last = Some((*value, number));
                    number
                }
            })
            .collect();
        let mut palette = order.clone();
        palette.sort_unstable();
        let places: Vec<usize> =
            order.iter().map(|value| palette.binary_search(value).unwrap_or_default()).collect();
        let places = if palette.len() <= 256 {
            Places::Narrow(met.iter().map(|met| u8::try_from(places[*met]).unwrap_or_default()).collect())
        } else {
            Places::Wide(met.iter().map(|met| u16::try_from(places[*met]).unwrap_or_default()).collect())
        };
        Self { palette, places }
    }

    /// The palette index of a row's value.
    pub fn place(&self, row: usize) -> usize {
        match &self.places {
            Places::Same => 0,
            Places::Narrow(places) => usize::from(places[row]),
            Places::Wide(places) => usize::from(places[row]),
        }
    }

    /// The value of a row.
    pub fn value(&self, row: usize) -> i64 {
        self.palette[self.place(row)]
    }
}

impl Integers {
    fn of(values: &[i128], largest: u128) -> Self {
        let first = values.first().copied().unwrap_or_default();
        if values.iter().all(|value| *value == first) {
            return Self::Same(first);
        }
        macro_rules! narrowed {
            ($variant:ident, $kind:ty) => {
                if largest <= <$kind>::MAX.unsigned_abs().into() {
                    let narrow = |value: &i128| <$kind>::try_from(*value).unwrap_or_default();
                    return Self::$variant(values.iter().map(narrow).collect());
                }
            };
        }
        narrowed!(Byte, i8);
        narrowed!(Short, i16);
        narrowed!(Int, i32);
        narrowed!(Long, i64);
        Self::Wide(values.to_vec())
    }

    /// Decodes numbers of `size` bytes stored as offsets from the smallest.
    fn near(size: u8, least: i64, packed: &bits::PackedNumbers<'_>) -> Result<Self, DamagedColumn> {
        macro_rules! widened {
            ($variant:ident, $kind:ty) => {{
                // Truncated to the width they had when they were packed.
                let value = |distance: u64| {
                    let bytes = least.wrapping_add(distance.cast_signed()).to_le_bytes();
                    let (low, _) = bytes.split_at(size_of::<$kind>());
                    <$kind>::from_le_bytes(low.try_into().unwrap_or_default())
                };
                Ok(Self::$variant(packed.read(value)))
            }};
        }
        match size {
            1 => widened!(Byte, i8),
            2 => widened!(Short, i16),
            4 => widened!(Int, i32),
            8 => widened!(Long, i64),
            _ => Err(DamagedColumn),
        }
    }

    pub fn get(&self, row: usize) -> i128 {
        match self {
            Self::Same(value) => *value,
            Self::Byte(values) => values[row].into(),
            Self::Short(values) => values[row].into(),
            Self::Int(values) => values[row].into(),
            Self::Long(values) => values[row].into(),
            Self::Wide(values) => values[row],
        }
    }
}

impl Numbers {
    pub fn of(values: &[i128], scale: u8, present: Option<Vec<u32>>) -> Self {
        let largest = values.iter().map(|value| value.unsigned_abs()).max().unwrap_or_default();
        Self { scale, values: Integers::of(values, largest), present, largest }
    }
}

impl Column {
    /// Approximate memory use in bytes.
    pub fn bytes(&self) -> usize {
        let present = |present: &Option<Vec<u32>>| present.as_ref().map_or(0, |present| present.len() * 4);
        96 + match self {
            Self::Codes(codes) => {
                codes.palette.len() * 8
                    + match &codes.places {
                        Places::Same => 0,
                        Places::Narrow(places) => places.len(),
                        Places::Wide(places) => places.len() * 2,
                    }
            }
            Self::Numbers(numbers) => {
                present(&numbers.present)
                    + match &numbers.values {
                        Integers::Same(_) => 0,
                        Integers::Byte(values) => values.len(),
                        Integers::Short(values) => values.len() * 2,
                        Integers::Int(values) => values.len() * 4,
                        Integers::Long(values) => values.len() * 8,
                        Integers::Wide(values) => values.len() * 16,
                    }
            }
            Self::Weights(weights) => weights.len() * 4,
            Self::Alias(_) => 0,
        }
    }

    pub fn pack(&self) -> Vec<u8> {
        let mut out = Vec::new();
        match self {
            Self::Codes(codes) => {
                out.push(1);
                varint(&mut out, codes.palette.len() as u64);
                let mut before = 0i64;
                for value in &codes.palette {
                    varint(&mut out, value.wrapping_sub(before).cast_unsigned());
                    before = *value;
                }
                let width = bits::width(codes.palette.len() as u64 - 1);
                match &codes.places {
                    Places::Same => out.push(0),
                    Places::Narrow(places) => {
                        out.extend([3, width]);
                        bits::pack(&mut out, width, places.iter().map(|place| u64::from(*place)));
                    }
                    Places::Wide(places) => {
                        out.extend([3, width]);
                        bits::pack(&mut out, width, places.iter().map(|place| u64::from(*place)));
                    }
                }
            }
            Self::Numbers(numbers) => {
                out.extend([2, numbers.scale]);
                match &numbers.present {
                    None => out.push(0),
                    Some(present) => {
                        out.push(1);
                        counts(&mut out, present);
                    }
                }
                match &numbers.values {
                    Integers::Same(value) => {
                        out.push(0);
                        out.extend(value.to_le_bytes());
                    }
                    Integers::Byte(values) => near(&mut out, values),
                    Integers::Short(values) => near(&mut out, values),
                    Integers::Int(values) => near(&mut out, values),
                    Integers::Long(values) => near(&mut out, values),
                    Integers::Wide(values) => {
                        out.push(16);
                        out.extend(values.iter().flat_map(|value| value.to_le_bytes()));
                    }
                }
            }
            Self::Weights(weights) => {
                out.push(3);
                counts(&mut out, weights);
            }
            Self::Alias(slot) => out.extend([4, u8::try_from(*slot).unwrap_or(u8::MAX)]),
        }
        out
    }

    /// Decodes a column of `rows` rows.
    pub fn unpack(bytes: &[u8], rows: usize) -> Result<Self, DamagedColumn> {
        let mut bytes = Bytes::new(bytes);
        let column = match bytes.byte()? {
            1 => {
                let count = usize::try_from(bytes.varint()?).map_err(|_| DamagedColumn)?;
                if count == 0 || count > rows.max(1) {
                    return Err(DamagedColumn);
                }
                let mut before = 0i64;
                let mut palette = Vec::with_capacity(count);
                for _ in 0..count {
                    before = before.wrapping_add(bytes.varint()?.cast_signed());
                    palette.push(before);
                }
                if !palette.is_sorted() {
                    return Err(DamagedColumn);
                }
                let places = match bytes.byte()? {
                    0 => Places::Same,
                    1 => Places::Narrow(bytes.take(rows)?.to_vec()),
                    2 => Places::Wide(bytes.fixed(rows, u16::from_le_bytes)?),
                    3 => {
                        let width = bytes.byte()?;
                        let packed = bits::PackedNumbers::new(width, rows, &mut bytes)?;
                        if count <= 256 && width <= 8 {
                            Places::Narrow(packed.read(|place| place.to_le_bytes()[0]))
                        } else if width <= 16 {
                            Places::Wide(packed.read(|place| {
                                let [low, high, ..] = place.to_le_bytes();
                                u16::from_le_bytes([low, high])
                            }))
                        } else {
                            return Err(DamagedColumn);
                        }
                    }
                    _ => return Err(DamagedColumn),
                };
                let outside = match &places {
                    Places::Same => false,
                    Places::Narrow(places) => places.iter().any(|place| usize::from(*place) >= count),
                    Places::Wide(places) => places.iter().any(|place| usize::from(*place) >= count),
                };
                if outside {
                    return Err(DamagedColumn);
                }
                Self::Codes(Codes { palette, places })
            }
            2 => {
                let scale = bytes.byte()?;
                let present = match bytes.byte()? {
                    0 => None,
                    _ => Some(bytes.counts(rows)?),
                };
                let values = match bytes.byte()? {
                    0 => Integers::Same(bytes.fixed(1, i128::from_le_bytes)?[0]),
                    1 => Integers::Byte(bytes.fixed(rows, i8::from_le_bytes)?),
                    2 => Integers::Short(bytes.fixed(rows, i16::from_le_bytes)?),
                    4 => Integers::Int(bytes.fixed(rows, i32::from_le_bytes)?),
                    8 => Integers::Long(bytes.fixed(rows, i64::from_le_bytes)?),
                    16 => Integers::Wide(bytes.fixed(rows, i128::from_le_bytes)?),
                    32 => {
                        let (size, least) = (
                            bytes.byte()?,
                            i64::from_le_bytes(
                                bytes.fixed(8, u8::from_le_bytes)?.try_into().map_err(|_| DamagedColumn)?,
                            ),
                        );
                        let width = bytes.byte()?;
                        let packed = bits::PackedNumbers::new(width, rows, &mut bytes)?;
                        Integers::near(size, least, &packed)?
                    }
                    _ => return Err(DamagedColumn),
                };
                let largest = match &values {
                    Integers::Same(value) => value.unsigned_abs(),
                    Integers::Byte(_) => u128::from(i8::MAX.unsigned_abs()),
                    Integers::Short(_) => u128::from(i16::MAX.unsigned_abs()),
                    Integers::Int(_) => u128::from(i32::MAX.unsigned_abs()),
                    Integers::Long(values) => {
                        values.iter().map(|value| value.unsigned_abs()).max().unwrap_or_default().into()
                    }
                    Integers::Wide(values) => {
                        values.iter().map(|value| value.unsigned_abs()).max().unwrap_or_default()
                    }
                };
                Self::Numbers(Numbers { scale, values, present, largest })
            }
            3 => Self::Weights(bytes.counts(rows)?),
            4 => Self::Alias(bytes.byte()?.into()),
            _ => return Err(DamagedColumn),
        };
        if bytes.is_empty() { Ok(column) } else { Err(DamagedColumn) }
    }
}

/// Encodes numbers as offsets from the smallest.
fn near<T: Copy + Into<i64>>(out: &mut Vec<u8>, values: &[T]) {
    let all = || values.iter().map(|value| (*value).into());
    let (least, most) = (all().min().unwrap_or_default(), all().max().unwrap_or_default());
    let width = bits::width(most.wrapping_sub(least).cast_unsigned());
    out.extend([32, u8::try_from(size_of::<T>()).unwrap_or_default()]);
    out.extend(least.to_le_bytes());
    out.push(width);
    bits::pack(out, width, all().map(|value: i64| value.wrapping_sub(least).cast_unsigned()));
}

fn varint(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(u8::try_from(number & 0x7f).unwrap_or_default() | 0x80);
        number >>= 7;
    }
    out.push(u8::try_from(number).unwrap_or_default());
}

/// Encodes counts with one byte each if they fit.
fn counts(out: &mut Vec<u8>, counts: &[u32]) {
    if counts.iter().all(|count| *count <= 0xff) {
        out.push(1);
        out.extend(counts.iter().map(|count| u8::try_from(*count).unwrap_or_default()));
    } else {
        out.push(4);
        out.extend(counts.iter().flat_map(|count| count.to_le_bytes()));
    }
}

/// A cursor over bytes.
pub(super) struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn byte(&mut self) -> Result<u8, DamagedColumn> {
        Ok(self.take(1)?[0])
    }

    pub fn take(&mut self, count: usize) -> Result<&'a [u8], DamagedColumn> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(DamagedColumn)?;
        self.0 = rest;
        Ok(taken)
    }

    fn fixed<T, const N: usize>(
        &mut self,
        count: usize,
        read: impl Fn([u8; N]) -> T,
    ) -> Result<Vec<T>, DamagedColumn> {
        let taken = self.take(count.checked_mul(N).ok_or(DamagedColumn)?)?;
        Ok(taken.as_chunks::<N>().0.iter().map(|bytes| read(*bytes)).collect())
    }

    fn counts(&mut self, rows: usize) -> Result<Vec<u32>, DamagedColumn> {
        match self.byte()? {
            1 => Ok(self.take(rows)?.iter().map(|count| u32::from(*count)).collect()),
            4 => self.fixed(rows, u32::from_le_bytes),
            _ => Err(DamagedColumn),
        }
    }

    fn varint(&mut self) -> Result<u64, DamagedColumn> {
        let mut number = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(DamagedColumn)
    }
}

#[cfg(test)]
mod tests {
    use super::{Codes, Column, DamagedColumn, NULL, Numbers, Places};

    fn again(column: &Column, rows: usize) -> Column {
        Column::unpack(&column.pack(), rows).unwrap()
    }

    #[test]
    fn codes_come_back_as_they_were_whatever_their_width() {
        let many: Vec<i64> = (0..70_000).map(|row| (row * 7919) % 20_011 - 3).collect();
        for values in
            [vec![], vec![5], vec![5, 5], vec![NULL, 1, i64::MAX, -7, NULL], many[..65_536].to_vec()]
        {
            let Column::Codes(codes) = again(&Column::Codes(Codes::of(&values)), values.len()) else {
                panic!()
            };
            let read: Vec<i64> = (0..values.len()).map(|row| codes.value(row)).collect();
            assert_eq!(read, values);
        }
        assert!(matches!(Codes::of(&[3, 3]).places, Places::Same));
    }

    #[test]
    fn numbers_come_back_as_they_were_whatever_their_width() {
        let widths: [&[i128]; 6] =
            [&[1, -100], &[1, -30_000], &[0, 1 << 30], &[-1, 1 << 60], &[0, -(1 << 100)], &[7, 7, 7]];
        for values in widths {
            let numbers = Numbers::of(values, 6, Some(vec![300; values.len()]));
            let Column::Numbers(read) = again(&Column::Numbers(numbers), values.len()) else { panic!() };
            assert_eq!((0..values.len()).map(|row| read.values.get(row)).collect::<Vec<_>>(), values);
            assert_eq!((read.scale, read.present), (6, Some(vec![300; values.len()])));
        }
    }

    #[test]
    fn bytes_cut_short_are_damaged_and_not_guessed_at() {
        let column = Column::Codes(Codes::of(&[1, 2, 3]));
        let bytes = column.pack();
        for end in 0..bytes.len() {
            assert_eq!(Column::unpack(&bytes[..end], 3).unwrap_err(), DamagedColumn, "{end}");
        }
        assert_eq!(Column::unpack(&bytes, 5).unwrap_err(), DamagedColumn);
        assert_eq!(Column::unpack(&[1, 1, 0, 1, 9, 9, 9], 3).unwrap_err(), DamagedColumn);
        let descends = Codes { palette: vec![2, 1], places: Places::Narrow(vec![0, 1]) };
        assert_eq!(Column::unpack(&Column::Codes(descends).pack(), 2).unwrap_err(), DamagedColumn);
    }
}
