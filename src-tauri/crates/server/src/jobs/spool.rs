//! The folder of uploaded files that wait for import.
//!
//! `<id>.part` while the file arrives; then `<id>.data` and, written last, `<id>.json` with its metadata.

use backup::private::create_folder;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::io;
use std::path::{Path, PathBuf};
use tokio::io::AsyncWriteExt;
use uuid::Uuid;

/// A file that arrived completely.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Upload {
    pub id: Uuid,
    pub file_name: String,
    /// The file name with its original folders, as far as they were sent.
    pub location: String,
    /// Set if it arrived with others.
    pub batch: Option<Batch>,
    pub size_bytes: u64,
    pub sha256: String,
    pub tenant: Uuid,
    pub user: Uuid,
    /// µs since 1970 UTC; uploads are imported in this order.
    pub received_at: i64,
}

/// The batch of files that were handed in together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Batch {
    pub id: Uuid,
    /// Number of files, as far as the sender knows.
    pub files: usize,
}

impl Upload {
    /// The batch it belongs to, if it arrived with others.
    pub fn batch_key(&self) -> Option<super::BatchKey> {
        self.batch.map(|batch| (self.tenant, batch.id))
    }
}

/// The stored form of an [`Upload`].
#[derive(Serialize, Deserialize)]
struct Label {
    file_name: String,
    #[serde(default)]
    location: Option<String>,
    #[serde(default)]
    batch: Option<Batch>,
    size_bytes: u64,
    sha256: String,
    tenant: String,
    user: String,
    received_at: i64,
}

#[derive(Debug, Clone)]
pub struct Spool {
    folder: PathBuf,
}

impl Spool {
    /// Opens the spool in that folder, creating it if missing. Files that did not arrive completely are deleted.
    pub fn open(folder: PathBuf) -> io::Result<Self> {
        if !folder.is_dir() {
            create_folder(&folder)?;
        }
        for entry in std::fs::read_dir(&folder)? {
            let path = entry?.path();
            let is_labelled = path.with_extension("json").exists();
            let is_partial = path.extension().is_none_or(|ending| ending != "json") && !is_labelled;
            if is_partial && path.is_file() {
                std::fs::remove_file(&path)?;
            }
        }
        Ok(Self { folder })
    }

    /// Begins to receive a file.
    pub async fn receive(&self, id: Uuid) -> io::Result<Incoming> {
        let path = self.folder.join(format!("{id}.part"));
        let file = tokio::fs::File::create_new(&path).await?;
        Ok(Incoming {
            id,
            file,
            path: Some(path),
            folder: self.folder.clone(),
            size_bytes: 0,
            hash: Sha256::new(),
            location: None,
            batch: None,
        })
    }

    /// The path of the data of an upload.
    pub fn path(&self, id: Uuid) -> PathBuf {
        self.folder.join(format!("{id}.data"))
    }

    /// The uploads still to be imported, in order of arrival.
    pub fn uploads(&self) -> io::Result<Vec<Upload>> {
        let mut uploads = Vec::new();
        for entry in std::fs::read_dir(&self.folder)? {
            let path = entry?.path();
            if path.extension().is_some_and(|ending| ending == "json")
                && path.with_extension("data").is_file()
            {
                if let Some(upload) = read_label(&path) {
                    uploads.push(upload);
                } else {
                    tracing::warn!(path = %path.display(), "not a label of an upload; left alone");
                }
            }
        }
        uploads.sort_by_key(|upload| (upload.received_at, upload.id));
        Ok(uploads)
    }

    /// Removes the files of an upload.
    pub fn remove(&self, id: Uuid) -> io::Result<()> {
        // The label first: data without a label is deleted at the next start.
        for path in [self.folder.join(format!("{id}.json")), self.path(id)] {
            match std::fs::remove_file(path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        Ok(())
    }
}

fn read_label(path: &Path) -> Option<Upload> {
    let id = Uuid::parse_str(path.file_stem()?.to_str()?).ok()?;
    let label: Label = serde_json::from_slice(&std::fs::read(path).ok()?).ok()?;
    Some(Upload {
        id,
        location: label.location.unwrap_or_else(|| label.file_name.clone()),
        file_name: label.file_name,
        batch: label.batch,
        size_bytes: label.size_bytes,
        sha256: label.sha256,
        tenant: Uuid::parse_str(&label.tenant).ok()?,
        user: Uuid::parse_str(&label.user).ok()?,
        received_at: label.received_at,
    })
}

/// A file that is being received. It is deleted if this is dropped before [`Incoming::finish`].
pub struct Incoming {
    id: Uuid,
    file: tokio::fs::File,
    /// `None` once it has arrived.
    path: Option<PathBuf>,
    folder: PathBuf,
    size_bytes: u64,
    hash: Sha256,
    location: Option<String>,
    batch: Option<Batch>,
}

impl Incoming {
    /// Sets the original location of the file, and its batch.
    pub fn came_from(&mut self, location: String, batch: Option<Batch>) {
        self.location = Some(location);
        self.batch = batch;
    }

    pub async fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes).await?;
        self.hash.update(bytes);
        self.size_bytes += bytes.len() as u64;
        Ok(())
    }

    /// Completes the file and flushes it to disk.
    pub async fn finish(
        mut self,
        file_name: String,
        tenant: Uuid,
        user: Uuid,
        now: i64,
    ) -> io::Result<Upload> {
        self.file.flush().await?;
        self.file.sync_all().await?;
        let sha256 = crate::hex::of(&std::mem::take(&mut self.hash).finalize());
        let label = Label {
            location: self.location.take(),
            batch: self.batch,
            file_name,
            size_bytes: self.size_bytes,
            sha256,
            tenant: tenant.to_string(),
            user: user.to_string(),
            received_at: now,
        };
        let id = self.id;
        let data = self.folder.join(format!("{id}.data"));
        let part = self.path.clone().unwrap_or_default();
        tokio::fs::rename(&part, &data).await?;
        self.path = Some(data);
        let written = self.folder.join(format!("{id}.label"));
        tokio::fs::write(&written, serde_json::to_vec(&label)?).await?;
        tokio::fs::rename(&written, self.folder.join(format!("{id}.json"))).await?;
        self.path = None;
        Ok(Upload {
            id,
            location: label.location.unwrap_or_else(|| label.file_name.clone()),
            file_name: label.file_name,
            batch: label.batch,
            size_bytes: label.size_bytes,
            sha256: label.sha256,
            tenant,
            user,
            received_at: now,
        })
    }
}

impl Drop for Incoming {
    fn drop(&mut self) {
        if let Some(path) = &self.path
            && let Err(error) = std::fs::remove_file(path)
        {
            tracing::warn!(path = %path.display(), "a file that did not arrive completely stays: {error}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[tokio::test]
    async fn an_upload_is_found_again_after_a_restart_in_the_order_it_came() {
        let folder = tempfile::tempdir().unwrap();
        let spool = Spool::open(folder.path().to_owned()).unwrap();
        for (number, at) in [(1, 20), (2, 10)] {
            let mut incoming = spool.receive(Uuid::from_u128(number)).await.unwrap();
            incoming.write(b"abc").await.unwrap();
            incoming.finish("bill.csv".to_owned(), Uuid::nil(), Uuid::nil(), at).await.unwrap();
        }
        let uploads = Spool::open(folder.path().to_owned()).unwrap().uploads().unwrap();
        assert_eq!(uploads.iter().map(|upload| upload.id.as_u128()).collect::<Vec<_>>(), [2, 1]);
        assert_eq!((uploads[0].file_name.as_str(), uploads[0].size_bytes), ("bill.csv", 3));
        assert_eq!(&uploads[0].sha256[..8], "ba7816bf");
        assert_eq!(std::fs::read(spool.path(uploads[0].id)).unwrap(), b"abc");
    }

    #[tokio::test]
    async fn a_file_that_did_not_arrive_completely_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let spool = Spool::open(folder.path().to_owned()).unwrap();
        let mut incoming = spool.receive(Uuid::from_u128(1)).await.unwrap();
        incoming.write(b"abc").await.unwrap();
        drop(incoming);
        assert_eq!(names(folder.path()), [""; 0]);
    }

    #[test]
    fn what_a_killed_service_left_incomplete_is_swept_away() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a.part", "b.data", "c.data", "c.json", "d.label"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        Spool::open(folder.path().to_owned()).unwrap();
        assert_eq!(names(folder.path()), ["c.data", "c.json"]);
    }
}
