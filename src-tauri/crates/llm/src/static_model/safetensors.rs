//! Parses the parts of the safetensors format that a static model needs: its table of vectors.

use serde_json::Value;

/// The vectors of all tokens.
pub(super) struct Table {
    bytes: Vec<u8>,
    /// Start of the numbers.
    at: usize,
    is_half: bool,
    rows: usize,
    columns: usize,
    /// Row of each token; `None` if rows and tokens are the same.
    mapping: Option<Vec<usize>>,
    weights: Option<Vec<f32>>,
}

impl Table {
    /// Parses a file: eight bytes with the length of the header, the header in JSON, the numbers.
    pub(super) fn of(bytes: Vec<u8>) -> Result<Self, String> {
        let broken = || "model.safetensors is no file of that format".to_owned();
        let length = bytes.first_chunk::<8>().map(|eight| u64::from_le_bytes(*eight)).ok_or_else(broken)?;
        let start =
            usize::try_from(length).ok().and_then(|length| length.checked_add(8)).ok_or_else(broken)?;
        let head: Value =
            serde_json::from_slice(bytes.get(8..start).ok_or_else(broken)?).map_err(|_| broken())?;
        let table = head.get("embeddings").or_else(|| head.get("embedding.weight"));
        let table = table.ok_or("model.safetensors has no tensor named embeddings")?;
        let (at, end) = place(table, start, bytes.len()).ok_or_else(broken)?;
        let number = |value: &Value| value.as_u64().and_then(|number| usize::try_from(number).ok());
        let (rows, columns) =
            number(&table["shape"][0]).zip(number(&table["shape"][1])).ok_or_else(broken)?;
        let is_half = match table["dtype"].as_str() {
            Some("F32") => false,
            Some("F16") => true,
            other => {
                return Err(format!("its numbers are {}: F32 and F16 are read", other.unwrap_or("unnamed")));
            }
        };
        let size = if is_half { 2 } else { 4 };
        if columns == 0 || rows.checked_mul(columns).and_then(|all| all.checked_mul(size)) != Some(end - at) {
            return Err(broken());
        }
        let mapping = match head.get("mapping") {
            Some(tensor) => Some(whole(tensor, start, &bytes).ok_or("its mapping cannot be read")?),
            None => None,
        };
        let weights = match head.get("weights") {
            Some(tensor) => Some(floats(tensor, start, &bytes).ok_or("its weights cannot be read")?),
            None => None,
        };
        Ok(Self { bytes, at, is_half, rows, columns, mapping, weights })
    }

    pub(super) fn width(&self) -> usize {
        self.columns
    }

    /// Adds a token's vector to a sum; false if the token has none.
    pub(super) fn add(&self, token: usize, sum: &mut [f32]) -> bool {
        let row = match &self.mapping {
            Some(mapping) => mapping.get(token).copied(),
            None => Some(token),
        };
        let Some(row) = row.filter(|row| *row < self.rows) else { return false };
        let weight = self.weights.as_ref().and_then(|weights| weights.get(token)).copied().unwrap_or(1.0);
        let size = if self.is_half { 2 } else { 4 };
        let start = self.at + row * self.columns * size;
        let row = self.bytes[start..start + self.columns * size].chunks_exact(size);
        for (sum, number) in sum.iter_mut().zip(row) {
            *sum += weight * float(number);
        }
        true
    }
}

/// The range of a tensor's numbers in the file.
fn place(tensor: &Value, start: usize, end: usize) -> Option<(usize, usize)> {
    let at = |which: usize| start.checked_add(usize::try_from(tensor["data_offsets"][which].as_u64()?).ok()?);
    let (from, to) = (at(0)?, at(1)?);
    (from <= to && to <= end).then_some((from, to))
}

fn whole(tensor: &Value, start: usize, bytes: &[u8]) -> Option<Vec<usize>> {
    let (from, to) = place(tensor, start, bytes.len())?;
    let size = match tensor["dtype"].as_str()? {
        "I32" => 4,
        "I64" => 8,
        _ => return None,
    };
    let read = |number: &[u8]| {
        let mut eight = [0; 8];
        eight[..size].copy_from_slice(number);
        usize::try_from(u64::from_le_bytes(eight)).ok()
    };
    bytes[from..to].chunks_exact(size).map(read).collect()
}

fn floats(tensor: &Value, start: usize, bytes: &[u8]) -> Option<Vec<f32>> {
    let (from, to) = place(tensor, start, bytes.len())?;
    let bytes = &bytes[from..to];
    match tensor["dtype"].as_str()? {
        "F16" => Some(bytes.chunks_exact(2).map(float).collect()),
        "F32" => Some(bytes.chunks_exact(4).map(float).collect()),
        #[allow(clippy::cast_possible_truncation)] // Single precision is enough for the weights of tokens.
        "F64" => {
            let read = |number: &[u8]| Some(f64::from_le_bytes(number.try_into().ok()?) as f32);
            bytes.chunks_exact(8).map(read).collect()
        }
        _ => None,
    }
}

/// A number of two or four bytes.
fn float(bytes: &[u8]) -> f32 {
    match *bytes {
        [a, b, c, d] => f32::from_le_bytes([a, b, c, d]),
        [a, b] => half(u16::from_le_bytes([a, b])),
        _ => 0.0,
    }
}

/// IEEE 754 binary16.
fn half(bits: u16) -> f32 {
    let sign = if bits & 0x8000 == 0 { 1.0 } else { -1.0 };
    let exponent = i32::from(bits >> 10 & 0x1f);
    let fraction = f32::from(bits & 0x3ff) / 1024.0;
    sign * match exponent {
        0 => fraction * 2.0_f32.powi(-14),
        0x1f if fraction == 0.0 => f32::INFINITY,
        0x1f => f32::NAN,
        _ => (1.0 + fraction) * 2.0_f32.powi(exponent - 15),
    }
}

#[cfg(test)]
mod tests {
    use super::half;

    #[test]
    #[allow(clippy::float_cmp)] // Half-precision numbers are exact in single precision.
    fn halves_are_read_as_the_standard_has_them() {
        for (bits, number) in [
            (0x3c00, 1.0),
            (0xc000, -2.0),
            (0x3555, 0.333_251_95),
            (0x0001, 5.960_464_5e-8),
            (0x7bff, 65504.0),
            (0, 0.0),
        ] {
            assert_eq!(half(bits), number);
        }
    }
}
