//! Storage of the keys to instances: the keyring of the system, a file protected by a passphrase, or memory. The user chooses; keys are never
//! stored in plain text.

mod file;
mod keyring;

use crate::hold;
use rand::CryptoRng;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Mutex;
use uuid::Uuid;

/// Where the keys of an instance are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Keeping {
    Keyring,
    File,
    /// In memory, until the program exits.
    Run,
}

impl Keeping {
    pub fn name(self) -> &'static str {
        match self {
            Self::Keyring => "keyring",
            Self::File => "file",
            Self::Run => "run",
        }
    }

    pub fn find(name: &str) -> Option<Self> {
        [Self::Keyring, Self::File, Self::Run].into_iter().find(|keeping| keeping.name() == name)
    }
}

/// Why a key was not stored or not found.
#[derive(Debug, thiserror::Error)]
pub enum VaultError {
    #[error(
        "The keyring of this system cannot be used ({why}). Unlock or install one, or keep the key in a file with a passphrase, or for this run only."
    )]
    Keyring { why: String },
    #[error("The file of keys is locked. Type its passphrase, or sign in again and keep the key elsewhere.")]
    Locked,
    #[error("This is not the passphrase of the file of keys")]
    WrongPassphrase,
    #[error("A passphrase needs at least {} letters", file::SHORTEST)]
    WeakPassphrase,
    #[error("The file of keys {path} is damaged: {why}. Remove it and sign in again; nothing else is lost.")]
    Damaged { path: String, why: String },
    #[error("The file of keys {path} cannot be used")]
    File {
        path: String,
        #[source]
        cause: std::io::Error,
    },
}

/// The state of the key file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "KeyFileState")]
#[serde(rename_all = "snake_case")]
pub enum FileState {
    /// The file does not exist yet.
    None,
    Locked,
    Open,
}

/// All key storages of this computer.
pub struct Vault {
    run: Mutex<HashMap<Uuid, String>>,
    file: Mutex<file::VaultFile>,
}

/// All functions block: on the keyring's program, on the disk, or on a slow hash.
impl Vault {
    /// Uses a key file in that folder.
    pub fn new(folder: &Path) -> Self {
        Self { run: Mutex::default(), file: Mutex::new(file::VaultFile::new(folder)) }
    }

    /// Tests the keyring by writing a value, reading it back and removing it: its mere presence proves nothing.
    pub fn probe(&self, rng: &mut dyn CryptoRng) -> Result<(), VaultError> {
        keyring::probe(rng)
    }

    /// The state of the key file.
    pub fn file(&self) -> FileState {
        hold(&self.file).state()
    }

    /// Unlocks the key file, or sets the passphrase for a new one.
    pub fn unlock(&self, passphrase: &str, rng: &mut dyn CryptoRng) -> Result<(), VaultError> {
        hold(&self.file).unlock(passphrase, rng)
    }

    /// Stores the key to an instance, replacing the previous one.
    pub fn put(
        &self,
        id: Uuid,
        keeping: Keeping,
        key: &str,
        rng: &mut dyn CryptoRng,
    ) -> Result<(), VaultError> {
        match keeping {
            Keeping::Keyring => keyring::put(id, key),
            Keeping::File => hold(&self.file).put(id, key, rng),
            Keeping::Run => {
                hold(&self.run).insert(id, key.to_owned());
                Ok(())
            }
        }
    }

    /// The key to an instance; `None` if there is none.
    pub fn get(&self, id: Uuid, keeping: Keeping) -> Result<Option<String>, VaultError> {
        match keeping {
            Keeping::Keyring => keyring::get(id),
            Keeping::File => hold(&self.file).get(id),
            Keeping::Run => Ok(hold(&self.run).get(&id).cloned()),
        }
    }

    /// Removes the key to an instance, if there is one.
    pub fn remove(&self, id: Uuid, keeping: Keeping, rng: &mut dyn CryptoRng) -> Result<(), VaultError> {
        match keeping {
            Keeping::Keyring => keyring::remove(id),
            Keeping::File => hold(&self.file).remove(id, rng),
            Keeping::Run => {
                hold(&self.run).remove(&id);
                Ok(())
            }
        }
    }
}
