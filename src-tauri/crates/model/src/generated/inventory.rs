//! Tables and lookups of `schema/tables/inventory.graphql`.

// Written by `UPDATE=1 cargo test -p model` from schema/. Read the change, do not edit.

use crate::lookup::lookup;

lookup! {
    /// What resources are filtered by.
    CloudResourcesField {
        /// The id of the account.
        Account = "ACCOUNT",
        Service = "SERVICE",
        Type = "TYPE",
        Region = "REGION",
        Status = "STATUS",
    }
}

lookup! {
    /// What resources are sorted by. Those that have no such value stand last, whatever the direction.
    CloudResourcesSort {
        /// What was billed in the currency of the request.
        Cost = "COST",
        Name = "NAME",
        /// The name of the account.
        Account = "ACCOUNT",
        Service = "SERVICE",
        Type = "TYPE",
        Region = "REGION",
        Status = "STATUS",
        LastSeen = "LAST_SEEN",
    }
}
