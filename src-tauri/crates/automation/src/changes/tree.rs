//! Parses YAML with the position of every value in the text, to change single values and leave the rest as it is.

use saphyr_parser::{Event, Parser, ScalarStyle, Span, StrInput};

/// Maximum nesting of lists and maps.
const DEEPEST: u32 = 60;

/// A value in a document.
#[derive(Debug)]
pub(super) struct Node {
    /// Start, in bytes.
    pub start: usize,
    /// Column, in characters from 0.
    pub column: usize,
    pub content: Content,
}

#[derive(Debug)]
pub(super) enum Content {
    Scalar {
        text: String,
        style: ScalarStyle,
    },
    Map {
        is_flow: bool,
        entries: Vec<(Node, Node)>,
    },
    List(Vec<Node>),
    /// A YAML alias: the value is defined elsewhere in the text.
    Alias,
}

impl Node {
    pub(super) fn get(&self, key: &str) -> Option<&Node> {
        self.entry(key).map(|(_, value)| value)
    }

    pub(super) fn entry(&self, key: &str) -> Option<(&Node, &Node)> {
        self.entries().iter().find(|(name, _)| name.text() == Some(key)).map(|(name, value)| (name, value))
    }

    pub(super) fn entries(&self) -> &[(Node, Node)] {
        match &self.content {
            Content::Map { entries, .. } => entries,
            _ => &[],
        }
    }

    pub(super) fn items(&self) -> &[Node] {
        match &self.content {
            Content::List(items) => items,
            _ => &[],
        }
    }

    pub(super) fn text(&self) -> Option<&str> {
        match &self.content {
            Content::Scalar { text, .. } => Some(text),
            _ => None,
        }
    }
}

/// Parses all documents of a text.
pub(super) fn read(text: &str) -> Result<Vec<Node>, String> {
    // The parser's positions count characters.
    let bytes: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
    let mut reader = Reader { parser: Parser::new_from_str(text), bytes };
    let mut documents = Vec::new();
    loop {
        match reader.event()? {
            (Event::StreamEnd, _) => return Ok(documents),
            (Event::DocumentStart(_), _) => {
                let first = reader.event()?;
                documents.push(reader.node(first, 0)?);
            }
            _ => {}
        }
    }
}

struct Reader<'t> {
    parser: Parser<'t, StrInput<'t>>,
    bytes: Vec<usize>,
}

impl<'t> Reader<'t> {
    fn event(&mut self) -> Result<(Event<'t>, Span), String> {
        match self.parser.next() {
            Some(Ok(found)) => Ok(found),
            Some(Err(error)) => Err(format!("line {}: {}", error.marker().line(), error.info())),
            None => Err("the text ends inside a value".to_owned()),
        }
    }

    fn node(&mut self, (event, span): (Event<'t>, Span), depth: u32) -> Result<Node, String> {
        if depth > DEEPEST {
            return Err(format!("more than {DEEPEST} lists and maps inside each other"));
        }
        let start = self.bytes.get(span.start.index()).copied().unwrap_or_default();
        let content = match event {
            Event::Scalar(text, style, ..) => Content::Scalar { text: text.into_owned(), style },
            Event::Alias(_) => Content::Alias,
            Event::SequenceStart(..) => {
                let mut items = Vec::new();
                loop {
                    match self.event()? {
                        (Event::SequenceEnd, _) => break Content::List(items),
                        found => items.push(self.node(found, depth + 1)?),
                    }
                }
            }
            Event::MappingStart(..) => {
                let mut entries = Vec::new();
                // A block map begins at its first key.
                let is_flow = !span.is_empty();
                loop {
                    match self.event()? {
                        (Event::MappingEnd, _) => break Content::Map { is_flow, entries },
                        found => {
                            let key = self.node(found, depth + 1)?;
                            let value = self.event()?;
                            entries.push((key, self.node(value, depth + 1)?));
                        }
                    }
                }
            }
            _ => return Err("the text ends inside a value".to_owned()),
        };
        Ok(Node { start, column: span.start.col(), content })
    }
}
