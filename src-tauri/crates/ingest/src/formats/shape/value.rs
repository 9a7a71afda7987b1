//! Converts JSON values to the cells of a row.

use super::FLATTENED;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use std::collections::HashSet;
use std::fmt;

/// Passes the cells of an object to `put`, each with its column.
pub fn cells(object: Map<String, Value>, put: &mut dyn FnMut(&str, String)) {
    for (name, value) in object {
        match value {
            Value::Object(members) if FLATTENED.contains(&name.as_str()) => {
                for (member, value) in members {
                    put(&format!("{name}.{member}"), text(value));
                }
            }
            value => put(&name, text(value)),
        }
    }
}

/// A value as in CSV: strings without quotes, null as empty, lists and objects as JSON.
fn text(value: Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text,
        other => other.to_string(),
    }
}

/// Objects of tags: the last of duplicate keys counts, as in all other files.
const TAGS: [&str; 2] = ["tags", "labels"];

/// The first duplicate name in any object of the text, at any depth: it is unclear which value counts.
pub fn find_duplicate_name(text: &[u8]) -> Option<String> {
    let mut twice = None;
    let mut json = serde_json::Deserializer::from_slice(text);
    Names(&mut twice).deserialize(&mut json).ok()?;
    twice
}

/// Visits a value and examines only names.
struct Names<'n>(&'n mut Option<String>);

impl<'de> DeserializeSeed<'de> for Names<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Names<'_> {
    type Value = ();

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("JSON")
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while list.next_element_seed(Names(self.0))?.is_some() {}
        Ok(())
    }

    // With arbitrary precision, numbers are also visited as a map with one name; their digits are preserved as written.
    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<(), A::Error> {
        let mut met: HashSet<String> = HashSet::new();
        while let Some(name) = object.next_key::<String>()? {
            if TAGS.iter().any(|tags| name.eq_ignore_ascii_case(tags)) {
                object.next_value::<IgnoredAny>()?;
            } else {
                object.next_value_seed(Names(self.0))?;
            }
            if let Some(name) = met.replace(name) {
                self.0.get_or_insert(name);
            }
        }
        Ok(())
    }
}
