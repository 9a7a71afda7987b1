//! The cost view of an Azure export: actual or amortised cost.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which costs an export states. Both kinds have the same columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CostView {
    /// As the invoice has them: a reservation costs when it is bought.
    Actual,
    /// A reservation costs while it is used.
    Amortized,
}

impl CostView {
    /// The name used by the interface.
    pub fn choice(self) -> &'static str {
        match self {
            Self::Actual => "actual_cost",
            Self::Amortized => "amortized_cost",
        }
    }
}
