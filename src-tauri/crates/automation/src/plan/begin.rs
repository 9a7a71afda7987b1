//! Starts tasks, and continues them when results arrive.

use super::frame::Frame;
use super::{
    ApprovalPolicy, Call, FIRST_DECISION, MOST_ENTRIES, Planner, Question, TASK_TIMEOUT, TaskFailure,
    composed,
};
use crate::definition::Task;
use crate::duration;
use crate::journal::{Entry, Status};
use crate::kinds::{self, Work};
use crate::services::events::{self, EventTask, LOOK_AGAIN};
use crate::services::hosts;
use crate::template::{has_templates, to_text};
use serde_json::{Map, Value, json};

/// The possible answers about a task that was interrupted when the service stopped.
const UNKNOWN_OPTIONS: [&str; 3] = [FIRST_DECISION, "complete", "fail"];

/// A task that ends with a run of another workflow.
const CALLS_WORKFLOW: &str = "core.call-workflow";

impl Planner<'_> {
    /// Starts a ready task; it may be skipped or fail at once.
    pub(super) fn begin(&mut self, frame: &Frame, outer: &Map<String, Value>, task: &Task, path: String) {
        let mut entry = Entry::new(path, &task.id, &task.kind);
        if task.disabled == Some(true) {
            return self.skip(entry, "the task is disabled", None);
        }
        if self.is_passed_over(frame, task) {
            return self.skip(entry, "the switch before it chose another way", None);
        }
        entry.attempt = 1;
        entry.started_at = Some(self.now());
        if self.plan.journal.len() >= MOST_ENTRIES {
            let message = format!("the run has {MOST_ENTRIES} tasks, which is the most a run may have");
            return self.fail_for_good(frame, outer, task, entry, &message);
        }
        if let Some(condition) = &task.condition {
            let scope = self.task_scope(frame, outer, task, None);
            match self.renderer.holds(condition, &scope) {
                Ok(true) => {}
                Ok(false) => {
                    entry.attempt = 0;
                    return self.skip(entry, "its condition does not hold", None);
                }
                Err(error) => return self.fail_for_good(frame, outer, task, entry, &error.to_string()),
            }
        }
        if let Some(output) = task.pinned_output.clone().filter(|_| !task.asks_people()) {
            return self.use_pinned(frame, outer, task, entry, output);
        }
        if task.matrix.as_ref().is_some_and(|matrix| !matrix.is_null()) {
            return self.begin_matrix(frame, outer, task, entry);
        }
        self.try_once(frame, outer, task, entry);
    }

    /// Starts the attempt with the entry's number.
    fn try_once(&mut self, frame: &Frame, outer: &Map<String, Value>, task: &Task, mut entry: Entry) {
        entry.status = Status::Started;
        entry.due_at = None;
        entry.started_at.get_or_insert(self.situation.now);
        match task.kind.as_str() {
            "core.switch" => return self.begin_switch(frame, outer, task, entry),
            "core.foreach" => return self.begin_foreach(frame, outer, task, entry),
            "core.group" => return self.begin_group(frame, outer, task, entry),
            kind if composed::is_one(kind) => return self.begin_group(frame, outer, task, entry),
            _ => {}
        }
        let given = task.params.clone().unwrap_or_else(|| json!({}));
        // Computed only for templates: the scope is as large as everything done so far.
        let scope =
            if has_templates(&given) { self.task_scope(frame, outer, task, None) } else { Map::new() };
        let params = match self.renderer.value(&given, &scope) {
            Ok(params) => params,
            Err(error) => {
                return self.fail(
                    frame,
                    outer,
                    task,
                    entry,
                    &TaskFailure::new("TemplateError", error.to_string()),
                );
            }
        };
        entry.input = Some(params.clone());
        match (task.kind.as_str(), kinds::work(&task.kind)) {
            ("core.print", _) => {
                let message = to_text(&params["message"]);
                self.complete(frame, outer, task, entry, json!({ "data": message }));
            }
            ("core.wait", _) => self.begin_wait(frame, outer, task, entry, &params),
            ("core.approval", _) => self.begin_approval(frame, outer, task, entry, &params),
            (events::KIND, _) => self.begin_event(frame, outer, task, entry, params),
            (_, Some(_)) => self.call(task, entry, params),
            (kind, None) => {
                let reason = kinds::missing(kind).unwrap_or("this version does not carry it out");
                let message = format!("a task of type {kind} cannot run here: {reason}");
                self.fail_for_good(frame, outer, task, entry, &message);
            }
        }
    }

    fn call(&mut self, task: &Task, mut entry: Entry, params: Value) {
        // No other code enforces the timeout of this task.
        if task.kind == CALLS_WORKFLOW && !self.situation.is_dry {
            entry.due_at = self.timeout(task).map(|limit| self.now().saturating_add(limit));
            entry.due_at.into_iter().for_each(|due| self.wake_at(due));
        }
        let timeout = self.timeout(task).unwrap_or(TASK_TIMEOUT);
        // No call may outlast the enclosing task.
        let rest = self.deadline.map_or(i64::MAX, |deadline| deadline.saturating_sub(self.now()).max(1000));
        let timeout = timeout.min(rest);
        self.plan.calls.retain(|call| call.path != entry.path);
        self.plan.calls.push(Call {
            path: entry.path.clone(),
            task_id: task.id.clone(),
            kind: task.kind.clone(),
            attempt: entry.attempt,
            secrets: task.params.as_ref().map(hosts::named).unwrap_or_default(),
            params,
            timeout,
        });
        self.put(entry);
    }

    fn begin_wait(
        &mut self,
        frame: &Frame,
        outer: &Map<String, Value>,
        task: &Task,
        mut entry: Entry,
        params: &Value,
    ) {
        let text = to_text(&params["duration"]);
        let Some(span) = span(&text) else {
            let message = format!("duration: expected a span such as 10m, found \"{text}\"");
            return self.fail_for_good(frame, outer, task, entry, &message);
        };
        if self.situation.is_dry {
            return self.complete(frame, outer, task, entry, json!({ "duration": text }));
        }
        let due = self.now().saturating_add(self.timeout(task).map_or(span, |limit| limit.min(span)));
        entry.due_at = Some(due);
        self.put(entry);
        self.wake_at(due);
    }

    /// Ends a wait, by its duration or by an earlier timeout.
    fn end_wait(&mut self, frame: &Frame, outer: &Map<String, Value>, task: &Task, entry: Entry) {
        let duration = entry.input.as_ref().map(|input| input["duration"].clone()).unwrap_or_default();
        let span = span(&to_text(&duration));
        match self.timeout(task).filter(|limit| span.is_none_or(|span| *limit < span)) {
            Some(_) => self.time_out(frame, outer, task, entry, "it waits longer than its time-out"),
            None => self.complete(frame, outer, task, entry, json!({ "duration": duration })),
        }
    }

    /// Fails the task because of its timeout.
    fn time_out(
        &mut self,
        frame: &Frame,
        outer: &Map<String, Value>,
        task: &Task,
        entry: Entry,
        message: &str,
    ) {
        let failure =
            TaskFailure { kind: "Timeout".to_owned(), message: message.to_owned(), is_timeout: true };
        self.fail(frame, outer, task, entry, &failure);
    }

    /// Reads an event. A task that waits for its resolution checks again at intervals until its timeout.
    fn begin_event(
        &mut self,
        frame: &Frame,
        outer: &Map<String, Value>,
        task: &Task,
        mut entry: Entry,
        params: Value,
    ) {
        let wanted = match EventTask::read(&params) {
            Ok(wanted) => wanted,
            // In a dry run the event may be unknown.
            Err(_) if self.situation.is_dry => return self.call(task, entry, params),
            Err(failure) => return self.fail_for_good(frame, outer, task, entry, &failure.message),
        };
        if !wanted.until_resolved || self.situation.is_dry {
            return self.call(task, entry, params);
        }
        let patience = wanted.patience.or_else(|| self.timeout(task));
        let begun = entry.started_at.unwrap_or(self.now());
        let end = patience.map_or(i64::MAX, |patience| begun.saturating_add(patience));
        if end <= self.now() {
            let message = format!("the event {} was not resolved in time", wanted.event);
            return self.time_out(frame, outer, task, entry, &message);
        }
        let due = end.min(self.now().saturating_add(LOOK_AGAIN));
        entry.due_at = Some(due);
        self.wake_at(due);
        self.call(task, entry, params);
    }

    fn begin_approval(
        &mut self,
        frame: &Frame,
        outer: &Map<String, Value>,
        task: &Task,
        mut entry: Entry,
        params: &Value,
    ) {
        let options: Vec<String> = match params["approval_options"].as_array() {
            Some(options) if !options.is_empty() => options.iter().map(to_text).collect(),
            _ => vec!["approve".to_owned(), "reject".to_owned()],
        };
        if self.situation.is_dry {
            let output = json!({ "status": options[0], "approver": "", "comments": "" });
            return self.complete(frame, outer, task, entry, output);
        }
        let timeout = params["timeout"].as_str().and_then(duration::parse).or_else(|| self.timeout(task));
        let due_at = timeout.map(|timeout| self.now().saturating_add(timeout));
        entry.due_at = due_at;
        let message = to_text(&params["message"]);
        let default = Some(to_text(&params["default_on_timeout"])).filter(|default| !default.is_empty());
        self.plan.questions.push(Question {
            path: entry.path.clone(),
            task_id: task.id.clone(),
            options,
            message,
            due_at,
            default,
            policy: ApprovalPolicy::read(params),
        });
        self.put(entry);
        if let Some(due_at) = due_at {
            self.wake_at(due_at);
        }
    }

    /// Continues a task that has started and not ended.
    pub(super) fn go_on(
        &mut self,
        frame: &Frame,
        outer: &Map<String, Value>,
        task: &Task,
        mut entry: Entry,
        is_stopping: bool,
    ) {
        // Each result is used once: a retry must not get the result of an earlier attempt.
        if let Some(result) = self.finished.remove(entry.path.as_str()) {
            if entry.status == Status::Unknown {
                return self.decide(frame, outer, task, entry, result);
            }
            if entry.status == Status::Started {
                return match result {
                    // The called run was cancelled with this one: not a failure.
                    Err(_) if task.kind == CALLS_WORKFLOW && self.situation.is_canceled => {
                        self.settle(Entry { status: Status::Canceled, ..entry });
                    }
                    Ok(output) => self.complete(frame, outer, task, entry, output.clone()),
                    Err(failure) => self.fail(frame, outer, task, entry, failure),
                };
            }
        }
        let is_composite = task.matrix.as_ref().is_some_and(|matrix| !matrix.is_null())
            || matches!(task.kind.as_str(), "core.switch" | "core.foreach" | "core.group")
            || composed::is_one(&task.kind);
        if entry.status == Status::Started && is_composite {
            return self.go_on_inside(frame, outer, task, entry, is_stopping);
        }
        if self.situation.in_flight.contains(&entry.path)
            || self.plan.calls.iter().any(|call| call.path == entry.path)
        {
            return;
        }
        if is_stopping && (entry.status != Status::Unknown || self.situation.is_canceled) {
            entry.status = Status::Canceled;
            return self.settle(entry);
        }
        let is_due = entry.due_at.is_some_and(|due| due <= self.now());
        match (entry.status, task.kind.as_str()) {
            (Status::Scheduled, _) if is_due => {
                entry.attempt += 1;
                self.try_once(frame, outer, task, entry);
            }
            (Status::Started, "core.wait") if is_due => self.end_wait(frame, outer, task, entry),
            (Status::Started, CALLS_WORKFLOW) if is_due => {
                self.time_out(
                    frame,
                    outer,
                    task,
                    entry,
                    "the workflow it called took longer than its time-out",
                );
            }
            (Status::Started, "core.approval") if is_due => self.end_approval(frame, outer, task, entry),
            (Status::Started, events::KIND) if is_due => self.try_once(frame, outer, task, entry),
            (Status::Started, kind)
                if !matches!(kind, "core.wait") && kinds::work(kind) != Some(Work::Elsewhere) =>
            {
                self.take_up(frame, outer, task, entry);
            }
            _ => {
                if let Some(due) = entry.due_at {
                    self.wake_at(due);
                }
            }
        }
    }

    /// Handles a call that was interrupted when the service stopped: repeats it with the same key, or asks a person.
    fn take_up(&mut self, frame: &Frame, outer: &Map<String, Value>, task: &Task, mut entry: Entry) {
        if kinds::may_run_again(&entry.kind, entry.input.as_ref().unwrap_or(&Value::Null)) {
            return self.try_once(frame, outer, task, entry);
        }
        entry.status = Status::Unknown;
        let message = format!(
            "The service ended while the task \"{}\" ({}) was under way. Nobody knows whether it had its effect: look at \
             the other side, then choose retry, complete or fail.",
            entry.task_id, entry.kind
        );
        entry.error = Some(message.clone());
        let options = UNKNOWN_OPTIONS.map(str::to_owned).to_vec();
        self.plan.questions.push(Question {
            path: entry.path.clone(),
            task_id: entry.task_id.clone(),
            options,
            message,
            due_at: None,
            default: None,
            policy: ApprovalPolicy::default(),
        });
        self.put(entry);
    }

    /// Applies a person's decision on an interrupted task.
    fn decide(
        &mut self,
        frame: &Frame,
        outer: &Map<String, Value>,
        task: &Task,
        mut entry: Entry,
        answer: &Result<Value, TaskFailure>,
    ) {
        let answer = answer.as_ref().map_or(Value::Null, Clone::clone);
        match answer["status"].as_str() {
            Some("retry") => {
                // A new number gives a new key: the person knows that the first attempt had no effect.
                entry.attempt += 1;
                entry.output = None;
                entry.error = None;
                self.try_once(frame, outer, task, entry);
            }
            Some("complete") => self.complete(frame, outer, task, entry, answer),
            _ => {
                let message = "a person decided that the task failed when the service ended".to_owned();
                self.fail_for_good(frame, outer, task, entry, &message);
            }
        }
    }

    /// Ends an approval that was not answered in time.
    fn end_approval(&mut self, frame: &Frame, outer: &Map<String, Value>, task: &Task, entry: Entry) {
        let default =
            entry.input.as_ref().map(|input| to_text(&input["default_on_timeout"])).unwrap_or_default();
        if default.is_empty() {
            return self.time_out(frame, outer, task, entry, "nobody answered in time");
        }
        let output = json!({ "status": default, "approver": null, "comments": "nobody answered in time" });
        self.complete(frame, outer, task, entry, output);
    }

    /// Fails without a retry: only a change to the definition can help.
    pub(super) fn fail_for_good(
        &mut self,
        frame: &Frame,
        outer: &Map<String, Value>,
        task: &Task,
        mut entry: Entry,
        message: &str,
    ) {
        entry.attempt = entry.attempt.max(1);
        let once = Task {
            failure_policy: Some(without_retry(task.failure_policy.clone().unwrap_or_default())),
            ..task.clone()
        };
        let failure = TaskFailure::new("InvalidDefinition", message);
        self.fail(frame, outer, &once, entry, &failure);
    }

    /// The task's timeout, if the definition sets one; µs.
    pub(super) fn timeout(&self, task: &Task) -> Option<i64> {
        let whole = self.situation.definition.timeout.as_deref();
        task.timeout.as_deref().or(whole).and_then(duration::parse)
    }
}

/// Parses a duration; a number without a unit is in seconds.
fn span(text: &str) -> Option<i64> {
    duration::parse(text).or_else(|| duration::parse(&format!("{text}s")))
}

fn without_retry(policy: crate::definition::FailurePolicy) -> crate::definition::FailurePolicy {
    let retry = crate::definition::RetryPolicy { maximum_attempts: Some(1), ..Default::default() };
    crate::definition::FailurePolicy { retry: Some(retry), ..policy }
}
