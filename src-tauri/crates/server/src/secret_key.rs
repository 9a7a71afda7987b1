//! The key that secrets in the database are sealed with: a file beside it that only this user reads, so that a copy of the database, or a backup,
//! gives no secret away. Where it is lost, secrets have to be typed again; nothing else is.

use llm::KeyPlace;
use rand::RngCore;
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

const NAME: &str = "secrets.key";

/// The key in its file.
pub struct SecretKey {
    path: PathBuf,
}

impl SecretKey {
    pub fn in_folder(data_dir: &Path) -> Self {
        Self { path: data_dir.join(NAME) }
    }

    fn read(&self) -> std::io::Result<Zeroizing<Vec<u8>>> {
        std::fs::read(&self.path).map(Zeroizing::new)
    }

    /// Under a name of its own first, so that nobody reads half a key and of two that are made at once one counts.
    fn make(&self) -> std::io::Result<()> {
        let mut key = Zeroizing::new([0; 32]);
        rand::rng().fill_bytes(key.as_mut_slice());
        let fresh = self.path.with_extension(format!("{}.new", rand::rng().next_u64()));
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&fresh)?;
        file.write_all(key.as_slice())?;
        file.sync_all()?;
        let linked = std::fs::hard_link(&fresh, &self.path);
        std::fs::remove_file(&fresh)?;
        match linked {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(error),
            _ => Ok(()),
        }
    }
}

impl KeyPlace for SecretKey {
    fn key(&self) -> Result<Zeroizing<[u8; 32]>, String> {
        let path = self.path.display();
        let cannot =
            |error: std::io::Error| format!("the file {path}, which its key is in, cannot be used ({error})");
        let bytes = match self.read() {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                self.make().map_err(cannot)?;
                self.read().map_err(cannot)?
            }
            read => read.map_err(cannot)?,
        };
        let key = <[u8; 32]>::try_from(bytes.as_slice());
        key.map(Zeroizing::new).map_err(|_| format!("the file {path} is damaged: expected a key of 32 bytes"))
    }

    fn about(&self) -> &'static str {
        "Stored encrypted on this machine"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_is_made_once_and_for_this_user_alone() {
        let folder = tempfile::tempdir().unwrap();
        let place = SecretKey::in_folder(folder.path());
        let first = place.key().unwrap();
        assert_eq!(SecretKey::in_folder(folder.path()).key().unwrap(), first);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = std::fs::metadata(folder.path().join(NAME)).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
    }

    #[test]
    fn a_damaged_key_is_named_and_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(NAME), "short").unwrap();
        let error = SecretKey::in_folder(folder.path()).key().unwrap_err();
        assert!(error.contains("expected a key of 32 bytes"), "{error}");
        assert_eq!(std::fs::read(folder.path().join(NAME)).unwrap(), b"short");
    }
}
