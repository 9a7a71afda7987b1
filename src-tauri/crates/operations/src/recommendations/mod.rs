//! Recommendations: assignment, status, and how they are applied (semantics §8).

mod apply;
mod export;
mod plan;
mod pull;
pub(crate) mod shown;
mod status;
mod undo;
pub(crate) mod watch;
mod ways;

use crate::Function;
use crate::kit::typed;
pub(crate) use apply::{Attempt, Request, attempt, plan_text};

pub(crate) const FIELDS: &[(&str, Function)] = &[
    ("recommendation_assign", typed!(status::assign)),
    ("recommendation_start", typed!(status::start)),
    ("recommendation_dismiss", typed!(status::dismiss)),
    ("recommendation_close", typed!(status::close)),
    ("recommendation_reopen", typed!(status::reopen)),
    ("apply_recommendations", typed!(apply::apply)),
    ("recommendation_get_plan", typed!(ways::plan)),
    ("recommendation_export", typed!(export::export)),
    ("recommendation_undo", typed!(undo::undo)),
];
