//! Cuts documents into passages: pieces short enough to include with a question, each with its location in the document.

use csv::ReaderBuilder;
use serde_json::Value;

/// Maximum length of a passage, in characters.
const MAX_LENGTH: usize = 1_200;
/// Maximum number of lines read from a JSON document.
const MAX_LINES: usize = 200_000;

/// A passage of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Piece {
    /// The location in words, for example `page 3` or `line 17`.
    pub place: String,
    pub text: String,
}

/// Collects blocks until a passage is full.
struct Cutter {
    pieces: Vec<Piece>,
    place: String,
    text: String,
    length: usize,
}

impl Cutter {
    fn new() -> Self {
        Self { pieces: Vec::new(), place: String::new(), text: String::new(), length: 0 }
    }

    /// Adds a block, preferably whole. A block longer than a passage is cut at spaces.
    fn add(&mut self, place: &str, block: &str, between: &str) {
        for part in parts(block) {
            let length = part.chars().count();
            if self.length > 0 && self.length + length > MAX_LENGTH {
                self.end();
            }
            if self.length == 0 {
                place.clone_into(&mut self.place);
            } else {
                self.text.push_str(between);
            }
            self.text.push_str(part);
            self.length += length + between.len();
        }
    }

    fn end(&mut self) {
        let text = std::mem::take(&mut self.text);
        self.length = 0;
        let place = std::mem::take(&mut self.place);
        if !text.trim().is_empty() {
            self.pieces.push(Piece { place, text: text.trim().to_owned() });
        }
    }

    fn pieces(mut self) -> Vec<Piece> {
        self.end();
        self.pieces
    }
}

/// Splits a block into parts no longer than a passage, each cut at the last space before the limit.
fn parts(block: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = block;
    while let Some((end, _)) = rest.char_indices().nth(MAX_LENGTH) {
        let cut = rest[..end].rfind(char::is_whitespace).filter(|at| *at > 0).unwrap_or(end);
        parts.push(rest[..cut].trim_end());
        rest = rest[cut..].trim_start();
    }
    parts.push(rest);
    parts
}

/// Cuts a document of a format other than PDF. Content that does not parse as its format is read as text.
pub(super) fn cut(format: &str, data: &str) -> Vec<Piece> {
    match format {
        "csv" => of_csv(data),
        "json" => serde_json::from_str(data).map_or_else(|_| of_text(data), |value| of_json(&value)),
        "xml" => of_xml(data).unwrap_or_else(|| of_text(data)),
        _ => of_text(data),
    }
}

/// Cuts the pages of a PDF.
pub(super) fn cut_pages(pages: &[String]) -> Vec<Piece> {
    let mut all = Vec::new();
    for (number, page) in (1..).zip(pages) {
        let mut cutter = Cutter::new();
        for paragraph in paragraphs(page) {
            cutter.add(&format!("page {number}"), &paragraph.1, "\n\n");
        }
        all.extend(cutter.pieces());
    }
    all
}

/// Splits a text into paragraphs, each with the number of its first line.
fn paragraphs(text: &str) -> Vec<(usize, String)> {
    let mut all: Vec<(usize, String)> = Vec::new();
    let mut is_open = false;
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim().is_empty() {
            is_open = false;
            continue;
        }
        match all.last_mut() {
            Some((_, text)) if is_open && !is_heading(line) => {
                text.push('\n');
                text.push_str(line.trim_end());
            }
            _ => all.push((number, line.trim_end().to_owned())),
        }
        is_open = !is_heading(line);
    }
    all
}

/// Whether the line is a Markdown heading.
fn is_heading(line: &str) -> bool {
    let marks = line.bytes().take_while(|byte| *byte == b'#').count();
    (1..=6).contains(&marks) && line[marks..].starts_with(' ')
}

/// Cuts text and Markdown. A passage never continues across a heading, and its location is the heading above it.
fn of_text(data: &str) -> Vec<Piece> {
    let mut cutter = Cutter::new();
    let mut heading: Option<String> = None;
    for (line, paragraph) in paragraphs(data.trim_start_matches('\u{feff}')) {
        if is_heading(&paragraph) {
            cutter.end();
            heading = Some(paragraph.trim_start_matches('#').trim().to_owned());
        }
        let place = heading.clone().unwrap_or_else(|| format!("line {line}"));
        cutter.add(&place, &paragraph, "\n\n");
    }
    cutter.pieces()
}

/// Cuts a CSV file. Each row is written as `column: value` pairs to be readable without the header.
fn of_csv(data: &str) -> Vec<Piece> {
    let mut reader =
        ReaderBuilder::new().flexible(true).from_reader(data.trim_start_matches('\u{feff}').as_bytes());
    let names: Vec<String> = match reader.headers() {
        Ok(names) => names.iter().map(str::to_owned).collect(),
        Err(_) => return of_text(data),
    };
    let mut cutter = Cutter::new();
    let mut count = 0_usize;
    for (number, row) in (1..).zip(reader.records()) {
        let Ok(row) = row else { return of_text(data) };
        let cells = row.iter().enumerate().filter(|(_, value)| !value.trim().is_empty());
        let pairs: Vec<String> = cells
            .map(|(place, value)| format!("{}: {value}", names.get(place).map_or("", String::as_str)))
            .collect();
        cutter.add(&format!("row {number}"), &pairs.join("; "), "\n");
        count = number;
    }
    // A file with a single line has only a header.
    if count == 0 { of_text(data) } else { cutter.pieces() }
}

/// Cuts a JSON document, one line per value: `alerts[0].name: Checkout`.
fn of_json(value: &Value) -> Vec<Piece> {
    let mut lines: Vec<(String, String)> = Vec::new();
    let mut open: Vec<(String, &Value)> = vec![(String::new(), value)];
    while let Some((path, value)) = open.pop() {
        match value {
            Value::Array(members) => {
                open.extend((0..members.len()).rev().map(|at| (format!("{path}[{at}]"), &members[at])));
            }
            Value::Object(members) => {
                let mut named: Vec<_> = members.iter().collect();
                named.reverse();
                let dot = if path.is_empty() { "" } else { "." };
                open.extend(named.into_iter().map(|(name, value)| (format!("{path}{dot}{name}"), value)));
            }
            Value::Null => {}
            Value::String(text) => lines.push((path, text.clone())),
            other => lines.push((path, other.to_string())),
        }
        if lines.len() >= MAX_LINES {
            break;
        }
    }
    let mut cutter = Cutter::new();
    for (path, text) in lines {
        let line = if path.is_empty() { text } else { format!("{path}: {text}") };
        cutter.add(if path.is_empty() { "line 1" } else { &path }, &line, "\n");
    }
    cutter.pieces()
}

/// Cuts the texts of an XML document, each located by its enclosing element. `None` if the XML is malformed or declares entities.
fn of_xml(data: &str) -> Option<Vec<Piece>> {
    let document = roxmltree::Document::parse(data.trim_start_matches('\u{feff}')).ok()?;
    let mut cutter = Cutter::new();
    for node in document.descendants().filter(roxmltree::Node::is_text) {
        let text = node.text().unwrap_or_default().trim();
        if !text.is_empty() {
            let name = node.parent_element().map_or("", |element| element.tag_name().name());
            let line = document.text_pos_at(node.range().start).row;
            cutter.add(&format!("{name}, line {line}"), text, "\n");
        }
    }
    Some(cutter.pieces())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cuts(format: &str, data: &str) -> Vec<(String, String)> {
        cut(format, data).into_iter().map(|piece| (piece.place, piece.text)).collect()
    }

    fn pair(place: &str, text: &str) -> (String, String) {
        (place.to_owned(), text.to_owned())
    }

    #[test]
    fn markdown_is_cut_at_its_headings() {
        let text = "# Export jobs\nThey write to a bucket.\n\n## Regions\nUse the same region.\n";
        assert_eq!(
            cuts("text", text),
            [
                pair("Export jobs", "# Export jobs\n\nThey write to a bucket."),
                pair("Regions", "## Regions\n\nUse the same region."),
            ]
        );
    }

    #[test]
    fn a_long_text_is_cut_at_spaces_and_nothing_is_lost() {
        let words: Vec<String> = (0..1_000).map(|n| format!("word{n}")).collect();
        let pieces = cut("text", &words.join(" "));
        assert!(pieces.len() > 5 && pieces.iter().all(|piece| piece.text.chars().count() <= MAX_LENGTH));
        let back: Vec<&str> = pieces.iter().flat_map(|piece| piece.text.split(' ')).collect();
        assert_eq!(back, words);
    }

    #[test]
    fn a_row_of_a_table_names_its_columns() {
        assert_eq!(
            cuts("csv", "team,owner\nweb,Ana\ndata,\n"),
            [pair("row 1", "team: web; owner: Ana\nteam: data")]
        );
    }

    #[test]
    fn values_of_json_stand_under_their_path() {
        let json = r#"{"alerts": [{"name": "Slow", "count": 3}], "none": null}"#;
        assert_eq!(cuts("json", json), [pair("alerts[0].count", "alerts[0].count: 3\nalerts[0].name: Slow")],);
    }

    #[test]
    fn texts_of_xml_stand_under_their_element_and_entities_are_not_followed() {
        assert_eq!(cuts("xml", "<a>\n<b>Hello</b></a>"), [pair("b, line 2", "Hello")]);
        let bomb = r#"<!DOCTYPE a [<!ENTITY x "xxxx">]><a>&x;</a>"#;
        assert_eq!(cuts("xml", bomb), [pair("line 1", bomb)]);
    }

    #[test]
    fn a_word_longer_than_a_passage_is_cut_all_the_same() {
        let pieces = cut("text", &"ü".repeat(MAX_LENGTH * 2 + 1));
        assert_eq!(
            pieces.iter().map(|piece| piece.text.chars().count()).collect::<Vec<_>>(),
            [MAX_LENGTH, MAX_LENGTH, 1]
        );
    }
}
