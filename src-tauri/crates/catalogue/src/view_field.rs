//! Root fields that list the rows of a view with arguments.

use crate::{Column, TableId};

/// A root field over a view with parameters (`cloud_resources_v2(args: …)`), queried like a table.
#[derive(Debug, Clone)]
pub struct ViewField {
    /// Name of the root field.
    pub name: String,
    pub description: String,
    pub table: TableId,
    /// The arguments and their types as written in `schema/`.
    pub arguments: Vec<(String, String)>,
    /// The type of `args` and its fields; every field is required.
    pub input_type: String,
    pub parameters: Vec<Column>,
    /// GraphQL type names.
    pub where_type: String,
    pub column_type: String,
}
