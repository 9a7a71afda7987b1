//! Collects errors with their file and line.

use crate::{Catalogue, CatalogueError, Problem};

/// A line of a file.
#[derive(Debug, Clone, Copy)]
pub(super) struct SourceLine<'a> {
    pub file: &'a str,
    pub line: usize,
}

/// The errors found so far.
#[derive(Debug, Default)]
pub(super) struct Problems(Vec<Problem>);

impl Problems {
    pub fn add(&mut self, place: SourceLine<'_>, message: impl Into<String>) {
        self.0.push(Problem { file: place.file.to_owned(), line: place.line, message: message.into() });
    }

    /// The catalogue if there are no errors; otherwise the errors in file order.
    pub fn none_or(mut self, catalogue: Catalogue) -> Result<Catalogue, CatalogueError> {
        if self.0.is_empty() {
            return Ok(catalogue);
        }
        self.0.sort_by(|left, right| (&left.file, left.line).cmp(&(&right.file, right.line)));
        Err(CatalogueError { problems: self.0 })
    }
}
