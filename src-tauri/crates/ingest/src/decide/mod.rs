//! Whether the rows of a delivery are new or tell again what is there: from what identifies the rows, never from names or clocks.
//!
//! [`Sketch`] holds what identifies rows, [`Overlap`] compares two of them, [`decide`] follows the rules. Nothing here knows the
//! store.

mod overlap;
mod rules;
mod sketch;

pub use overlap::Overlap;
pub use rules::{Choice, IncomingRows, OlderRows, Reason, Verdict, chosen, decide};
pub use sketch::{RowKey, Sketch};
