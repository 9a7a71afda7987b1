//! Serialises rows losslessly as compressed text.

use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD as BASE64;
use catalogue::{Catalogue, Decimal, Value};
use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use std::io::{Read, Write};
use uuid::Uuid;

/// Rows with the same columns.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Rows {
    pub columns: Vec<String>,
    pub rows: Vec<Vec<Value>>,
}

impl Rows {
    pub fn of(columns: &[&str]) -> Self {
        Self { columns: columns.iter().map(|name| (*name).to_owned()).collect(), rows: Vec::new() }
    }

    /// Removes columns that are aliases of another contained column: an entry written under an earlier schema has both.
    pub fn without_second_names(mut self, catalogue: &Catalogue, table: &str) -> Self {
        let Some(table) = catalogue.find(table).map(|id| catalogue.table(id)) else { return self };
        let of = |name: &str| table.find_column(name).map(|id| table.column(id).name.as_str());
        let is_second = |name: &String| {
            of(name).is_some_and(|own| own != name && self.columns.iter().any(|other| other == own))
        };
        let stays: Vec<bool> = self.columns.iter().map(|name| !is_second(name)).collect();
        let mut kept = stays.iter().copied();
        self.columns.retain(|_| kept.next().unwrap_or(true));
        for row in &mut self.rows {
            let mut kept = stays.iter().copied();
            row.retain(|_| kept.next().unwrap_or(true));
        }
        self
    }

    /// The rows as compressed text.
    pub fn to_text(&self) -> String {
        let mut bytes = Vec::new();
        number(&mut bytes, self.columns.len());
        for column in &self.columns {
            text(&mut bytes, column);
        }
        for cell in self.rows.iter().flatten() {
            put(&mut bytes, cell);
        }
        let mut packer = ZlibEncoder::new(Vec::new(), Compression::fast());
        packer.write_all(&bytes).expect("memory takes what is written to it");
        BASE64.encode(packer.finish().expect("memory takes what is written to it"))
    }

    /// Parses the output of [`Self::to_text`]; `None` for anything else.
    pub fn from_text(packed: &str) -> Option<Self> {
        let mut bytes = Vec::new();
        ZlibDecoder::new(BASE64.decode(packed).ok()?.as_slice()).read_to_end(&mut bytes).ok()?;
        let mut rest = bytes.as_slice();
        let width = take_number(&mut rest)?;
        let columns = (0..width).map(|_| take_text(&mut rest)).collect::<Option<Vec<_>>>()?;
        let mut rows = Vec::new();
        while !rest.is_empty() && width > 0 {
            rows.push((0..width).map(|_| take(&mut rest)).collect::<Option<Vec<_>>>()?);
        }
        Some(Self { columns, rows })
    }
}

fn put(bytes: &mut Vec<u8>, cell: &Value) {
    match cell {
        Value::Null => bytes.push(0),
        Value::Bool(value) => bytes.extend_from_slice(&[1, u8::from(*value)]),
        Value::Int(value) => fixed(bytes, 2, &value.to_le_bytes()),
        Value::Float(value) => fixed(bytes, 3, &value.to_le_bytes()),
        Value::Decimal(value) => {
            bytes.push(4);
            text(bytes, value.to_text().as_str());
        }
        Value::Text(value) => {
            bytes.push(5);
            text(bytes, value);
        }
        Value::Json(value) => {
            bytes.push(6);
            text(bytes, value);
        }
        Value::Uuid(value) => fixed(bytes, 7, value.as_bytes()),
        Value::Timestamp(value) => fixed(bytes, 8, &value.to_le_bytes()),
        Value::Date(value) => fixed(bytes, 9, &value.to_le_bytes()),
    }
}

fn take(rest: &mut &[u8]) -> Option<Value> {
    let [kind] = take_fixed(rest)?;
    Some(match kind {
        0 => Value::Null,
        1 => Value::Bool(take_fixed(rest)? == [1]),
        2 => Value::Int(i64::from_le_bytes(take_fixed(rest)?)),
        3 => Value::Float(f64::from_le_bytes(take_fixed(rest)?)),
        4 => Value::Decimal(Decimal::parse(&take_text(rest)?).ok()?),
        5 => Value::Text(take_text(rest)?),
        6 => Value::Json(take_text(rest)?),
        7 => Value::Uuid(Uuid::from_bytes(take_fixed(rest)?)),
        8 => Value::Timestamp(i64::from_le_bytes(take_fixed(rest)?)),
        9 => Value::Date(i32::from_le_bytes(take_fixed(rest)?)),
        _ => return None,
    })
}

fn fixed(bytes: &mut Vec<u8>, kind: u8, value: &[u8]) {
    bytes.push(kind);
    bytes.extend_from_slice(value);
}

fn number(bytes: &mut Vec<u8>, value: usize) {
    bytes.extend_from_slice(&u32::try_from(value).unwrap_or(u32::MAX).to_le_bytes());
}

fn text(bytes: &mut Vec<u8>, value: &str) {
    number(bytes, value.len());
    bytes.extend_from_slice(value.as_bytes());
}

fn take_fixed<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (value, after) = rest.split_first_chunk::<N>()?;
    *rest = after;
    Some(*value)
}

fn take_number(rest: &mut &[u8]) -> Option<usize> {
    usize::try_from(u32::from_le_bytes(take_fixed(rest)?)).ok()
}

fn take_text(rest: &mut &[u8]) -> Option<String> {
    let length = take_number(rest)?;
    let (value, after) = rest.split_at_checked(length)?;
    *rest = after;
    String::from_utf8(value.to_vec()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_cell_comes_back_as_it_was() {
        let mut rows = Rows::of(&["a", "b"]);
        let decimal = Value::Decimal(Decimal::parse("-0.0000001230").unwrap());
        rows.rows.push(vec![Value::Null, Value::Bool(true)]);
        rows.rows.push(vec![Value::Int(i64::MIN), Value::Float(0.1)]);
        rows.rows.push(vec![decimal, Value::Text("é\u{0}".to_owned())]);
        rows.rows.push(vec![Value::Json("{}".to_owned()), Value::Uuid(Uuid::from_u128(7))]);
        rows.rows.push(vec![Value::Timestamp(-1), Value::Date(-3)]);
        assert_eq!(Rows::from_text(&rows.to_text()), Some(rows));
        assert_eq!(Rows::from_text("AAAA"), None);
    }
}
