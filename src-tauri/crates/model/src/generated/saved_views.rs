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

table! {
    /// A page as a person has set it for themselves: nobody else finds it.
    PrivateView in private_view by id {
        id: Id<PrivateView>,
        tenant: Id<Tenant>,
        /// Whose it is; the caller.
        user_id: Id<User>,
        /// The page, such as `costs/explorer`.
        page: String,
        /// Unique for the person's views of the page.
        name: String,
        /// What the address of the page holds: filters, grouping, columns.
        search: Json,
        created_at: ZonedTimestamp,
    }
}

table! {
    /// The view with which a page opens for a person. Where that view is gone or is none of theirs, the page opens without one.
    DefaultView in default_view by id {
        id: Id<DefaultView>,
        tenant: Id<Tenant>,
        /// Whose page it is; the caller.
        user_id: Id<User>,
        /// The page, such as `costs/explorer`.
        page: String,
        /// A row of `saved_view` or `private_view`.
        view_id: Uuid,
        created_at: ZonedTimestamp,
    }
}
