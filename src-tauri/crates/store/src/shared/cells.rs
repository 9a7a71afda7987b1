//! The binary format of shared cells: for each cell a type letter, then the value; trailing nulls are omitted.

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Error, Result};

const NULL: u8 = 0;
const INTEGER: u8 = 1;
const REAL: u8 = 2;
const TEXT: u8 = 3;
const BLOB: u8 = 4;

/// Writes cells into `out`, which is cleared first. Writes nothing if all are null.
pub(crate) fn pack<'v>(cells: impl IntoIterator<Item = ValueRef<'v>>, out: &mut Vec<u8>) {
    out.clear();
    let mut end = 0;
    for cell in cells {
        match cell {
            ValueRef::Null => out.push(NULL),
            ValueRef::Integer(value) => {
                out.push(INTEGER);
                out.extend_from_slice(&value.to_le_bytes());
            }
            ValueRef::Real(value) => {
                out.push(REAL);
                out.extend_from_slice(&value.to_le_bytes());
            }
            ValueRef::Text(bytes) => add_bytes(TEXT, bytes, out),
            ValueRef::Blob(bytes) => add_bytes(BLOB, bytes, out),
        }
        if !matches!(cell, ValueRef::Null) {
            end = out.len();
        }
    }
    out.truncate(end);
}

fn add_bytes(kind: u8, bytes: &[u8], out: &mut Vec<u8>) {
    out.push(kind);
    let mut length = bytes.len();
    while length >= 0x80 {
        out.push(u8::try_from(length & 0x7f).unwrap_or_default() | 0x80);
        length >>= 7;
    }
    out.push(u8::try_from(length).unwrap_or_default());
    out.extend_from_slice(bytes);
}

/// The cell at an index; null after the last one.
pub(crate) fn cell(packed: &[u8], place: usize) -> Result<ValueRef<'_>> {
    let mut rest = packed;
    for _ in 0..place {
        if rest.is_empty() {
            return Ok(ValueRef::Null);
        }
        next(&mut rest)?;
    }
    if rest.is_empty() { Ok(ValueRef::Null) } else { next(&mut rest) }
}

/// Packed cells with their offsets, for values that are read repeatedly.
pub(super) struct Cells {
    packed: Box<[u8]>,
    starts: Box<[u32]>,
}

impl Cells {
    /// Computes the offsets. Invalid bytes are an error.
    pub(super) fn split(packed: &[u8]) -> Result<Self> {
        let mut starts = Vec::new();
        let mut rest = packed;
        while !rest.is_empty() {
            starts.push(u32::try_from(packed.len() - rest.len()).map_err(|_| damaged())?);
            next(&mut rest)?;
        }
        Ok(Self { packed: packed.into(), starts: starts.into() })
    }

    /// The packed cells.
    pub(super) fn packed(&self) -> &[u8] {
        &self.packed
    }

    /// Memory use in bytes.
    pub(super) fn size(&self) -> usize {
        self.packed.len() + size_of_val(&*self.starts)
    }

    /// The cell at an index; null after the last one.
    pub(super) fn at(&self, place: usize) -> Result<ValueRef<'_>> {
        let Some(start) = self.starts.get(place).and_then(|start| usize::try_from(*start).ok()) else {
            return Ok(ValueRef::Null);
        };
        next(&mut self.packed.get(start..).ok_or_else(damaged)?)
    }
}

/// The packed cells with the given cells replaced.
pub(super) fn with(packed: &[u8], changes: &[(usize, ValueRef<'_>)]) -> Result<Vec<u8>> {
    let mut cells = Vec::new();
    let mut rest = packed;
    while !rest.is_empty() {
        cells.push(next(&mut rest)?);
    }
    for (place, value) in changes {
        if *place >= cells.len() {
            cells.resize(place + 1, ValueRef::Null);
        }
        cells[*place] = *value;
    }
    let mut out = Vec::with_capacity(packed.len());
    pack(cells, &mut out);
    Ok(out)
}

/// Reads one cell from the front.
fn next<'b>(rest: &mut &'b [u8]) -> Result<ValueRef<'b>> {
    Ok(match take(rest, 1)?[0] {
        NULL => ValueRef::Null,
        INTEGER => ValueRef::Integer(i64::from_le_bytes(eight(rest)?)),
        REAL => ValueRef::Real(f64::from_le_bytes(eight(rest)?)),
        TEXT => ValueRef::Text(bytes(rest)?),
        BLOB => ValueRef::Blob(bytes(rest)?),
        _ => return Err(damaged()),
    })
}

fn eight(rest: &mut &[u8]) -> Result<[u8; 8]> {
    take(rest, 8)?.try_into().map_err(|_| damaged())
}

fn bytes<'b>(rest: &mut &'b [u8]) -> Result<&'b [u8]> {
    let (mut length, mut shift) = (0_usize, 0);
    loop {
        let byte = take(rest, 1)?[0];
        length |= usize::from(byte & 0x7f).checked_shl(shift).ok_or_else(damaged)?;
        if byte & 0x80 == 0 {
            return take(rest, length);
        }
        shift += 7;
    }
}

fn take<'b>(rest: &mut &'b [u8], length: usize) -> Result<&'b [u8]> {
    let (taken, left) = rest.split_at_checked(length).ok_or_else(damaged)?;
    *rest = left;
    Ok(taken)
}

/// The error for a value that is neither valid cells nor a valid reference.
pub(crate) fn damaged() -> Error {
    Error::UserFunctionError("cells that rows share are damaged".into())
}

/// Borrows a value as a cell.
pub(crate) fn as_ref<'o>(output: &'o ToSqlOutput<'_>) -> ValueRef<'o> {
    match output {
        ToSqlOutput::Borrowed(value) => *value,
        ToSqlOutput::Owned(value) => value.into(),
        _ => ValueRef::Null,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packed(cells: &[ValueRef<'_>]) -> Vec<u8> {
        let mut out = vec![9];
        pack(cells.iter().copied(), &mut out);
        out
    }

    #[test]
    fn cells_come_back_from_their_places() {
        let long = vec![b'x'; 70_000];
        let cells = [
            ValueRef::Text(b""),
            ValueRef::Null,
            ValueRef::Integer(i64::MIN),
            ValueRef::Real(-0.5),
            ValueRef::Text(&long),
            ValueRef::Blob(&[0, 255]),
            ValueRef::Text("ü".as_bytes()),
        ];
        let bytes = packed(&cells);
        for (place, wanted) in cells.iter().enumerate() {
            assert_eq!(cell(&bytes, place).unwrap(), *wanted, "{place}");
        }
        let split = Cells::split(&bytes).unwrap();
        for (place, wanted) in cells.iter().enumerate().rev() {
            assert_eq!(split.at(place).unwrap(), *wanted, "{place}");
        }
        assert_eq!(split.packed(), bytes);
        assert_eq!(split.at(7).unwrap(), ValueRef::Null);
        assert_eq!(Cells::split(&[]).unwrap().at(0).unwrap(), ValueRef::Null);
        assert_eq!(cell(&bytes, 7).unwrap(), ValueRef::Null);
        assert_eq!(cell(&bytes, 700).unwrap(), ValueRef::Null);
    }

    #[test]
    fn nulls_at_the_end_take_no_room() {
        assert!(packed(&[ValueRef::Null, ValueRef::Null]).is_empty());
        assert_eq!(packed(&[ValueRef::Text(b"a"), ValueRef::Null]), packed(&[ValueRef::Text(b"a")]));
    }

    #[test]
    fn some_cells_are_changed_and_others_stay() {
        let bytes = packed(&[ValueRef::Text(b"a"), ValueRef::Integer(1)]);
        let changed = with(&bytes, &[(3, ValueRef::Text(b"d")), (0, ValueRef::Null)]).unwrap();
        let wanted = [ValueRef::Null, ValueRef::Integer(1), ValueRef::Null, ValueRef::Text(b"d")];
        assert_eq!(changed, packed(&wanted));
        assert!(with(&bytes, &[(0, ValueRef::Null), (1, ValueRef::Null)]).unwrap().is_empty());
    }

    #[test]
    fn damaged_bytes_are_an_error_and_no_value() {
        for bytes in [
            &[3, 5, b'a'][..],
            &[7],
            &[1, 0],
            &[3, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1],
        ] {
            assert!(cell(bytes, 0).is_err(), "{bytes:?}");
            assert!(Cells::split(bytes).is_err(), "{bytes:?}");
        }
    }
}
