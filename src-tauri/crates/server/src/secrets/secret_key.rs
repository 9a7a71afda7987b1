//! The key that encrypts secrets in the database: in the keyring of a desktop, otherwise in a file beside the database that only this user can
//! read. A copy of the database, or a backup, therefore reveals no secret. If the key is lost, only the secrets have to be entered again.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use llm::{KeyStorage, seal};
use rand::RngCore;
use remote::{Keeping, Vault};
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use uuid::Uuid;
use zeroize::Zeroizing;

const NAME: &str = "secrets.key";

/// File that marks that the key of this folder is in the keyring: a locked keyring must not be mistaken for an empty one.
const MARK: &str = "secrets.in-keyring";

/// The key of one data directory.
pub struct SecretKey {
    path: PathBuf,
    mark: PathBuf,
    /// The keyring and the id of the key in it; on a desktop only.
    keyring: Option<(Uuid, Vault)>,
    /// Cached, because the keyring is slow.
    known: Mutex<Option<Zeroizing<[u8; 32]>>>,
}

impl SecretKey {
    /// The key of the folder. Uses the keyring on a desktop, and wherever a desktop put the key there.
    pub fn of(data_dir: &Path, is_desktop: bool) -> Self {
        if is_desktop || data_dir.join(MARK).exists() {
            Self::in_keyring(data_dir)
        } else {
            Self::in_folder(data_dir)
        }
    }

    /// The key in a file of the folder.
    fn in_folder(data_dir: &Path) -> Self {
        let (path, mark) = (data_dir.join(NAME), data_dir.join(MARK));
        Self { path, mark, keyring: None, known: Mutex::default() }
    }

    /// The key in the keyring if it is usable; otherwise in a file of the folder.
    fn in_keyring(data_dir: &Path) -> Self {
        let id = Uuid::new_v5(&Uuid::NAMESPACE_URL, format!("secrets of {}", data_dir.display()).as_bytes());
        Self { keyring: Some((id, Vault::new(data_dir))), ..Self::in_folder(data_dir) }
    }

    /// The keyring, if the key is in it: other secrets of this folder are stored there, too. Queries the keyring.
    pub fn keyring(&self) -> Result<Option<&Vault>, String> {
        self.key()?;
        Ok(self.keyring.as_ref().map(|(_, vault)| vault).filter(|_| self.is_in_keyring()))
    }

    /// Whether the key is in the keyring, or will be.
    pub fn is_in_keyring(&self) -> bool {
        self.keyring.is_some() && !self.path.exists()
    }

    /// The key in the keyring, created if missing. `None` if the keyring is not usable and never held the key.
    fn of_keyring(&self) -> Result<Option<Zeroizing<[u8; 32]>>, String> {
        let Some((id, vault)) = self.keyring.as_ref().filter(|_| !self.path.exists()) else {
            return Ok(None);
        };
        let found = match vault.get(*id, Keeping::Keyring) {
            Ok(Some(found)) => Zeroizing::new(found),
            Ok(None) => {
                let mut key = Zeroizing::new([0; 32]);
                rand::rng().fill_bytes(key.as_mut_slice());
                let text = Zeroizing::new(STANDARD.encode(key.as_slice()));
                if let Err(error) = vault.put(*id, Keeping::Keyring, &text, &mut rand::rng()) {
                    tracing::info!("secrets are sealed with a key in a file: {error}");
                    return Ok(None);
                }
                std::fs::write(&self.mark, b"").map_err(|error| error.to_string())?;
                text
            }
            Err(error) if self.mark.exists() => return Err(error.to_string()),
            Err(error) => {
                tracing::info!("secrets are sealed with a key in a file: {error}");
                return Ok(None);
            }
        };
        let bytes = STANDARD.decode(found.as_bytes()).map(Zeroizing::new);
        let key = bytes.ok().and_then(|bytes| <[u8; 32]>::try_from(bytes.as_slice()).ok());
        key.map(|key| Some(Zeroizing::new(key))).ok_or_else(|| "its key in the keyring is damaged".to_owned())
    }

    fn read(&self) -> std::io::Result<Zeroizing<Vec<u8>>> {
        std::fs::read(&self.path).map(Zeroizing::new)
    }

    /// Writes to a temporary name first, so that a partial key is never read, and only the first of two concurrent keys is used.
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

impl KeyStorage for SecretKey {
    fn key(&self) -> Result<Zeroizing<[u8; 32]>, String> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(key) = known.as_ref() {
            return Ok(key.clone());
        }
        let key = match self.of_keyring()? {
            Some(key) => key,
            None => self.of_file()?,
        };
        Ok(known.insert(key).clone())
    }

    fn about(&self) -> &'static str {
        if self.is_in_keyring() {
            "Its key is in the keyring of this computer"
        } else {
            "Stored encrypted on this machine"
        }
    }
}

/// Purpose that user name and password of a proxy are encrypted for; they cannot be decrypted for another one.
const PROXY: &str = "quarterdeck proxy of an instance";

impl remote::Seal for SecretKey {
    fn seal(&self, secret: &str) -> Result<String, String> {
        seal::seal(self, PROXY, secret, &mut rand::rng()).map_err(|failure| failure.message)
    }

    fn open(&self, sealed: &str) -> Result<String, String> {
        seal::open(self, PROXY, sealed).map_err(|failure| failure.message)
    }
}

impl SecretKey {
    fn of_file(&self) -> Result<Zeroizing<[u8; 32]>, String> {
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
