//! The keyring of the system: Secret Service, macOS Keychain, Windows Credential Manager.

use super::VaultError;
use keyring::Error;
use keyring::v1::Entry;
use rand::CryptoRng;
use std::sync::mpsc::channel;
use std::time::Duration;
use uuid::Uuid;

/// The service name of the entries.
const SERVICE: &str = "quarterdeck";
/// Timeout of the keyring's program, which may ask the user for a password meanwhile.
const PATIENCE: Duration = Duration::from_mins(1);
/// Timeout of the probe: a keyring that asks for a password is not unlocked.
const PROBE_PATIENCE: Duration = Duration::from_secs(5);

pub fn probe(rng: &mut dyn CryptoRng) -> Result<(), VaultError> {
    let mut bytes = [0; 16];
    rng.fill_bytes(&mut bytes);
    let value = uuid::Builder::from_random_bytes(bytes).into_uuid().to_string();
    // A unique name, so that two programs that probe at once do not collide.
    let name = format!("probe-{value}");
    run(PROBE_PATIENCE, move || {
        let entry = Entry::new(SERVICE, &name)?;
        entry.set_password(&value)?;
        let found = entry.get_password();
        entry.delete_credential()?;
        Ok(found? == value)
    })
    .and_then(|is_same| {
        if is_same {
            Ok(())
        } else {
            Err(VaultError::Keyring { why: "it gave back something else".to_owned() })
        }
    })
}

pub fn put(id: Uuid, key: &str) -> Result<(), VaultError> {
    let key = key.to_owned();
    run(PATIENCE, move || Entry::new(SERVICE, &name(id))?.set_password(&key))
}

pub fn get(id: Uuid) -> Result<Option<String>, VaultError> {
    run(PATIENCE, move || match Entry::new(SERVICE, &name(id))?.get_password() {
        Ok(key) => Ok(Some(key)),
        Err(Error::NoEntry) => Ok(None),
        Err(error) => Err(error),
    })
}

pub fn remove(id: Uuid) -> Result<(), VaultError> {
    run(PATIENCE, move || match Entry::new(SERVICE, &name(id))?.delete_credential() {
        Ok(()) | Err(Error::NoEntry) => Ok(()),
        Err(error) => Err(error),
    })
}

fn name(id: Uuid) -> String {
    format!("instance-{id}")
}

/// Runs `work` on a separate thread: the library blocks on the message bus, which a thread of the runtime must not do, and a keyring that asks its
/// user may never answer.
fn run<T: Send + 'static>(
    patience: Duration,
    work: impl FnOnce() -> Result<T, Error> + Send + 'static,
) -> Result<T, VaultError> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        // The receiver is gone after the timeout.
        let _ = sender.send(work());
    });
    match receiver.recv_timeout(patience) {
        Ok(Ok(found)) => Ok(found),
        Ok(Err(Error::NoDefaultStore)) => Err(VaultError::Keyring {
            why: "none is running; one that was started after Quarterdeck is found at its next start"
                .to_owned(),
        }),
        Ok(Err(error)) => Err(VaultError::Keyring { why: error.to_string() }),
        Err(_) => Err(VaultError::Keyring { why: "it does not answer; it may be locked".to_owned() }),
    }
}
