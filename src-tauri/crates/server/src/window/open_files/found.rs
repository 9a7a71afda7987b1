//! Resolves the paths that the user opened to files.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// Maximum depth of folders below the opened one: exports of billing data nest five or six levels.
const DEPTH: usize = 8;
/// Maximum number of files in one folder, and of directory entries read to find them: a home directory opened by mistake is not read to its end.
const FILES: usize = 1_000;
const NAMES: usize = 100_000;

/// A path that cannot be imported, and the reason, for the user.
#[derive(Debug, thiserror::Error)]
#[error("{} {why}", path.display())]
pub struct RefusedFile {
    path: PathBuf,
    why: String,
}

impl RefusedFile {
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

/// The absolute paths of the files among `paths`, including those in folders and their subfolders, sorted by name; and the paths that are neither.
/// Hidden entries and symbolic links to folders are skipped. File contents are not read.
pub fn files_among(paths: &[PathBuf]) -> (Vec<PathBuf>, Vec<RefusedFile>) {
    let (mut files, mut refused) = (Vec::new(), Vec::new());
    for path in paths {
        match find(path) {
            Ok(found) => files.extend(found),
            Err(why) => refused.push(why),
        }
    }
    (files, refused)
}

fn find(path: &Path) -> Result<Vec<PathBuf>, RefusedFile> {
    let after = |error: io::Error| RefusedFile::after(path, &error);
    let whole = path.canonicalize().map_err(after)?;
    let told = whole.metadata().map_err(after)?;
    if told.is_dir() {
        let mut walk = Walk { names_left: NAMES, files: Vec::new() };
        return match walk.enter(&whole, DEPTH) {
            Ok(()) if walk.files.is_empty() => Err(RefusedFile::because(path, "is a folder without files")),
            Ok(()) => Ok(walk.files),
            Err(WalkError::TooDeep(below)) => Err(RefusedFile::because(
                path,
                format!(
                    "has folders more than {DEPTH} deep, such as {}. Put forward the folder that the files are in",
                    below.display()
                ),
            )),
            Err(WalkError::TooMany) => Err(RefusedFile::because(
                path,
                format!(
                    "has more than {FILES} files, or {NAMES} names. Put forward the folders in it one after the other"
                ),
            )),
            Err(WalkError::Unread(below, error)) if below == whole => Err(after(error)),
            Err(WalkError::Unread(below, error)) => Err(RefusedFile::because(
                path,
                format!("has a folder that cannot be read, {}: {error}", below.display()),
            )),
        };
    }
    if !told.is_file() {
        return Err(RefusedFile::because(path, "is neither a file nor a folder"));
    }
    File::open(&whole).map_err(after)?;
    Ok(vec![whole])
}

/// A traversal of a folder and its subfolders.
struct Walk {
    names_left: usize,
    files: Vec<PathBuf>,
}

/// Why a folder is refused. It yields all of its files or none, because part of a bill looks like a complete bill.
enum WalkError {
    TooDeep(PathBuf),
    TooMany,
    Unread(PathBuf, io::Error),
}

impl Walk {
    /// Collects the files in `folder`, and in subfolders up to `depth` levels below it.
    fn enter(&mut self, folder: &Path, depth: usize) -> Result<(), WalkError> {
        for path in self.names(folder)? {
            if path.is_file() {
                if self.files.len() == FILES {
                    return Err(WalkError::TooMany);
                }
                self.files.push(path);
            } else if path.is_dir() && !path.is_symlink() {
                let depth = depth.checked_sub(1).ok_or_else(|| WalkError::TooDeep(path.clone()))?;
                self.enter(&path, depth)?;
            }
        }
        Ok(())
    }

    /// The entries of `folder` that are not hidden, sorted.
    fn names(&mut self, folder: &Path) -> Result<Vec<PathBuf>, WalkError> {
        let unread = |error| WalkError::Unread(folder.to_owned(), error);
        let mut names = Vec::new();
        for entry in std::fs::read_dir(folder).map_err(unread)? {
            let entry = entry.map_err(unread)?;
            self.names_left = self.names_left.checked_sub(1).ok_or(WalkError::TooMany)?;
            if !entry.file_name().to_string_lossy().starts_with('.') {
                names.push(entry.path());
            }
        }
        names.sort();
        Ok(names)
    }
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

    fn file(path: PathBuf) -> PathBuf {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, "").unwrap();
        path
    }

    #[test]
    fn a_folder_stands_for_the_files_in_it_and_below_in_the_order_of_their_names() {
        let folder = tempfile::tempdir().unwrap();
        let whole = folder.path().canonicalize().unwrap();
        // The layout of AWS Data Exports.
        let names = [
            "export/data/BILLING_PERIOD=2026-10/export-00001.csv.gz",
            "export/data/BILLING_PERIOD=2026-10/export-00002.csv.gz",
            "export/data/BILLING_PERIOD=2026-11/export-00001.csv.gz",
            "one.csv",
        ];
        let mut expected = names.map(|name| whole.join(name)).to_vec();
        for name in expected.iter().rev() {
            file(name.clone());
        }
        file(whole.join(".hidden"));
        file(whole.join(".cache/seen.csv"));
        let one = whole.join("one.csv");
        let (files, refused) = files_among(&[folder.path().to_owned(), one.clone()]);
        expected.push(one);
        assert_eq!(files, expected);
        assert!(refused.is_empty(), "{refused:?}");
        let empty = whole.join("empty/below");
        std::fs::create_dir_all(&empty).unwrap();
        let empty = whole.join("empty");
        assert_eq!(says(empty.clone()), format!("{} is a folder without files", empty.display()));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_leads_to_a_file_and_to_no_folder() {
        let folder = tempfile::tempdir().unwrap();
        let whole = folder.path().canonicalize().unwrap();
        let elsewhere = tempfile::tempdir().unwrap();
        let bill = file(elsewhere.path().join("bill.csv"));
        std::os::unix::fs::symlink(&bill, whole.join("bill.csv")).unwrap();
        std::os::unix::fs::symlink(elsewhere.path(), whole.join("elsewhere")).unwrap();
        // A loop.
        std::os::unix::fs::symlink(&whole, whole.join("again")).unwrap();
        let (files, refused) = files_among(std::slice::from_ref(&whole));
        assert_eq!(files, [whole.join("bill.csv")]);
        assert!(refused.is_empty(), "{refused:?}");
    }

    #[test]
    fn a_folder_that_is_too_deep_or_too_full_is_refused_whole_and_says_so() {
        let folder = tempfile::tempdir().unwrap();
        let whole = folder.path().canonicalize().unwrap();
        let deep = whole.join("1/2/3/4/5/6/7/8");
        let bill = file(deep.join("bill.csv"));
        assert_eq!(files_among(std::slice::from_ref(&whole)).0, [bill]);
        std::fs::create_dir(deep.join("9")).unwrap();
        let expected = format!(
            "{} has folders more than 8 deep, such as {}. Put forward the folder that the files are in",
            whole.display(),
            deep.join("9").display()
        );
        assert_eq!(says(whole.clone()), expected);

        let full = whole.join("full");
        for number in 0..=1_000 {
            file(full.join(number.to_string()));
        }
        let expected = format!(
            "{} has more than 1000 files, or 100000 names. Put forward the folders in it one after the other",
            full.display()
        );
        assert_eq!(says(full), expected);
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
