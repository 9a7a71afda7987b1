//! Reports how a root field was answered.

use std::time::Duration;

/// The data that answered a query.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum AnswerSource {
    /// Precomputed sums.
    Cube,
    /// Column segments of the rows.
    Segments,
    /// The rows themselves.
    #[default]
    Sql,
}

impl AnswerSource {
    pub fn name(self) -> &'static str {
        match self {
            Self::Cube => "cube",
            Self::Segments => "segments",
            Self::Sql => "sql",
        }
    }
}

/// How one root field was answered.
#[derive(Debug, Clone, Default)]
pub struct Explanation {
    /// Key of the root field in the response.
    pub name: String,
    pub chosen: AnswerSource,
    /// Reasons why a faster source could not be used.
    pub why_not: Vec<String>,
    /// Rows of segments and cubes that were read; 0 for SQL, which does not report them.
    pub rows: u64,
    pub segments: u64,
    pub cube_parts: u64,
    /// Rows read from the table because no segment covers them yet.
    pub loose_rows: u64,
    pub time: Duration,
}
