//! Where the keys to instances are kept: the keyring of the system, a file that a passphrase opens, or memory. A person chooses; nothing is ever
//! kept in plain text.

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

/// A place for keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Keeping {
    Keyring,
    File,
    /// Until this program ends.
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

/// Why a key was not kept or not found.
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

/// How the file stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "KeyFileState")]
#[serde(rename_all = "snake_case")]
pub enum FileState {
    /// There is none yet.
    None,
    Locked,
    Open,
}

/// All places for keys of this computer.
pub struct Vault {
    run: Mutex<HashMap<Uuid, String>>,
    file: Mutex<file::VaultFile>,
}

/// Blocks: on the keyring's program, on the disk, on a slow hash.
impl Vault {
    /// The file stands in that folder.
    pub fn new(folder: &Path) -> Self {
        Self { run: Mutex::default(), file: Mutex::new(file::VaultFile::new(folder)) }
    }

    /// Writes something into the keyring, reads it back and takes it out again: that it is there says nothing.
    pub fn probe(&self, rng: &mut dyn CryptoRng) -> Result<(), VaultError> {
        keyring::probe(rng)
    }

    /// How the file stands.
    pub fn file(&self) -> FileState {
        hold(&self.file).state()
    }

    /// Opens the file, or decides with which passphrase it will be made.
    pub fn unlock(&self, passphrase: &str, rng: &mut dyn CryptoRng) -> Result<(), VaultError> {
        hold(&self.file).unlock(passphrase, rng)
    }

    /// Keeps the key to an instance, in place of the one before.
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

    /// The key to an instance, if it is there.
    pub fn get(&self, id: Uuid, keeping: Keeping) -> Result<Option<String>, VaultError> {
        match keeping {
            Keeping::Keyring => keyring::get(id),
            Keeping::File => hold(&self.file).get(id),
            Keeping::Run => Ok(hold(&self.run).get(&id).cloned()),
        }
    }

    /// Takes the key to an instance away; that there is none is fine.
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
