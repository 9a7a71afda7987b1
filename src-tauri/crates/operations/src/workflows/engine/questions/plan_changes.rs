//! Checks that votes apply to the plan they were given for.
//!
//! The output of another branch can change the plan after the vote. In that case no task behind the
//! question starts, and people are asked again with the current plan.

use super::{PlanForJournal, WAIT_COLUMNS, WaitRow};
use crate::kit::Look;
use automation::definition::Definition;
use automation::journal::{Journal, Status};
use automation::plan::{FIRST_DECISION, Plan};
use automation::upcoming::{QuestionScope, known_part};
use catalogue::ValueRef;
use graphql::Refusal;
use std::collections::{BTreeMap, BTreeSet};
use store::{Transaction, eq};
use uuid::Uuid;

/// Approvals that are asked again: the reason, by the path of their task.
pub(in crate::workflows::engine) type AskedAgain = BTreeMap<String, String>;

/// The paths of the tasks that have started.
pub(in crate::workflows::engine) fn started(journal: &Journal) -> BTreeSet<String> {
    let has_started =
        journal.entries().filter(|entry| entry.status != Status::Scheduled || entry.attempt > 0);
    has_started.map(|entry| entry.path.clone()).collect()
}

/// Holds back tasks behind an approval whose plan has changed since it was approved. `started` are the tasks that had started before.
pub(in crate::workflows::engine) fn hold_back(
    rows: &Transaction<'_>,
    run: Uuid,
    definition: &Definition,
    (next, started): (&mut Plan, &BTreeSet<String>),
    plan_now: &PlanForJournal<'_>,
) -> Result<AskedAgain, Refusal> {
    let mut again = AskedAgain::new();
    if next.calls.iter().all(|call| started.contains(&call.path)) {
        return Ok(again);
    }
    for wait in approved_waits(rows, run)? {
        let Some(place) = QuestionScope::of(definition, &wait.path) else { continue };
        let later = place.followers();
        let had_started: BTreeSet<&str> = started.iter().filter_map(|path| place.own(path)).collect();
        let mut begins = next.calls.iter().filter_map(|call| place.own(&call.path));
        let begins_later = begins.any(|task| !had_started.contains(task) && later.contains(task));
        if !begins_later || !is_over(&next.journal, &wait.path) {
            continue;
        }
        let first_option = wait.options.first().map_or("approve", String::as_str);
        let now = plan_now(wait.asked_at(), &next.journal, &wait.path, first_option).unwrap_or_default();
        if known_part(&now) == wait.plan.as_deref().map_or("", known_part) {
            continue;
        }
        rows.update("workflow_wait", &[eq("id", wait.id)], &[("plan_hash", ValueRef::Null)])?;
        let is_held = |task: &&String| {
            !had_started.contains(task.as_str()) || only_decided(&next.journal, &place.path(task))
        };
        let held: BTreeSet<String> =
            later.iter().filter(is_held).map(|task| place.path(task)).chain([wait.path.clone()]).collect();
        revert_start(next, &held);
        again.insert(wait.path.clone(), wait.reason_asked_again());
    }
    Ok(again)
}

/// The approvals that were given while a part of the plan was still unknown and that still count.
fn approved_waits(rows: &Transaction<'_>, run: Uuid) -> Result<Vec<WaitRow>, Refusal> {
    let look = Look::at(rows, "workflow_wait")?.with("execution_id", run)?;
    let found = look.rows(&WAIT_COLUMNS)?.into_iter().map(WaitRow::read).collect::<Result<Vec<_>, _>>()?;
    let counts = |wait: &WaitRow| {
        let first_option = wait.options.first().filter(|option| *option != FIRST_DECISION);
        let plan = wait.plan.as_deref().unwrap_or_default();
        first_option.is_some()
            && wait.answer.as_ref() == first_option
            && wait.plan_hash.is_some()
            && known_part(plan) != plan
    };
    Ok(found.into_iter().filter(counts).collect())
}

fn is_over(journal: &Journal, path: &str) -> bool {
    journal.get(path).is_some_and(|entry| entry.status == Status::Completed)
}

/// Whether a path is that of the task, or of something inside it.
fn is_of(task: &str, path: &str) -> bool {
    path.strip_prefix(task).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Whether a task did nothing but choose a branch or print, both of which follow from the answer.
fn only_decided(journal: &Journal, task: &str) -> bool {
    let mut own = journal.entries().filter(|entry| is_of(task, &entry.path));
    own.all(|entry| {
        entry.status == Status::Skipped || matches!(entry.kind.as_str(), "core.switch" | "core.print")
    })
}

/// Reverts the start of tasks. They start again when what they wait for is over.
fn revert_start(next: &mut Plan, held: &BTreeSet<String>) {
    let is_held = |path: &str| held.iter().any(|task| is_of(task, path));
    next.calls.retain(|call| !is_held(&call.path));
    next.questions.retain(|question| !is_held(&question.path));
    for task in held {
        next.journal.restart(task);
        next.changed.insert(task.clone());
    }
}
