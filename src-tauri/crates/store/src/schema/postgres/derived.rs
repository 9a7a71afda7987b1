//! Auxiliary tables of PostgreSQL: change marks, and vectors and words of searched tables. There are no column segments; all groupings are
//! answered from rows.

use crate::marks;
use crate::search;
use catalogue::Catalogue;

/// Name and statement of each auxiliary table.
pub(super) fn tables(catalogue: &Catalogue) -> Vec<(String, String)> {
    marks::postgres_tables(catalogue).into_iter().chain(search::postgres_tables(catalogue)).collect()
}

/// Name and statement of each index on auxiliary tables.
pub(super) fn indices(catalogue: &Catalogue) -> Vec<(String, String)> {
    search::postgres_indices(catalogue)
}

/// Name and statement of each trigger; some may exist already.
pub(super) fn triggers(catalogue: &Catalogue) -> Vec<(String, String)> {
    marks::postgres_triggers(catalogue).into_iter().chain(search::postgres_triggers(catalogue)).collect()
}
