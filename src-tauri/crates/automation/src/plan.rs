//! What happens next in a run: from its definition, its journal and the moment, and nothing else.
//!
//! Start at [`plan`]. It goes on until nothing more can happen without the world outside, and says what that is: calls to make, questions to put to
//! people, a time to wait for, or that the run is over. Running it twice with the same arguments gives the same plan.

mod begin;
pub(crate) mod composed;
mod composite;
mod context;
mod continuous;
mod frame;
mod router;
mod settle;
mod switch;
#[cfg(test)]
mod tests;

pub use crate::call::{Call, CallOutcome, TaskFailure};

use crate::approval::ApprovalPolicy;
use crate::definition::{Definition, Hook, Task};
use crate::journal::{Entry, Journal, Status};
use crate::template::Renderer;
use frame::{Frame, Progress};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Entries that one run may have.
pub const MOST_ENTRIES: usize = 2000;
/// How long a task may take that says nothing; µs.
pub(crate) const TASK_TIMEOUT: i64 = 600_000_000;
/// How long a hook may take; µs.
const HOOK_TIMEOUT: &str = "5s";
const HOOK_ATTEMPTS: i64 = 5;

/// What a run is planned with.
pub struct Situation<'a> {
    pub definition: &'a Definition,
    /// As they were given, with defaults and what the engine adds.
    pub inputs: &'a Map<String, Value>,
    pub secrets: &'a Map<String, Value>,
    pub configs: &'a Map<String, Value>,
    /// What earlier runs of the workflow, and this one so far, left: `set_state`.
    pub state: &'a Map<String, Value>,
    /// µs since 1970 UTC.
    pub now: i64,
    /// Paths of the calls that this process is making.
    pub in_flight: &'a BTreeSet<String>,
    /// Nothing is done: waits are over at once, and nothing is kept.
    pub is_dry: bool,
    /// A person ends the run: nothing new begins, and only what must happen always does.
    pub is_canceled: bool,
}

/// The first answer to whether a task that was begun had its effect; questions of `core.approval` have their own.
pub const FIRST_DECISION: &str = "retry";

/// Something only a person can decide.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    pub path: String,
    pub task_id: String,
    /// What may be answered.
    pub options: Vec<String>,
    pub message: String,
    /// When it is decided without an answer, µs since 1970 UTC.
    pub due_at: Option<i64>,
    /// What it is decided to be then; none: the task times out.
    pub default: Option<String>,
    pub policy: ApprovalPolicy,
}

/// A value that later runs of the workflow see.
#[derive(Debug, Clone, PartialEq)]
pub struct StateChange {
    pub key: String,
    pub value: Value,
    /// µs since 1970 UTC.
    pub expires_at: Option<i64>,
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq)]
pub struct RunOutcome {
    /// COMPLETED, FAILED, TIMED_OUT or CANCELED.
    pub status: Status,
    pub output: Value,
    pub error: Option<String>,
}

/// What comes next.
#[derive(Debug, Default)]
pub struct Plan {
    pub journal: Journal,
    /// Paths of the entries that are new or changed.
    pub changed: BTreeSet<String>,
    pub calls: Vec<Call>,
    pub questions: Vec<Question>,
    pub state: Vec<StateChange>,
    /// What templates see from here on as `State`: also what a dry run sets, which nobody keeps.
    pub state_seen: Map<String, Value>,
    /// When to plan again although nothing was heard, µs since 1970 UTC.
    pub wake: Option<i64>,
    pub outcome: Option<RunOutcome>,
}

/// Plans on from the journal with what has finished since.
pub fn plan(situation: &Situation<'_>, journal: Journal, finished: &[CallOutcome]) -> Plan {
    let mut planner = Planner {
        situation,
        renderer: Renderer::new(situation.now),
        plan: Plan { journal, state_seen: situation.state.clone(), ..Plan::default() },
        finished: finished.iter().map(|one| (one.path.as_str(), &one.result)).collect(),
        changes: 0,
        failures: 0,
        deadline: None,
    };
    planner.run();
    planner.plan
}

struct Planner<'a> {
    situation: &'a Situation<'a>,
    renderer: Renderer,
    plan: Plan,
    finished: BTreeMap<&'a str, &'a Result<Value, TaskFailure>>,
    /// How often an entry was written.
    changes: u64,
    /// How often a task came to a bad end.
    failures: u64,
    /// When the time of a task around those that are planned just now is over, µs since 1970 UTC.
    deadline: Option<i64>,
}

impl Planner<'_> {
    fn run(&mut self) {
        let definition = self.situation.definition;
        let root = Frame::new("", definition.tasks().into_iter().cloned().collect(), Map::new());
        let is_canceled = self.situation.is_canceled;
        let Progress::Over(failure) = self.advance(&root, &Map::new(), is_canceled) else { return };
        let scope = self.scope(&root, &Map::new());
        let hooks = if is_canceled { definition.hooks_always() } else { definition.hooks(failure.is_some()) };
        let hooks = hook_tasks(&hooks);
        let hook_frame = Frame::new("", hooks, Map::new());
        let Progress::Over(hook_failure) = self.advance(&hook_frame, &scope, false) else { return };
        let output = self.run_output(&root, &scope);
        let timed_out = failure.as_ref().is_some_and(|failure| failure.is_timeout);
        let status = match &failure {
            _ if is_canceled => Status::Canceled,
            Some(_) if timed_out => Status::TimedOut,
            Some(_) => Status::Failed,
            None => Status::Completed,
        };
        let hook_error =
            hook_failure.map(|failure| format!("a hook of the workflow failed: {}", failure.message));
        let errors: Vec<String> =
            failure.map(|failure| failure.message).into_iter().chain(hook_error).collect();
        let error = (!errors.is_empty()).then(|| errors.join("; "));
        self.plan.outcome = Some(RunOutcome { status, output, error });
    }

    /// What the run gives: its templates, where one that fails is null; when all are null, the outputs of all tasks.
    fn run_output(&self, root: &Frame, scope: &Map<String, Value>) -> Value {
        if let Some(Value::Object(templates)) = &self.situation.definition.output {
            let render = |template: &Value| self.renderer.value(template, scope).unwrap_or(Value::Null);
            let given: Map<String, Value> =
                templates.iter().map(|(key, template)| (key.clone(), render(template))).collect();
            if given.values().any(|value| !value.is_null()) {
                return Value::Object(given);
            }
        }
        self.outputs(root)
    }

    /// The outputs of a frame's tasks by id.
    fn outputs(&self, frame: &Frame) -> Value {
        let output = |task: &Task| {
            let entry = self.plan.journal.get(&frame.path(&task.id))?;
            Some((task.id.clone(), entry.output.clone().unwrap_or_default()))
        };
        Value::Object(frame.tasks.iter().filter_map(output).collect())
    }

    fn entry(&self, path: &str) -> Option<&Entry> {
        self.plan.journal.get(path)
    }

    /// Writes an entry down.
    fn put(&mut self, entry: Entry) {
        self.changes += 1;
        self.plan.changed.insert(entry.path.clone());
        self.plan.journal.put(entry);
    }

    fn wake_at(&mut self, at: i64) {
        self.plan.wake = Some(self.plan.wake.map_or(at, |known| known.min(at)));
    }

    fn now(&self) -> i64 {
        self.situation.now
    }
}

/// Hooks as tasks that run one after another.
fn hook_tasks(hooks: &[&Hook]) -> Vec<Task> {
    let task = |(place, hook): (usize, &&Hook)| {
        let before = place.checked_sub(1).map(|before| format!("#{before}"));
        let json = serde_json::json!({
            "id": format!("#{place}"), "type": hook.kind, "params": hook.params, "timeout": HOOK_TIMEOUT,
            "depends_on": before.into_iter().collect::<Vec<_>>(),
            "failure_policy": { "retry": { "maximum_attempts": HOOK_ATTEMPTS } },
        });
        serde_json::from_value(json).ok()
    };
    hooks.iter().enumerate().filter_map(task).collect()
}
