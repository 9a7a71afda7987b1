//! Packs integers into as few bits as the largest needs, consecutively, lowest bit first.

use super::pack::{Bytes, DamagedColumn};

/// Maximum width that can be read in one 8-byte access at any bit offset.
const AT_ONCE: u8 = 56;

/// The number of bits a number needs.
pub(super) fn width(number: u64) -> u8 {
    u8::try_from(64 - number.leading_zeros()).unwrap_or(64)
}

/// Appends numbers of at most `width` bits.
pub(super) fn pack(out: &mut Vec<u8>, width: u8, numbers: impl Iterator<Item = u64>) {
    let (mut waiting, mut bits) = (0u128, 0u8);
    for number in numbers {
        waiting |= u128::from(number) << bits;
        bits += width;
        if bits >= 64 {
            let [low, ..] = halves(waiting);
            out.extend(low.to_le_bytes());
            waiting >>= 64;
            bits -= 64;
        }
    }
    let [low, high] = halves(waiting);
    let rest = [low.to_le_bytes(), high.to_le_bytes()].concat();
    out.extend_from_slice(&rest[..usize::from(bits.div_ceil(8))]);
}

fn halves(bits: u128) -> [u64; 2] {
    let bytes = bits.to_le_bytes();
    let half = |from: usize| u64::from_le_bytes(std::array::from_fn(|place| bytes[from + place]));
    [half(0), half(8)]
}

/// Packed numbers.
pub(super) struct PackedNumbers<'a> {
    width: u8,
    rows: usize,
    bytes: &'a [u8],
}

impl<'a> PackedNumbers<'a> {
    /// Takes `rows` numbers from `bytes`.
    pub fn new(width: u8, rows: usize, bytes: &mut Bytes<'a>) -> Result<Self, DamagedColumn> {
        if width > 64 {
            return Err(DamagedColumn);
        }
        let bits = rows.checked_mul(width.into()).ok_or(DamagedColumn)?;
        Ok(Self { width, rows, bytes: bytes.take(bits.div_ceil(8))? })
    }

    /// Unpacks all numbers and converts them with `form`.
    pub fn read<T>(&self, form: impl Fn(u64) -> T) -> Vec<T> {
        let width = usize::from(self.width);
        let mask = if width == 64 { u64::MAX } else { (1 << width) - 1 };
        // The number of values that can be read with 8-byte accesses.
        let quick = if self.width <= AT_ONCE && width > 0 {
            (self.bytes.len().saturating_sub(8) * 8 / width).min(self.rows)
        } else {
            0
        };
        let mut all = Vec::with_capacity(self.rows);
        all.extend((0..quick).map(|place| {
            let bit = place * width;
            let from = bit / 8;
            let eight = self.bytes[from..from + 8].try_into().unwrap_or_default();
            form(u64::from_le_bytes(eight) >> (bit % 8) & mask)
        }));
        all.extend((quick..self.rows).map(|place| {
            let (from, shift) = (place * width / 8, place * width % 8);
            let mut sixteen = [0; 16];
            let rest = &self.bytes[from.min(self.bytes.len())..];
            let count = rest.len().min(16);
            sixteen[..count].copy_from_slice(&rest[..count]);
            let [low, _] = halves(u128::from_le_bytes(sixteen) >> shift);
            form(low & mask)
        }));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::{PackedNumbers, pack, width};
    use crate::segments::pack::Bytes;

    #[test]
    fn numbers_of_any_width_come_back_as_they_were() {
        for bits in 0..=64u8 {
            let most = if bits == 64 { u64::MAX } else { (1 << bits) - 1 };
            for count in [0, 1, 2, 7, 8, 9, 63, 64, 65, 1000] {
                let numbers: Vec<u64> = (0..count)
                    .map(|place: u64| {
                        (place.wrapping_mul(0x9E37_79B9_7F4A_7C15) & most).max(place & 1 & most)
                    })
                    .chain([most])
                    .collect();
                assert!(numbers.iter().all(|number| width(*number) <= bits));
                let mut out = Vec::new();
                pack(&mut out, bits, numbers.iter().copied());
                let mut bytes = Bytes::new(&out);
                let packed = PackedNumbers::new(bits, numbers.len(), &mut bytes).unwrap();
                assert_eq!(packed.read(|number| number), numbers, "{bits} bits");
                assert!(bytes.is_empty());
            }
        }
    }
}
