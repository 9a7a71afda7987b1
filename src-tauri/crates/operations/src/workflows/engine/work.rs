//! Calls of the families that need no rows: what is made of values, and looked at on the network.

use super::step::RunWork;
use automation::network::{self, NetworkCheck};
use automation::plan::{Call, TaskFailure};
use automation::transform::Transformation;
use serde_json::{Map, Value};

/// What a call of such a family is; none for others.
pub(super) fn of(call: &Call, secrets: &Map<String, Value>) -> Option<Result<RunWork, TaskFailure>> {
    if network::is_one(&call.kind) {
        return Some(NetworkCheck::read(call).map(RunWork::Check));
    }
    let values = Transformation::of(call)?;
    Some(values.check_secrets(secrets).map(|()| RunWork::Values(values)))
}
