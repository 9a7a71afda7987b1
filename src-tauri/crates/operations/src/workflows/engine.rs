//! Runs carried out: begun by triggers, claimed by one runner at a time, planned from their journal, ended. All state is in the database, so a run that
//! was cut off goes on.
//!
//! Start at [`advance`]: one transaction takes what has finished, plans on, and writes down what follows before anybody is asked anything.

mod begin;
mod entries;
mod power;
mod questions;
mod rows_tasks;
mod schedules;
mod step;
mod triggers;
mod webhook;

pub(crate) use begin::{Start, start};
pub(crate) use power::needs_power;
pub use power::set_power;
pub use questions::{Answer, Question, QuestionError, answer, question};
pub use schedules::start_due;
pub use step::{
    ClaimedRun, RUN_LEASE, RunCall, Step, Surroundings, advance, claim, hold, next_run, release_all,
};
pub(crate) use triggers::{events_arrived, recommendations_arrived};
pub use webhook::{Delivery, WebhookError, deliver};

/// Tables that say what runs have to be carried out.
pub const RUNS: [&str; 3] = ["workflow", "workflow_execution", "workflow_wait"];

/// What the audit trail calls the engine.
const HAND: &str = "workflow_run";
