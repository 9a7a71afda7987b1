//! Types of `schema/operations/search.graphql`.

// Written by `UPDATE=1 cargo test -p model` from schema/. Read the change, do not edit.

#[allow(unused_imports, reason = "not every area holds every type")]
use super::prelude::*;

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct SearchEverythingRequest {
    /// Found anywhere in a name, small and large letters alike; 200 characters at most.
    pub text: String,
    /// The kinds to look for; all of them when left out.
    pub kinds: Option<Vec<SearchKind>>,
    /// Rows of each kind, 50 at most.
    pub limit: Option<i64>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct SearchEverythingResponse {
    /// Kind by kind, in the order of the kinds; the best of each kind first.
    pub rows: Vec<SearchEverythingRow>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct SearchEverythingRow {
    pub kind: SearchKind,
    /// The id of the row; of a service or a namespace, its name.
    pub id: String,
    pub title: String,
    /// What tells it apart from others of the same title.
    pub note: Option<String>,
    /// The account it belongs to.
    pub account_id: Option<Uuid>,
}
