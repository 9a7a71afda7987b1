//! Keys in a file protected by a passphrase: argon2id derives the key, ChaCha20-Poly1305 encrypts. The size of the file reveals roughly how many
//! keys there are.

use super::{FileState, VaultError};
use argon2::{Algorithm, Argon2, Params, Version};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rand::CryptoRng;
use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use uuid::Uuid;

/// Minimum length of a passphrase, characters.
pub const SHORTEST: usize = 10;

const NAME: &str = "instance-keys.sealed";
/// Additional data of the encryption, so that the file cannot be decrypted for another purpose.
const PURPOSE: &[u8] = b"quarterdeck instance keys 1";
/// 64 MiB and three rounds: about a second on a slow machine, once for each start.
const MEMORY: u32 = 64 * 1024;
const ROUNDS: u32 = 3;

/// The file format. All texts are base64.
#[derive(Serialize, Deserialize)]
struct OnDisk {
    version: u32,
    salt: String,
    nonce: String,
    sealed: String,
}

type Keys = BTreeMap<Uuid, String>;

struct Open {
    key: LessSafeKey,
    salt: [u8; 16],
    keys: Keys,
}

pub struct VaultFile {
    path: PathBuf,
    open: Option<Open>,
}

impl VaultFile {
    pub fn new(folder: &Path) -> Self {
        Self { path: folder.join(NAME), open: None }
    }

    pub fn state(&self) -> FileState {
        match &self.open {
            Some(_) => FileState::Open,
            None if self.path.exists() => FileState::Locked,
            None => FileState::None,
        }
    }

    pub fn unlock(&mut self, passphrase: &str, rng: &mut dyn CryptoRng) -> Result<(), VaultError> {
        let Some(found) = self.read()? else {
            if passphrase.chars().count() < SHORTEST {
                return Err(VaultError::WeakPassphrase);
            }
            let mut salt = [0; 16];
            rng.fill_bytes(&mut salt);
            self.open = Some(Open { key: stretch(passphrase, &salt), salt, keys: Keys::new() });
            return Ok(());
        };
        let damaged = |why: &str| self.damaged(why);
        let bytes = |text: &str| STANDARD.decode(text).map_err(|_| damaged("it is not base64"));
        let salt: [u8; 16] =
            bytes(&found.salt)?.try_into().map_err(|_| damaged("its salt has another length"))?;
        let nonce: [u8; NONCE_LEN] =
            bytes(&found.nonce)?.try_into().map_err(|_| damaged("its nonce has another length"))?;
        let mut sealed = bytes(&found.sealed)?;
        let key = stretch(passphrase, &salt);
        let opened = key
            .open_in_place(Nonce::assume_unique_for_key(nonce), Aad::from(PURPOSE), &mut sealed)
            .map_err(|_| VaultError::WrongPassphrase)?;
        let keys =
            serde_json::from_slice(opened).map_err(|_| damaged("what is sealed in it is no list of keys"))?;
        self.open = Some(Open { key, salt, keys });
        Ok(())
    }

    pub fn get(&self, id: Uuid) -> Result<Option<String>, VaultError> {
        match &self.open {
            Some(open) => Ok(open.keys.get(&id).cloned()),
            None if self.path.exists() => Err(VaultError::Locked),
            None => Ok(None),
        }
    }

    pub fn put(&mut self, id: Uuid, key: &str, rng: &mut dyn CryptoRng) -> Result<(), VaultError> {
        let open = self.open.as_mut().ok_or(VaultError::Locked)?;
        open.keys.insert(id, key.to_owned());
        self.write(rng)
    }

    /// If the file is locked, the encrypted key remains in it.
    pub fn remove(&mut self, id: Uuid, rng: &mut dyn CryptoRng) -> Result<(), VaultError> {
        let Some(open) = self.open.as_mut() else { return Ok(()) };
        if open.keys.remove(&id).is_none() {
            return Ok(());
        }
        self.write(rng)
    }

    fn read(&self) -> Result<Option<OnDisk>, VaultError> {
        let bytes = match std::fs::read(&self.path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(cause) => return Err(self.failed(cause)),
        };
        let found: OnDisk = serde_json::from_slice(&bytes).map_err(|_| self.damaged("it is not JSON"))?;
        if found.version == 1 { Ok(Some(found)) } else { Err(self.damaged("a newer Quarterdeck wrote it")) }
    }

    /// Writes a new file and renames it over the old one: after a power cut, one of the two is complete.
    fn write(&self, rng: &mut dyn CryptoRng) -> Result<(), VaultError> {
        let Some(open) = &self.open else { return Err(VaultError::Locked) };
        let mut nonce = [0; NONCE_LEN];
        rng.fill_bytes(&mut nonce);
        let mut sealed =
            serde_json::to_vec(&open.keys).map_err(|_| self.damaged("its keys cannot be written"))?;
        open.key
            .seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), Aad::from(PURPOSE), &mut sealed)
            .map_err(|_| self.damaged("it cannot be sealed"))?;
        let on_disk = OnDisk {
            version: 1,
            salt: STANDARD.encode(open.salt),
            nonce: STANDARD.encode(nonce),
            sealed: STANDARD.encode(sealed),
        };
        let text = serde_json::to_vec(&on_disk).map_err(|_| self.damaged("it cannot be written"))?;
        let beside = self.path.with_extension("new");
        let replace = || -> std::io::Result<()> {
            let mut file = create(&beside)?;
            file.write_all(&text)?;
            file.sync_all()?;
            std::fs::rename(&beside, &self.path)
        };
        replace().map_err(|cause| self.failed(cause))
    }

    fn damaged(&self, why: &str) -> VaultError {
        VaultError::Damaged { path: self.path.display().to_string(), why: why.to_owned() }
    }

    fn failed(&self, cause: std::io::Error) -> VaultError {
        VaultError::File { path: self.path.display().to_string(), cause }
    }
}

/// Creates a file that only this user can access.
fn create(path: &Path) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

fn stretch(passphrase: &str, salt: &[u8]) -> LessSafeKey {
    let mut key = [0; 32];
    let params =
        Params::new(MEMORY, ROUNDS, 1, Some(key.len())).expect("fixed numbers within the bounds of argon2");
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
        .hash_password_into(passphrase.as_bytes(), salt, &mut key)
        .expect("16 bytes of salt and 32 of key are within the bounds of argon2");
    LessSafeKey::new(UnboundKey::new(&CHACHA20_POLY1305, &key).expect("a key of 32 bytes is one of ChaCha20"))
}
