//! Storage of model secrets, such as the license key: on a desktop in its keyring, each under its own name; otherwise, and if no keyring is usable,
//! encrypted in the database with a key in a file beside it. A copy of the database reveals no secret.

use crate::data::open::OpenData;
use crate::secrets::machine::Machine;
use crate::secrets::secret_key::SecretKey;
use crate::settings::Settings;
use llm::{KeyStorage, seal};
use models::{Downloads, Policy, SecretStore};
use rand::RngCore;
use remote::Keeping;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use uuid::Uuid;
use zeroize::Zeroizing;

/// Prefix of a stored note whose secret is in the keyring, and of one that is the encrypted secret itself.
const IN_KEYRING: &str = "keyring ";
const SEALED: &str = "sealed ";

/// The models of a data directory, with the storage for their secrets.
pub fn downloads(house: &OpenData, settings: &Settings, keys: Arc<SecretKey>) -> Downloads {
    let (store, folder) = (house.store.clone(), house.data_dir.path());
    let mut folders = settings.model_folders.clone();
    if settings.is_desktop {
        folders.extend(directories::BaseDirs::new().map(|own| own.home_dir().to_owned()));
    }
    Downloads::new(store, settings.models.clone(), folder, Arc::new(Machine))
        .with_policy(Policy { egress: settings.egress.instance.clone(), folders })
        .with_safe(Arc::new(ModelSafe::new(folder, keys)))
}

/// How long to wait before a keyring that returned nothing is queried again.
const ASK_AGAIN: Duration = Duration::from_secs(10);

/// Secrets of one data directory.
struct ModelSafe {
    data_dir: PathBuf,
    keys: Arc<SecretKey>,
    /// Cache by note: the keyring is slow, and settings are read often.
    known: Mutex<HashMap<String, Zeroizing<String>>>,
    /// The time and reason of the last failure: a locked keyring is not queried again at every read of the settings.
    trouble: Mutex<Option<(Instant, String)>>,
}

impl ModelSafe {
    fn new(data_dir: &Path, keys: Arc<SecretKey>) -> Self {
        Self { data_dir: data_dir.to_owned(), keys, known: Mutex::default(), trouble: Mutex::default() }
    }

    fn known(&self) -> MutexGuard<'_, HashMap<String, Zeroizing<String>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The id of a secret in the keyring, which other data directories share.
    fn id_of(&self, name: &str) -> Uuid {
        let text = format!("{name} of {}", self.data_dir.display());
        Uuid::new_v5(&Uuid::NAMESPACE_URL, text.as_bytes())
    }

    fn look_up(&self, name: &str, note: &str) -> Result<String, String> {
        if let Some(sealed) = note.strip_prefix(SEALED) {
            return seal::open(&*self.keys, &purpose_of(name), sealed).map_err(|failure| failure.message);
        }
        let vault = self.keys.keyring()?.ok_or("the keyring it was put into cannot be used")?;
        let found = vault.get(self.id_of(name), Keeping::Keyring).map_err(|error| error.to_string())?;
        found.ok_or_else(|| "it is not in the keyring any more".to_owned())
    }
}

fn purpose_of(name: &str) -> String {
    format!("quarterdeck setting {name}")
}

impl SecretStore for ModelSafe {
    fn keep(&self, name: &str, secret: &str) -> Result<String, String> {
        let mut rng = rand::rng();
        let note = if let Some(vault) = self.keys.keyring()? {
            vault
                .put(self.id_of(name), Keeping::Keyring, secret, &mut rng)
                .map_err(|error| error.to_string())?;
            // A different note every time, so that other processes notice the change.
            format!("{IN_KEYRING}{:016x}", rng.next_u64())
        } else {
            let sealed = seal::seal(&*self.keys, &purpose_of(name), secret, &mut rng);
            format!("{SEALED}{}", sealed.map_err(|failure| failure.message)?)
        };
        *self.trouble.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.known().insert(note.clone(), Zeroizing::new(secret.to_owned()));
        Ok(note)
    }

    fn find(&self, name: &str, note: &str) -> Result<String, String> {
        if let Some(known) = self.known().get(note) {
            return Ok(known.to_string());
        }
        let mut trouble = self.trouble.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, why)) = trouble.as_ref().filter(|(at, _)| at.elapsed() < ASK_AGAIN) {
            return Err(why.clone());
        }
        let found =
            self.look_up(name, note).inspect_err(|why| *trouble = Some((Instant::now(), why.clone())))?;
        self.known().insert(note.to_owned(), Zeroizing::new(found.clone()));
        Ok(found)
    }

    fn forget(&self, name: &str) {
        self.known().clear();
        let Ok(Some(vault)) = self.keys.keyring() else { return };
        if let Err(error) = vault.remove(self.id_of(name), Keeping::Keyring, &mut rand::rng()) {
            tracing::warn!("{name} stays in the keyring: {error}");
        }
    }

    fn about(&self) -> &'static str {
        if self.keys.is_in_keyring() { "In the keyring of this computer" } else { self.keys.about() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_sealed_for_its_setting_and_opens_as_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let safe = || ModelSafe::new(folder.path(), Arc::new(SecretKey::of(folder.path(), false)));
        let note = safe().keep("LICENSE_KEY", "qd-license-0123-7F2C").unwrap();
        assert!(!note.contains("license-0123"), "{note}");
        assert_eq!(safe().find("LICENSE_KEY", &note).unwrap(), "qd-license-0123-7F2C");
        assert!(safe().find("MODEL_PROXY", &note).unwrap_err().contains("another key"));
        assert_eq!(safe().about(), "Stored encrypted on this machine");
    }
}
