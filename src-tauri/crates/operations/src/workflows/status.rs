//! The automation status of this service, for pages that explain why something does not run.

use super::engine::{OFF, automation_settings};
use graphql::{Call, Refusal};
use serde::Serialize;

#[derive(Serialize)]
pub(super) struct Status {
    history_days: u32,
    is_on: bool,
    programs: Vec<ProgramStatus>,
    reaches_private: bool,
    reason: Option<&'static str>,
}

#[derive(Serialize)]
struct ProgramStatus {
    is_allowed: bool,
    name: String,
    path: Option<String>,
}

/// Handles `automation_get_status`.
pub(super) fn status(call: &Call<'_>) -> Result<Status, Refusal> {
    let settings = automation_settings(call.rows)?;
    let programs = settings.programs.into_iter();
    let programs = programs.map(|one| ProgramStatus { is_allowed: true, name: one.name, path: one.path });
    Ok(Status {
        history_days: settings.history_days,
        is_on: settings.is_on,
        programs: programs.collect(),
        reaches_private: settings.reaches_private,
        reason: (!settings.is_on).then_some(OFF),
    })
}
