//! Recommendations: who is on them, what became of them, how they are carried out (semantics §8).

mod apply;
mod export;
mod status;

use crate::Function;

pub(crate) const FIELDS: &[(&str, Function)] = &[
    ("recommendation_assign", status::assign),
    ("recommendation_start", status::start),
    ("recommendation_dismiss", status::dismiss),
    ("recommendation_close", status::close),
    ("recommendation_reopen", status::reopen),
    ("apply_recommendations", apply::apply),
    ("recommendation_export", export::export),
];
