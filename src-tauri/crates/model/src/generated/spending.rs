//! Tables and lookups of `schema/tables/spending.graphql`.

// Written by `UPDATE=1 cargo test -p model` from schema/. Read the change, do not edit.

use crate::lookup::lookup;

lookup! {
    /// How a budget stands.
    SpendBudgetState {
        /// No threshold that warns was reached.
        Ok = "ok",
        /// The last threshold of what was billed below 100% was reached.
        Near = "near",
        /// The forecast reaches the amount, or a threshold that is on it.
        ForecastCrossed = "forecast_crossed",
        /// What was billed has reached the amount.
        Crossed = "crossed",
        /// It cannot be told; see `message`.
        Unknown = "unknown",
    }
}
