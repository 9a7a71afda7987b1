//! The variables visible in templates.

use super::Planner;
use super::frame::Frame;
use crate::definition::Task;
use crate::journal::Entry;
use serde_json::{Map, Value, json};

impl Planner<'_> {
    /// The variables visible in the tasks of a frame: those of the enclosing frame, its own tasks, and the variables these set.
    pub(super) fn scope(&self, frame: &Frame, outer: &Map<String, Value>) -> Map<String, Value> {
        let mut scope = outer.clone();
        if outer.is_empty() {
            let inputs = Value::Object(self.situation.inputs.clone());
            scope.insert("Vars".to_owned(), inputs.clone());
            scope.insert("Inputs".to_owned(), inputs);
            scope.insert("Secrets".to_owned(), Value::Object(self.situation.secrets.clone()));
            scope.insert("Configs".to_owned(), Value::Object(self.situation.configs.clone()));
            scope.insert("State".to_owned(), Value::Object(self.plan.state_seen.clone()));
            scope.insert("Tasks".to_owned(), json!({}));
            scope.insert("Matrix".to_owned(), json!({}));
        }
        let entries = frame.tasks.iter().filter_map(|task| self.entry(&frame.path(&task.id)));
        let mut entries: Vec<&Entry> = entries.collect();
        entries.sort_by_key(|entry| entry.order);
        for entry in entries {
            if let Some(Value::Object(tasks)) = scope.get_mut("Tasks") {
                tasks.insert(entry.task_id.clone(), entry.seen());
            }
            if let Some(Value::Object(vars)) = scope.get_mut("Vars") {
                vars.extend(entry.vars.clone());
            }
        }
        for (name, value) in frame.extra.clone() {
            match (scope.get_mut(&name), value) {
                // The items of enclosing loops remain visible.
                (Some(Value::Object(around)), Value::Object(own)) if name == LOOP_ITEM => around.extend(own),
                (_, value) => drop(scope.insert(name, value)),
            }
        }
        let vars = scope.get("Vars").and_then(Value::as_object).cloned().unwrap_or_default();
        for (name, value) in vars {
            if !ROOTS.contains(&name.as_str()) && !frame.extra.contains_key(&name) {
                scope.insert(name, value);
            }
        }
        scope
    }

    /// The variables visible in one task, which is `Self`.
    pub(super) fn task_scope(
        &self,
        frame: &Frame,
        outer: &Map<String, Value>,
        task: &Task,
        entry: Option<&Entry>,
    ) -> Map<String, Value> {
        let mut scope = self.scope(frame, outer);
        let mut own = entry.map_or_else(|| json!({}), Entry::seen);
        own["id"] = json!(task.id);
        own["type"] = json!(task.kind);
        if let Some(entry) = entry
            && let Some(Value::Object(tasks)) = scope.get_mut("Tasks")
        {
            tasks.insert(entry.task_id.clone(), entry.seen());
        }
        // In hooks, `Self` is the task they belong to.
        if !task.id.starts_with('#') || !scope.contains_key("Self") {
            scope.insert("Self".to_owned(), own);
        }
        scope
    }
}

/// The item of each enclosing loop, by its name.
pub(super) const LOOP_ITEM: &str = "LoopItem";

/// Names that variables cannot override.
const ROOTS: [&str; 9] =
    ["Inputs", "Tasks", "Matrix", "Secrets", "Configs", "Vars", "State", "Self", LOOP_ITEM];
