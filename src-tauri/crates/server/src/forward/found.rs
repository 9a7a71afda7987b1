//! What the paths stand for that a person put forward.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// What cannot be imported, and why; said to the person.
#[derive(Debug, thiserror::Error)]
#[error("{} {why}", path.display())]
pub struct NotPutForward {
    path: PathBuf,
    why: String,
}

impl NotPutForward {
    fn because(path: &Path, why: impl Into<String>) -> Self {
        Self { path: path.to_owned(), why: why.into() }
    }

    pub(super) fn named_strangely(path: PathBuf) -> Self {
        Self { path, why: "has a name that is no text; give it another one".to_owned() }
    }

    fn after(path: &Path, error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound => Self::because(path, "is not there"),
            _ => Self::because(path, format!("cannot be read: {error}")),
        }
    }
}

/// The files among `paths` by their whole names, with the files in the folders among them (not those in folders below, nor hidden ones) in the order of
/// their names; and what is none. Nothing of a file is read.
pub fn files_among(paths: &[PathBuf]) -> (Vec<PathBuf>, Vec<NotPutForward>) {
    let (mut files, mut refused) = (Vec::new(), Vec::new());
    for path in paths {
        match find(path) {
            Ok(found) => files.extend(found),
            Err(why) => refused.push(why),
        }
    }
    (files, refused)
}

fn find(path: &Path) -> Result<Vec<PathBuf>, NotPutForward> {
    let after = |error: io::Error| NotPutForward::after(path, &error);
    let whole = path.canonicalize().map_err(after)?;
    let told = whole.metadata().map_err(after)?;
    if told.is_dir() {
        let files = in_folder(&whole).map_err(after)?;
        return if files.is_empty() {
            Err(NotPutForward::because(path, "is a folder without files"))
        } else {
            Ok(files)
        };
    }
    if !told.is_file() {
        return Err(NotPutForward::because(path, "is neither a file nor a folder"));
    }
    File::open(&whole).map_err(after)?;
    Ok(vec![whole])
}

fn in_folder(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        if !entry.file_name().to_string_lossy().starts_with('.') && entry.path().is_file() {
            files.push(entry.path());
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::files_among;
    use std::path::PathBuf;

    fn says(path: PathBuf) -> String {
        let (files, refused) = files_among(&[path]);
        let ([], [refused]) = (&files[..], &refused[..]) else { panic!("{files:?} {refused:?}") };
        refused.to_string()
    }

    #[test]
    fn a_folder_stands_for_the_files_in_it() {
        let folder = tempfile::tempdir().unwrap();
        let whole = folder.path().canonicalize().unwrap();
        let [one, two, hidden, below] =
            ["one.csv", "two.csv", ".hidden", "below"].map(|name| whole.join(name));
        for file in [&two, &one, &hidden] {
            std::fs::write(file, "").unwrap();
        }
        std::fs::create_dir(&below).unwrap();
        let (files, refused) = files_among(&[folder.path().to_owned(), two.clone()]);
        assert_eq!(files, [one, two.clone(), two]);
        assert!(refused.is_empty(), "{refused:?}");
        assert_eq!(says(below.clone()), format!("{} is a folder without files", below.display()));
    }

    #[test]
    fn what_is_no_file_is_named_with_the_reason() {
        let folder = tempfile::tempdir().unwrap();
        let gone = folder.path().join("gone.csv");
        assert_eq!(says(gone.clone()), format!("{} is not there", gone.display()));
        #[cfg(unix)]
        assert_eq!(says("/dev/null".into()), "/dev/null is neither a file nor a folder");
    }
}
