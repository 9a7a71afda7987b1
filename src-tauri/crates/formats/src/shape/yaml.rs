//! Reads YAML as kubectl and OpenShift write it, document by document and list item by list item.

use super::DOCUMENT_BYTES;
use crate::read_error::ReadError;
use saphyr_parser::{Event, Parser, ScalarStyle, ScanError, Span, StrInput};
use serde_json::{Map, Number, Value};
use std::io::Read;

/// Maximum nesting depth of lists and maps.
const DEEPEST: u32 = 127;

/// A part of a file.
#[derive(Debug)]
pub enum Piece {
    /// An element of a document's `items` list, with its index.
    Item(usize, Value),
    /// The rest of a document, and whether it had a list of items.
    Document(Value, bool),
}

/// Reads the text of a file. The limit is [`DOCUMENT_BYTES`].
pub fn text(read: &mut dyn Read) -> Result<String, ReadError> {
    let mut bytes = Vec::new();
    read.take(DOCUMENT_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > DOCUMENT_BYTES {
        let most = format!("at most {} MiB of YAML", DOCUMENT_BYTES >> 20);
        return Err(ReadError::Refused {
            message: format!(
                "The file is longer than what is read: {most}. Nothing was imported. Write it as JSON (-o json)."
            ),
            expected: most,
            found: "a longer file".to_owned(),
        });
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Calls `each` for the parts of all documents of a text.
pub fn pieces(text: &str, each: &mut dyn FnMut(Piece) -> Result<(), ReadError>) -> Result<(), ReadError> {
    let text = text.trim_start_matches('\u{feff}');
    let mut reader = Reader { parser: Parser::new_from_str(text), line: 1 };
    loop {
        match reader.event()? {
            Event::StreamEnd => return Ok(()),
            Event::DocumentStart(_) => reader.document(each)?,
            _ => {}
        }
    }
}

struct Reader<'t> {
    parser: Parser<'t, StrInput<'t>>,
    line: usize,
}

impl<'t> Reader<'t> {
    fn event(&mut self) -> Result<Event<'t>, ReadError> {
        let next: Option<Result<(Event<'t>, Span), ScanError>> = self.parser.next();
        match next {
            Some(Ok((event, span))) => {
                self.line = span.start.line();
                Ok(event)
            }
            Some(Err(error)) => Err(self.refused(&error.to_string())),
            None => Ok(Event::StreamEnd),
        }
    }

    fn document(&mut self, each: &mut dyn FnMut(Piece) -> Result<(), ReadError>) -> Result<(), ReadError> {
        match self.event()? {
            Event::MappingStart(..) => {
                let mut rest = Map::new();
                let mut is_list = false;
                loop {
                    let key = match self.event()? {
                        Event::MappingEnd => break,
                        Event::Scalar(key, ..) => key.into_owned(),
                        _ => return Err(self.refused("a key that is no text")),
                    };
                    match self.event()? {
                        Event::SequenceStart(..) if key == "items" => {
                            is_list = true;
                            let mut index = 0;
                            loop {
                                match self.event()? {
                                    Event::SequenceEnd => break,
                                    event => each(Piece::Item(index, self.value(event, 2)?))?,
                                }
                                index += 1;
                            }
                        }
                        event => {
                            rest.insert(key, self.value(event, 1)?);
                        }
                    }
                }
                each(Piece::Document(Value::Object(rest), is_list))
            }
            // A list of objects without an enclosing document.
            Event::SequenceStart(..) => {
                let mut index = 0;
                loop {
                    match self.event()? {
                        Event::SequenceEnd => break,
                        event => each(Piece::Item(index, self.value(event, 1)?))?,
                    }
                    index += 1;
                }
                Ok(())
            }
            event => self.value(event, 0).map(drop),
        }
    }

    fn value(&mut self, event: Event<'t>, depth: u32) -> Result<Value, ReadError> {
        if depth > DEEPEST {
            return Err(self.refused("more than 127 lists and maps inside each other"));
        }
        Ok(match event {
            Event::Scalar(text, style, ..) => match style {
                ScalarStyle::Plain => plain(&text),
                _ => Value::String(text.into_owned()),
            },
            Event::SequenceStart(..) => {
                let mut list = Vec::new();
                loop {
                    match self.event()? {
                        Event::SequenceEnd => break Value::Array(list),
                        event => list.push(self.value(event, depth + 1)?),
                    }
                }
            }
            Event::MappingStart(..) => {
                let mut map = Map::new();
                loop {
                    let key = match self.event()? {
                        Event::MappingEnd => break Value::Object(map),
                        Event::Scalar(key, ..) => key.into_owned(),
                        _ => return Err(self.refused("a key that is no text")),
                    };
                    let event = self.event()?;
                    map.insert(key, self.value(event, depth + 1)?);
                }
            }
            // Aliases can expand one value a thousandfold, and kubectl does not write them.
            Event::Alias(_) => return Err(self.refused("an alias (*name), which kubectl never writes")),
            _ => return Err(self.refused("the end of the file inside a value")),
        })
    }

    fn refused(&self, found: &str) -> ReadError {
        let found = format!("line {}: {found}", self.line);
        ReadError::Refused {
            message: format!(
                "The file cannot be read as YAML: {found}. Nothing was imported. Write it as JSON (-o json)."
            ),
            expected: "YAML as kubectl writes it".to_owned(),
            found,
        }
    }
}

/// The value of an unquoted scalar, by the rules of YAML 1.2.
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn all(text: &str) -> Result<Vec<Value>, ReadError> {
        let mut found = Vec::new();
        pieces(text, &mut |piece| {
            found.push(match piece {
                Piece::Item(index, value) => json!([index, value]),
                Piece::Document(value, is_list) => json!([value, is_list]),
            });
            Ok(())
        })?;
        Ok(found)
    }

    #[test]
    fn documents_and_items_are_read_one_by_one() {
        let text = "apiVersion: v1\nitems:\n- a: 1\n  b: \"1\"\n- c: |\n    x\n    y\nkind: List\n---\nd: null\ne: 100m\nf: true\n";
        let found = all(text).unwrap();
        assert_eq!(found[0], json!([0, {"a": 1, "b": "1"}]));
        assert_eq!(found[1], json!([1, {"c": "x\ny\n"}]));
        assert_eq!(found[2], json!([{"apiVersion": "v1", "kind": "List"}, true]));
        assert_eq!(found[3], json!([{"d": null, "e": "100m", "f": true}, false]));
    }

    #[test]
    fn aliases_and_nests_are_refused() {
        assert!(all("a: &x [1, 2]\nb: [*x, *x]\n").is_err());
        assert!(all(&format!("a: {}", "[".repeat(100_000))).is_err());
        assert!(all("a: [1\nb: 2").is_err());
    }
}
