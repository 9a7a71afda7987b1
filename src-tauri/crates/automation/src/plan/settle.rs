//! Ends tasks: success with variables and state, failure with retries, hooks, timeouts.

use super::frame::{Frame, Progress};
use super::{Planner, StateChange, TaskFailure, hook_tasks};
use crate::definition::{RetryPolicy, Task};
use crate::duration;
use crate::journal::{Entry, Status};
use crate::template::to_text;
use serde_json::{Map, Value, json};

impl Planner<'_> {
    /// Handles success: stores output, variables and state, then runs hooks.
    pub(super) fn complete(
        &mut self,
        frame: &Frame,
        outer: &Map<String, Value>,
        task: &Task,
        mut entry: Entry,
        output: Value,
    ) {
        entry.output = Some(as_map(output));
        entry.error = None;
        entry.status = Status::Completed;
        let sets_nothing = task.set_vars.is_none() && task.set_state.is_none();
        let set = if sets_nothing {
            Ok((Map::new(), Vec::new()))
        } else {
            self.sets(frame, task, &self.task_scope(frame, outer, task, Some(&entry)))
        };
        match set {
            Ok((vars, state)) => {
                entry.vars = vars;
                let seen = state.iter().map(|change| (change.key.clone(), change.value.clone()));
                self.plan.state_seen.extend(seen);
                if !self.situation.is_dry {
                    self.plan.state.extend(state);
                }
            }
            Err(reason) => {
                entry.status = Status::Failed;
                entry.error = Some(reason);
            }
        }
        self.end(frame, outer, task, entry);
    }

    /// Uses the pinned output. Nothing else of the task happens: no hooks run, and later runs do not see its state.
    pub(super) fn use_pinned(
        &mut self,
        frame: &Frame,
        outer: &Map<String, Value>,
        task: &Task,
        mut entry: Entry,
        output: Value,
    ) {
        entry.input = Some(json!({ "pinned_output": true }));
        entry.output = Some(as_map(output));
        entry.status = Status::Completed;
        if task.set_vars.is_some() {
            match self.sets(frame, task, &self.task_scope(frame, outer, task, Some(&entry))) {
                Ok((vars, _)) => entry.vars = vars,
                Err(reason) => {
                    entry.status = Status::Failed;
                    entry.error = Some(reason);
                }
            }
        }
        self.settle(entry);
    }

    /// The rendered values of `set_vars` and `set_state`.
    fn sets(
        &self,
        frame: &Frame,
        task: &Task,
        scope: &Map<String, Value>,
    ) -> Result<(Map<String, Value>, Vec<StateChange>), String> {
        let render = |value: &Value| self.renderer.value(value, scope).map_err(|error| error.to_string());
        let mut vars = Map::new();
        for (name, value) in task.set_vars.iter().flatten() {
            vars.insert(name.clone(), render(value_of(value).unwrap_or(value))?);
        }
        let mut state = Vec::new();
        for (key, value) in task.set_state.iter().flatten().filter(|_| frame.is_root()) {
            let key = to_text(&render(&json!(key))?);
            let ttl = value.get("ttl").filter(|_| value.get("value").is_some());
            let value =
                render(if ttl.is_some() { &value["value"] } else { value.get("value").unwrap_or(value) })?;
            let expires_at = match ttl {
                None => None,
                Some(ttl) => {
                    let ttl = to_text(&render(ttl)?);
                    let span = duration::parse(&ttl).ok_or_else(|| {
                        format!("set_state.{key}.ttl: expected a span such as 1h, found \"{ttl}\"")
                    })?;
                    Some(self.now().saturating_add(span))
                }
            };
            state.push(StateChange { key, value, expires_at });
        }
        Ok((vars, state))
    }

    /// Handles a failed attempt: schedules a retry, or fails the task.
    pub(super) fn fail(
        &mut self,
        frame: &Frame,
        outer: &Map<String, Value>,
        task: &Task,
        mut entry: Entry,
        failure: &TaskFailure,
    ) {
        let default = RetryPolicy::default();
        let own = task.failure_policy.as_ref().and_then(|policy| policy.retry.as_ref());
        let policy = own.or(self.situation.definition.retry_policy.as_ref()).unwrap_or(&default);
        entry.error = Some(failure.message.clone());
        if let Some(wait) = next_try(policy, entry.attempt, &failure.kind).filter(|_| !self.situation.is_dry)
        {
            let due = self.now().saturating_add(wait);
            entry.status = Status::Scheduled;
            entry.due_at = Some(due);
            self.put(entry);
            self.wake_at(due);
            return;
        }
        entry.status = if failure.is_timeout { Status::TimedOut } else { Status::Failed };
        self.end(frame, outer, task, entry);
    }

    /// Ends a task with a known outcome, then runs its hooks.
    fn end(&mut self, frame: &Frame, outer: &Map<String, Value>, task: &Task, mut entry: Entry) {
        entry.due_at = None;
        entry.ended_at = Some(self.now());
        self.put(entry.clone());
        self.run_hooks(frame, outer, task, entry);
    }

    /// Runs the hooks of an ended task, then settles it. A failed hook makes the task fail.
    pub(super) fn run_hooks(
        &mut self,
        frame: &Frame,
        outer: &Map<String, Value>,
        task: &Task,
        mut entry: Entry,
    ) {
        let hooks = match entry.status {
            Status::Skipped | Status::Canceled => Vec::new(),
            status => hook_tasks(&task.hooks(status.is_bad())),
        };
        if !hooks.is_empty() {
            let hook_frame = Frame::new(&format!("{}/", entry.path), hooks, Map::new());
            let scope = self.task_scope(frame, outer, task, Some(&entry));
            match self.advance(&hook_frame, &scope, false) {
                Progress::Open => return,
                Progress::Over(Some(failure)) => {
                    entry.status = Status::Failed;
                    entry.error = Some(format!("a hook failed: {}", failure.message));
                }
                Progress::Over(None) => {}
            }
        }
        self.settle(entry);
    }

    /// Marks the task as ended, including hooks: tasks that depend on it may start.
    pub(super) fn settle(&mut self, mut entry: Entry) {
        entry.order = self.plan.journal.next_order();
        entry.due_at = None;
        entry.ended_at.get_or_insert(self.situation.now);
        self.failures += u64::from(entry.status.is_bad());
        self.put(entry);
    }

    /// Ends a task that is skipped.
    pub(super) fn skip(&mut self, mut entry: Entry, reason: &str, output: Option<Value>) {
        entry.status = Status::Skipped;
        entry.error = Some(reason.to_owned());
        entry.output = output;
        self.settle(entry);
    }
}

/// The delay before the next attempt after `attempt` attempts, µs; `None` after the last.
fn next_try(policy: &RetryPolicy, attempt: u32, kind: &str) -> Option<i64> {
    let most = policy.maximum_attempts.unwrap_or(1);
    // 0 means unlimited, as in Temporal.
    let is_last = most > 0 && i64::from(attempt) >= most;
    if is_last || policy.non_retryable_error_types.iter().flatten().any(|known| known == kind) {
        return None;
    }
    // A duration of zero counts as unset, as in Temporal: immediate retries would never end.
    let span = |text: &Option<String>, otherwise: i64| {
        text.as_deref().and_then(duration::parse).filter(|span| *span > 0).unwrap_or(otherwise)
    };
    let longest = span(&policy.maximum_interval, 60_000_000);
    let mut wait = span(&policy.initial_interval, 1_000_000);
    let factor = policy.backoff_coefficient.unwrap_or(2.0).max(1.0);
    for _ in 1..attempt {
        if wait >= longest {
            break;
        }
        #[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss)]
        let next = (wait as f64 * factor).min(longest as f64) as i64;
        wait = next;
    }
    Some(wait.min(longest))
}

/// The value in `{value, ttl}`, if the object has only these keys.
fn value_of(written: &Value) -> Option<&Value> {
    let members = written.as_object()?;
    members.keys().all(|key| key == "value" || key == "ttl").then(|| members.get("value")).flatten()
}

/// An output is an object or a list: other values are put under `data`.
fn as_map(output: Value) -> Value {
    match output {
        Value::Object(_) | Value::Array(_) => output,
        Value::Null => json!({}),
        other => json!({ "data": other }),
    }
}
