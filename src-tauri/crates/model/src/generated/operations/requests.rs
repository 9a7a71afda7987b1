//! Types of `schema/operations/requests.graphql`.

// Written by `UPDATE=1 cargo test -p model` from schema/. Read the change, do not edit.

#[allow(unused_imports, reason = "not every area holds every type")]
use super::prelude::*;

/// One column to order by.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct QuerySortByRequest {
    pub column: String,
    pub order: Option<QuerySortOrderRequest>,
}

/// Conditions on a text; all given ones must hold. `_f` compares with another column, which is named.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Deserialize)]
pub struct QueryWhereStringRequest {
    /// Of a text that holds JSON: it holds at least this.
    pub _contains: Option<String>,
    pub _eq: Option<String>,
    pub _eq_f: Option<String>,
    /// Of a text that holds JSON: the key stands at its top.
    pub _has_key: Option<String>,
    pub _ilike: Option<String>,
    pub _ilike_f: Option<String>,
    /// One of them; an empty list is no restriction.
    pub _in: Option<Vec<String>>,
    pub _is_null: Option<bool>,
    /// A pattern: % stands for anything, _ for one character.
    pub _like: Option<String>,
    pub _like_f: Option<String>,
    pub _neq: Option<String>,
    pub _neq_f: Option<String>,
    pub _nlike: Option<String>,
    pub _not_in: Option<Vec<String>>,
}

/// Conditions on true or false.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Deserialize)]
pub struct QueryWhereBooleanRequest {
    pub _eq: Option<bool>,
    pub _neq: Option<bool>,
}
