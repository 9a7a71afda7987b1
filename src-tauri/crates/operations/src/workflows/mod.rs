//! Workflows: definitions, triggers and the history of runs (semantics §11). `engine` carries out the runs.

mod approvals;
mod control;
mod definition;
mod drafts;
pub(crate) mod engine;
mod exchange;
mod history;
mod inputs;
mod listing;
mod needs;
mod runs;
mod runs_read;
mod secrets;
mod status;
mod stored;
mod tasks;
mod write;

use crate::kit::{reply, typed};
use crate::states::States;
use crate::{AheadFunction, Function, ModelFunction, TrackerFunction};

/// Refuses a definition that could not run, and reports its mistakes.
pub(crate) fn check_definition(given: &serde_json::Value) -> Result<(), graphql::Refusal> {
    write::parse_and_check(given).map(|_| ())
}

/// The trigger types of a definition, without duplicates.
pub(crate) fn trigger_types(given: &serde_json::Value) -> Vec<String> {
    let definition = definition::Definition::read(given);
    definition.map(|one| one.trigger_types().into_iter().map(str::to_owned).collect()).unwrap_or_default()
}

/// The definition in its stored form, with its trigger types.
///
/// # Errors
/// The mistakes of a definition that could not run.
pub(crate) fn ready(given: serde_json::Value) -> Result<(serde_json::Value, Vec<String>), graphql::Refusal> {
    check_definition(&given)?;
    let triggers = trigger_types(&given);
    Ok((definition::normalized(given), triggers))
}

pub(crate) use control::again_from;
pub(crate) use definition::TRIGGER_TYPES;
pub(crate) use history::sweep;

/// The task types that the engine can carry out.
pub(crate) fn task_kinds() -> Vec<&'static str> {
    tasks::TASKS.iter().map(|task| task.name).filter(|name| automation::kinds::work(name).is_some()).collect()
}

pub(crate) const FIELDS: &[(&str, Function)] = &[
    ("workflow_get", listing::get),
    ("workflow_get_count", listing::count),
    ("workflow_list", listing::list),
    ("workflow_list_taskdefinitions", tasks::list),
    ("workflow_get_execution", runs_read::get),
    ("workflow_get_execution_count", runs_read::count),
    ("workflow_list_executions", runs_read::list),
    ("automation_get_status", typed!(status::status)),
    ("workflow_list_approvals", typed!(approvals::list)),
    ("workflow_count_approvals", typed!(approvals::count)),
    ("workflow_answer_approval", typed!(approvals::answer)),
    ("workflow_cancel_execution", typed!(control::cancel)),
    ("workflow_run_from_task", typed!(control::run_from)),
    ("workflow_export", typed!(exchange::export)),
    ("workflow_import", typed!(exchange::import)),
    ("workflow_list_secrets", typed!(secrets::list)),
    ("workflow_save_secret", crate::kit::refuse_inside_request),
    ("workflow_delete_secret", typed!(secrets::remove)),
    ("workflow_create", typed!(write::create)),
    ("workflow_update", write::update),
    ("workflow_delete", write::delete),
    ("workflow_pause", write::pause),
    ("workflow_resume", write::resume),
    ("workflow_trigger", typed!(runs::trigger)),
    ("workflow_trigger_dryrun", runs::dryrun),
    ("workflow_retrigger_execution", typed!(runs::retrigger)),
    ("ai_generate_workflow", drafts::refuse_inside_request),
];

/// Fields that check whether a language model is set up.
pub(crate) const MODEL_FIELDS: &[(&str, ModelFunction)] = &[
    ("workflow_read_yaml", |call, providers| reply(&exchange::read_yaml(call, providers)?)),
    ("workflow_validate", |call, providers| reply(&write::validate(call, providers)?)),
];

/// Fields that call a language model before a transaction starts.
pub(crate) const PRE_TRANSACTION_MODEL_FIELDS: &[(&str, AheadFunction)] =
    &[("ai_generate_workflow", drafts::generate)];

/// Fields that encrypt secrets before a transaction starts.
pub(crate) const PRE_TRANSACTION_FIELDS: &[(&str, TrackerFunction)] =
    &[("workflow_save_secret", |ahead, trackers| {
        Some(secrets::save(ahead, trackers).and_then(|saved| reply(&saved)))
    })];

const STATES: States = States {
    what: "a workflow",
    steps: &[
        ("ACTIVE", &["PAUSED", "INACTIVE"]),
        ("PAUSED", &["ACTIVE", "INACTIVE"]),
        ("INACTIVE", &["ACTIVE", "PAUSED"]),
    ],
};

/// Rows per page: the default and the maximum (semantics §11 specifies only the default).
const PAGE: i64 = 50;
const MAX_PAGE_SIZE: i64 = 1000;
