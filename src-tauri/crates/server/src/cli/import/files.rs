//! Resolves the paths of a command line to files.

use std::path::{Path, PathBuf};

/// A file to import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputFile {
    pub path: PathBuf,
    pub size_bytes: u64,
    /// Named on the command line, not found in a folder.
    pub is_named: bool,
}

impl InputFile {
    /// The last component of the path.
    pub fn name(&self) -> String {
        self.path.file_name().unwrap_or(self.path.as_os_str()).to_string_lossy().into_owned()
    }
}

/// The named files, and those in the named folders, folder by folder in order of their names. Unreadable paths are included: importing them reports
/// the reason.
pub fn find(paths: &[PathBuf]) -> Vec<InputFile> {
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() { search(path, &mut found) } else { found.push(file(path, true)) }
    }
    found
}

fn search(folder: &Path, found: &mut Vec<InputFile>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        found.push(file(folder, true));
        return;
    };
    let mut entries: Vec<_> = entries.filter_map(Result::ok).collect();
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        // Links to folders are not followed: they may lead in circles.
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => search(&entry.path(), found),
            _ if entry.path().is_file() => found.push(file(&entry.path(), false)),
            _ => {}
        }
    }
}

fn file(path: &Path, is_named: bool) -> InputFile {
    let size_bytes = std::fs::metadata(path).map_or(0, |metadata| metadata.len());
    InputFile { path: path.to_owned(), size_bytes, is_named }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_searched_in_the_order_of_names() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at("b")).unwrap();
        for name in ["c.csv", "b/2.csv", "b/1.csv", "a.csv"] {
            std::fs::write(at(name), "x").unwrap();
        }
        let found = find(&[folder.path().to_owned(), at("lost.csv")]);
        let paths: Vec<_> = found.iter().map(|file| (file.path.clone(), file.is_named)).collect();
        assert_eq!(
            paths,
            [
                (at("a.csv"), false),
                (at("b/1.csv"), false),
                (at("b/2.csv"), false),
                (at("c.csv"), false),
                (at("lost.csv"), true)
            ]
        );
    }
}
