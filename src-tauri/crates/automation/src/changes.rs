//! Changes to files of a repository: a whole text, a diff, or new requests and limits in a Kubernetes manifest.
//!
//! Everything else stays byte for byte the same.

mod copies;
mod diff;
mod manifest;
mod quantity;
mod resources;
mod storage;
mod tree;
mod usage;

pub use copies::ReplicasChange;
pub use diff::{DiffError, FilePatch, shown};
pub use quantity::{read as read_quantity, write as write_quantity};
pub use resources::{Amount, ResourceChange, ResourceRule};
pub use storage::StorageChange;

use crate::template::to_text;
use serde_json::Value;

/// Maximum number of files one pull request may change.
pub const MOST_FILES: usize = 20;

/// The change of one file.
#[derive(Debug, Clone, PartialEq)]
pub struct FileChange {
    pub path: String,
    pub edit: Edit,
}

/// How a file is changed.
#[derive(Debug, Clone, PartialEq)]
pub enum Edit {
    /// Replaces the file with this text, or creates it.
    Whole(String),
    /// Applies the lines of a diff.
    Lines(FilePatch),
    /// Changes requests and limits of containers.
    Resources(ResourceChange),
}

impl FileChange {
    /// The text of the file after the change.
    pub fn apply(&self, before: Option<&str>) -> Result<String, String> {
        match (&self.edit, before) {
            (Edit::Whole(text), _) => Ok(text.clone()),
            (Edit::Lines(patch), before) => patch.apply(before).map_err(|error| error.to_string()),
            (Edit::Resources(_), None) => Err("there is no such file".to_owned()),
            (Edit::Resources(change), Some(text)) => manifest::change(text, change),
        }
    }

    /// Describes the change without the current file.
    pub fn told(&self) -> String {
        match &self.edit {
            Edit::Whole(text) => format!("{} becomes:\n{text}", self.path),
            Edit::Lines(patch) => patch.to_string(),
            Edit::Resources(change) => format!("{}: {}", self.path, change.told()),
        }
    }
}

/// Reads the changes in a task's parameters: `files` with `content`, or `patch`.
pub fn read(params: &Value) -> Result<Vec<FileChange>, String> {
    let mut changes = Vec::new();
    match &params["files"] {
        Value::Null => {}
        Value::Array(files) => {
            for (place, file) in files.iter().enumerate() {
                let path = to_text(&file["path"]).trim().to_owned();
                let wrong = |what: &str| format!("files[{place}].{what}");
                if path.is_empty() {
                    return Err(wrong("path is missing: expected a path such as deploy/web.yaml"));
                }
                let edit = match (&file["content"], &file["resources"]) {
                    (Value::Null, Value::Null) => {
                        return Err(wrong("content is missing: expected the text of the file, or resources"));
                    }
                    (Value::Null, wanted) => Edit::Resources(
                        ResourceChange::read(wanted).map_err(|why| wrong(&format!("resources.{why}")))?,
                    ),
                    (content, _) => Edit::Whole(to_text(content)),
                };
                changes.push(FileChange { path, edit });
            }
        }
        other => {
            return Err(format!("files: expected a list of objects with path and content, found {other}"));
        }
    }
    let patch = to_text(&params["patch"]);
    if !patch.trim().is_empty() {
        let files = diff::read(&patch).map_err(|error| format!("patch: {error}"))?;
        changes.extend(
            files.into_iter().map(|file| FileChange { path: file.path.clone(), edit: Edit::Lines(file) }),
        );
    }
    if changes.is_empty() {
        return Err("files and patch are missing: expected one of them".to_owned());
    }
    if changes.len() > MOST_FILES {
        return Err(format!("{} files are to change, and {MOST_FILES} are changed at once", changes.len()));
    }
    let twice = changes
        .iter()
        .enumerate()
        .find(|(place, one)| changes[..*place].iter().any(|other| other.path == one.path));
    match twice {
        Some((_, file)) => Err(format!("{} is named twice", file.path)),
        None => Ok(changes),
    }
}
