//! Services elsewhere, used from this computer: known by address, signed in to through the system's browser, asked through a relay.
//!
//! Start at [`Remotes`]. What is known of an instance stands in the database; what signs in there is in the keyring of the system, in a file that
//! a passphrase opens, or in memory, as the person chose ([`vault`]). The page that asks never gets it: [`Remotes::relay`] adds it to requests on
//! their way out and takes away whatever could set or steal one on the way back.

mod access;
mod address;
mod client;
mod copies;
mod error;
mod instance;
mod listener;
mod look;
mod proxy;
mod relay;
mod sign_in;
mod socket;
#[cfg(test)]
mod tests;
mod upload;
pub mod vault;

pub use address::{AddressError, Place};
pub use error::RemoteError;
pub use instance::{COLOURS, Instance, InstanceSettings};
pub use look::Report;
pub use proxy::Seal;
pub use relay::{Content, Passing, RelayAnswer, RelayRequest, RequestBody};
pub use sign_in::{Course, Mode, SignInStart};
pub use socket::Socket;
pub use vault::{Keeping, Vault, VaultError};

use sign_in::Attempts;
use std::collections::HashMap;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use store::Store;
use uuid::Uuid;

/// Microseconds in a second: the unit of every time here.
const SECOND: i64 = 1_000_000;

/// All instances elsewhere that this computer knows.
pub struct Remotes {
    store: Store,
    vault: Vault,
    here: Here,
    attempts: Attempts,
    /// One for each instance that was asked: whoever needs a new access token waits for whoever fetches it.
    access: Mutex<HashMap<Uuid, access::AccessSlot>>,
    /// Clients by what decides about them, so that connections are kept.
    clients: Mutex<HashMap<Uuid, client::Open>>,
    /// Until when an instance that did not answer is not asked again.
    away: Mutex<HashMap<Uuid, i64>>,
}

/// What of this computer instances are used with.
#[derive(Clone)]
pub struct Here {
    /// µs since 1970 UTC.
    pub clock: fn() -> i64,
    pub seal: Arc<dyn Seal>,
    /// Whether the other end of a connection of this computer, which leads to our end, is the user of this process; also where the system does not tell.
    pub is_own_user: fn(SocketAddr, SocketAddr) -> bool,
}

impl Remotes {
    /// With the database of this computer and its data directory.
    pub fn new(store: Store, data_dir: &Path, here: Here) -> Arc<Self> {
        Arc::new(Self {
            store,
            vault: Vault::new(data_dir),
            here,
            attempts: Attempts::default(),
            access: Mutex::default(),
            clients: Mutex::default(),
            away: Mutex::default(),
        })
    }

    /// Where keys are kept.
    pub fn vault(&self) -> &Vault {
        &self.vault
    }

    fn now(&self) -> i64 {
        (self.here.clock)()
    }
}

fn hold<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs what waits for the disk or the keyring away from the threads that answer requests.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, RemoteError> + Send + 'static,
) -> Result<T, RemoteError> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|panic| Err(RemoteError::Interrupted(panic)))
}
