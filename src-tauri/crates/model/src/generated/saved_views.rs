//! Tables and lookups of `schema/tables/saved_views.graphql`.

// Written by `UPDATE=1 cargo test -p model` from schema/. Read the change, do not edit.

#[allow(unused_imports, reason = "not every area holds every type")]
use super::prelude::*;
use crate::table::table;

table! {
    /// A page as somebody has set it: everybody in the tenant finds it under its name.
    SavedView in saved_view by id {
        id: Id<SavedView>,
        tenant: Id<Tenant>,
        /// The page, such as `costs/explorer`.
        page: String,
        /// Unique for the page.
        name: String,
        /// What the address of the page holds: filters, grouping, columns.
        search: Json,
        created_at: ZonedTimestamp,
    }
}
