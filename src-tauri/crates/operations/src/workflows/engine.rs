//! The workflow engine: triggers start runs, one runner at a time claims a run, and its journal
//! determines the next tasks. All state is in the database; therefore an interrupted run continues.
//!
//! Start at [`advance`]: one transaction stores the results of finished calls, plans the next
//! tasks, and writes them to the journal before any call is made.

mod cancel;
mod claims;
mod entries;
mod event_waits;
mod messages;
mod questions;
mod row_tasks;
mod run_row;
mod run_secrets;
mod schedules;
mod settings;
mod start;
mod step;
mod system_runs;
mod tickets;
mod triggers;
mod votes;
mod webhook;
mod work;

pub(crate) use cancel::{cancel, wake_callers};
pub use claims::{ClaimedRun, MAX_RUNS_PER_TENANT, RUN_LEASE, claim, extend_claim, next_run, release_all};
pub(crate) use event_waits::events_changed;
pub use questions::{Answer, Question, QuestionError, answer, question};
pub(crate) use questions::{WAIT_COLUMNS, WaitRow};
pub use schedules::start_due;
pub use settings::{AutomationSettings, Program};
pub(crate) use settings::{
    OFF, automation_settings, check_repository_host, history_days, is_on, require_automation,
    store_automation_settings,
};
pub(crate) use start::{NewRun, REUSED_TASK_COLUMNS, start};
pub use step::{RunCall, RunEnvironment, RunWork, Step, advance};
pub(crate) use system_runs::{
    SystemDefinition, SystemRun, SystemRunEnd, SystemTask, SystemTrigger, cancel_system_run, start_named,
    start_playbook, start_system_run, system_run_ends,
};
pub use tickets::answers::{AddedComment, CommentList, TicketDetails, TicketUpdate};
pub(crate) use tickets::polling::{polling_policy, until_closed};
pub use tickets::{TicketCall, find_ticket};
pub(crate) use triggers::{
    CrossedBudget, anomalies_arrived, anomalies_raised, budgets_crossed, event_inputs, events_arrived,
    imports_ended, recommendations_arrived,
};
pub use votes::{Vote, Voter};
pub(crate) use votes::{authors, vote, votes_of};
pub use webhook::{Delivery, WebhookError, deliver};

/// Tables whose changes may affect which runs are due.
pub const RUNS: [&str; 5] =
    ["auto_pilot", "jira_configurations", "workflow", "workflow_execution", "workflow_wait"];

/// The name of the engine in the audit trail.
const AUDIT_OPERATION: &str = "workflow_run";
