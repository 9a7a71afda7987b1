//! Errors in the format that clients of this interface parse: message, `extensions.path`, `extensions.code`.

use serde_json::{Value, json};

/// One error. `path` is a position in the request, such as `$.selectionSet.spends.args.limit`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GraphqlError {
    pub code: &'static str,
    pub path: String,
    pub message: String,
    /// Other members of `extensions`.
    pub details: Vec<(&'static str, Value)>,
}

impl GraphqlError {
    pub fn new(code: &'static str, path: impl Into<String>, message: impl Into<String>) -> Self {
        Self { code, path: path.into(), message: message.into(), details: Vec::new() }
    }

    /// `{"errors":[…]}`
    pub fn body(&self) -> Vec<u8> {
        json!({ "errors": [self.to_json()] }).to_string().into_bytes()
    }

    /// The error of one root field whose sibling fields are answered.
    pub(crate) fn of_field(&self, alias: &str) -> Value {
        let mut error = self.to_json();
        error["path"] = json!([alias]);
        error
    }

    fn to_json(&self) -> Value {
        let mut extensions = json!({ "path": self.path, "code": self.code });
        for (name, value) in &self.details {
            extensions[*name] = value.clone();
        }
        json!({ "message": self.message, "extensions": extensions })
    }
}

/// A position in the request; extended downward without allocation.
#[derive(Clone, Copy)]
pub(crate) struct Path<'a> {
    parent: Option<&'a Path<'a>>,
    segment: &'a str,
}

/// The message for a limit above the maximum.
pub(crate) fn too_many_rows(limit: u64, most: u64) -> String {
    format!(
        "limit {limit} is more than the {most} rows one answer may have: ask page by page (limit and offset), or raise the setting max_rows"
    )
}

impl<'a> Path<'a> {
    pub(crate) const ROOT: Path<'static> = Path { parent: None, segment: "$" };

    pub(crate) fn join(&'a self, segment: &'a str) -> Path<'a> {
        Path { parent: Some(self), segment }
    }

    /// The request does not match the schema.
    pub(crate) fn invalid(&self, message: impl Into<String>) -> GraphqlError {
        GraphqlError::new("validation-failed", self.to_string(), message)
    }

    /// The request exceeds a limit on requests.
    pub(crate) fn exceeded(&self, what: &str, limit: usize, found: usize, remedy: &str) -> GraphqlError {
        let message =
            format!("at most {limit} {what} are allowed, and this request has {found} or more: {remedy}");
        GraphqlError::new("limit-exceeded", self.to_string(), message)
    }

    /// A listing was requested with more rows than a response may have.
    pub(crate) fn exceeded_rows(&self, limit: u64, most: u64) -> GraphqlError {
        GraphqlError::new("limit-exceeded", self.to_string(), too_many_rows(limit, most))
    }

    /// The number of selection sets that enclose this position.
    pub(crate) fn selections(&self) -> usize {
        let above = self.parent.map_or(0, Path::selections);
        above + usize::from(self.segment == "selectionSet")
    }

    /// A number exceeds the range of its type.
    pub(crate) fn unparsed(&self, message: impl Into<String>) -> GraphqlError {
        GraphqlError::new("parse-failed", self.to_string(), message)
    }

    /// A value cannot be parsed as its type.
    pub(crate) fn unreadable(&self, message: impl Into<String>) -> GraphqlError {
        GraphqlError::new("data-exception", self.to_string(), message)
    }
}

impl std::fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(parent) = self.parent {
            let point = if self.segment.starts_with('[') { "" } else { "." };
            write!(f, "{parent}{point}")?;
        }
        f.write_str(self.segment)
    }
}
