//! The operators of each request object of listings.

use catalogue::RequestType;

/// The operators of a request object, spelled as in the interface (including `_get_f`).
pub(crate) fn listing_operators(request: RequestType) -> &'static [&'static str] {
    match request {
        RequestType::String => &[
            "_contains",
            "_eq",
            "_eq_f",
            "_has_key",
            "_ilike",
            "_ilike_f",
            "_in",
            "_is_null",
            "_like",
            "_like_f",
            "_neq",
            "_neq_f",
            "_nlike",
            "_not_in",
        ],
        RequestType::Int => &[
            "_between", "_eq", "_eq_f", "_get_f", "_gt", "_gt_f", "_gte", "_gte_f", "_in", "_is_null", "_lt",
            "_lt_f", "_lte", "_lte_f", "_neq", "_neq_f",
        ],
        RequestType::Float | RequestType::Datetime => &[
            "_between", "_eq", "_eq_f", "_gt", "_gt_f", "_gte", "_gte_f", "_in", "_is_null", "_lt", "_lt_f",
            "_lte", "_lte_f", "_neq", "_neq_f",
        ],
        RequestType::Boolean => &["_eq", "_is_null", "_neq"],
        RequestType::Json => &["_contains", "_has_key", "_is_null"],
    }
}
