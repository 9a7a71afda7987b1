//! The cost view of an Azure export: actual or amortised cost.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The type of cost in an Azure export. Both types have the same columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CostView {
    /// Actual cost, as invoiced: the cost of a reservation is charged when it is bought.
    Actual,
    /// Amortised cost: the cost of a reservation is spread over its use.
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
