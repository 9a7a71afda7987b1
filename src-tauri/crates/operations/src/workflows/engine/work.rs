//! Builds calls that need no database rows: value transformations, network checks, Slack, and remote tools.

mod classes;

use super::run_row::RunRow;
use super::step::RunWork;
use crate::assistant::{ModelAsk, ModelCall};
use automation::mask::mask_text;
use automation::plan::{Call, TaskFailure};
use automation::services::network::{self, NetworkCheck};
use automation::services::remote_tools::{self, RemoteCall};
use automation::services::slack::{self, SlackTask};
use automation::template::to_text;
use automation::values::transform::Transformation;
use serde_json::{Map, Value};

/// Builds the call for such a task type; `None` for other types. `execution` is the id of the run.
pub(super) fn work_for(
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

/// Appended to a prompt whose answer is parsed as JSON.
const JSON_ALONE: &str = "\n\nAnswer with one JSON object and nothing else: no words around it.";

/// Builds the prompt for a language model. Secrets are masked.
pub(super) fn model_call(
    run: &RunRow,
    call: &Call,
    secrets: &Map<String, Value>,
) -> Result<ModelCall, TaskFailure> {
    let text = |name: &str| to_text(&call.params[name]).trim().to_owned();
    let wrong = |message: String| TaskFailure::new("InvalidParameters", message);
    let masked_text = |name: &str| {
        let masked_text = mask_text(&text(name), secrets);
        if masked_text.is_empty() { Err(wrong(format!("{name}: expected a text"))) } else { Ok(masked_text) }
    };
    let (message, ask) = match call.kind.as_str() {
        "llm.classify" => {
            let options = classes::read(&call.params)?;
            let question = classes::question(&masked_text("prompt")?, &options);
            (question, ModelAsk::Choice(options.into_iter().map(|option| option.name).collect()))
        }
        "llm.event_investigate" => {
            super::row_tasks::check_account(run, &call.params)?;
            let event = text("event_id").parse();
            let event = event
                .map_err(|_| wrong(format!("event_id: expected an id, found \"{}\"", text("event_id"))))?;
            (String::new(), ModelAsk::Event(event))
        }
        "llm.investigate" | "llm.nubi" => {
            let is_json = text("response_format") == "json";
            let more = if is_json { JSON_ALONE } else { "" };
            (format!("{}{more}", masked_text("message")?), ModelAsk::Research { is_json })
        }
        _ => (masked_text("message")?, ModelAsk::Answer),
    };
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
        ask,
        chosen,
        timeout: call.timeout,
    })
}
