//! Calls of the families that need no rows: what is made of values, looked at on the network, said in Slack, asked of tools elsewhere.

use super::step::RunWork;
use automation::network::{self, NetworkCheck};
use automation::plan::{Call, TaskFailure};
use automation::remote_tools::{self, RemoteCall};
use automation::slack::{self, SlackTask};
use automation::transform::Transformation;
use serde_json::{Map, Value};

/// What a call of such a family is; none for others. `execution` is the run.
pub(super) fn of(
    execution: &str,
    call: &Call,
    secrets: &Map<String, Value>,
) -> Option<Result<RunWork, TaskFailure>> {
    if network::is_one(&call.kind) {
        return Some(NetworkCheck::read(call).map(RunWork::Check));
    }
    if slack::is_one(&call.kind) {
        return Some(SlackTask::read(call, secrets).map(RunWork::Slack));
    }
    if remote_tools::is_one(&call.kind) {
        return Some(RemoteCall::read(execution, call).map(RunWork::Remote));
    }
    let values = Transformation::of(call)?;
    Some(values.check_secrets(secrets).map(|()| RunWork::Values(values)))
}
