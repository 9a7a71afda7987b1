//! The structure of a JSON file as visible in its beginning, even when it is cut off in the middle.

use serde_json::{Map, Value};

/// Elements of each list that are retained.
const ELEMENTS: usize = 4;
const TEXT_BYTES: usize = 400;
/// Nesting depth down to which values are retained.
const DEPTH: usize = 12;
/// Nesting depth at which parsing stops.
const DEEPEST: usize = 500;
const NOTHING: &Value = &Value::Null;

/// The visible part of the first document of a JSON file: strings and lists are shortened, deeply nested values are null.
#[derive(Debug, Clone, PartialEq)]
pub struct Outline {
    value: Value,
    /// Another document follows the first one (NDJSON).
    pub is_sequence: bool,
}

impl Outline {
    /// The outline of a text; `None` when it begins with neither `{` nor `[`.
    pub fn of(text: &[u8]) -> Option<Self> {
        let mut scanner = Scanner { text, next: 0, is_cut: false };
        if !matches!(scanner.look(), Some(b'{' | b'[')) {
            return None;
        }
        let value = scanner.value(0).unwrap_or_default();
        let is_sequence = !scanner.is_cut && matches!(scanner.look(), Some(b'{' | b'['));
        Some(Self { value, is_sequence })
    }

    /// The only or first document.
    pub fn document(&self) -> &Value {
        &self.value
    }

    /// The first item that the file lists: the first element of a list, or the first document of a sequence; otherwise null.
    pub fn first(&self) -> &Value {
        match &self.value {
            Value::Array(list) => list.first().unwrap_or(NOTHING),
            value if self.is_sequence => value,
            _ => NOTHING,
        }
    }

    /// The document, when it is an object and the only document; otherwise null.
    pub fn object(&self) -> &Value {
        if self.value.is_object() { &self.value } else { NOTHING }
    }
}

struct Scanner<'a> {
    text: &'a [u8],
    next: usize,
    is_cut: bool,
}

impl Scanner<'_> {
    fn look(&mut self) -> Option<u8> {
        while self.text.get(self.next).is_some_and(u8::is_ascii_whitespace) {
            self.next += 1;
        }
        self.text.get(self.next).copied()
    }

    /// The next value; `None` when the text ends before it or is not JSON.
    fn value(&mut self, depth: usize) -> Option<Value> {
        if depth > DEEPEST {
            return self.stop();
        }
        match self.look() {
            Some(b'{') => Some(Value::Object(self.object(depth))),
            Some(b'[') => Some(Value::Array(self.list(depth))),
            Some(b'"') => self.string().map(Value::String),
            Some(_) => self.word(),
            None => self.stop(),
        }
    }

    fn stop<T>(&mut self) -> Option<T> {
        self.is_cut = true;
        self.next = self.text.len();
        None
    }

    fn object(&mut self, depth: usize) -> Map<String, Value> {
        let mut object = Map::new();
        self.next += 1;
        loop {
            match self.look() {
                Some(b'}') => {
                    self.next += 1;
                    return object;
                }
                Some(b',') => self.next += 1,
                Some(b'"') => {
                    let Some(key) = self.string() else { return object };
                    if self.look() != Some(b':') {
                        self.stop::<()>();
                        return object;
                    }
                    self.next += 1;
                    let value = self.value(depth + 1);
                    if depth < DEPTH {
                        object.insert(key, value.unwrap_or_default());
                    }
                }
                _ => {
                    self.stop::<()>();
                    return object;
                }
            }
        }
    }

    fn list(&mut self, depth: usize) -> Vec<Value> {
        let mut list = Vec::new();
        self.next += 1;
        loop {
            match self.look() {
                Some(b']') => {
                    self.next += 1;
                    return list;
                }
                Some(b',') => self.next += 1,
                Some(_) => {
                    let value = self.value(depth + 1);
                    if let Some(value) = value
                        && list.len() < ELEMENTS
                        && depth < DEPTH
                    {
                        list.push(value);
                    }
                }
                None => {
                    self.stop::<()>();
                    return list;
                }
            }
        }
    }

    fn string(&mut self) -> Option<String> {
        let from = self.next;
        let mut at = from + 1;
        while let Some(byte) = self.text.get(at) {
            match byte {
                b'\\' => at += 2,
                b'"' => {
                    self.next = at + 1;
                    let raw = &self.text[from..=at];
                    if raw.len() > TEXT_BYTES {
                        return Some(String::from_utf8_lossy(&raw[1..TEXT_BYTES]).into_owned());
                    }
                    return serde_json::from_slice(raw).ok().or_else(|| self.stop());
                }
                _ => at += 1,
            }
        }
        self.stop()
    }

    fn word(&mut self) -> Option<Value> {
        let from = self.next;
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'+');
        while self.text.get(self.next).is_some_and(is_part) {
            self.next += 1;
        }
        if self.next == from || self.next == self.text.len() {
            return self.stop();
        }
        serde_json::from_slice(&self.text[from..self.next]).ok().or_else(|| self.stop())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_is_cut_shows_the_keys_before_the_cut() {
        let whole = r#"{"kind": "List", "items": [{"kind": "Pod", "spec": {"a": [1, 2, 3, 4, 5]}}, {"kind": "Node"}], "z": 1}"#;
        for end in 1..whole.len() {
            let outline = Outline::of(&whole.as_bytes()[..end]).unwrap();
            assert!(!outline.is_sequence, "{end}");
            if end > 50 {
                assert_eq!(outline.object()["items"][0]["kind"], "Pod");
            }
        }
        let outline = Outline::of(whole.as_bytes()).unwrap();
        assert_eq!(
            (outline.object()["z"].clone(), outline.object()["items"][1]["kind"].clone()),
            (1.into(), "Node".into())
        );
        assert_eq!(outline.object()["items"][0]["spec"]["a"].as_array().unwrap().len(), ELEMENTS);
    }

    #[test]
    fn lists_and_sequences_show_their_first_thing() {
        assert_eq!(Outline::of(b"[{\"a\": 1}, {\"b\": 2}]").unwrap().first()["a"], 1);
        let sequence = Outline::of(b"{\"a\": 1}\n{\"a\": 2}\n").unwrap();
        assert!(sequence.is_sequence);
        assert_eq!(sequence.first()["a"], 1);
        assert_eq!(Outline::of(b"{\"a\": 1}\n").unwrap().first(), &Value::Null);
        assert_eq!(Outline::of(b"a,b\n1,2\n"), None);
    }

    #[test]
    fn nested_brackets_do_not_exhaust_the_stack() {
        assert!(Outline::of("[".repeat(200_000).as_bytes()).is_some());
    }
}
