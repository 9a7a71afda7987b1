//! Types of `schema/operations/webhooks.graphql`.

// Written by `UPDATE=1 cargo test -p model` from schema/. Read the change, do not edit.

#[allow(unused_imports, reason = "not every area holds every type")]
use super::prelude::*;

/// A new address for alerts.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct WebhookCreateRequest {
    /// Unlike those of the tenant's other addresses.
    pub name: String,
    /// The account its events belong to.
    pub account_id: Option<Uuid>,
    /// The name of a new account for its events, where there is none yet.
    pub account_name: Option<String>,
}

/// A new address, with its token this once.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct WebhookCreateResponse {
    pub id: String,
    pub name: String,
    pub account_id: String,
    /// Stands at the end of the address: `/api/webhooks/<token>`.
    pub token: String,
}

/// An address that takes nothing any more.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct WebhookRevokeResponse {
    pub id: String,
}

/// What came of a test alert.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct WebhookTestResponse {
    pub created: i64,
    pub updated: i64,
}
