//! Splits shared cost among targets, and finds tag keys that are spellings of the same key. Pure functions.
//!
//! The parts of a split add up to its amount exactly: see [`split`].

mod spelling;
mod split;

pub use spelling::{Spelling, clusters};
pub use split::{Part, SplitError, split};
