//! A list of tasks that run together: those of a workflow, of a group, of one item of a loop, of a matrix, of hooks.

use super::Planner;
use super::TaskFailure;
use super::switch::targets;
use crate::definition::Task;
use crate::journal::{Entry, Status};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Tasks with their path prefix in the journal and their own variables.
pub(super) struct Frame {
    prefix: String,
    pub tasks: Vec<Task>,
    /// Additional variables such as `Matrix` and `LoopItem`.
    pub extra: Map<String, Value>,
    /// Indices of the tasks, each after those it depends on; otherwise in the written order.
    order: Vec<usize>,
    /// Switches by the tasks they can lead to.
    switches: BTreeMap<String, Vec<String>>,
}

/// The progress of a frame.
pub(super) enum Progress {
    /// Some task has not ended.
    Open,
    /// All tasks have ended, with the failure if there was one.
    Over(Option<TaskFailure>),
}

impl Frame {
    pub fn new(prefix: &str, tasks: Vec<Task>, extra: Map<String, Value>) -> Self {
        let mut switches: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for task in tasks.iter().filter(|task| task.kind == "core.switch") {
            for target in targets(task) {
                switches.entry(target).or_default().push(task.id.clone());
            }
        }
        let order = in_order(&tasks, &switches);
        Self { prefix: prefix.to_owned(), tasks, extra, order, switches }
    }

    /// The path of one of its tasks in the journal.
    pub fn path(&self, id: &str) -> String {
        format!("{}{id}", self.prefix)
    }

    /// Whether it is the workflow itself: only there is state stored.
    pub fn is_root(&self) -> bool {
        self.prefix.is_empty()
    }

    /// Ids of the switches that can lead to a task.
    fn switches_to(&self, id: &str) -> impl Iterator<Item = &str> {
        self.switches.get(id).into_iter().flatten().map(String::as_str)
    }
}

/// Indices of tasks in topological order: a long chain needs only one pass, in whatever order it is written.
fn in_order(tasks: &[Task], switches: &BTreeMap<String, Vec<String>>) -> Vec<usize> {
    let places: BTreeMap<&str, usize> =
        tasks.iter().enumerate().map(|(place, task)| (task.id.as_str(), place)).collect();
    let mut waits = vec![0_usize; tasks.len()];
    let mut behind = vec![Vec::new(); tasks.len()];
    for (place, task) in tasks.iter().enumerate() {
        let before = task.depends_on.iter().flatten().chain(switches.get(&task.id).into_iter().flatten());
        for before in before.filter_map(|id| places.get(id.as_str())).filter(|before| **before != place) {
            waits[place] += 1;
            behind[*before].push(place);
        }
    }
    let mut ready: BTreeSet<usize> = (0..tasks.len()).filter(|place| waits[*place] == 0).collect();
    let mut order = Vec::with_capacity(tasks.len());
    while let Some(place) = ready.pop_first() {
        order.push(place);
        for after in &behind[place] {
            waits[*after] -= 1;
            if waits[*after] == 0 {
                ready.insert(*after);
            }
        }
    }
    // Tasks that depend on each other remain, and never start.
    order.extend((0..tasks.len()).filter(|place| waits[*place] > 0));
    order
}

impl Planner<'_> {
    /// Does everything possible in a frame. `outer` are the variables of the enclosing frame. With `is_stopping`, no new task starts.
    pub(super) fn advance(
        &mut self,
        frame: &Frame,
        outer: &Map<String, Value>,
        is_stopping: bool,
    ) -> Progress {
        loop {
            let before = self.changes;
            let (mut seen, mut has_failed) = (self.failures, self.failure(frame).is_some());
            for task in frame.order.iter().filter_map(|place| frame.tasks.get(*place)) {
                if self.failures != seen {
                    (seen, has_failed) = (self.failures, self.failure(frame).is_some());
                }
                self.step(frame, outer, task, is_stopping || has_failed);
            }
            if self.changes == before {
                break;
            }
        }
        let failure = self.failure(frame);
        let is_settled = |task: &Task| self.entry(&frame.path(&task.id)).is_some_and(Entry::is_settled);
        if frame.tasks.iter().all(is_settled) { Progress::Over(failure) } else { Progress::Open }
    }

    /// Why the frame failed: the first failed task whose policy does not continue.
    fn failure(&self, frame: &Frame) -> Option<TaskFailure> {
        let failed = |task: &Task| {
            let entry = self.entry(&frame.path(&task.id))?;
            let counts = entry.is_settled() && entry.status.is_bad() && !task.goes_on();
            counts.then_some((entry.order, entry))
        };
        let (_, entry) = frame.tasks.iter().filter_map(failed).min_by_key(|(order, _)| *order)?;
        let message =
            format!("task \"{}\": {}", entry.task_id, entry.error.as_deref().unwrap_or("it failed"));
        let is_timeout = entry.status == Status::TimedOut;
        Some(TaskFailure { kind: "TaskFailed".to_owned(), message, is_timeout })
    }

    fn step(&mut self, frame: &Frame, outer: &Map<String, Value>, task: &Task, is_stopping: bool) {
        let path = frame.path(&task.id);
        match self.entry(&path).cloned() {
            Some(entry) if entry.is_settled() => {}
            Some(entry) if entry.status.is_final() => self.run_hooks(frame, outer, task, entry),
            Some(entry) if is_begun(&entry) => self.go_on(frame, outer, task, entry, is_stopping),
            known => {
                if is_stopping {
                    let mut entry = known.unwrap_or_else(|| Entry::new(path, &task.id, &task.kind));
                    entry.status = Status::Canceled;
                    self.settle(entry);
                } else if self.is_ready(frame, task) {
                    self.begin(frame, outer, task, path);
                }
            }
        }
    }

    fn is_ready(&self, frame: &Frame, task: &Task) -> bool {
        let is_settled = |id: &str| self.entry(&frame.path(id)).is_some_and(Entry::is_settled);
        let depends = task.depends_on.iter().flatten();
        depends.map(String::as_str).chain(frame.switches_to(&task.id)).all(is_settled)
    }

    /// Whether switches can lead to the task and none of them chose it.
    pub(super) fn is_passed_over(&self, frame: &Frame, task: &Task) -> bool {
        let mut switches = frame.switches_to(&task.id).peekable();
        let chose = |id: &str| {
            let next = self.entry(&frame.path(id)).and_then(|entry| entry.output.as_ref()?.get("next"));
            let mut ids = next.and_then(Value::as_array).into_iter().flatten();
            ids.any(|next| next.as_str() == Some(&task.id))
        };
        switches.peek().is_some() && !switches.any(chose)
    }
}

/// Entries are also created just to show all tasks of a run; these have not started.
fn is_begun(entry: &Entry) -> bool {
    entry.status != Status::Scheduled || entry.attempt > 0
}
