//! Tasks with nested tasks: groups, loops, matrices, and inline branches of a switch.

use super::context::LOOP_ITEM;
use super::frame::{Frame, Progress};
use super::switch::written;
use super::{Planner, TaskFailure, composed};
use crate::definition::Task;
use crate::duration;
use crate::journal::{Entry, Status};
use crate::template::to_text;
use serde_json::{Map, Value, json};

/// Maximum number of items of a loop or combinations of a matrix.
const MOST_ITEMS: usize = 1000;

impl Planner<'_> {
    pub(super) fn begin_group(
        &mut self,
        frame: &Frame,
        outer: &Map<String, Value>,
        task: &Task,
        entry: Entry,
    ) {
        match task.inner() {
            Ok(inner) if inner.is_empty() => self.complete(frame, outer, task, entry, json!({})),
            Ok(_) => self.put(entry),
            Err(error) => self.fail_for_good(frame, outer, task, entry, &format!("tasks: {error}")),
        }
    }

    pub(super) fn begin_foreach(
        &mut self,
        frame: &Frame,
        outer: &Map<String, Value>,
        task: &Task,
        mut entry: Entry,
    ) {
        let scope = self.task_scope(frame, outer, task, None);
        let given = task.params.as_ref().and_then(|params| params.get("items")).cloned().unwrap_or_default();
        let items = self.renderer.value(&given, &scope).map_err(|error| error.to_string()).and_then(list);
        match items {
            Err(reason) => self.fail_for_good(frame, outer, task, entry, &reason),
            Ok(items) if items.is_empty() => self.skip(entry, "the list is empty", Some(json!([]))),
            Ok(items) if items.len() > MOST_ITEMS => {
                let message =
                    format!("items: the list has {} items, and {MOST_ITEMS} are allowed", items.len());
                self.fail_for_good(frame, outer, task, entry, &message);
            }
            Ok(items) => {
                entry.input = Some(json!({ "items": items }));
                self.put(entry);
            }
        }
    }

    pub(super) fn begin_matrix(
        &mut self,
        frame: &Frame,
        outer: &Map<String, Value>,
        task: &Task,
        mut entry: Entry,
    ) {
        let scope = self.task_scope(frame, outer, task, None);
        let given = task.matrix.clone().unwrap_or_default();
        let combinations =
            self.renderer.value(&given, &scope).map_err(|error| error.to_string()).and_then(product);
        match combinations {
            Err(reason) => self.fail_for_good(frame, outer, task, entry, &reason),
            Ok(combinations) => {
                entry.status = Status::Started;
                entry.input = Some(json!({ "matrix": combinations }));
                self.put(entry);
            }
        }
    }

    /// Continues the nested tasks; ends the task when they have ended.
    pub(super) fn go_on_inside(
        &mut self,
        frame: &Frame,
        outer: &Map<String, Value>,
        task: &Task,
        entry: Entry,
        is_stopping: bool,
    ) {
        let deadline = task.timeout.as_deref().and_then(duration::parse).zip(entry.started_at);
        let deadline = deadline.map(|(timeout, start)| start.saturating_add(timeout));
        let is_over = deadline.is_some_and(|deadline| deadline <= self.now());
        let frames = Self::frames(task, &entry);
        let scope = self.task_scope(frame, outer, task, None);
        let stop = is_stopping || is_over;
        let most_open = if entry.kind == "core.foreach" && task.matrix.is_none() {
            concurrency(task)
        } else {
            usize::MAX
        };
        let (mut open, mut failure, mut all_closed) = (0, None, true);
        let around = self.deadline;
        self.deadline = deadline.into_iter().chain(around).min();
        for inner in &frames {
            let is_new = inner.tasks.iter().all(|task| self.entry(&inner.path(&task.id)).is_none());
            if is_new && (failure.is_some() || stop || open >= most_open) {
                all_closed &= failure.is_some() || stop;
                continue;
            }
            match self.advance(inner, &scope, stop || failure.is_some()) {
                Progress::Open => {
                    open += 1;
                    all_closed = false;
                }
                Progress::Over(failed) => failure = failure.or(failed),
            }
        }
        self.deadline = around;
        if !all_closed {
            if let Some(deadline) = deadline.filter(|_| !is_over) {
                self.wake_at(deadline);
            }
            return;
        }
        if is_stopping {
            return self.settle(Entry { status: Status::Canceled, ..entry });
        }
        if is_over {
            let message = "its tasks took longer than its time-out".to_owned();
            let failure = TaskFailure { kind: "Timeout".to_owned(), message, is_timeout: true };
            return self.fail_once(frame, outer, task, entry, &failure);
        }
        match failure {
            Some(failure) => self.fail_once(frame, outer, task, entry, &failure),
            None => match self.output_of(task, &entry, &frames, &scope) {
                Ok(output) => self.complete(frame, outer, task, entry, output),
                Err(reason) => self.fail_for_good(frame, outer, task, entry, &reason),
            },
        }
    }

    /// Fails without retrying the whole: nested tasks have their own retries, and their results are retained.
    fn fail_once(
        &mut self,
        frame: &Frame,
        outer: &Map<String, Value>,
        task: &Task,
        entry: Entry,
        failure: &TaskFailure,
    ) {
        let entry = Entry { attempt: u32::MAX, ..entry };
        let attempt = 1;
        let path = entry.path.clone();
        self.fail(frame, outer, task, entry, failure);
        if let Some(entry) = self.entry(&path).cloned() {
            self.put(Entry { attempt, ..entry });
        }
    }

    fn frames(task: &Task, entry: &Entry) -> Vec<Frame> {
        let inside = format!("{}/", entry.path);
        let input = entry.input.clone().unwrap_or_default();
        if let Some(combinations) = input["matrix"].as_array() {
            let one = |(place, combination): (usize, &Value)| {
                let single = Task {
                    id: place.to_string(),
                    matrix: None,
                    condition: None,
                    depends_on: None,
                    set_vars: None,
                    set_state: None,
                    // Hooks belong to the whole matrix.
                    hooks: None,
                    ..task.clone()
                };
                let extra = Map::from_iter([("Matrix".to_owned(), combination.clone())]);
                Frame::new(&inside, vec![single], extra)
            };
            return combinations.iter().enumerate().map(one).collect();
        }
        match task.kind.as_str() {
            "core.foreach" => {
                let inner = task.inner().unwrap_or_default();
                let name = task.params.as_ref().and_then(|params| params["item"].as_str()).unwrap_or("item");
                let items = input["items"].as_array().cloned().unwrap_or_default();
                let one = |(place, item): (usize, Value)| {
                    let extra = Map::from_iter([
                        (LOOP_ITEM.to_owned(), json!({ name: item })),
                        (name.to_owned(), item),
                        ("LoopIndex".to_owned(), json!(place)),
                    ]);
                    Frame::new(&format!("{inside}{place}/"), inner.clone(), extra)
                };
                items.into_iter().enumerate().map(one).collect()
            }
            "core.switch" => {
                let way = input["way"].as_u64().and_then(|way| usize::try_from(way).ok()).unwrap_or_default();
                vec![Frame::new(&inside, written(task, way), Map::new())]
            }
            _ => vec![Frame::new(&inside, task.inner().unwrap_or_default(), Map::new())],
        }
    }

    fn output_of(
        &self,
        task: &Task,
        entry: &Entry,
        frames: &[Frame],
        scope: &Map<String, Value>,
    ) -> Result<Value, String> {
        if entry.input.as_ref().is_some_and(|input| input["matrix"].is_array()) {
            let one = |(place, frame): (usize, &Frame)| self.outputs(frame)[place.to_string()].take();
            return Ok(json!({ "results": frames.iter().enumerate().map(one).collect::<Vec<_>>() }));
        }
        match task.kind.as_str() {
            "core.foreach" => {
                let template =
                    task.params.as_ref().and_then(|params| params.get("output")).filter(|one| !one.is_null());
                let one = |frame: &Frame| match template {
                    None => Ok(self.outputs(frame)),
                    Some(template) => self.renderer.value(template, &self.scope(frame, scope)),
                };
                let results: Result<Vec<Value>, _> = frames.iter().map(one).collect();
                Ok(json!({ "results": results.map_err(|error| error.to_string())? }))
            }
            "core.switch" => {
                let mut output = entry.output.clone().unwrap_or_default();
                output["tasks"] = self.outputs(&frames[0]);
                Ok(output)
            }
            kind => {
                let outputs = frames.first().map(|frame| self.outputs(frame)).unwrap_or_default();
                Ok(composed::output(kind, outputs))
            }
        }
    }
}

fn concurrency(task: &Task) -> usize {
    let given = task.params.as_ref().map(|params| to_text(&params["concurrency"])).unwrap_or_default();
    given.trim().parse().unwrap_or(1).clamp(1, MOST_ITEMS)
}

/// A list, or a list in JSON text.
fn list(value: Value) -> Result<Vec<Value>, String> {
    let wrong = |found: &str| {
        format!(
            "items: expected a list or the JSON text of one, found {}",
            found.chars().take(80).collect::<String>()
        )
    };
    match value {
        Value::Array(items) => Ok(items),
        Value::Null => Ok(Vec::new()),
        Value::String(text) if text.trim().is_empty() => Ok(Vec::new()),
        Value::String(text) => serde_json::from_str(&text).map_err(|_| wrong(&text)),
        other => Err(wrong(&other.to_string())),
    }
}

/// Every combination of one member of each list; the last list varies fastest.
fn product(matrix: Value) -> Result<Vec<Map<String, Value>>, String> {
    let matrix = match matrix {
        Value::String(text) => {
            serde_json::from_str(&text).map_err(|_| "matrix: expected an object of lists")?
        }
        other => other,
    };
    let Value::Object(lists) = matrix else { return Err("matrix: expected an object of lists".to_owned()) };
    let mut all = vec![Map::new()];
    for (name, members) in lists {
        let members = list(members).map_err(|reason| format!("matrix.{name}: {reason}"))?;
        if all.len().saturating_mul(members.len()) > MOST_ITEMS {
            return Err(format!("matrix: it has more than {MOST_ITEMS} combinations"));
        }
        let with = |one: Map<String, Value>| {
            let name = name.clone();
            members
                .iter()
                .map(move |member| {
                    let mut one = one.clone();
                    one.insert(name.clone(), member.clone());
                    one
                })
                .collect::<Vec<_>>()
        };
        all = all.into_iter().flat_map(with).collect();
    }
    Ok(all)
}
