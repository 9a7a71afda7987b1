mod control;
mod order;
mod recovery;

use super::{Call, CallOutcome, Plan, PlanInput, TaskFailure, plan};
use crate::definition::Definition;
use crate::journal::{Journal, Status};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// A run that is planned repeatedly, with results of calls given by the test.
struct Bench {
    definition: Definition,
    inputs: Map<String, Value>,
    secrets: Map<String, Value>,
    now: i64,
    journal: Journal,
    in_flight: BTreeSet<String>,
    is_dry: bool,
    is_canceled: bool,
    state: Map<String, Value>,
    last: Plan,
}

impl Bench {
    fn new(definition: Value) -> Self {
        Self {
            definition: Definition::read(&definition).unwrap(),
            inputs: Map::new(),
            secrets: Map::new(),
            now: 1_000_000_000,
            journal: Journal::default(),
            in_flight: BTreeSet::new(),
            is_dry: false,
            is_canceled: false,
            state: Map::new(),
            last: Plan::default(),
        }
    }

    fn of(tasks: Value) -> Self {
        Self::new(json!({ "tasks": tasks }))
    }

    /// Plans again with the finished calls.
    fn on(&mut self, finished: &[(&str, Result<Value, TaskFailure>)]) -> &Plan {
        let finished: Vec<CallOutcome> = finished
            .iter()
            .map(|(path, result)| CallOutcome { path: (*path).to_owned(), result: result.clone() })
            .collect();
        for one in &finished {
            self.in_flight.remove(&one.path);
        }
        let situation = PlanInput {
            definition: &self.definition,
            inputs: &self.inputs,
            secrets: &self.secrets,
            configs: &Map::new(),
            state: &self.state,
            now: self.now,
            in_flight: &self.in_flight,
            is_dry: self.is_dry,
            is_canceled: self.is_canceled,
        };
        let next = plan(&situation, std::mem::take(&mut self.journal), &finished);
        self.journal = next.journal.clone();
        self.state = next.state_seen.clone();
        self.in_flight.extend(next.calls.iter().map(|call| call.path.clone()));
        self.last = next;
        &self.last
    }

    /// Answers every call with `answer` until the run ends.
    fn finish(&mut self, answer: impl Fn(&Call) -> Result<Value, TaskFailure>) -> BTreeMap<String, u32> {
        let mut calls = BTreeMap::new();
        self.on(&[]);
        for _ in 0..200 {
            if self.last.outcome.is_some() {
                return calls;
            }
            let made = std::mem::take(&mut self.last.calls);
            if made.is_empty() {
                self.now = self.last.wake.expect("a time to wait for");
            }
            let answers: Vec<(String, Result<Value, TaskFailure>)> =
                made.iter().map(|call| (call.path.clone(), answer(call))).collect();
            for call in &made {
                *calls.entry(call.path.clone()).or_default() += 1;
            }
            let answers: Vec<(&str, _)> =
                answers.iter().map(|(path, result)| (path.as_str(), result.clone())).collect();
            self.on(&answers);
        }
        panic!("the run does not end: {:?}", self.journal);
    }

    fn status(&self, path: &str) -> &'static str {
        self.journal.get(path).map_or("none", |entry| entry.status.name())
    }

    fn output(&self, path: &str) -> Value {
        self.journal.get(path).and_then(|entry| entry.output.clone()).unwrap_or_default()
    }

    fn outcome(&self) -> (Status, Value) {
        let outcome = self.last.outcome.as_ref().expect("an end");
        (outcome.status, outcome.output.clone())
    }

    fn calls(&self) -> Vec<&str> {
        self.last.calls.iter().map(|call| call.path.as_str()).collect()
    }
}

fn http(id: &str, depends_on: &[&str]) -> Value {
    json!({ "id": id, "type": "integrations.http", "params": { "url": "http://a" }, "depends_on": depends_on })
}

fn print(id: &str, message: &str, depends_on: &[&str]) -> Value {
    json!({ "id": id, "type": "core.print", "params": { "message": message }, "depends_on": depends_on })
}

fn failure() -> Result<Value, TaskFailure> {
    Err(TaskFailure::new("HttpError", "it answered 500"))
}
