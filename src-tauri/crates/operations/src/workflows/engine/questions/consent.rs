//! Votes count for the plan they were given for. What another branch gives may change that plan when the vote is already taken: then nothing that follows
//! begins, and people are asked again, with the plan as it is now.

use super::{PlanNow, WAIT_COLUMNS, WaitRow};
use crate::kit::Look;
use automation::definition::Definition;
use automation::journal::{Journal, Status};
use automation::plan::{FIRST_DECISION, Plan};
use automation::upcoming::{QuestionPlace, known_part};
use catalogue::ValueRef;
use graphql::Refusal;
use std::collections::{BTreeMap, BTreeSet};
use store::{Transaction, eq};
use uuid::Uuid;

/// Approvals that are asked again, by the path of their task: why.
pub(in crate::workflows::engine) type AskedAgain = BTreeMap<String, String>;

/// The paths of tasks that have begun.
pub(in crate::workflows::engine) fn begun(journal: &Journal) -> BTreeSet<String> {
    let has_begun = journal.entries().filter(|entry| entry.status != Status::Scheduled || entry.attempt > 0);
    has_begun.map(|entry| entry.path.clone()).collect()
}

/// Holds back what would begin behind an approval whose plan is another one than was agreed to. `begun` are the tasks that had begun before.
pub(in crate::workflows::engine) fn hold_back(
    rows: &Transaction<'_>,
    run: Uuid,
    definition: &Definition,
    (next, begun): (&mut Plan, &BTreeSet<String>),
    plan_now: &PlanNow<'_>,
) -> Result<AskedAgain, Refusal> {
    let mut again = AskedAgain::new();
    if next.calls.iter().all(|call| begun.contains(&call.path)) {
        return Ok(again);
    }
    for wait in agreed(rows, run)? {
        let Some(place) = QuestionPlace::of(definition, &wait.path) else { continue };
        let later = place.followers();
        let had_begun: BTreeSet<&str> = begun.iter().filter_map(|path| place.own(path)).collect();
        let mut begins = next.calls.iter().filter_map(|call| place.own(&call.path));
        let begins_later = begins.any(|task| !had_begun.contains(task) && later.contains(task));
        if !begins_later || !is_over(&next.journal, &wait.path) {
            continue;
        }
        let hoped = wait.options.first().map_or("approve", String::as_str);
        let now = plan_now(wait.asked_at(), &next.journal, &wait.path, hoped).unwrap_or_default();
        if known_part(&now) == wait.plan.as_deref().map_or("", known_part) {
            continue;
        }
        rows.update("workflow_wait", &[eq("id", wait.id)], &[("plan_hash", ValueRef::Null)])?;
        let is_held = |task: &&String| {
            !had_begun.contains(task.as_str()) || only_decided(&next.journal, &place.path(task))
        };
        let held: BTreeSet<String> =
            later.iter().filter(is_held).map(|task| place.path(task)).chain([wait.path.clone()]).collect();
        put_off(next, &held);
        again.insert(wait.path.clone(), wait.why_again());
    }
    Ok(again)
}

/// What was agreed to while something was not known yet, the latest of each task.
fn agreed(rows: &Transaction<'_>, run: Uuid) -> Result<Vec<WaitRow>, Refusal> {
    let look = Look::at(rows, "workflow_wait")?.with("execution_id", run)?;
    let found = look.rows(&WAIT_COLUMNS)?.into_iter().map(WaitRow::read).collect::<Result<Vec<_>, _>>()?;
    let counts = |wait: &WaitRow| {
        let hoped = wait.options.first().filter(|option| *option != FIRST_DECISION);
        let plan = wait.plan.as_deref().unwrap_or_default();
        hoped.is_some()
            && wait.answer.as_ref() == hoped
            && wait.plan_hash.is_some()
            && known_part(plan) != plan
    };
    Ok(found.into_iter().filter(counts).collect())
}

fn is_over(journal: &Journal, path: &str) -> bool {
    journal.get(path).is_some_and(|entry| entry.status == Status::Completed)
}

/// Whether a path is that of a task, or of something inside it.
fn is_of(task: &str, path: &str) -> bool {
    path.strip_prefix(task).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Whether nothing of a task was done but to go one way or another, which follows from the answer.
fn only_decided(journal: &Journal, task: &str) -> bool {
    let mut own = journal.entries().filter(|entry| is_of(task, &entry.path));
    own.all(|entry| {
        entry.status == Status::Skipped || matches!(entry.kind.as_str(), "core.switch" | "core.print")
    })
}

/// Takes back that tasks were begun: they begin anew when what they wait for is over.
fn put_off(next: &mut Plan, held: &BTreeSet<String>) {
    let is_held = |path: &str| held.iter().any(|task| is_of(task, path));
    next.calls.retain(|call| !is_held(&call.path));
    next.questions.retain(|question| !is_held(&question.path));
    for task in held {
        next.journal.restart(task);
        next.changed.insert(task.clone());
    }
}
