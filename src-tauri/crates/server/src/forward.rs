//! Files that a person put forward through the window: by "open with", on its command line, in its dialog. They wait until somebody says import.
//!
//! A page names one by its id. It never names a path: a page that is not ours could otherwise have any file of the person read.

use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use uuid::Uuid;

/// A file that waits.
#[derive(Debug, Clone, Serialize)]
pub struct Waiting {
    pub id: Uuid,
    /// The last part of its path.
    pub name: String,
    pub size_bytes: u64,
    #[serde(skip)]
    pub path: PathBuf,
}

#[derive(Default)]
pub struct Forward(Mutex<Vec<Waiting>>);

impl Forward {
    /// Takes what is a file; one that waits already stays where it is. How many of them wait now.
    pub fn put(&self, paths: &[PathBuf], mut id: impl FnMut() -> Uuid) -> usize {
        let mut all = self.lock();
        for path in paths {
            match look(path) {
                Ok((path, name, size_bytes)) => {
                    if all.iter().all(|waiting| waiting.path != path) {
                        all.push(Waiting { id: id(), name, size_bytes, path });
                    }
                }
                Err(error) => {
                    tracing::warn!(path = %path.display(), "not put forward for import: {error}");
                }
            }
        }
        all.len()
    }

    pub fn list(&self) -> Vec<Waiting> {
        self.lock().clone()
    }

    /// Takes one off the list.
    pub fn take(&self, id: Uuid) -> Option<Waiting> {
        let mut all = self.lock();
        let place = all.iter().position(|waiting| waiting.id == id)?;
        Some(all.remove(place))
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Waiting>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn look(path: &Path) -> std::io::Result<(PathBuf, String, u64)> {
    let path = path.canonicalize()?;
    let told = path.metadata()?;
    let name = path.file_name().filter(|_| told.is_file());
    let name = name.ok_or_else(|| std::io::Error::other("it is no file"))?;
    let name = name.to_string_lossy().into_owned();
    Ok((path, name, told.len()))
}

#[cfg(test)]
mod tests {
    use super::Forward;
    use uuid::Uuid;

    #[test]
    fn what_is_no_file_is_not_put_forward_and_no_file_waits_twice() {
        let folder = tempfile::tempdir().unwrap();
        let bill = folder.path().join("bill.csv");
        std::fs::write(&bill, "a,b\n").unwrap();
        let forward = Forward::default();
        let paths = [bill.clone(), folder.path().to_owned(), folder.path().join("gone.csv"), bill];
        assert_eq!(forward.put(&paths, Uuid::new_v4), 1);
        let [waiting] = &forward.list()[..] else { panic!("{:?}", forward.list()) };
        assert_eq!((waiting.name.as_str(), waiting.size_bytes), ("bill.csv", 4));
    }

    #[test]
    fn a_file_is_taken_once() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let forward = Forward::default();
        forward.put(&[file.path().to_owned()], Uuid::new_v4);
        let id = forward.list()[0].id;
        assert!(forward.take(id).is_some());
        assert!(forward.take(id).is_none());
        assert!(forward.list().is_empty());
    }
}
