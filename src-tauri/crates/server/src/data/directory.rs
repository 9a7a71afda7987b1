//! The data directory: the location of the database, and the lock of the server that uses it.

use backup::private::create_folder;
use std::fs::{File, TryLockError};
use std::io::{Read, Seek, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

/// Why a data directory cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum DataDirError {
    #[error("the data directory {path} cannot be created; choose another one with --data-dir")]
    Create {
        path: PathBuf,
        #[source]
        cause: std::io::Error,
    },
    #[error("the data directory {path} cannot be written by this user; choose another one with --data-dir")]
    Write {
        path: PathBuf,
        #[source]
        cause: std::io::Error,
    },
    #[error(
        "another Quarterdeck server uses the data directory {path}{}. Use that one, stop it, or choose another \
         directory with --data-dir",
        whose(owner)
    )]
    InUse { path: PathBuf, owner: String },
}

/// A data directory that exists.
#[derive(Debug, Clone)]
pub struct DataDir {
    path: PathBuf,
}

impl DataDir {
    /// The folder, created if missing, readable only by its owner because it holds secrets.
    pub fn create(path: &Path) -> Result<Self, DataDirError> {
        let created = if path.is_dir() { Ok(()) } else { create_folder(path) };
        created.map_err(|cause| DataDirError::Create { path: path.to_owned(), cause })?;
        Ok(Self { path: path.to_owned() })
    }

    /// The database file.
    pub fn database(&self) -> PathBuf {
        database_in(&self.path)
    }

    /// The folder of uploaded files that wait for import.
    pub fn incoming(&self) -> PathBuf {
        self.path.join("incoming")
    }

    /// The folder of imported files, stored as receipts.
    pub fn imports(&self) -> PathBuf {
        self.path.join("imports")
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Removes other users' access to the database and uploaded files, whatever the mode of the folder: a user may have created it with a mode of
    /// their choice. Files that SQLite creates beside the database get the mode of the database.
    pub fn keep_private(&self) {
        let database = self.database();
        let beside = ["db-wal", "db-shm"].map(|ending| database.with_extension(ending));
        for path in [database, self.incoming()].into_iter().chain(beside) {
            if let Err(error) = close_to_others(&path)
                && error.kind() != std::io::ErrorKind::NotFound
            {
                tracing::warn!(path = %path.display(), "other users may be able to read this: {error}");
            }
        }
    }

    /// Locks the folder for one server. Command-line programs may use it beside the server; a second server may not.
    pub fn lock(&self) -> Result<Lock, DataDirError> {
        let cannot = |cause| DataDirError::Write { path: self.path.clone(), cause };
        let path = self.path.join("server.lock");
        let mut file = File::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(cannot)?;
        match file.try_lock() {
            Ok(()) => {
                let mut lock = Lock { file };
                // Overwrite the content left by a server that was killed.
                lock.write("starting").map_err(cannot)?;
                Ok(lock)
            }
            Err(TryLockError::Error(cause)) => Err(cannot(cause)),
            Err(TryLockError::WouldBlock) => {
                let mut owner = String::new();
                // Some systems do not allow reading a locked file; the message then omits the owner.
                let _ = file.read_to_string(&mut owner);
                Err(DataDirError::InUse { path: self.path.clone(), owner: owner.trim().to_owned() })
            }
        }
    }
}

/// File name of the database.
pub const DATABASE: &str = "quarterdeck.db";

/// The database file of a data directory.
pub fn database_in(data_dir: &Path) -> PathBuf {
    data_dir.join(DATABASE)
}

/// Size of a database in bytes, including the write-ahead log.
pub fn size_on_disk(database: &Path) -> u64 {
    let recent = database.with_extension("db-wal");
    [database, recent.as_path()]
        .iter()
        .filter_map(|part| std::fs::metadata(part).ok())
        .map(|file| file.len())
        .sum()
}

/// Content of the lock file of a server that is about to release it.
const ENDING: &str = "ending";

impl DataDirError {
    /// Whether the folder will be released soon.
    pub fn is_soon_over(&self) -> bool {
        matches!(self, Self::InUse { owner, .. } if owner.ends_with(ENDING))
    }
}

/// The lock of a data directory; dropping it releases the directory.
#[derive(Debug)]
pub struct Lock {
    file: File,
}

impl Lock {
    /// Writes the owner into the lock file, for the error message of a second server: a server without a window cannot be brought to the front.
    pub fn sign(&mut self, address: SocketAddr, is_desktop: bool) -> std::io::Result<()> {
        let place = if is_desktop { "in a window" } else { "without a window" };
        self.write(&format!("{place}, http://{address}"))
    }

    /// Writes into the lock file that the folder will be released soon.
    pub fn sign_off(&mut self) -> std::io::Result<()> {
        self.write(ENDING)
    }

    fn write(&mut self, what: &str) -> std::io::Result<()> {
        self.file.set_len(0)?;
        self.file.rewind()?;
        writeln!(self.file, "process {}, {what}", std::process::id())
    }
}

fn whose(owner: &str) -> String {
    if owner.is_empty() { String::new() } else { format!(" ({owner})") }
}

#[cfg(unix)]
fn close_to_others(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let mode = path.metadata()?.permissions().mode();
    let owners = mode & 0o700;
    if mode & 0o777 == owners {
        return Ok(());
    }
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(owners))
}

/// On other systems, folders of a user are private.
#[cfg(not(unix))]
fn close_to_others(_: &Path) -> std::io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_server_is_told_who_has_the_data_directory() {
        let folder = tempfile::tempdir().unwrap();
        let data_dir = DataDir::create(folder.path()).unwrap();
        let mut lock = data_dir.lock().unwrap();
        lock.sign("127.0.0.1:8790".parse().unwrap(), false).unwrap();
        let error = data_dir.lock().unwrap_err().to_string();
        assert!(error.contains("another Quarterdeck server uses the data directory"), "{error}");
        assert!(error.contains("without a window, http://127.0.0.1:8790)"), "{error}");
        lock.sign("127.0.0.1:8791".parse().unwrap(), true).unwrap();
        let error = data_dir.lock().unwrap_err().to_string();
        assert!(error.contains("in a window, http://127.0.0.1:8791)"), "{error}");
    }

    #[test]
    fn who_has_the_data_directory_is_never_one_that_was_killed() {
        let folder = tempfile::tempdir().unwrap();
        let data_dir = DataDir::create(folder.path()).unwrap();
        let mut killed = data_dir.lock().unwrap();
        killed.sign("127.0.0.1:8790".parse().unwrap(), false).unwrap();
        drop(killed);
        let _lock = data_dir.lock().unwrap();
        let error = data_dir.lock().unwrap_err().to_string();
        assert!(error.contains("starting)") && !error.contains("8790"), "{error}");
    }

    #[test]
    fn a_server_that_ends_says_so_and_not_where_it_answered() {
        let folder = tempfile::tempdir().unwrap();
        let data_dir = DataDir::create(folder.path()).unwrap();
        let mut lock = data_dir.lock().unwrap();
        lock.sign("127.0.0.1:8790".parse().unwrap(), false).unwrap();
        assert!(!data_dir.lock().unwrap_err().is_soon_over());
        lock.sign_off().unwrap();
        let error = data_dir.lock().unwrap_err();
        assert!(error.is_soon_over() && !error.to_string().contains("http"), "{error}");
    }

    #[test]
    fn the_data_directory_is_free_again_when_the_server_has_gone() {
        let folder = tempfile::tempdir().unwrap();
        let data_dir = DataDir::create(folder.path()).unwrap();
        drop(data_dir.lock().unwrap());
        data_dir.lock().unwrap();
    }

    #[test]
    fn a_data_directory_that_cannot_be_created_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, "").unwrap();
        let error = DataDir::create(&file.join("data")).unwrap_err().to_string();
        assert_eq!(
            error,
            format!(
                "the data directory {}/data cannot be created; choose another one with --data-dir",
                file.display()
            )
        );
    }

    #[test]
    fn a_data_directory_that_cannot_be_written_is_named() {
        let folder = tempfile::tempdir().unwrap();
        // A folder in place of the file simulates missing permissions, which do not apply to root.
        std::fs::create_dir(folder.path().join("server.lock")).unwrap();
        let error = DataDir::create(folder.path()).unwrap().lock().unwrap_err().to_string();
        let expected =
            format!("the data directory {} cannot be written by this user", folder.path().display());
        assert!(error.starts_with(&expected), "{error}");
    }
}
