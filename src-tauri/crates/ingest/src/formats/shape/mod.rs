//! Tables that are no delimited text: rows as JSON objects, and Parquet. Both give rows of cells as text, as CSV does.

mod csv;
mod json;
mod parquet;
mod value;

pub use csv::CsvRows;
pub use json::{JsonRows, are_lines, columns_of};
pub use parquet::ParquetRows;

/// Objects whose members are columns of their own (`service.description`), as BigQuery nests them. Others are one cell of JSON.
const FLATTENED: [&str; 9] =
    ["service", "sku", "project", "location", "usage", "invoice", "resource", "price", "adjustment_info"];

/// Reason for a row in which the file ends.
pub const CUT: &str = "the file ends inside this row, it may be cut off";
/// Reason for a row of JSON that says two things of one column.
pub const TWICE: &str = "a column that the row has twice";
/// Reason for a row of JSON that is no object.
pub const NO_OBJECT: &str = "not a JSON object";
