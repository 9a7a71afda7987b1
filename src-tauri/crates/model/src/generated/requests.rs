//! Tables and lookups of `schema/tables/requests.graphql`.

// Written by `UPDATE=1 cargo test -p model` from schema/. Read the change, do not edit.

use crate::lookup::lookup;

lookup! {
    /// Ascending or descending. Without a word about nulls they count as larger than any value.
    QuerySortOrderRequest {
        Asc = "asc",
        AscNullsFirst = "asc_nulls_first",
        AscNullsLast = "asc_nulls_last",
        Desc = "desc",
        DescNullsFirst = "desc_nulls_first",
        DescNullsLast = "desc_nulls_last",
    }
}
