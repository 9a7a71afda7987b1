//! Calls of the families that need no rows: what is made of values, looked at on the network, said in Slack, asked of tools elsewhere.

mod classes;

use super::run_row::RunRow;
use super::step::RunWork;
use crate::assistant::ModelCall;
use automation::mask::mask_text;
use automation::plan::{Call, TaskFailure};
use automation::services::network::{self, NetworkCheck};
use automation::services::remote_tools::{self, RemoteCall};
use automation::services::slack::{self, SlackTask};
use automation::template::to_text;
use automation::values::transform::Transformation;
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

/// What a model is asked. No secret goes to one.
pub(super) fn model_call(
    run: &RunRow,
    call: &Call,
    secrets: &Map<String, Value>,
) -> Result<ModelCall, TaskFailure> {
    let text = |name: &str| to_text(&call.params[name]).trim().to_owned();
    let (name, options) = if call.kind == "llm.classify" {
        ("prompt", classes::read(&call.params)?)
    } else {
        ("message", Vec::new())
    };
    let message = mask_text(&text(name), secrets);
    if message.is_empty() {
        return Err(TaskFailure::new("InvalidParameters", format!("{name}: expected a text")));
    }
    let message = if options.is_empty() { message } else { classes::question(&message, &options) };
    let chosen = match (text("provider"), text("model")) {
        (provider, model) if provider.is_empty() && model.is_empty() => None,
        (provider, model) if !provider.is_empty() && !model.is_empty() => Some((provider, model)),
        _ => {
            let reason = "provider and model belong together: give both, as ai_list_models has them, or none";
            return Err(TaskFailure::new("InvalidParameters", reason));
        }
    };
    Ok(ModelCall {
        tenant: run.tenant,
        account: run.account,
        person: run.person,
        session: run.id,
        message,
        options: options.into_iter().map(|option| option.name).collect(),
        chosen,
        timeout: call.timeout,
    })
}
