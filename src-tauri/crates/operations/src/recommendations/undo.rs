//! `recommendation_undo`: undoes the changes that an attempt made with a program, by the inverse commands, after an approval that shows them.

use super::apply::check_account;
use super::methods::{self, definition, may_run};
use super::plan::{ChangePlan, Program};
use super::status::find;
use crate::kit::{Arguments, Look, read, uuid};
use crate::workflows::engine::{SystemRun, start_system_run};
use catalogue::{Caller, Value as Cell};
use graphql::{Call, Refusal};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use store::Transaction;
use uuid::Uuid;

/// The purpose of workflow runs that undo an attempt.
pub(super) const PURPOSE: &str = "recommendation_undo";

#[derive(Serialize)]
pub(super) struct UndoAnswer {
    resolution_id: Uuid,
    execution_id: Uuid,
    commands: Vec<String>,
    message: &'static str,
}

#[derive(Deserialize)]
struct Resolution {
    recommendation_id: Uuid,
    status: String,
    data: Option<AttemptData>,
}

/// The stored data of an attempt that undoing needs.
#[derive(Deserialize)]
struct AttemptData {
    provider: Option<String>,
    execution_id: Option<Uuid>,
    #[serde(default)]
    commands: Vec<String>,
    #[serde(default)]
    inverse: Vec<Vec<String>>,
}

pub(super) fn undo(call: &Call<'_>) -> Result<UndoAnswer, Refusal> {
    let id = Arguments(call.arguments).needed_id("resolution_id")?;
    let person = call.caller.user.ok_or_else(Refusal::denied)?;
    let look = Look::at(call.rows, "recommendation_resolution")?.with("id", id)?;
    let row = look.first(&["recommendation_id", "status", "data"])?;
    let missing = || Refusal::not_found(format!("there is no attempt {id} that you may see"));
    let attempt: Resolution = row.map(read).transpose()?.ok_or_else(missing)?;
    let advice = find(call.rows, attempt.recommendation_id)?;
    check_account(call.rows, advice.account, &advice)?;
    let data = attempt.data.filter(|data| data.execution_id.is_some() && !data.commands.is_empty());
    let data = data.ok_or_else(|| {
        Refusal::conflict(
            "the attempt ran no commands, so there is nothing to take back here: a pull request is reverted in its repository, and what a person did by that person",
        )
    })?;
    let system = Caller::system_for(call.caller.tenant().ok_or_else(Refusal::denied)?);
    let acting = call.rows.as_caller(&system);
    let has_run = has_ended_well(&acting, data.execution_id.unwrap_or_default())?;
    if attempt.status == "Failed" || !has_run {
        return Err(Refusal::conflict(
            "the commands of the attempt did not run to their end, so there is nothing to take back; look at its run for what did",
        ));
    }
    if data.inverse.is_empty() {
        return Err(Refusal::conflict(
            "its change has no inverse: what was there before is not known, or cannot be had again (a volume never shrinks)",
        ));
    }
    if is_under_way(&acting, id)? {
        return Err(Refusal::conflict(
            "it is being taken back already: its run waits for approval, or is at work",
        ));
    }
    let program = methods::program_of(data.provider.as_deref().unwrap_or_default());
    may_run(call.rows, program)?;
    let plan = plan(program, data);
    let begun = start_system_run(
        &acting.without_actor(),
        &SystemRun {
            account: advice.account,
            purpose: PURPOSE,
            id,
            name: "Take back a change",
            definition: &definition(&acting.without_actor(), advice.account, program, &plan)?.json()?,
            inputs: Value::Object(Map::new()),
            person,
        },
    )?;
    Ok(UndoAnswer {
        resolution_id: id,
        execution_id: begun,
        commands: plan.lines(),
        message: "waits for approval; then the commands run, and the recommendation is Open again",
    })
}

/// The undo as a plan of its own.
fn plan(program: Program, data: AttemptData) -> ChangePlan {
    let mut plan = ChangePlan { program: Some(program), commands: data.inverse, ..ChangePlan::default() };
    plan.text = format!(
        "Take back what was changed by\n\n{}\n\nwith\n\n{}\n\nWhat somebody else has changed since is written over.",
        data.commands.join("\n"),
        plan.lines().join("\n")
    );
    plan
}

fn has_ended_well(rows: &Transaction<'_>, run: Uuid) -> Result<bool, Refusal> {
    let look = Look::at(rows, "workflow_execution")?.with("id", run)?.with("status", "COMPLETED")?;
    Ok(look.first(&["id"])?.is_some_and(|row| uuid(&row, "id").is_some()))
}

fn is_under_way(rows: &Transaction<'_>, resolution: Uuid) -> Result<bool, Refusal> {
    let open = ["SCHEDULED", "RUNNING"].map(|status| Cell::Text(status.to_owned())).to_vec();
    let look =
        Look::at(rows, "workflow_execution")?.with("purpose", PURPOSE)?.with("purpose_id", resolution)?;
    Ok(look.one_of("status", open)?.first(&["id"])?.is_some())
}
