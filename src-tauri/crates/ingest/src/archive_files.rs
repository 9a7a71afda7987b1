//! The list of an archive's files in the import report, for an archive read as one document.

use crate::limit::{LISTED_FILES, LISTED_NAME};
use ::formats::{InnerFile, InnerOutcome};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The files of an archive. If the archive has more files than can be listed, skipped files are listed first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ArchiveFiles {
    pub count: u64,
    pub left_out: u64,
    /// At most 3,000 files, sorted by name.
    pub listed: Vec<ArchiveFile>,
}

/// A file of an archive. Either `read_as` or `left_out` is set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ArchiveFile {
    pub name: String,
    pub size_bytes: u64,
    /// The type of content that was read, such as `Pod objects`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_as: Option<String>,
    /// Why the file was skipped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_out: Option<String>,
}

impl ArchiveFiles {
    /// `None` when the file is not an archive.
    pub fn of(mut files: Vec<InnerFile>) -> Option<Self> {
        if files.is_empty() {
            return None;
        }
        let is_read = |file: &InnerFile| matches!(file.outcome, InnerOutcome::ReadAs(_));
        let count = files.len();
        let left_out = files.iter().filter(|file| !is_read(file)).count();
        if count > LISTED_FILES {
            files.sort_by_key(is_read);
            files.truncate(LISTED_FILES);
        }
        files.sort_by(|first, second| first.name.cmp(&second.name));
        Some(Self {
            count: count as u64,
            left_out: left_out as u64,
            listed: files.into_iter().map(ArchiveFile::of).collect(),
        })
    }
}

impl ArchiveFile {
    fn of(file: InnerFile) -> Self {
        let (read_as, left_out) = match file.outcome {
            InnerOutcome::ReadAs(what) => (Some(what), None),
            InnerOutcome::Skipped(reason) => (None, Some(reason.to_owned())),
        };
        Self { name: shortened(file.name), size_bytes: file.size_bytes, read_as, left_out }
    }
}

/// Shortens a long name to its end, which distinguishes it from others.
fn shortened(name: String) -> String {
    let length = name.chars().count();
    if length <= LISTED_NAME {
        return name;
    }
    let end: String = name.chars().skip(length - LISTED_NAME + 1).collect();
    format!("…{end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, outcome: InnerOutcome) -> InnerFile {
        InnerFile { name: name.to_owned(), size_bytes: 1, outcome }
    }

    #[test]
    fn files_are_listed_by_name_and_those_left_out_have_their_reason() {
        let files = ArchiveFiles::of(vec![
            file("b/pods.json", InnerOutcome::ReadAs("Pod objects".to_owned())),
            file("b/a.log", InnerOutcome::Skipped("No line of the log has a time")),
        ]);
        let json = serde_json::to_string(&files).unwrap();
        assert_eq!(
            json,
            r#"{"count":2,"left_out":1,"listed":[{"name":"b/a.log","size_bytes":1,"left_out":"No line of the log has a time"},{"name":"b/pods.json","size_bytes":1,"read_as":"Pod objects"}]}"#
        );
        assert_eq!(ArchiveFiles::of(Vec::new()), None);
    }

    #[test]
    fn of_too_many_files_those_left_out_stay_in_the_list() {
        let mut all: Vec<InnerFile> = (0..LISTED_FILES)
            .map(|number| file(&format!("b/{number:05}.json"), InnerOutcome::ReadAs(String::new())))
            .collect();
        all.push(file("b/z.log", InnerOutcome::Skipped("The file is empty")));
        let files = ArchiveFiles::of(all).unwrap();
        assert_eq!((files.count, files.left_out, files.listed.len()), (3_001, 1, LISTED_FILES));
        assert_eq!(files.listed.last().unwrap().left_out.as_deref(), Some("The file is empty"));
    }

    #[test]
    fn a_long_name_keeps_its_end() {
        let name = format!("{}/web.log", "ä".repeat(LISTED_NAME));
        let short = shortened(name);
        assert_eq!(short.chars().count(), LISTED_NAME);
        assert!(short.starts_with('…') && short.ends_with("ä/web.log"));
    }
}
