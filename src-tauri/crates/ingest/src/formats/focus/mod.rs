//! FOCUS, the FinOps Open Cost and Usage Specification, 1.0 to 1.4: one row per charge.

mod columns;
mod dates;
mod layout;
mod record;
mod rows;
mod tags;

pub use dates::{decide as decide_dates, has_spreadsheet_dates};
pub use layout::Layout;
pub use record::{SpendBatch, SpendRecord, Text};
pub use rows::read;
