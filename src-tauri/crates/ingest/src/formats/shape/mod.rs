//! Tables other than delimited text: rows as JSON objects, and Parquet. Both provide rows of text cells, as CSV does.

mod csv;
mod json;
mod parquet;
mod value;

pub use csv::CsvRows;
pub use json::{JsonRows, are_lines, columns_of};
pub use parquet::ParquetRows;

/// Objects whose members are separate columns (`service.description`), as in BigQuery exports. Other objects are one JSON cell.
const FLATTENED: [&str; 9] =
    ["service", "sku", "project", "location", "usage", "invoice", "resource", "price", "adjustment_info"];

/// The reason for a row in which the file ends.
pub const TRUNCATED: &str = "the file ends inside this row, it may be cut off";
/// The reason for a JSON row with two values for one column.
pub const DUPLICATE_COLUMN: &str = "a column that the row has twice";
/// The reason for a JSON row that is not an object.
pub const NO_OBJECT: &str = "not a JSON object";
