//! Lists the files of a watched folder, and determines which are complete.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::time::UNIX_EPOCH;

/// Maximum number of files taken by one scan; the rest follow in the next one.
pub const MOST_FILES: usize = 1_000;
/// Maximum number of files in a folder, beyond which it is refused: watching a whole disk is a mistake.
pub const TOO_MANY: usize = 20_000;
const DEEPEST: usize = 16;

/// The state of a file in a scan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileState {
    pub size_bytes: i64,
    /// µs since 1970 UTC.
    pub modified_at: i64,
}

/// The last known state of a file, and whether it was imported in this state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownFile {
    pub state: FileState,
    pub is_taken: bool,
}

/// By path relative to the folder.
pub type Files = BTreeMap<String, FileState>;
pub type KnownFiles = BTreeMap<String, KnownFile>;

/// All files below a folder. Skips links, devices, hidden files, and files that are still being copied (`.part`, `.tmp`).
pub fn list(folder: &Path) -> io::Result<Files> {
    let mut files = Files::new();
    search(folder, "", 0, &mut files)?;
    Ok(files)
}

fn search(folder: &Path, below: &str, depth: usize, files: &mut Files) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if is_passed_over(&name) {
            continue;
        }
        let path = if below.is_empty() { name } else { format!("{below}/{name}") };
        // Links are not followed: they may lead out of the folder, or in circles.
        let kind = entry.file_type()?;
        if kind.is_dir() && depth < DEEPEST {
            search(&entry.path(), &path, depth + 1, files)?;
        } else if kind.is_file() {
            files.insert(path, state(&entry.metadata()?));
        }
        if files.len() > TOO_MANY {
            return Err(io::Error::other(format!("the folder has more than {TOO_MANY} files")));
        }
    }
    Ok(())
}

/// Whether a file or folder of that name is skipped.
pub fn is_passed_over(name: &str) -> bool {
    name.starts_with('.') || [".part", ".tmp", ".crdownload", "~"].iter().any(|end| name.ends_with(end))
}

/// Size and modification time of a file.
pub fn state(metadata: &std::fs::Metadata) -> FileState {
    let since = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    FileState {
        size_bytes: i64::try_from(metadata.len()).unwrap_or(i64::MAX),
        modified_at: since.and_then(|since| i64::try_from(since.as_micros()).ok()).unwrap_or_default(),
    }
}

/// The result of comparing two scans.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Unchanged since the previous scan, and not imported yet.
    pub whole: Vec<String>,
    /// New or changed: possibly still being written.
    pub unsettled: Vec<String>,
    pub gone: Vec<String>,
}

/// Compares a scan with the previous one.
pub fn compare(known: &KnownFiles, seen: &Files) -> Changes {
    let mut changes = Changes::default();
    for (path, state) in seen {
        match known.get(path) {
            Some(before) if before.state == *state => {
                if !before.is_taken && changes.whole.len() < MOST_FILES {
                    changes.whole.push(path.clone());
                }
            }
            _ => changes.unsettled.push(path.clone()),
        }
    }
    changes.gone = known.keys().filter(|path| !seen.contains_key(*path)).cloned().collect();
    changes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state_of(size_bytes: i64) -> FileState {
        FileState { size_bytes, modified_at: 1 }
    }

    #[test]
    fn a_file_is_taken_once_it_is_the_same_in_two_looks() {
        let seen = Files::from([("a.csv".to_owned(), state_of(2)), ("b.csv".to_owned(), state_of(3))]);
        let first = compare(&KnownFiles::new(), &seen);
        assert_eq!((first.whole.len(), first.unsettled.len()), (0, 2));
        let known = |size, is_taken| KnownFile { state: state_of(size), is_taken };
        let known = KnownFiles::from([
            ("a.csv".to_owned(), known(2, false)),
            ("b.csv".to_owned(), known(1, true)),
            ("c.csv".to_owned(), known(1, true)),
        ]);
        let next = compare(&known, &seen);
        assert_eq!(
            (next.whole, next.unsettled, next.gone),
            (vec!["a.csv".to_owned()], vec!["b.csv".to_owned()], vec!["c.csv".to_owned()])
        );
    }

    #[cfg(unix)]
    #[test]
    fn links_hidden_files_and_what_is_being_copied_are_passed_over() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at("deep")).unwrap();
        for name in ["a.csv", ".hidden", "b.csv.part", "deep/c.csv"] {
            std::fs::write(at(name), "x").unwrap();
        }
        std::os::unix::fs::symlink("/etc/passwd", at("link.csv")).unwrap();
        std::os::unix::fs::symlink(folder.path(), at("circle")).unwrap();
        let files = list(folder.path()).unwrap();
        assert_eq!(files.keys().collect::<Vec<_>>(), ["a.csv", "deep/c.csv"]);
    }
}
