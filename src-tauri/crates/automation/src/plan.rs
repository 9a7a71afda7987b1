//! Plans the next steps of a run from its definition, its journal and the current time, and from nothing else.
//!
//! Start at [`plan`]. It continues until nothing can happen without external input, and returns what is needed: calls to make, questions for
//! people, a time to wait for, or the end of the run. The same arguments always give the same plan.

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

/// Maximum number of journal entries of a run.
pub const MOST_ENTRIES: usize = 2000;
/// Default timeout of a task, µs.
pub(crate) const TASK_TIMEOUT: i64 = 600_000_000;
/// Timeout of a hook.
const HOOK_TIMEOUT: &str = "5s";
const HOOK_ATTEMPTS: i64 = 5;

/// The input for planning a run.
pub struct PlanInput<'a> {
    pub definition: &'a Definition,
    /// The inputs of the run, including defaults and those added by the engine.
    pub inputs: &'a Map<String, Value>,
    pub secrets: &'a Map<String, Value>,
    pub configs: &'a Map<String, Value>,
    /// Values set with `set_state` by earlier runs of the workflow and by this one.
    pub state: &'a Map<String, Value>,
    /// µs since 1970 UTC.
    pub now: i64,
    /// Paths of the calls this process is currently making.
    pub in_flight: &'a BTreeSet<String>,
    /// Dry run: waits end at once, and nothing is stored.
    pub is_dry: bool,
    /// A person has cancelled the run: nothing new starts except hooks that must always run.
    pub is_canceled: bool,
}

/// The first answer to the question whether an interrupted task had its effect. Questions of `core.approval` have their own answers.
pub const FIRST_DECISION: &str = "retry";

/// A question for a person.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    pub path: String,
    pub task_id: String,
    /// The possible answers.
    pub options: Vec<String>,
    pub message: String,
    /// When it is decided without an answer, µs since 1970 UTC.
    pub due_at: Option<i64>,
    /// The answer used then; `None`: the task times out.
    pub default: Option<String>,
    pub policy: ApprovalPolicy,
}

/// A value that later runs of the workflow can read.
#[derive(Debug, Clone, PartialEq)]
pub struct StateChange {
    pub key: String,
    pub value: Value,
    /// µs since 1970 UTC.
    pub expires_at: Option<i64>,
}

/// The outcome of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct RunOutcome {
    /// COMPLETED, FAILED, TIMED_OUT or CANCELED.
    pub status: Status,
    pub output: Value,
    pub error: Option<String>,
}

/// The planned next steps.
#[derive(Debug, Default)]
pub struct Plan {
    pub journal: Journal,
    /// Paths of new or changed entries.
    pub changed: BTreeSet<String>,
    pub calls: Vec<Call>,
    pub questions: Vec<Question>,
    pub state: Vec<StateChange>,
    /// The value of `State` in templates from now on. Includes values set by a dry run, which are not stored.
    pub state_seen: Map<String, Value>,
    /// When to plan again without new results, µs since 1970 UTC.
    pub wake: Option<i64>,
    pub outcome: Option<RunOutcome>,
}

/// Continues the plan from the journal with the calls finished since.
pub fn plan(situation: &PlanInput<'_>, journal: Journal, finished: &[CallOutcome]) -> Plan {
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
    situation: &'a PlanInput<'a>,
    renderer: Renderer,
    plan: Plan,
    finished: BTreeMap<&'a str, &'a Result<Value, TaskFailure>>,
    /// Number of writes to entries.
    changes: u64,
    /// Number of failed tasks.
    failures: u64,
    /// When the enclosing task times out, µs since 1970 UTC.
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

    /// The output of the run: its templates, with null for one that fails. If all are null, the outputs of all tasks.
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

    /// Stores an entry.
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

/// Turns hooks into tasks that run one after another.
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
