//! Parses the tags of a charge: a JSON object, in several spellings used by exporters. A value that consists of blanks becomes an empty one.

use crate::limit::{TAG_KEYS, TAGS_REMEMBERED};
use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};

/// Maximum length of a tag text that is cached, in bytes.
const REMEMBERED_BYTES: usize = 1_024;

/// Parses tags and collects their keys. Valid texts are cached, because most rows repeat the tags of others.
#[derive(Debug, Default)]
pub struct TagReader {
    good: HashSet<Box<str>>,
    keys: BTreeSet<String>,
}

/// The content of a tag cell.
#[derive(Debug, PartialEq, Eq)]
pub enum Tags<'a> {
    /// No tags: the empty object.
    Nothing,
    /// A JSON object, unchanged from the file.
    Object(&'a str),
    /// A JSON object converted from another spelling.
    Rewritten(String),
    /// Text that is not recognised as tags.
    Unreadable,
}

impl TagReader {
    pub fn read<'a>(&mut self, text: &'a str) -> Tags<'a> {
        if self.good.contains(text) {
            return Tags::Object(text);
        }
        if let Some(keys) = distinct_keys(text) {
            if keys.is_empty() {
                return Tags::Nothing;
            }
            for key in keys {
                self.meet(key);
            }
            if text.len() <= REMEMBERED_BYTES {
                if self.good.len() >= TAGS_REMEMBERED {
                    self.good.clear();
                }
                self.good.insert(text.into());
            }
            return Tags::Object(text);
        }
        match rewrite(text) {
            None => Tags::Unreadable,
            Some(object) if object.is_empty() => Tags::Nothing,
            Some(mut object) => {
                for (key, value) in &mut object {
                    self.meet(key.clone());
                    if value.as_str().is_some_and(is_blank) {
                        *value = Value::String(String::new());
                    }
                }
                Tags::Rewritten(Value::Object(object).to_string())
            }
        }
    }

    /// The keys collected, and whether the limit on keys was reached.
    pub fn keys(self) -> (Vec<String>, bool) {
        let is_full = self.keys.len() >= TAG_KEYS;
        (self.keys.into_iter().collect(), is_full)
    }

    fn meet(&mut self, key: String) {
        if self.keys.len() < TAG_KEYS {
            self.keys.insert(key);
        }
    }
}

/// A value that may be blank.
#[derive(Deserialize)]
#[serde(untagged)]
enum TagValue<'a> {
    Text(#[serde(borrow)] Cow<'a, str>),
    Other(IgnoredAny),
}

impl TagValue<'_> {
    fn is_blank(&self) -> bool {
        matches!(self, Self::Text(text) if is_blank(text))
    }
}

/// Whether a text is not empty but consists of white space.
fn is_blank(text: &str) -> bool {
    !text.is_empty() && text.trim().is_empty()
}

/// The keys of a text that is one JSON object with unique keys and without blank values.
fn distinct_keys(text: &str) -> Option<Vec<String>> {
    struct Keys;
    impl<'de> Visitor<'de> for Keys {
        type Value = Option<Vec<String>>;

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("a JSON object")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut keys = Vec::new();
            let mut has_blanks = false;
            while let Some((key, value)) = map.next_entry::<String, TagValue<'_>>()? {
                has_blanks |= value.is_blank();
                keys.push(key);
            }
            Ok((!has_blanks).then_some(keys))
        }
    }
    let mut json = serde_json::Deserializer::from_str(text);
    let keys = json.deserialize_map(Keys).ok()?;
    json.end().ok()?;
    let keys = keys?;
    let distinct: HashSet<&String> = keys.iter().collect();
    (distinct.len() == keys.len()).then_some(keys)
}

/// Parses other spellings: an object with a duplicate key (the last one counts, as in `jsonb`), the inside of an object without its braces
/// (Azure), a list of `{"key": …, "value": …}` (AWS).
fn rewrite(text: &str) -> Option<Map<String, Value>> {
    match serde_json::from_str(text) {
        Ok(Value::Object(object)) => Some(object),
        Ok(Value::Array(list)) => list.into_iter().map(pair).collect(),
        Err(_) if text.trim_start().starts_with('"') => serde_json::from_str(&format!("{{{text}}}")).ok(),
        Ok(_) | Err(_) => None,
    }
}

fn pair(entry: Value) -> Option<(String, Value)> {
    let Value::Object(mut entry) = entry else { return None };
    let mut take = |names: [&str; 2]| names.into_iter().find_map(|name| entry.remove(name));
    let key = take(["key", "Key"])?;
    let value = take(["value", "Value"])?;
    Some((key.as_str()?.to_owned(), value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &Tags<'_>) {
        assert_eq!(TagReader::default().read(text), *expected, "{text}");
    }

    #[test]
    fn an_object_is_kept_as_it_stands() {
        let text = r#"{"org": "trey", " org": "trey", "n": 1}"#;
        check(text, &Tags::Object(text));
        check("{}", &Tags::Nothing);
    }

    #[test]
    fn other_spellings_of_an_object_are_rewritten() {
        check(r#""env": "prod","team": "a""#, &Tags::Rewritten(r#"{"env":"prod","team":"a"}"#.to_owned()));
        check(r#"[{"key":"env","value":"prod"}]"#, &Tags::Rewritten(r#"{"env":"prod"}"#.to_owned()));
        check(r#"{"env":"a","env":"b"}"#, &Tags::Rewritten(r#"{"env":"b"}"#.to_owned()));
        check("[]", &Tags::Nothing);
    }

    #[test]
    fn a_value_of_blanks_is_an_empty_one() {
        check(
            r#"{"team": " \t ", "env": " a", "n": 1}"#,
            &Tags::Rewritten(r#"{"env":" a","n":1,"team":""}"#.to_owned()),
        );
        check(r#""team": "\u00a0""#, &Tags::Rewritten(r#"{"team":""}"#.to_owned()));
        let text = r#"{"team": "", "org": "a b"}"#;
        check(text, &Tags::Object(text));
    }

    #[test]
    fn what_is_no_object_is_said_to_be_unreadable() {
        for text in ["env=prod", "[1]", "7", r#"{"env":"prod""#, r#"{"a":1} x"#] {
            check(text, &Tags::Unreadable);
        }
    }

    #[test]
    fn keys_are_collected_once_and_exactly() {
        let mut reader = TagReader::default();
        reader.read(r#"{"org":"a"," org":"b"}"#);
        reader.read(r#"{"org":"c"}"#);
        assert_eq!(reader.keys(), (vec![" org".to_owned(), "org".to_owned()], false));
    }
}
