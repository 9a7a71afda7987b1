//! The location of a watched folder's files: this computer, or a bucket.

use super::bucket::{self, BucketDesk};
use super::files::{self, FileState, Files};
use super::state::Folder;
use crate::jobs::Incoming;
use buckets::Bucket;
use std::io;
use std::path::PathBuf;
use tokio::io::AsyncReadExt;

/// Maximum number of bytes one scan takes from a bucket, so that the first files are imported while the rest is fetched.
const MOST_BYTES: i64 = 2 << 30;

pub(super) enum Place {
    Folder(PathBuf),
    Bucket(Box<Bucket>),
}

impl Place {
    pub async fn open(desk: &BucketDesk, folder: &Folder) -> io::Result<Self> {
        match &folder.bucket {
            None => Ok(Self::Folder(PathBuf::from(&folder.path))),
            Some(source) => {
                let bucket = desk.open(source).await.map_err(io::Error::other)?;
                Ok(Self::Bucket(Box::new(bucket)))
            }
        }
    }

    pub async fn list(&self) -> io::Result<Files> {
        match self {
            Self::Folder(path) => {
                let path = path.clone();
                let listed = tokio::task::spawn_blocking(move || files::list(&path)).await;
                listed.unwrap_or_else(|error| Err(io::Error::other(error)))
            }
            Self::Bucket(bucket) => bucket::list(bucket).await.map_err(io::Error::other),
        }
    }

    /// Reduces `whole` to the files that one scan takes. Returns whether some are left for the next one.
    pub fn bound(&self, whole: &mut Vec<String>, seen: &Files) -> bool {
        let Self::Bucket(_) = self else { return whole.len() >= files::MOST_FILES };
        let (before, mut bytes) = (whole.len(), 0_i64);
        let mut is_first = true;
        whole.retain(|name| {
            bytes = bytes.saturating_add(seen.get(name).map_or(0, |state| state.size_bytes));
            // The first file is taken whatever its size, otherwise it never would be.
            bytes <= MOST_BYTES || std::mem::take(&mut is_first)
        });
        whole.len() < before || before >= files::MOST_FILES
    }

    /// Copies a file. Returns whether it was unchanged during the copy.
    pub async fn copy(
        &self,
        name: &str,
        expected: Option<&FileState>,
        into: &mut Incoming,
    ) -> io::Result<bool> {
        match self {
            Self::Folder(folder) => {
                let path = folder.join(name);
                // Do not follow a link that has replaced the file meanwhile.
                if !tokio::fs::symlink_metadata(&path).await?.is_file() {
                    return Ok(false);
                }
                let mut file = tokio::fs::File::open(&path).await?;
                let mut buffer = vec![0; 1 << 16];
                loop {
                    let count = file.read(&mut buffer).await?;
                    if count == 0 {
                        break;
                    }
                    into.write(&buffer[..count]).await?;
                }
                Ok(Some(&files::state(&file.metadata().await?)) == expected)
            }
            Self::Bucket(bucket) => {
                let mut reading = bucket.read(name).await.map_err(io::Error::other)?;
                if expected.is_none_or(|expected| !bucket::is_same(&reading.object, expected)) {
                    return Ok(false);
                }
                while let Some(bytes) = reading.next().await.map_err(io::Error::other)? {
                    into.write(&bytes).await?;
                }
                Ok(true)
            }
        }
    }
}
