//! YAML of definitions: parsed into JSON, with line numbers in errors, and written from JSON.
//!
//! Supports the plain subset of YAML 1.2 that definitions use. Aliases are refused, since a small text could expand to a huge one.

use saphyr_parser::{Event, Parser, ScalarStyle, ScanError, Span, StrInput};
use serde_json::{Map, Number, Value};
use std::fmt::Write as _;

/// Maximum size of a definition, in bytes.
pub const LONGEST: usize = 1024 * 1024;
/// Maximum nesting of lists and maps.
const DEEPEST: u32 = 60;

/// Why a text is not valid YAML, with the line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {found}")]
pub struct YamlError {
    pub line: usize,
    pub found: String,
}

/// The first document of a text; null if there is none.
pub fn read(text: &str) -> Result<Value, YamlError> {
    Ok(documents(text, 1)?.into_iter().next().unwrap_or_default())
}

/// All documents of a text.
pub fn read_all(text: &str) -> Result<Vec<Value>, YamlError> {
    documents(text, usize::MAX)
}

/// The first documents of a text, at most `most`.
fn documents(text: &str, most: usize) -> Result<Vec<Value>, YamlError> {
    if text.len() > LONGEST {
        let found = format!("the text has {} bytes, and {LONGEST} are read", text.len());
        return Err(YamlError { line: 1, found });
    }
    let text = text.trim_start_matches('\u{feff}');
    let mut reader = Reader { parser: Parser::new_from_str(text), line: 1 };
    let mut found = Vec::new();
    while found.len() < most {
        match reader.event()? {
            Event::StreamEnd => break,
            Event::DocumentStart(_) => {
                let first = reader.event()?;
                found.push(reader.value(first, 0)?);
            }
            _ => {}
        }
    }
    Ok(found)
}

struct Reader<'t> {
    parser: Parser<'t, StrInput<'t>>,
    line: usize,
}

impl<'t> Reader<'t> {
    fn event(&mut self) -> Result<Event<'t>, YamlError> {
        let next: Option<Result<(Event<'t>, Span), ScanError>> = self.parser.next();
        match next {
            Some(Ok((event, span))) => {
                self.line = span.start.line();
                Ok(event)
            }
            Some(Err(error)) => {
                let line = error.marker().line();
                Err(YamlError { line, found: error.info().to_owned() })
            }
            None => Ok(Event::StreamEnd),
        }
    }

    fn value(&mut self, event: Event<'t>, depth: u32) -> Result<Value, YamlError> {
        if depth > DEEPEST {
            return Err(self.refused(&format!("more than {DEEPEST} lists and maps inside each other")));
        }
        Ok(match event {
            Event::Scalar(text, ScalarStyle::Plain, ..) => plain(&text),
            Event::Scalar(text, ..) => Value::String(text.into_owned()),
            Event::SequenceStart(..) => {
                let mut list = Vec::new();
                loop {
                    match self.event()? {
                        Event::SequenceEnd => break Value::Array(list),
                        event => list.push(self.value(event, depth + 1)?),
                    }
                }
            }
            Event::MappingStart(..) => self.map(depth)?,
            Event::Alias(_) => return Err(self.refused("an alias (*name) is not read: write the value out")),
            _ => return Err(self.refused("the text ends inside a value")),
        })
    }

    fn map(&mut self, depth: u32) -> Result<Value, YamlError> {
        let mut map = Map::new();
        loop {
            let key = match self.event()? {
                Event::MappingEnd => return Ok(Value::Object(map)),
                Event::Scalar(key, ..) => key.into_owned(),
                _ => return Err(self.refused("a key that is no text")),
            };
            if map.contains_key(&key) {
                return Err(self.refused(&format!("the key \"{key}\" stands twice")));
            }
            let event = self.event()?;
            map.insert(key, self.value(event, depth + 1)?);
        }
    }

    fn refused(&self, found: &str) -> YamlError {
        YamlError { line: self.line, found: found.to_owned() }
    }
}

/// An unquoted scalar, by the rules of YAML 1.2.
fn plain(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => true.into(),
        "false" | "False" | "FALSE" => false.into(),
        _ => {
            let is_number = text.starts_with(|sign: char| sign.is_ascii_digit() || sign == '-');
            let number = is_number.then(|| serde_json::from_str::<Number>(text).ok()).flatten();
            number.map_or_else(|| text.into(), Value::Number)
        }
    }
}

/// Keys that come first in a map, in this order; the others follow by name.
const FIRST: [&str; 16] = [
    "name",
    "status",
    "tags",
    "version",
    "id",
    "type",
    "description",
    "required",
    "default",
    "inputs",
    "triggers",
    "if",
    "depends_on",
    "params",
    "tasks",
    "output",
];

/// Formats JSON as YAML in block style.
pub fn write(value: &Value) -> String {
    let mut text = String::new();
    block(&mut text, value, 0);
    if text.is_empty() {
        text = inline(value);
        text.push('\n');
    }
    text
}

fn block(text: &mut String, value: &Value, indent: usize) {
    let pad = " ".repeat(indent);
    match value {
        Value::Object(map) => {
            let place = |key: &str| FIRST.iter().position(|first| *first == key).unwrap_or(FIRST.len());
            let mut members: Vec<_> = map.iter().collect();
            members.sort_by_key(|(key, _)| place(key));
            for (key, value) in members {
                let _ = write!(text, "{pad}{}:", scalar(key));
                member(text, value, indent);
            }
        }
        Value::Array(list) => {
            for value in list {
                let _ = write!(text, "{pad}-");
                match value {
                    Value::Object(map) if !map.is_empty() => {
                        // The first member is on the line of the dash.
                        let mut inner = String::new();
                        block(&mut inner, value, indent + 2);
                        let _ = write!(text, " {}", inner.trim_start_matches(' '));
                    }
                    other => member(text, other, indent),
                }
            }
        }
        _ => {}
    }
}

fn member(text: &mut String, value: &Value, indent: usize) {
    match value {
        Value::Object(map) if !map.is_empty() => {
            text.push('\n');
            block(text, value, indent + 2);
        }
        Value::Array(list) if !list.is_empty() => {
            text.push('\n');
            block(text, value, indent + 2);
        }
        Value::String(lines) if is_block(lines) => {
            let pad = " ".repeat(indent + 2);
            let keep = if lines.ends_with('\n') { "" } else { "-" };
            let _ = writeln!(text, " |{keep}");
            for line in lines.trim_end_matches('\n').split('\n') {
                let _ = if line.is_empty() { writeln!(text) } else { writeln!(text, "{pad}{line}") };
            }
        }
        other => {
            let _ = writeln!(text, " {}", inline(other));
        }
    }
}

/// Whether a text is more readable as a block and can be represented as one.
fn is_block(text: &str) -> bool {
    let trimmed = text.strip_suffix('\n').unwrap_or(text);
    trimmed.contains('\n')
        && !trimmed.ends_with('\n')
        && !trimmed.starts_with([' ', '\n', '\t'])
        && trimmed.chars().all(|letter| letter == '\n' || !letter.is_control())
        && trimmed.split('\n').all(|line| line.trim_end() == line)
}

fn inline(value: &Value) -> String {
    match value {
        Value::String(text) => scalar(text),
        Value::Object(_) => "{}".to_owned(),
        Value::Array(_) => "[]".to_owned(),
        other => other.to_string(),
    }
}

/// A text as a scalar, quoted if it would be parsed as something else.
fn scalar(text: &str) -> String {
    let is_plain = text
        .starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_' || letter == '/')
        && text.chars().all(|letter| letter.is_alphanumeric() || "_-./ ,()@+=".contains(letter))
        && !text.ends_with(' ')
        && !matches!(
            text.to_lowercase().as_str(),
            "true" | "false" | "null" | "yes" | "no" | "on" | "off" | "y" | "n"
        );
    if is_plain { text.to_owned() } else { Value::from(text).to_string() }
}

#[cfg(test)]
mod tests {
    use super::{read, write};
    use serde_json::json;

    #[test]
    fn a_definition_of_the_reference_is_read() {
        let text = "version: v1\ninputs:\n  - id: n\n    type: int\n    default: 3\ntasks:\n  - id: a\n    type: core.print\n    params: {message: 'x {{ Inputs.n }}'}\n    if: \"{{ Inputs.n > 2 }}\"\nhooks:\n  failure: []\n";
        assert_eq!(
            read(text).unwrap(),
            json!({
                "version": "v1", "inputs": [{ "id": "n", "type": "int", "default": 3 }],
                "tasks": [{ "id": "a", "type": "core.print", "params": { "message": "x {{ Inputs.n }}" }, "if": "{{ Inputs.n > 2 }}" }],
                "hooks": { "failure": [] },
            })
        );
    }

    #[test]
    fn mistakes_have_their_line() {
        assert_eq!(read("a: 1\nb: [1, 2\nc: 3\n").map_err(|error| error.line).unwrap_err(), 3);
        assert_eq!(read("a: 1\na: 2\n").unwrap_err().to_string(), "line 2: the key \"a\" stands twice");
        assert!(read("a: &x 1\nb: *x\n").is_err());
        assert!(read(&"[".repeat(1000)).is_err());
    }

    #[test]
    fn what_is_written_is_read_as_it_was() {
        for value in [
            json!({ "a": { "b": [1, "two", { "c": null, "d": [] }, [1, [2]]], "e": {} }, "f": "on", "g": "1", "h": " x" }),
            json!({ "text": "one\n  two\n\nthree\n", "cut": "one\ntwo", "odd": "a\n\n", "tab": "a\tb", "hash": "a # b", "colon": "a: b", "t": "{{ Inputs.n }}" }),
            json!([{ "id": "a", "params": { "x": 1.5 } }, "- y", ""]),
            json!({ "a b": true, "": 1, "key: x": 2 }),
            json!("just text"),
        ] {
            let text = write(&value);
            assert_eq!(read(&text).unwrap_or_else(|error| panic!("{error}\n{text}")), value, "{text}");
        }
    }
}
