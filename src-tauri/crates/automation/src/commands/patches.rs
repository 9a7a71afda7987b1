//! Patches of a cluster, made of what it says of an object.

use super::ProgramCall;
use crate::changes::{CopiesChange, ResourceChange, StorageChange};
use serde::Serialize;
use serde_json::Value;

/// A patch made of what the cluster says of an object.
#[derive(Debug, Clone, PartialEq)]
pub struct PatchAfter {
    change: LiveChange,
    /// Before the patch itself.
    arguments: Vec<String>,
    /// The patch is told, and nothing is changed.
    is_only_told: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum LiveChange {
    Copies(CopiesChange),
    Resources(ResourceChange),
    Storage(StorageChange),
}

/// What a task gives whose object was read first.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct PatchOutcome {
    pub status: &'static str,
    #[serde(skip_serializing_if = "Value::is_null")]
    pub patch: Value,
    /// Copies before and after.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old_replicas: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new_replicas: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old_storage: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new_storage: Option<String>,
    /// What the program wrote, or why nothing is to do.
    pub data: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stderr: Option<String>,
}

impl PatchAfter {
    pub(super) fn new(change: LiveChange, arguments: Vec<String>) -> Self {
        Self { change, arguments, is_only_told: false }
    }

    /// The same, for somebody who wants to know the patch alone.
    pub(super) fn only_told(self) -> Self {
        Self { is_only_told: true, ..self }
    }

    pub(super) fn arguments(&self) -> &[String] {
        &self.arguments
    }

    /// In words.
    pub(super) fn told(&self) -> String {
        match &self.change {
            LiveChange::Copies(change) => change.told(),
            LiveChange::Resources(change) => change.told(),
            LiveChange::Storage(change) => change.told(),
        }
    }

    /// What the task gives and the call that must succeed before; no call where the object is so already. `live` is what the cluster said.
    ///
    /// # Errors
    /// Why it cannot be changed so.
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
