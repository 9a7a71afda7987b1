//! The inbox of files that the user opened with the window: with "open with", on its command line, or in its dialog. They wait until the user
//! imports them, even across restarts.
//!
//! A page refers to a file by its id, never by a path: a foreign page could otherwise make the service read any file of the user.
//!
//! The inbox is a file in the data directory instead of a table, like uploads: an import locks the database for its whole duration, a path is only
//! valid on this computer, and a window accepts files before it has a database.

mod found;

pub use found::{RefusedFile, files_among};

use backup::private::create_folder;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use url::Url;
use uuid::Uuid;

/// Folder in the data directory; its other files belong to the window.
const FOLDER: &str = "window";

/// A file waiting to be imported.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "WaitingFile")]
pub struct Waiting {
    pub id: Uuid,
    /// File name without its folder.
    pub name: String,
    /// Size in bytes. Null if the file is not at its path any more.
    pub size_bytes: Option<u64>,
    #[serde(skip)]
    pub path: PathBuf,
}

/// The inbox of a data directory. All holders of it, in whichever process, see the same list.
#[derive(Debug, Clone)]
pub struct OpenFileInbox {
    folder: PathBuf,
}

/// The stored form of a waiting file.
#[derive(Serialize, Deserialize)]
struct Line {
    id: Uuid,
    /// A `file:` URL, which is text even if the name is not valid Unicode.
    address: String,
}

/// Why the list cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[error("the list of files that wait for import cannot be kept in {}: {cause}", path.display())]
pub struct InboxError {
    path: PathBuf,
    cause: io::Error,
}

impl OpenFileInbox {
    pub fn in_data_dir(data_dir: &Path) -> Self {
        Self { folder: data_dir.join(FOLDER) }
    }

    /// Adds files, and the files in folders, to the inbox. A file that is in it already keeps its position. Paths that are not files are returned
    /// with the reason. The rest are stored on disk by then.
    ///
    /// # Errors
    /// When the list cannot be written. It is then unchanged.
    pub fn put(&self, paths: &[PathBuf]) -> Result<Vec<RefusedFile>, InboxError> {
        let (files, mut refused) = files_among(paths);
        self.change(|lines| {
            for path in files {
                match Url::from_file_path(&path) {
                    Ok(address) if lines.iter().all(|line| line.address != address.as_str()) => {
                        lines.push(Line { id: Uuid::new_v4(), address: address.into() });
                    }
                    Ok(_) => {}
                    Err(()) => refused.push(RefusedFile::named_strangely(path)),
                }
            }
        })?;
        Ok(refused)
    }

    /// All waiting files, in the order of their arrival.
    pub fn list(&self) -> Result<Vec<Waiting>, InboxError> {
        let lines = self.read().map_err(|cause| self.failed(cause))?;
        Ok(lines.into_iter().filter_map(Line::waiting).collect())
    }

    /// Removes a file from the list. Returns whether it was on it. The file itself is not touched.
    pub fn remove(&self, id: Uuid) -> Result<bool, InboxError> {
        let mut was_there = false;
        self.change(|lines| {
            let before = lines.len();
            lines.retain(|line| line.id != id);
            was_there = lines.len() < before;
        })?;
        Ok(was_there)
    }

    fn read(&self) -> io::Result<Vec<Line>> {
        match std::fs::read(self.file()) {
            Ok(text) => serde_json::from_slice(&text).map_err(io::Error::from),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(error),
        }
    }

    fn change(&self, change: impl FnOnce(&mut Vec<Line>)) -> Result<(), InboxError> {
        self.replace(change).map_err(|cause| self.failed(cause))
    }

    /// Applies `change` to the list and writes it atomically.
    fn replace(&self, change: impl FnOnce(&mut Vec<Line>)) -> io::Result<()> {
        create_folder(&self.folder)?;
        // Locks out other processes.
        let lock = private(OpenOptions::new().write(true)).open(self.folder.join("files.lock"))?;
        lock.lock()?;
        let mut lines = self.read()?;
        change(&mut lines);
        let beside = self.file().with_extension("new");
        let mut file = private(OpenOptions::new().write(true).truncate(true)).open(&beside)?;
        file.write_all(&serde_json::to_vec(&lines)?)?;
        file.sync_all()?;
        std::fs::rename(beside, self.file())
    }

    fn failed(&self, cause: io::Error) -> InboxError {
        InboxError { path: self.file(), cause }
    }

    fn file(&self) -> PathBuf {
        self.folder.join("files.json")
    }
}

impl Line {
    fn waiting(self) -> Option<Waiting> {
        let path = Url::parse(&self.address).ok()?.to_file_path().ok()?;
        let name = path.file_name()?.to_string_lossy().into_owned();
        let size_bytes = path.metadata().ok().filter(std::fs::Metadata::is_file).map(|told| told.len());
        Some(Waiting { id: self.id, name, size_bytes, path })
    }
}

/// Options to open a file that only this user can access, creating it if missing.
fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options.create(true)
}

#[cfg(test)]
mod tests {
    use super::OpenFileInbox;
    use std::path::PathBuf;
    use tempfile::TempDir;

    fn open(data_dir: &TempDir) -> OpenFileInbox {
        OpenFileInbox::in_data_dir(data_dir.path())
    }

    fn bill(folder: &TempDir, name: impl Into<PathBuf>) -> PathBuf {
        let path = folder.path().canonicalize().unwrap().join(name.into());
        std::fs::write(&path, "a,b\n").unwrap();
        path
    }

    fn names(forward: &OpenFileInbox) -> Vec<(String, Option<u64>)> {
        forward.list().unwrap().into_iter().map(|waiting| (waiting.name, waiting.size_bytes)).collect()
    }

    fn named(name: &str, size: Option<u64>) -> (String, Option<u64>) {
        (name.to_owned(), size)
    }

    #[test]
    fn what_is_no_file_is_not_put_forward_and_no_file_waits_twice() {
        let (data_dir, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let forward = open(&data_dir);
        assert_eq!(names(&forward), []);
        let (bill, gone) = (bill(&folder, "bill.csv"), folder.path().join("gone.csv"));
        let refused = forward.put(&[bill.clone(), gone.clone(), bill.clone()]).unwrap();
        let refused: Vec<String> = refused.iter().map(ToString::to_string).collect();
        assert_eq!(refused, [format!("{} is not there", gone.display())]);
        forward.put(&[bill]).unwrap();
        assert_eq!(names(&forward), [named("bill.csv", Some(4))]);
    }

    #[test]
    fn files_wait_through_the_end_of_the_program_in_the_order_they_came() {
        let (data_dir, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let files = ["2.csv", "a b%.csv", "1.csv"].map(|name| bill(&folder, name));
        open(&data_dir).put(&files[..2]).unwrap();
        open(&data_dir).put(&files[2..]).unwrap();
        // Simulates a disk that was removed.
        std::fs::remove_file(&files[0]).unwrap();
        let forward = open(&data_dir);
        let waiting = [named("2.csv", None), named("a b%.csv", Some(4)), named("1.csv", Some(4))];
        assert_eq!(names(&forward), waiting);
        assert_eq!(forward.list().unwrap()[1].path, files[1]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_name_that_is_no_text_leads_to_its_file_and_nobody_else_reads_it() {
        use std::os::unix::ffi::OsStrExt as _;
        use std::os::unix::fs::PermissionsExt as _;
        let (data_dir, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let forward = open(&data_dir);
        let odd = bill(&folder, std::ffi::OsStr::from_bytes(b"\xff.csv"));
        forward.put(std::slice::from_ref(&odd)).unwrap();
        assert_eq!(forward.list().unwrap()[0].path, odd);
        assert_eq!(forward.file().metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn a_file_is_taken_off_once() {
        let (data_dir, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let forward = open(&data_dir);
        let files = ["1.csv", "2.csv"].map(|name| bill(&folder, name));
        forward.put(&files).unwrap();
        let id = forward.list().unwrap()[0].id;
        assert!(forward.remove(id).unwrap());
        assert!(!forward.remove(id).unwrap());
        assert_eq!(names(&forward), [named("2.csv", Some(4))]);
    }

    #[test]
    fn files_that_are_put_forward_at_once_all_wait() {
        let (data_dir, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let files: Vec<PathBuf> = (0..8).map(|number| bill(&folder, format!("{number}.csv"))).collect();
        std::thread::scope(|scope| {
            for file in &files {
                scope.spawn(|| open(&data_dir).put(std::slice::from_ref(file)).unwrap());
            }
        });
        assert_eq!(names(&open(&data_dir)).len(), 8);
    }

    #[test]
    fn a_list_that_cannot_be_read_is_not_written_over() {
        let (data_dir, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let forward = open(&data_dir);
        let bill = bill(&folder, "bill.csv");
        forward.put(std::slice::from_ref(&bill)).unwrap();
        std::fs::write(forward.file(), "no list").unwrap();
        assert!(forward.put(&[bill]).is_err());
        assert_eq!(std::fs::read_to_string(forward.file()).unwrap(), "no list");
    }
}
