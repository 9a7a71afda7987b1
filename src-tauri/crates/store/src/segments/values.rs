//! Dictionaries: the distinct texts and ids of a dimension, each with a permanent code.

use super::filter::KnownTruths;
use super::layout::{Layout, Slot};
use crate::values::json_predicates::{print, text_under};
use rusqlite::Connection;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Maximum number of cached derivations (keys of a JSON dimension) and conditions per dictionary.
const DERIVED_KEPT: usize = 16;

/// The values of one dimension. Codes start at 1; 0 is null. Values are bytes: UTF-8 text, or the 16 bytes of a uuid.
#[derive(Debug, Default)]
pub(super) struct Dictionary {
    bytes: Vec<u8>,
    ends: Vec<usize>,
    ranks: OnceLock<Ranks>,
    derived: Mutex<Vec<(JsonText, Arc<DerivedTexts>)>>,
    /// Cached results of conditions, by their text: truth by code.
    truths: Mutex<Vec<(String, Arc<KnownTruths>)>>,
}

#[derive(Debug)]
struct Ranks {
    /// Codes in the order of their values.
    sorted: Vec<u32>,
    /// The rank of each code in that order, from 1; 0 for null.
    of: Vec<u32>,
}

/// A text derived from a JSON value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum JsonText {
    /// The text under a key.
    Key(String),
    /// The whole value as canonical text, the same for equal JSON.
    Whole,
    /// The result of an SQL expression on the value, `?2`, which reads no table.
    Sql(String),
}

/// Texts derived from the JSON values of a dictionary.
#[derive(Debug, Default)]
pub(super) struct DerivedTexts {
    /// By code of the JSON value, the code of the text; 0 if there is none.
    pub codes: Vec<u32>,
    pub values: Dictionary,
}

/// Texts with their own codes.
#[derive(Debug, Default)]
pub(super) struct Texts {
    pub values: Dictionary,
    known: HashMap<Box<[u8]>, u32>,
}

impl Texts {
    pub fn code(&mut self, text: &[u8]) -> u32 {
        if let Some(known) = self.known.get(text) {
            return *known;
        }
        self.values.push(text);
        let code = u32::try_from(self.values.len()).unwrap_or(u32::MAX);
        self.known.insert(text.into(), code);
        code
    }
}

impl Dictionary {
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// The value of a code other than null.
    pub fn get(&self, code: u32) -> &[u8] {
        let place = usize::try_from(code).unwrap_or_default().saturating_sub(1);
        let start = if place == 0 { 0 } else { self.ends[place - 1] };
        &self.bytes[start..self.ends[place]]
    }

    pub fn push(&mut self, value: &[u8]) {
        self.bytes.extend_from_slice(value);
        self.ends.push(self.bytes.len());
        self.ranks = OnceLock::new();
    }

    fn order(&self) -> &Ranks {
        self.ranks.get_or_init(|| {
            let count = u32::try_from(self.len()).unwrap_or(u32::MAX);
            let mut sorted: Vec<u32> = (1..=count).collect();
            sorted.sort_unstable_by(|left, right| self.get(*left).cmp(self.get(*right)));
            let mut of = vec![0; self.len() + 1];
            for (rank, code) in (1..).zip(&sorted) {
                of[usize::try_from(*code).unwrap_or_default()] = rank;
            }
            Ranks { sorted, of }
        })
    }

    /// The rank of each code in the order of the values.
    pub fn ranks(&self) -> &[u32] {
        &self.order().of
    }

    /// The code of a value.
    pub fn find(&self, value: &[u8]) -> Option<u32> {
        let sorted = &self.order().sorted;
        let place = sorted.binary_search_by(|code| self.get(*code).cmp(value)).ok()?;
        Some(sorted[place])
    }

    /// The cached results of a condition.
    pub fn known(&self, condition: &str) -> KnownTruths {
        let truths = self.truths.lock().unwrap_or_else(PoisonError::into_inner);
        let known = truths.iter().find(|(known, _)| known == condition);
        known.map_or_else(KnownTruths::new, |(_, known)| KnownTruths::clone(known))
    }

    /// Stores the results of a condition in the cache.
    pub fn remember(&self, condition: String, mut known: KnownTruths) {
        // Codes after the dictionary's own are valid for one query only.
        known.truncate(self.len() + 1);
        let mut truths = self.truths.lock().unwrap_or_else(PoisonError::into_inner);
        truths.retain(|(other, _)| *other != condition);
        if truths.len() >= DERIVED_KEPT {
            truths.remove(0);
        }
        truths.push((condition, Arc::new(known)));
    }

    /// Texts derived from the values, which are JSON. `derive` runs the SQL expression, which depends on the value only.
    pub fn derived<E>(
        &self,
        wanted: &JsonText,
        mut derive: impl FnMut(&[u8]) -> Result<Option<String>, E>,
    ) -> Result<Arc<DerivedTexts>, E> {
        let mut derived = self.derived.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = derived.iter().find(|(known, _)| known == wanted) {
            return Ok(Arc::clone(known));
        }
        let made = self.derive_texts(|json| match (wanted, std::str::from_utf8(json)) {
            (JsonText::Sql(_), _) => derive(json),
            (JsonText::Key(key), Ok(json)) => Ok(text_under(json, key)),
            (JsonText::Whole, Ok(json)) => Ok(Some(print(json))),
            (_, Err(_)) => Ok(None),
        });
        let made = Arc::new(made?);
        if derived.len() >= DERIVED_KEPT {
            derived.remove(0);
        }
        derived.push((wanted.clone(), Arc::clone(&made)));
        Ok(made)
    }

    /// Texts derived from each value by `derive`; none for null.
    pub fn derive_texts<E>(
        &self,
        mut derive: impl FnMut(&[u8]) -> Result<Option<String>, E>,
    ) -> Result<DerivedTexts, E> {
        let mut texts = Texts::default();
        let mut codes = Vec::with_capacity(self.len() + 1);
        codes.push(0);
        for code in 1..=u32::try_from(self.len()).unwrap_or(u32::MAX) {
            codes.push(derive(self.get(code))?.map_or(0, |text| texts.code(text.as_bytes())));
        }
        Ok(DerivedTexts { codes, values: texts.values })
    }

    /// A copy of the dictionary with more values appended.
    pub fn extended<'a>(&self, more: impl Iterator<Item = &'a [u8]>) -> Self {
        let mut values = Self { bytes: self.bytes.clone(), ends: self.ends.clone(), ..Self::default() };
        more.for_each(|value| values.push(value));
        values
    }

    /// Reads the values of a slot that follow those of `before`.
    pub fn read(
        connection: &Connection,
        layout: &Layout<'_>,
        slot: Slot,
        before: Option<&Self>,
    ) -> rusqlite::Result<Self> {
        let mut values = before.map_or_else(Self::default, |before| before.extended(std::iter::empty()));
        let sql = format!(
            "SELECT \"value\" FROM {} WHERE \"slot\" = ?1 AND \"code\" > ?2 ORDER BY \"code\"",
            layout.name("values")
        );
        let mut statement = connection.prepare_cached(&sql)?;
        let mut rows = statement.query((slot, values.len()))?;
        while let Some(row) = rows.next()? {
            let value = row.get_ref(0)?.as_blob().unwrap_or_default();
            values.bytes.extend_from_slice(value);
            values.ends.push(values.bytes.len());
        }
        Ok(values)
    }
}

#[cfg(test)]
mod tests {
    use super::{Dictionary, JsonText};
    use std::convert::Infallible;

    #[test]
    fn values_are_found_by_code_and_codes_by_value_and_both_in_order() {
        let mut values = Dictionary::default();
        for value in ["sea", "", "air"] {
            values.push(value.as_bytes());
        }
        assert_eq!(values.get(1), b"sea");
        assert_eq!(values.get(2), b"");
        assert_eq!(values.find(b"air"), Some(3));
        assert_eq!(values.find(b"land"), None);
        assert_eq!(values.ranks(), [0, 3, 1, 2]);
    }

    #[test]
    fn the_texts_under_a_key_are_told_once() {
        let mut values = Dictionary::default();
        for json in [r#"{"team":"sea"}"#, r#"{"team":null}"#, r#"{"a":1,"team":"sea"}"#, r#"{"team":7}"#] {
            values.push(json.as_bytes());
        }
        let silent = |_: &[u8]| Ok::<_, Infallible>(None);
        let Ok(teams) = values.derived(&JsonText::Key("team".to_owned()), silent);
        assert_eq!(teams.codes, [0, 1, 0, 1, 2]);
        assert_eq!((teams.values.get(1), teams.values.get(2)), (&b"sea"[..], &b"7"[..]));
    }
}
