//! Types of `schema/operations/insights.graphql`.

// Written by `UPDATE=1 cargo test -p model` from schema/. Read the change, do not edit.

#[allow(unused_imports, reason = "not every area holds every type")]
use super::prelude::*;

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct InsightRequest {
    pub account_id: String,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct InsightResponse {
    pub data: Vec<InsightDetails>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct InsightDetails {
    /// The applications it is about.
    pub applications: Option<Vec<InsightApplication>>,
    /// The rule or service that found it.
    pub source: String,
    pub title: String,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct InsightApplication {
    pub name: String,
    pub namespace: String,
}
