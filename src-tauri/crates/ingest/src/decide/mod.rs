//! Decides whether the rows of a delivery are new or restate stored rows, by row identities only, never by names or clock times.
//!
//! [`Sketch`] contains row identities, [`Overlap`] compares two sketches, [`decide`] applies the rules. This module does not access the
//! store.

mod overlap;
mod rules;
mod sketch;

pub use overlap::Overlap;
pub use rules::{Choice, IncomingRows, OlderRows, Reason, Verdict, decide, imports_replaced_by};
pub use sketch::{RowKey, Sketch};
