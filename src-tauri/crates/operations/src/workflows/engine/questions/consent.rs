//! Votes count for the plan they were given for. What another branch gives may change that plan when the vote is already taken: then nothing that follows
//! begins, and people are asked again, with the plan as it is now.

use super::{PlanNow, WAIT_COLUMNS, WaitRow};
use crate::kit::Look;
use automation::definition::Definition;
use automation::journal::{Journal, Status};
use automation::plan::{FIRST_DECISION, Plan};
use automation::upcoming::{followers, known_part, top};
use catalogue::ValueRef;
use graphql::Refusal;
use std::collections::{BTreeMap, BTreeSet};
use store::{Transaction, eq};
use uuid::Uuid;

/// Approvals that are asked again, by the path of their task: why.
pub(in crate::workflows::engine) type AskedAgain = BTreeMap<String, String>;

/// The tasks of the workflow itself that have begun.
pub(in crate::workflows::engine) fn begun(journal: &Journal) -> BTreeSet<String> {
    let has_begun = journal.entries().filter(|entry| entry.status != Status::Scheduled || entry.attempt > 0);
    has_begun.map(|entry| top(&entry.path).to_owned()).collect()
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
    let begins = |next: &Plan| -> BTreeSet<String> {
        let tops = next.calls.iter().map(|call| top(&call.path).to_owned());
        tops.filter(|task| !begun.contains(task)).collect()
    };
    if begins(next).is_empty() {
        return Ok(again);
    }
    let tasks = definition.tasks();
    for wait in agreed(rows, run)? {
        let later = followers(&tasks, &wait.path);
        if begins(next).is_disjoint(&later) || !is_over(&next.journal, &wait.path) {
            continue;
        }
        let hoped = wait.options.first().map_or("approve", String::as_str);
        let now = plan_now(wait.asked_at(), &next.journal, &wait.path, hoped).unwrap_or_default();
        if known_part(&now) == wait.plan.as_deref().map_or("", known_part) {
            continue;
        }
        rows.update("workflow_wait", &[eq("id", wait.id)], &[("plan_hash", ValueRef::Null)])?;
        let is_held = |task: &String| !begun.contains(task) || only_decided(&next.journal, task);
        let held: BTreeSet<String> = later.into_iter().filter(is_held).chain([wait.path.clone()]).collect();
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
        // A question inside a loop or a group belongs to its tasks, whose order is known when it is asked.
        hoped.is_some()
            && wait.answer.as_ref() == hoped
            && wait.plan_hash.is_some()
            && known_part(plan) != plan
            && !wait.path.contains('/')
    };
    Ok(found.into_iter().filter(counts).collect())
}

fn is_over(journal: &Journal, path: &str) -> bool {
    journal.get(path).is_some_and(|entry| entry.status == Status::Completed)
}

/// Whether nothing of a task was done but to go one way or another, which follows from the answer.
fn only_decided(journal: &Journal, task: &str) -> bool {
    let mut own = journal.entries().filter(|entry| top(&entry.path) == task);
    own.all(|entry| {
        entry.status == Status::Skipped || matches!(entry.kind.as_str(), "core.switch" | "core.print")
    })
}

/// Takes back that tasks were begun: they begin anew when what they wait for is over.
fn put_off(next: &mut Plan, held: &BTreeSet<String>) {
    next.calls.retain(|call| !held.contains(top(&call.path)));
    next.questions.retain(|question| !held.contains(top(&question.path)));
    for task in held {
        next.journal.restart(task);
        next.changed.insert(task.clone());
    }
}
