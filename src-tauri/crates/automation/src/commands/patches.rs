//! Patches of cluster objects, made from their current state.

use super::ProgramCall;
use crate::changes::{ReplicasChange, ResourceChange, StorageChange};
use serde::Serialize;
use serde_json::Value;

/// A patch to make from the current state of an object.
#[derive(Debug, Clone, PartialEq)]
pub struct PatchAfter {
    change: LiveChange,
    /// Arguments before the patch.
    arguments: Vec<String>,
    /// Only report the patch, do not apply it.
    is_only_told: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum LiveChange {
    Copies(ReplicasChange),
    Resources(ResourceChange),
    Storage(StorageChange),
}

/// The output of a task that patches an object.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct PatchOutcome {
    pub status: &'static str,
    #[serde(skip_serializing_if = "Value::is_null")]
    pub patch: Value,
    /// Replicas before and after.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old_replicas: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new_replicas: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old_storage: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new_storage: Option<String>,
    /// The output of the program, or why there is nothing to do.
    pub data: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stderr: Option<String>,
}

impl PatchAfter {
    pub(super) fn new(change: LiveChange, arguments: Vec<String>) -> Self {
        Self { change, arguments, is_only_told: false }
    }

    /// Like this, but only reports the patch.
    pub(super) fn only_told(self) -> Self {
        Self { is_only_told: true, ..self }
    }

    pub(super) fn arguments(&self) -> &[String] {
        &self.arguments
    }

    /// Describes the change.
    pub(super) fn told(&self) -> String {
        match &self.change {
            LiveChange::Copies(change) => change.told(),
            LiveChange::Resources(change) => change.told(),
            LiveChange::Storage(change) => change.told(),
        }
    }

    /// The output of the task and the call to make first; no call if the object is up to date. `live` is the object in JSON as read from the
    /// cluster.
    ///
    /// # Errors
    /// Why the object cannot be changed.
    pub fn call(&self, live: &str, timeout: i64) -> Result<(PatchOutcome, Option<ProgramCall>), String> {
        let live: Value = serde_json::from_str(live)
            .map_err(|error| format!("kubectl gave no JSON of the object: {error}"))?;
        let patched = match &self.change {
            LiveChange::Copies(change) => change.patch(&live)?.map(|(patch, old, new)| PatchOutcome {
                status: "changed",
                patch,
                old_replicas: Some(old),
                new_replicas: Some(new),
                ..PatchOutcome::default()
            }),
            LiveChange::Resources(change) => change.patch(&live)?.map(|patch| PatchOutcome {
                status: "changed",
                patch,
                ..PatchOutcome::default()
            }),
            LiveChange::Storage(change) => change.patch(&live)?.map(|(patch, old, new)| PatchOutcome {
                status: "success",
                patch,
                old_storage: Some(old),
                new_storage: Some(new),
                ..PatchOutcome::default()
            }),
        };
        let Some(patched) = patched else {
            let status = match self.change {
                LiveChange::Copies(_) | LiveChange::Resources(_) => "unchanged",
                LiveChange::Storage(_) => "skipped",
            };
            let data = "it is so already".to_owned();
            return Ok((PatchOutcome { status, data, ..PatchOutcome::default() }, None));
        };
        if self.is_only_told {
            let data = "nothing was changed: recommend_only".to_owned();
            return Ok((PatchOutcome { status: "recommended", data, ..patched }, None));
        }
        let mut arguments = self.arguments.clone();
        arguments.push(patched.patch.to_string());
        Ok((patched, Some(ProgramCall::new("kubectl", vec![arguments], timeout))))
    }
}
