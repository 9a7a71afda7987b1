//! The dictionaries of one query, extended by values of rows that have no segment yet.

use super::checks::{CheckedValue, number};
use super::layout::{Layout, Slot, SlotKind};
use super::pack::NULL;
use super::read::Coder;
use super::values::Dictionary;
use std::collections::HashMap;
use std::sync::Arc;

/// Values of rows without a segment that the dictionary lacks.
#[derive(Default)]
pub(super) struct More {
    codes: HashMap<Box<[u8]>, u32>,
    values: Vec<Box<[u8]>>,
}

/// A dictionary, and the additional values after it.
type Parts<'v> = (&'v Arc<Dictionary>, &'v [Box<[u8]>]);

/// The dictionaries of one query, by slot.
pub(super) struct Values {
    pub epoch: i64,
    pub of: Vec<Option<(Arc<Dictionary>, More)>>,
}

impl Values {
    /// The value of a code other than null.
    pub fn get(&self, slot: Slot, code: u32) -> &[u8] {
        let Some((dictionary, more)) = self.of.get(slot).and_then(Option::as_ref) else { return &[] };
        let place = usize::try_from(code).unwrap_or(usize::MAX);
        match place.checked_sub(dictionary.len() + 1) {
            None if place == 0 => &[],
            None => dictionary.get(code),
            Some(place) => more.values.get(place).map_or(&[], |value| value),
        }
    }

    /// The dictionary, and the additional values after it.
    pub fn parts(&self, slot: Slot) -> Option<Parts<'_>> {
        self.of.get(slot)?.as_ref().map(|(dictionary, more)| (dictionary, more.values.as_slice()))
    }

    /// The number of codes, including null.
    pub fn size(&self, slot: Slot) -> Option<u32> {
        let (dictionary, more) = self.parts(slot)?;
        u32::try_from(dictionary.len() + more.len() + 1).ok()
    }

    pub fn seen(&self, layout: &Layout<'_>, slot: Slot, value: i64) -> CheckedValue<'_> {
        match layout.storage(slot) {
            SlotKind::Number => number(value),
            SlotKind::Value if value == NULL => CheckedValue::Null,
            SlotKind::Value => CheckedValue::Bytes(self.get(slot, u32::try_from(value).unwrap_or_default())),
        }
    }
}

impl Coder for Values {
    fn code(&mut self, slot: Slot, value: &[u8]) -> rusqlite::Result<Option<i64>> {
        let Some((dictionary, more)) = self.of.get_mut(slot).and_then(Option::as_mut) else {
            return Ok(None);
        };
        if let Some(code) = dictionary.find(value) {
            return Ok(Some(code.into()));
        }
        let next = u32::try_from(dictionary.len() + more.values.len() + 1).unwrap_or(u32::MAX);
        let code = *more.codes.entry(value.into()).or_insert_with(|| {
            more.values.push(value.into());
            next
        });
        Ok(Some(code.into()))
    }
}
