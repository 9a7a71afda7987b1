//! How much one request may ask for. Everything is counted while the request is read, and refused at the first piece
//! too many: no statement runs, and no fragment or variable is opened further.

mod body;
mod introspection;

use crate::error::{GraphqlError, Path};
use catalogue::RelationshipId;
use std::cell::Cell;
use store::query::{AggregatePart, Field, FieldKind, Query, QueryKind, Range};

/// What one request may ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Length of the query's text.
    pub query_bytes: usize,
    /// Words and brackets of the text: what reading it takes.
    pub words: usize,
    /// Selections inside selections.
    pub depth: usize,
    /// Fields and aliases, after fragments are opened.
    pub fields: usize,
    /// Entries of all `where` and `order_by`.
    pub conditions: usize,
    /// Conditions inside conditions of a `where`.
    pub condition_depth: usize,
    /// Tables looked into, each as often as it is: by root fields, lists, aggregates and relationships that are selected, and
    /// by relationships and aggregates in conditions and orders.
    pub tables: usize,
    /// Relationships inside relationships of a `where` or `order_by`.
    pub relationship_depth: usize,
    /// Values of the whole body, and again of all arguments, after variables are put in.
    pub values: usize,
    /// Rows a listing may be asked for at once.
    pub rows: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            query_bytes: 256 * 1024,
            words: 30_000,
            depth: 20,
            fields: 1_500,
            conditions: 2_000,
            condition_depth: 20,
            tables: 200,
            relationship_depth: 5,
            values: 100_000,
            rows: 100_000,
        }
    }
}

/// Brackets may nest this deep, in the text and in the body around it: reading goes as deep into the stack as brackets do.
const BRACKETS: usize = 100;
/// Conditions of one statement: SQLite nests expressions 1,000 deep, and a chain of ANDs is as deep as it is long.
const CONDITIONS_OF_ONE: usize = 800;
/// Values beside which the columns of one statement are put: SQLite binds 32,766 parameters.
const LISTED: usize = 30_000;
/// To-one relationships share a statement with the row they belong to; SQLite joins 64 tables.
const JOINS: usize = 60;
/// Regular expressions and SIMILAR patterns of one request: each is compiled before any row is read.
const PATTERNS: usize = 10;
/// Length of one pattern: what is compared with it has to go through it again and again.
pub(crate) const PATTERN_BYTES: usize = 1_000;
/// Texts of all arguments together: a long one in a variable may be put in at many places, and is copied to each.
const TEXT_BYTES: usize = 64 * 1024 * 1024;

impl Limits {
    /// Refuses a request's body that would cost too much to read. Whatever is no JSON is for its reader to refuse.
    pub fn check_body(&self, json: &[u8]) -> Result<(), GraphqlError> {
        let remedy = "send fewer rows or values at once, or raise the setting max_values";
        match body::weigh(json, BRACKETS, self.values) {
            Ok(()) => Ok(()),
            Err(body::TooMuch::Deep(found)) => {
                Err(Path::ROOT.exceeded("brackets inside brackets", BRACKETS, found, "nest less deeply"))
            }
            Err(body::TooMuch::Many(found)) => {
                Err(Path::ROOT.exceeded("values in the body", self.values, found, remedy))
            }
        }
    }

    /// Refuses a text that would cost too much to read.
    pub(crate) fn check_text(&self, query: &str) -> Result<(), GraphqlError> {
        let path = Path::ROOT.join("query");
        if query.len() > self.query_bytes {
            return Err(path.exceeded(
                "bytes of query text",
                self.query_bytes,
                query.len(),
                "send values as variables, or raise the setting max_query_bytes",
            ));
        }
        let Extent { nesting, words } = extent(query);
        if nesting > BRACKETS {
            return Err(path.exceeded("brackets inside brackets", BRACKETS, nesting, "nest less deeply"));
        }
        if words > self.words {
            let remedy = "send values as variables, or raise the setting max_words";
            return Err(path.exceeded("words and brackets", self.words, words, remedy));
        }
        Ok(())
    }
}

/// How large a text is, outside comments.
struct Extent {
    /// How deep brackets nest outside strings.
    nesting: usize,
    /// Names, numbers, strings and opening brackets.
    words: usize,
}

fn extent(query: &str) -> Extent {
    let bytes = query.as_bytes();
    let (mut depth, mut nesting, mut words, mut at) = (0usize, 0, 0, 0);
    let is_of_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    // Where one block has no end, those behind it have none either: nobody looks for it again.
    let mut blocks_end = true;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'{' | b'[' | b'(' => {
                depth += 1;
                words += 1;
                nesting = nesting.max(depth);
            }
            b'}' | b']' | b')' => depth = depth.saturating_sub(1),
            b'#' => {
                at = bytes[at..]
                    .iter()
                    .position(|byte| matches!(byte, b'\n' | b'\r'))
                    .map_or(bytes.len(), |end| at + end);
            }
            b'"' if bytes[at..].starts_with(b"\"\"\"") => {
                words += 1;
                let length = if blocks_end { end_of_block(&bytes[at + 3..]) } else { None };
                blocks_end = length.is_some();
                // Without an end the parser reads an empty string, and what follows.
                at += length.map_or(1, |length| 3 + length + 2);
            }
            b'"' => {
                words += 1;
                at = end_of_string(bytes, at);
            }
            byte if is_of_word(byte) => {
                words += 1;
                at += bytes[at + 1..].iter().take_while(|byte| is_of_word(byte)).count();
            }
            _ => {}
        }
        at += 1;
    }
    Extent { nesting, words }
}

/// The place of the quote that ends the string beginning at `start`.
pub(crate) fn end_of_string(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 1,
            // A string that does not end on its line is an error: what follows is read as if it had.
            b'"' | b'\n' | b'\r' => return at,
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

/// How long a block is that begins here, without the quotes that end it.
pub(crate) fn end_of_block(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        if rest.starts_with(b"\"\"\"") {
            return Some(at);
        }
        at += if rest.starts_with(b"\\\"\"\"") { 4 } else { 1 };
    }
    None
}

/// What one request has asked for so far.
pub(crate) struct LimitMeter {
    limits: Limits,
    /// Length of the query's text.
    text_bytes: usize,
    fields: Cell<usize>,
    conditions: Cell<usize>,
    conditions_of_one: Cell<usize>,
    listed: Cell<usize>,
    nesting: Cell<usize>,
    values: Cell<usize>,
    texts: Cell<usize>,
    tables: Cell<usize>,
    relationships: Cell<usize>,
    patterns: Cell<usize>,
    /// Values of the schema.
    members: Cell<usize>,
}

impl LimitMeter {
    /// Nothing so far, of a query whose text is so long.
    pub(crate) fn new(limits: Limits, text_bytes: usize) -> Self {
        Self {
            limits,
            text_bytes,
            fields: Cell::new(0),
            conditions: Cell::new(0),
            conditions_of_one: Cell::new(0),
            listed: Cell::new(0),
            nesting: Cell::new(0),
            values: Cell::new(0),
            texts: Cell::new(0),
            tables: Cell::new(0),
            relationships: Cell::new(0),
            patterns: Cell::new(0),
            members: Cell::new(0),
        }
    }

    /// Counts one more field, or fragment to be opened.
    pub(crate) fn field(&self, path: &Path<'_>) -> Result<(), GraphqlError> {
        let remedy = "ask for fewer fields at once, or raise the setting max_fields";
        count(&self.fields, 1, self.limits.fields, path, "fields (fragments opened)", remedy)
    }

    /// Rows a listing may be asked for at once.
    pub(crate) fn most_rows(&self) -> u64 {
        self.limits.rows
    }

    /// What is counted from here on belongs to another statement.
    pub(crate) fn begin_statement(&self) {
        self.conditions_of_one.set(0);
        self.listed.set(0);
    }

    /// Counts one more entry of a `where` or `order_by`, or name of a column.
    pub(crate) fn condition(&self, path: &Path<'_>) -> Result<(), GraphqlError> {
        let remedy = "use lists (_in) where there are many values, or raise the setting max_conditions";
        count(&self.conditions, 1, self.limits.conditions, path, "conditions", remedy)?;
        let remedy = "use lists (_in) where there are many values";
        count(&self.conditions_of_one, 1, CONDITIONS_OF_ONE, path, "conditions on one table", remedy)
    }

    /// Counts values of a list that a column is compared with.
    pub(crate) fn listed(&self, values: usize, path: &Path<'_>) -> Result<(), GraphqlError> {
        count(&self.listed, values, LISTED, path, "values in lists of one table", "ask for them in parts")
    }

    /// Refuses selections that nest too deeply; `path` stands at the innermost.
    pub(crate) fn depth(&self, path: &Path<'_>) -> Result<(), GraphqlError> {
        self.check_depth(path.selections(), path)
    }

    fn check_depth(&self, depth: usize, path: &Path<'_>) -> Result<(), GraphqlError> {
        if depth > self.limits.depth {
            let remedy = "select less deeply, or raise the setting max_depth";
            return Err(path.exceeded("selections inside selections", self.limits.depth, depth, remedy));
        }
        Ok(())
    }

    /// Counts one more value of an argument that is no variable.
    pub(crate) fn value(&self, text: usize, path: &Path<'_>) -> Result<(), GraphqlError> {
        let remedy = "send fewer rows or values at once, or raise the setting max_values";
        count(&self.values, 1, self.limits.values, path, "values in arguments", remedy)?;
        let remedy = "put long texts in at fewer places";
        count(&self.texts, text, TEXT_BYTES, path, "bytes of texts in arguments", remedy)
    }

    /// Reads a `where`, or a part of one, one step deeper.
    pub(crate) fn nested<T>(
        &self,
        path: &Path<'_>,
        read: impl FnOnce() -> Result<T, GraphqlError>,
    ) -> Result<T, GraphqlError> {
        let depth = self.nesting.get() + 1;
        if depth > self.limits.condition_depth {
            let remedy = "put conditions side by side, or raise the setting max_condition_depth";
            return Err(path.exceeded(
                "conditions inside conditions",
                self.limits.condition_depth,
                depth,
                remedy,
            ));
        }
        self.nesting.set(depth);
        let answer = read();
        self.nesting.set(depth - 1);
        answer
    }

    /// Counts one more look into a table.
    pub(crate) fn table(&self, path: &Path<'_>) -> Result<(), GraphqlError> {
        let remedy = "ask for them in several requests, or raise the setting max_tables";
        count(&self.tables, 1, self.limits.tables, path, "tables looked into", remedy)
    }

    /// Reads what a `where` or `order_by` says of related rows, one relationship further.
    pub(crate) fn related<T>(
        &self,
        path: &Path<'_>,
        read: impl FnOnce() -> Result<T, GraphqlError>,
    ) -> Result<T, GraphqlError> {
        let depth = self.relationships.get() + 1;
        let limit = self.limits.relationship_depth;
        if depth > limit {
            let remedy = "ask about nearer rows, or raise the setting max_relationship_depth";
            return Err(path.exceeded("relationships inside relationships", limit, depth, remedy));
        }
        self.relationships.set(depth);
        let answer = read();
        self.relationships.set(depth - 1);
        answer
    }

    /// Counts one more pattern that has to be compiled.
    pub(crate) fn pattern(&self, path: &Path<'_>) -> Result<(), GraphqlError> {
        let remedy = "bring them together (a|b), or use _like";
        count(&self.patterns, 1, PATTERNS, path, "regular expressions", remedy)
    }

    /// Refuses what would need more joins than SQLite makes in one statement.
    pub(crate) fn joins(query: &Query, path: &Path<'_>) -> Result<(), GraphqlError> {
        let found = match &query.kind {
            QueryKind::List(select) | QueryKind::First(select) => {
                joins(&select.fields) + steps(&select.range)
            }
            QueryKind::Aggregate(select) => joins_of_parts(&select.parts) + steps(&select.range),
            QueryKind::Grouped(_) | QueryKind::Text(_) | QueryKind::Json(_) | QueryKind::Code(_) => 0,
        };
        if found > JOINS {
            return Err(path.exceeded(
                "object relationships of one row",
                JOINS,
                found,
                "select fewer at once",
            ));
        }
        Ok(())
    }
}

fn count(
    counter: &Cell<usize>,
    more: usize,
    limit: usize,
    path: &Path<'_>,
    what: &str,
    remedy: &str,
) -> Result<(), GraphqlError> {
    let found = counter.get().saturating_add(more);
    counter.set(found);
    if found > limit { Err(path.exceeded(what, limit, found, remedy)) } else { Ok(()) }
}

/// The most to-one relationships any row of these fields needs in its statement.
fn joins(fields: &[Field]) -> usize {
    let (mut here, mut elsewhere) = (0, 0);
    for field in fields {
        match &field.kind {
            FieldKind::One { fields, .. } => here += 1 + joins(fields),
            FieldKind::Many { fields, range, .. } => elsewhere = elsewhere.max(joins(fields) + steps(range)),
            FieldKind::Aggregate { parts, range, .. } => {
                elsewhere = elsewhere.max(joins_of_parts(parts) + steps(range));
            }
            FieldKind::Column { .. } | FieldKind::Text(_) => {}
        }
    }
    here.max(elsewhere)
}

/// To-one relationships that rows are ordered by.
fn steps(range: &Range) -> usize {
    let mut paths: Vec<&[RelationshipId]> = range.order.iter().map(|order| order.path.as_slice()).collect();
    paths.sort_unstable();
    paths.dedup();
    paths.iter().map(|path| path.len()).sum()
}

fn joins_of_parts(parts: &[AggregatePart]) -> usize {
    let nodes = |part: &AggregatePart| match part {
        AggregatePart::Nodes { fields, .. } => joins(fields),
        AggregatePart::Figures { .. } | AggregatePart::Text { .. } => 0,
    };
    parts.iter().map(nodes).max().unwrap_or(0)
}

/// Fragments may nest this deep.
pub(crate) const FRAGMENTS: usize = 64;

#[cfg(test)]
mod tests {
    use super::extent;

    #[test]
    fn names_numbers_strings_and_brackets_are_words() {
        for (text, words) in [
            ("{ a_1(b: [1.5], c: $d) @e { ...f } }", 12),
            ("# a b c\n \"a b\" \"\"\"a b\"\"\" enum", 3),
            ("[][]", 2),
            ("", 0),
        ] {
            assert_eq!(extent(text).words, words, "{text}");
        }
    }

    #[test]
    fn brackets_in_strings_and_comments_do_not_nest() {
        for (text, depth) in [
            ("{ a(b: [1]) { c } }", 3),
            ("{ a(b: \"{{{\\\"{{{\") } # {{{{\n{", 2),
            ("{ a(b: \"\"\"{{{ \" \\\"\"\" {{{\"\"\") }", 2),
            ("\"{{{", 0),
            ("\"\"\"{{{\"\"\"[", 1),
            ("[\"\"\"\" [[[", 4),
            ("[\"\"\" \\\"\"\" [", 1),
            ("}}}{", 1),
            ("# {{{", 0),
        ] {
            assert_eq!(extent(text).nesting, depth, "{text}");
        }
    }
}
