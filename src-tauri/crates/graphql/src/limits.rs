//! Limits on one request. Everything is counted while the request is compiled, and refused as soon as a limit is exceeded, before any
//! statement runs and before further fragments or variables are expanded.

mod body;
mod introspection;

use crate::error::{GraphqlError, Path};
use catalogue::RelationshipId;
use std::cell::Cell;
use store::query::{AggregatePart, Field, FieldKind, Query, QueryKind, Range};

/// Limits on one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Length of the query text in bytes.
    pub query_bytes: usize,
    /// Tokens and brackets of the text: the cost of parsing it.
    pub words: usize,
    /// Nesting depth of selections.
    pub depth: usize,
    /// Fields and aliases, after fragments are expanded.
    pub fields: usize,
    /// Entries of all `where` and `order_by` arguments.
    pub conditions: usize,
    /// Nesting depth of conditions in a `where`.
    pub condition_depth: usize,
    /// Table accesses: by root fields, selected lists, aggregates and relationships, and by relationships and aggregates in conditions and
    /// orders.
    pub tables: usize,
    /// Nesting depth of relationships in a `where` or `order_by`.
    pub relationship_depth: usize,
    /// Values in the whole body, and separately in all arguments after variables are substituted.
    pub values: usize,
    /// Maximum `limit` of a listing.
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

/// Maximum nesting of brackets, in the text and in the body around it: the recursion depth of parsers equals the nesting of brackets.
const BRACKETS: usize = 100;
/// Conditions of one statement: SQLite limits expression depth to 1,000, and a chain of ANDs is as deep as it is long.
const CONDITIONS_OF_ONE: usize = 800;
/// Listed values that columns of one statement are compared with: SQLite allows 32,766 parameters.
const LISTED: usize = 30_000;
/// Joins of one statement: to-one relationships are joined with the row they belong to, and SQLite joins at most 64 tables.
const JOINS: usize = 60;
/// Regular expressions and SIMILAR patterns of one request: each is compiled before any row is read.
const PATTERNS: usize = 10;
/// Length of one pattern in bytes: it is run again for every compared value.
pub(crate) const PATTERN_BYTES: usize = 1_000;
/// Bytes of the texts in all arguments together: a long text in a variable may be used at many places and is copied to each.
const TEXT_BYTES: usize = 64 * 1024 * 1024;

impl Limits {
    /// Refuses a body that would be too expensive to parse. Invalid JSON is left to the parser.
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

    /// Refuses a query text that would be too expensive to parse.
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

/// The size of a text, without comments.
struct Extent {
    /// Maximum nesting of brackets outside strings.
    nesting: usize,
    /// Number of names, numbers, strings and opening brackets.
    words: usize,
}

fn extent(query: &str) -> Extent {
    let bytes = query.as_bytes();
    let (mut depth, mut nesting, mut words, mut at) = (0usize, 0, 0, 0);
    let is_of_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    // If one block string has no end, later ones have none either: the search is not repeated.
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
                // A block string without an end is parsed as an empty string and the text after it.
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

/// The position of the quote that ends the string starting at `start`.
pub(crate) fn end_of_string(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 1,
            // A string that does not end on its line is an error; the following text is scanned as if it had ended.
            b'"' | b'\n' | b'\r' => return at,
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

/// The length of the block string that starts here, without the closing quotes.
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

/// What one request has used so far.
pub(crate) struct LimitMeter {
    limits: Limits,
    /// Length of the query text.
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
    /// Schema values of introspection.
    members: Cell<usize>,
}

impl LimitMeter {
    /// A meter for a query text of this length, with all counts zero.
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

    /// Counts a field or a fragment spread.
    pub(crate) fn field(&self, path: &Path<'_>) -> Result<(), GraphqlError> {
        let remedy = "ask for fewer fields at once, or raise the setting max_fields";
        count(&self.fields, 1, self.limits.fields, path, "fields (fragments opened)", remedy)
    }

    /// Maximum `limit` of a listing.
    pub(crate) fn most_rows(&self) -> u64 {
        self.limits.rows
    }

    /// Starts the counts of a new statement.
    pub(crate) fn begin_statement(&self) {
        self.conditions_of_one.set(0);
        self.listed.set(0);
    }

    /// Counts an entry of a `where` or `order_by`, or a column name.
    pub(crate) fn condition(&self, path: &Path<'_>) -> Result<(), GraphqlError> {
        let remedy = "use lists (_in) where there are many values, or raise the setting max_conditions";
        count(&self.conditions, 1, self.limits.conditions, path, "conditions", remedy)?;
        let remedy = "use lists (_in) where there are many values";
        count(&self.conditions_of_one, 1, CONDITIONS_OF_ONE, path, "conditions on one table", remedy)
    }

    /// Counts the values of a list that a column is compared with.
    pub(crate) fn listed(&self, values: usize, path: &Path<'_>) -> Result<(), GraphqlError> {
        count(&self.listed, values, LISTED, path, "values in lists of one table", "ask for them in parts")
    }

    /// Refuses selections that are nested too deeply; `path` is the innermost.
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

    /// Counts an argument value other than a variable.
    pub(crate) fn value(&self, text: usize, path: &Path<'_>) -> Result<(), GraphqlError> {
        let remedy = "send fewer rows or values at once, or raise the setting max_values";
        count(&self.values, 1, self.limits.values, path, "values in arguments", remedy)?;
        let remedy = "put long texts in at fewer places";
        count(&self.texts, text, TEXT_BYTES, path, "bytes of texts in arguments", remedy)
    }

    /// Reads a `where`, or a part of one, one level deeper.
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

    /// Counts a table access.
    pub(crate) fn table(&self, path: &Path<'_>) -> Result<(), GraphqlError> {
        let remedy = "ask for them in several requests, or raise the setting max_tables";
        count(&self.tables, 1, self.limits.tables, path, "tables looked into", remedy)
    }

    /// Reads conditions or orders on related rows, one relationship deeper.
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

    /// Counts a pattern to be compiled.
    pub(crate) fn pattern(&self, path: &Path<'_>) -> Result<(), GraphqlError> {
        let remedy = "bring them together (a|b), or use _like";
        count(&self.patterns, 1, PATTERNS, path, "regular expressions", remedy)
    }

    /// Refuses queries that would need more joins than SQLite supports in one statement.
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

/// The maximum number of to-one joins in any statement for these fields.
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

/// To-one joins needed by the sort order.
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

/// Maximum nesting of fragments.
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
