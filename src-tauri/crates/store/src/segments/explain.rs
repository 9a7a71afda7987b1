//! How a root field was answered, for who asks.

use std::time::Duration;

/// What answered.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum AnswerSource {
    /// Sums kept ready.
    Cube,
    /// Columns of the rows.
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
    /// Key of the root field in the answer.
    pub name: String,
    pub chosen: AnswerSource,
    /// Why not something better, in words.
    pub why_not: Vec<String>,
    /// Rows of segments and cubes that were looked at; 0 for SQL, which does not tell.
    pub rows: u64,
    pub segments: u64,
    pub cube_parts: u64,
    /// Rows read from the table because no segment tells them yet.
    pub loose_rows: u64,
    pub time: Duration,
}
