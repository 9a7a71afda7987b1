//! Tiers: how demanding a task for a model is.

use serde::Serialize;

/// How demanding a task is; each tier can have its own model (semantics §15).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// Questions, decisions, answers: the main model.
    Reasoning,
    /// Finding information for a question: the small model, if there is one.
    Retrieval,
    /// Summarising: the small model, if there is one.
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
