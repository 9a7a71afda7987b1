//! Types of `schema/operations/inventory.graphql`.

// Written by `UPDATE=1 cargo test -p model` from schema/. Read the change, do not edit.

#[allow(unused_imports, reason = "not every area holds every type")]
use super::prelude::*;

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct CloudResourcesPageRequest {
    /// Charges that begin here or later.
    pub from: String,
    /// Charges that begin before this.
    pub until: String,
    /// Words of which every one must be found in the name, the identifier, the type, the service or the region.
    pub search: Option<String>,
    /// All of them must hold.
    pub filters: Option<Vec<CloudResourcesFilter>>,
    pub sort: Option<CloudResourcesSort>,
    pub descending: Option<bool>,
    /// The currency whose amounts count when the list is sorted by COST: currencies are never added.
    pub currency: Option<String>,
    /// Rows of the page, 200 at most.
    pub limit: Option<i64>,
    /// Rows to leave out before the page.
    pub offset: Option<i64>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct CloudResourcesTotalsRequest {
    /// Charges that begin here or later.
    pub from: String,
    /// Charges that begin before this.
    pub until: String,
    /// Words of which every one must be found in the name, the identifier, the type, the service or the region.
    pub search: Option<String>,
    /// All of them must hold.
    pub filters: Option<Vec<CloudResourcesFilter>>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct CloudResourcesFilter {
    pub field: CloudResourcesField,
    /// One of them must be the value of the field; an empty text stands for resources that have none.
    pub values: Vec<String>,
    /// Whether the values are left out instead.
    pub not: Option<bool>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct CloudResourcesPageResponse {
    pub rows: Vec<CloudResourcesPageRow>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct CloudResourcesPageRow {
    pub id: Uuid,
    pub name: Option<String>,
    /// The provider's full id.
    pub external_resource_id: Option<String>,
    pub r#type: Option<String>,
    pub service_name: Option<String>,
    pub region: String,
    pub status: Option<String>,
    pub last_seen: Option<String>,
    pub account_id: Uuid,
    pub account_name: Option<String>,
    /// One amount for each currency it was billed in.
    pub billed: Vec<CloudResourcesAmount>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct CloudResourcesTotalsResponse {
    /// How many resources there are.
    pub count: i64,
    /// What was billed for them, the currency with most charges first.
    pub billed: Vec<CloudResourcesAmount>,
    /// What was billed for no resource. The search and the filters do not apply to it.
    pub unassigned: Vec<CloudResourcesAmount>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct CloudResourcesAmount {
    /// Currency, as a three-letter code.
    pub currency: Option<String>,
    pub amount: Number,
}

/// An empty text among the values stands for resources that have none.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct CloudResourcesValuesResponse {
    pub accounts: Vec<CloudResourcesAccount>,
    pub services: Vec<String>,
    pub types: Vec<String>,
    pub regions: Vec<String>,
    pub statuses: Vec<String>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct CloudResourcesAccount {
    pub id: Uuid,
    pub name: Option<String>,
}
