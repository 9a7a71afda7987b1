//! Calls of the families that need no rows: what is made, asked and run for them.

use super::step::RunWork;
use automation::plan::{Call, TaskFailure};
use automation::transform::Transformation;
use serde_json::{Map, Value};

/// What a call of such a family is; none for others.
pub(super) fn of(call: &Call, secrets: &Map<String, Value>) -> Option<Result<RunWork, TaskFailure>> {
    let values = Transformation::of(call)?;
    Some(values.check_secrets(secrets).map(|()| RunWork::Values(values)))
}
