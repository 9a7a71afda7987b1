//! Reads rows of a table into blocks of columns.

use super::layout::{Layout, Slot, SlotKind, TIME};
use super::pack::{Codes, Column, NULL, Numbers};
use super::shared_columns::SharedColumns;
use crate::values::json_predicates::texts_under;
use catalogue::{Decimal, Dimension};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row};
use std::collections::HashMap;

/// Rows per segment; few in tests, so that few rows make several segments.
pub(super) const BLOCK: usize = if cfg!(test) { 64 } else { 65_536 };
/// Maximum number of JSON texts whose keys are cached.
const TEXTS_REMEMBERED: usize = 16_384;

/// Assigns codes to values.
pub(super) trait Coder {
    /// The code of a value; `None` if the dimension has too many values.
    fn code(&mut self, slot: Slot, value: &[u8]) -> rusqlite::Result<Option<i64>>;
}

/// At most [`BLOCK`] consecutive rows.
#[derive(Debug)]
pub(super) struct Block {
    /// First and last row id.
    pub first: i64,
    pub last: i64,
    pub rows: usize,
    /// Columns by slot; `None` if not requested or if the values cannot be stored.
    pub columns: Vec<Option<Column>>,
    pub earliest: Option<i64>,
    pub latest: Option<i64>,
}

/// Passes the rows with ids `first` to `last` on in blocks, with the columns of the requested slots.
pub(super) fn blocks(
    connection: &Connection,
    layout: &Layout<'_>,
    wanted: &[bool],
    (first, last): (i64, i64),
    coder: &mut dyn Coder,
    take: &mut dyn FnMut(Block) -> rusqlite::Result<()>,
) -> rusqlite::Result<()> {
    let mut reader = Reader::new(layout, wanted);
    let sql = format!(
        "SELECT rowid{} FROM \"{}\" WHERE rowid BETWEEN ?1 AND ?2 ORDER BY rowid",
        reader.sources.iter().map(|source| format!(", {source}")).collect::<String>(),
        layout.table.name
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query((first, last))?;
    while let Some(row) = rows.next()? {
        reader.add(connection, row, coder)?;
        if reader.rows == BLOCK {
            take(reader.block())?;
        }
    }
    if reader.rows > 0 {
        take(reader.block())?;
    }
    Ok(())
}

/// A column under construction.
enum Growing {
    Number { values: Vec<i64>, broken: bool },
    Value { values: Vec<i64>, last: Vec<u8>, code: i64, broken: bool },
    Sum { values: Vec<(i128, u8)>, nulls: usize, scale: u8 },
}

struct Reader<'a> {
    layout: &'a Layout<'a>,
    /// The selected SQL expressions.
    sources: Vec<String>,
    /// Slot, index of its expression, and the values so far.
    columns: Vec<(Slot, usize, Growing)>,
    /// JSON columns with declared keys: expression, slots and keys, and cached results by text.
    keys: Vec<Keys>,
    /// Columns in shared groups.
    shared: Vec<SharedColumns>,
    rows: usize,
    first: i64,
    last: i64,
}

/// The declared keys of one JSON column.
struct Keys {
    source: usize,
    names: Vec<String>,
    slots: Vec<Slot>,
    values: Vec<Vec<i64>>,
    broken: Vec<bool>,
    known: HashMap<Box<[u8]>, Box<[i64]>, foldhash::fast::RandomState>,
    text: Vec<u8>,
    codes: Box<[i64]>,
}

impl<'a> Reader<'a> {
    fn new(layout: &'a Layout<'a>, wanted: &[bool]) -> Self {
        let mut reader = Self {
            layout,
            sources: Vec::new(),
            columns: Vec::new(),
            keys: Vec::new(),
            shared: Vec::new(),
            rows: 0,
            first: 0,
            last: 0,
        };
        for slot in (0..layout.weight()).filter(|slot| wanted[*slot]) {
            if let Some((held, place)) = layout.shared_text(slot) {
                reader.add_shared(held, slot, place);
                continue;
            }
            let source = reader.source(layout.expression(slot));
            let is_dimension = slot < layout.dimensions();
            if is_dimension
                && slot != TIME
                && let Dimension::Key(_, key) = &layout.segments.by[slot - 1]
            {
                reader.add_key(source, slot, key);
                continue;
            }
            let growing = match is_dimension.then(|| layout.storage(slot)) {
                None => Growing::Sum { values: Vec::new(), nulls: 0, scale: 0 },
                Some(SlotKind::Number) => Growing::Number { values: Vec::new(), broken: false },
                Some(SlotKind::Value) => {
                    Growing::Value { values: Vec::new(), last: Vec::new(), code: NULL, broken: false }
                }
            };
            reader.columns.push((slot, source, growing));
        }
        reader
    }

    fn add_shared(&mut self, held: String, slot: Slot, place: usize) {
        let source = self.source(held);
        if !self.shared.iter().any(|columns| columns.source == source) {
            self.shared.push(SharedColumns::new(source));
        }
        if let Some(columns) = self.shared.iter_mut().find(|columns| columns.source == source) {
            columns.add_slot(slot, place);
        }
    }

    /// The index of an expression in the SELECT; adds it if new.
    fn source(&mut self, expression: String) -> usize {
        self.sources.iter().position(|known| *known == expression).unwrap_or_else(|| {
            self.sources.push(expression);
            self.sources.len() - 1
        })
    }

    fn add_key(&mut self, source: usize, slot: Slot, key: &str) {
        let place = self.keys.iter().position(|keys| keys.source == source).unwrap_or_else(|| {
            self.keys.push(Keys {
                source,
                names: Vec::new(),
                slots: Vec::new(),
                values: Vec::new(),
                broken: Vec::new(),
                known: HashMap::default(),
                text: Vec::new(),
                codes: Box::default(),
            });
            self.keys.len() - 1
        });
        let keys = &mut self.keys[place];
        keys.names.push(key.to_owned());
        keys.slots.push(slot);
        keys.values.push(Vec::new());
        keys.broken.push(false);
        keys.codes = vec![NULL; keys.slots.len()].into();
    }

    fn add(&mut self, connection: &Connection, row: &Row<'_>, coder: &mut dyn Coder) -> rusqlite::Result<()> {
        let number = row.get(0)?;
        if self.rows == 0 {
            self.first = number;
        }
        self.last = number;
        self.rows += 1;
        // The amounts of a charge are often all the same text.
        let mut parsed: Option<(&[u8], (i128, u8))> = None;
        for (slot, source, growing) in &mut self.columns {
            let cell = row.get_ref(*source + 1)?;
            match growing {
                Growing::Number { values, broken } => {
                    let value = match cell {
                        ValueRef::Integer(value) => value,
                        _ => NULL,
                    };
                    *broken |= value == NULL && !matches!(cell, ValueRef::Null);
                    values.push(value);
                }
                Growing::Value { values, last, code, broken } => {
                    let (ValueRef::Text(bytes) | ValueRef::Blob(bytes)) = cell else {
                        // A JSON path may yield a number, which SQL distinguishes from its text.
                        *broken |= !matches!(cell, ValueRef::Null);
                        values.push(NULL);
                        continue;
                    };
                    if *code == NULL || last.as_slice() != bytes {
                        if let Some(found) = coder.code(*slot, bytes)? {
                            *code = found;
                        } else {
                            *broken = true;
                            *code = NULL;
                        }
                        last.clear();
                        last.extend_from_slice(bytes);
                    }
                    values.push(*code);
                }
                Growing::Sum { values, nulls, scale } => {
                    let value = match cell {
                        ValueRef::Integer(value) => (i128::from(value), 0),
                        ValueRef::Text(text) => match parsed {
                            Some((known, value)) if known == text => value,
                            _ => {
                                let value = decimal(text)?;
                                parsed = Some((text, value));
                                value
                            }
                        },
                        _ => {
                            // Null is marked by a scale that no number has.
                            *nulls += 1;
                            values.push((0, u8::MAX));
                            continue;
                        }
                    };
                    *scale = (*scale).max(value.1);
                    values.push(value);
                }
            }
        }
        for columns in &mut self.shared {
            columns.add(connection, row.get_ref(columns.source + 1)?, coder)?;
        }
        for keys in &mut self.keys {
            keys.add(row.get_ref(keys.source + 1)?, coder)?;
        }
        Ok(())
    }

    fn block(&mut self) -> Block {
        let mut columns: Vec<Option<Column>> = (0..self.layout.slots()).map(|_| None).collect();
        let (mut earliest, mut latest) = (None, None);
        for (slot, _, growing) in &mut self.columns {
            columns[*slot] = match growing {
                Growing::Number { values, broken } => {
                    let values = std::mem::take(values);
                    if *slot == TIME {
                        let times = || values.iter().copied().filter(|time| *time != NULL);
                        (earliest, latest) = (times().min(), times().max());
                    }
                    (!std::mem::take(broken)).then(|| Column::Codes(Codes::of(&values)))
                }
                Growing::Value { values, broken, .. } => {
                    let values = std::mem::take(values);
                    (!std::mem::take(broken)).then(|| Column::Codes(Codes::of(&values)))
                }
                Growing::Sum { values, nulls, scale } => {
                    numbers(&std::mem::take(values), std::mem::take(nulls), std::mem::take(scale))
                        .map(Column::Numbers)
                }
            };
        }
        for (slot, values) in self.shared.iter_mut().flat_map(SharedColumns::take) {
            columns[slot] = values.map(|values| Column::Codes(Codes::of(&values)));
        }
        for keys in &mut self.keys {
            for (place, slot) in keys.slots.iter().enumerate() {
                let values = std::mem::take(&mut keys.values[place]);
                columns[*slot] =
                    (!std::mem::take(&mut keys.broken[place])).then(|| Column::Codes(Codes::of(&values)));
            }
        }
        alias(&mut columns, self.layout.dimensions());
        let rows = std::mem::take(&mut self.rows);
        Block { first: self.first, last: self.last, rows, columns, earliest, latest }
    }
}

impl Keys {
    fn add(&mut self, cell: ValueRef<'_>, coder: &mut dyn Coder) -> rusqlite::Result<()> {
        let ValueRef::Text(text) = cell else {
            self.values.iter_mut().for_each(|values| values.push(NULL));
            return Ok(());
        };
        if self.text != text || text.is_empty() {
            if let Some(known) = self.known.get(text) {
                self.codes.copy_from_slice(known);
            } else {
                let found = texts_under(&String::from_utf8_lossy(text), &self.names);
                for (place, found) in found.into_iter().enumerate() {
                    let Some(found) = found else {
                        self.codes[place] = NULL;
                        continue;
                    };
                    let code = coder.code(self.slots[place], found.as_bytes())?;
                    self.broken[place] |= code.is_none();
                    self.codes[place] = code.unwrap_or(NULL);
                }
                if self.known.len() >= TEXTS_REMEMBERED {
                    self.known.clear();
                }
                // Results with values that could not be coded are not cached.
                if !self.broken.contains(&true) {
                    self.known.insert(text.into(), self.codes.clone());
                }
            }
            self.text.clear();
            self.text.extend_from_slice(text);
        }
        if self.broken.contains(&true) {
            self.text.clear();
        }
        for (values, code) in self.values.iter_mut().zip(&self.codes) {
            values.push(*code);
        }
        Ok(())
    }
}

fn decimal(text: &[u8]) -> rusqlite::Result<(i128, u8)> {
    let text = String::from_utf8_lossy(text);
    let read = Decimal::parse(&text)
        .map_err(|error| rusqlite::Error::UserFunctionError(format!("decimal {text:?}: {error}").into()))?;
    Ok((read.mantissa(), read.scale()))
}

/// Converts all numbers to one scale; `None` if a number does not fit.
fn numbers(values: &[(i128, u8)], nulls: usize, scale: u8) -> Option<Numbers> {
    let raised: Option<Vec<i128>> = values
        .iter()
        .map(|(mantissa, of)| match scale.checked_sub(*of) {
            None => Some(0),
            Some(0) => Some(*mantissa),
            Some(digits) => Decimal::raise(*mantissa, digits),
        })
        .collect();
    let present = (nulls > 0).then(|| values.iter().map(|(_, of)| u32::from(*of != u8::MAX)).collect());
    Some(Numbers::of(&raised?, scale, present))
}

/// Replaces a sum column equal to an earlier one by an alias.
pub(super) fn alias(columns: &mut [Option<Column>], sums: Slot) {
    for slot in sums + 1..columns.len() {
        let same = (sums..slot).find(|earlier| match (&columns[*earlier], &columns[slot]) {
            (Some(Column::Numbers(earlier)), Some(Column::Numbers(numbers))) => earlier == numbers,
            _ => false,
        });
        if let Some(same) = same {
            columns[slot] = Some(Column::Alias(same));
        }
    }
}
