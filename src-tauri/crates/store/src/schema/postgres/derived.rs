//! What is kept beside the rows of PostgreSQL: marks of tables, vectors and words of searched ones. Columns of charges are not kept there: rows answer.

use crate::marks;
use crate::search;
use catalogue::Catalogue;

/// Name and statement of each table.
pub(super) fn tables(catalogue: &Catalogue) -> Vec<(String, String)> {
    marks::postgres_tables(catalogue).into_iter().chain(search::postgres_tables(catalogue)).collect()
}

/// Name and statement of each index.
pub(super) fn indices(catalogue: &Catalogue) -> Vec<(String, String)> {
    search::postgres_indices(catalogue)
}

/// Name and statement of each trigger, which may be there already.
pub(super) fn triggers(catalogue: &Catalogue) -> Vec<(String, String)> {
    marks::postgres_triggers(catalogue).into_iter().chain(search::postgres_triggers(catalogue)).collect()
}
