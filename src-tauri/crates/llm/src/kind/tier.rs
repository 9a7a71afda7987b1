//! How hard a task of a model is.

use serde::Serialize;

/// How hard a task is; each may have a model of its own (semantics §15).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// Questions, decisions, answers: the main model.
    Reasoning,
    /// Finding what a question needs: the small model, where there is one.
    Retrieval,
    /// Saying something shorter: the small model, where there is one.
    Summary,
}

impl Tier {
    pub const ALL: [Self; 3] = [Self::Reasoning, Self::Retrieval, Self::Summary];

    pub fn name(self) -> &'static str {
        match self {
            Self::Reasoning => "reasoning",
            Self::Retrieval => "retrieval",
            Self::Summary => "summary",
        }
    }
}
