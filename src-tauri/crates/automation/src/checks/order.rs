//! The order of the tasks of one list.

use super::{inside, tasks_of};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The tasks of one list, each with its direct successors.
pub(super) struct Order<'d>(BTreeMap<&'d str, Vec<&'d str>>);

impl<'d> Order<'d> {
    pub fn of(list: &'d Value) -> Self {
        let mut after: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (_, task) in tasks_of(list) {
            let Some(id) = task["id"].as_str() else { continue };
            after.entry(id).or_default();
            for before in texts(&task["depends_on"]) {
                after.entry(before).or_default().push(id);
            }
            let ways = inside(task).into_iter().filter(|_| task["type"] == "core.switch");
            let targets: Vec<&str> = ways.flat_map(|(_, to)| texts(to)).collect();
            after.entry(id).or_default().extend(targets);
        }
        Self(after)
    }

    pub fn has(&self, id: &str) -> bool {
        self.0.contains_key(id)
    }

    /// The tasks after another one, directly or indirectly.
    pub fn behind(&self, id: &str) -> BTreeSet<&'d str> {
        let mut found = BTreeSet::new();
        let mut open: Vec<&str> = self.0.get(id).into_iter().flatten().copied().collect();
        while let Some(next) = open.pop() {
            if found.insert(next) {
                open.extend(self.0.get(next).into_iter().flatten().copied());
            }
        }
        found
    }
}

/// A text, or the texts in a list.
fn texts(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(list) => list.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}
