//! Tables and lookups of `schema/tables/logs.graphql`.

// Written by `UPDATE=1 cargo test -p model` from schema/. Read the change, do not edit.

#[allow(unused_imports, reason = "not every area holds every type")]
use super::prelude::*;
use crate::table::table;

table! {
    /// One line of a log.
    Log in logs by id {
        id: Id<Log>,
        tenant_id: Id<Tenant>,
        /// The account it comes from.
        account_id: Id<CloudAccount>,
        /// When it was written, UTC.
        timestamp: Timestamp,
        /// How bad it is, as the program says it: debug, info, warn, error and the like.
        severity: String,
        message: String,
        /// Where it comes from, by name: app, namespace, pod and the like.
        labels: Json,
    }
}
