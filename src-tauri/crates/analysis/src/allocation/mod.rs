//! Shared cost split among those who share it, and keys of tags that are one key spelled in several ways. Values in, values out.
//!
//! What is split adds up again to the last digit: see [`split`].

mod spelling;
mod split;

pub use spelling::{Spelling, clusters};
pub use split::{Part, SplitError, split};
