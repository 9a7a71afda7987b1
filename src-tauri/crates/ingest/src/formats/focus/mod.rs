//! FOCUS, the FinOps Open Cost and Usage Specification, 1.0 to 1.4: one row per charge.

mod columns;
mod dates;
mod details;
mod evidence;
mod forms;
mod layout;
mod question;
mod record;
mod rows;
mod tags;

pub use columns::Column;
pub use dates::DateOrder;
pub use forms::decide_forms;
pub use layout::Layout;
pub use record::{SpendBatch, SpendRecord, Text};
pub use rows::read;

/// The format id used by the interface.
pub const ID: &str = "focus";
