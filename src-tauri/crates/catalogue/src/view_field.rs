//! Root fields that list the rows of a view which takes arguments.

use crate::{Column, TableId};

/// A root field over a view with parameters (`cloud_resources_v2(args: …)`), asked like a table.
#[derive(Debug, Clone)]
pub struct ViewField {
    /// The root field.
    pub name: String,
    pub description: String,
    pub table: TableId,
    /// Its arguments and their types as they are written.
    pub arguments: Vec<(String, String)>,
    /// The type of `args`, and what stands in it; every one must be given.
    pub input_type: String,
    pub parameters: Vec<Column>,
    /// Names of the types of the interface.
    pub where_type: String,
    pub column_type: String,
}
