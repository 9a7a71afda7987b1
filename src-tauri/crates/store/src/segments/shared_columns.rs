//! Reads columns of shared groups (`@shared`) for segments: cells that many rows share under one number are decoded once.

use super::layout::Slot;
use super::pack::NULL;
use super::read::Coder;
use crate::shared;
use rusqlite::Connection;
use rusqlite::types::ValueRef;
use std::collections::HashMap;

/// Maximum number of shared values whose codes are cached.
const NUMBERS_REMEMBERED: usize = 65_536;

/// The requested columns of one group.
pub(super) struct SharedColumns {
    /// The index of the group's expression in the SELECT.
    pub source: usize,
    /// Slots, with the indices of their columns in the group.
    slots: Vec<(Slot, usize)>,
    /// By slot: the values so far, and whether one of them has no code.
    values: Vec<Vec<i64>>,
    broken: Vec<bool>,
    known: HashMap<i64, Box<[i64]>, foldhash::fast::RandomState>,
    /// The codes of the previous row, and its number if its cells are shared.
    codes: Vec<i64>,
    last: Option<i64>,
}

impl SharedColumns {
    pub fn new(source: usize) -> Self {
        Self {
            source,
            slots: Vec::new(),
            values: Vec::new(),
            broken: Vec::new(),
            known: HashMap::default(),
            codes: Vec::new(),
            last: None,
        }
    }

    pub fn add_slot(&mut self, slot: Slot, place: usize) {
        self.slots.push((slot, place));
        self.values.push(Vec::new());
        self.broken.push(false);
        self.codes.push(NULL);
    }

    /// Adds the group cell of a row.
    pub fn add(
        &mut self,
        connection: &Connection,
        held: ValueRef<'_>,
        coder: &mut dyn Coder,
    ) -> rusqlite::Result<()> {
        match held {
            ValueRef::Integer(number) if self.last == Some(number) => {}
            ValueRef::Integer(number) => {
                if let Some(known) = self.known.get(&number) {
                    self.codes.copy_from_slice(known);
                    self.last = Some(number);
                } else {
                    self.look_up(connection, number, coder)?;
                }
            }
            ValueRef::Blob(cells) => {
                self.last = None;
                self.read(cells, coder)?;
            }
            ValueRef::Null => {
                self.last = None;
                self.codes.fill(NULL);
            }
            ValueRef::Real(_) | ValueRef::Text(_) => return Err(shared::damaged()),
        }
        for (values, code) in self.values.iter_mut().zip(&self.codes) {
            values.push(*code);
        }
        Ok(())
    }

    fn look_up(
        &mut self,
        connection: &Connection,
        number: i64,
        coder: &mut dyn Coder,
    ) -> rusqlite::Result<()> {
        let mut statement = connection.prepare_cached(&shared::find())?;
        let cells: Vec<u8> = statement.query_row([number], |row| row.get(0))?;
        // Results with values that could not be coded are not cached.
        if self.read(&cells, coder)? {
            if self.known.len() >= NUMBERS_REMEMBERED {
                self.known.clear();
            }
            self.known.insert(number, self.codes.as_slice().into());
            self.last = Some(number);
        } else {
            self.last = None;
        }
        Ok(())
    }

    /// Codes the cells. Returns whether all of them have codes.
    fn read(&mut self, cells: &[u8], coder: &mut dyn Coder) -> rusqlite::Result<bool> {
        let mut is_whole = true;
        for (number, (slot, place)) in self.slots.iter().enumerate() {
            let code = match shared::cell(cells, *place)? {
                ValueRef::Null => Some(NULL),
                ValueRef::Text(bytes) | ValueRef::Blob(bytes) => coder.code(*slot, bytes)?,
                ValueRef::Integer(_) | ValueRef::Real(_) => None,
            };
            self.broken[number] |= code.is_none();
            is_whole &= code.is_some();
            self.codes[number] = code.unwrap_or(NULL);
        }
        Ok(is_whole)
    }

    /// The values since the last call, by slot; `None` if one has no code.
    pub fn take(&mut self) -> Vec<(Slot, Option<Vec<i64>>)> {
        let slots = self.slots.iter().zip(&mut self.values).zip(&mut self.broken);
        let columns = slots.map(|(((slot, _), values), broken)| {
            let values = std::mem::take(values);
            (*slot, (!std::mem::take(broken)).then_some(values))
        });
        columns.collect()
    }
}
