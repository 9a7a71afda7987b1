//! Types of `schema/operations/cloud_listings.graphql`.

// Written by `UPDATE=1 cargo test -p model` from schema/. Read the change, do not edit.

#[allow(unused_imports, reason = "not every area holds every type")]
use super::prelude::*;

/// The interval charges are added up over.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct CloudResourcesV2Arguments {
    /// Charges that begin here or later.
    pub spend_from: String,
    /// Charges that begin here or earlier.
    pub spend_to: String,
}
