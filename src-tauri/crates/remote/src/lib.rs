//! Remote instances, used from this computer: known by address, signed in to through the system's browser, and queried through a relay.
//!
//! Start at [`Remotes`]. Instances are stored in the database. Their keys are in the keyring of the system, in a file protected by a passphrase, or
//! in memory, as the user chooses ([`vault`]). The page never gets a key: [`Remotes::relay`] adds the access token to outgoing requests, and
//! removes from responses everything that could set or reveal one.

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

pub use address::{AddressError, InstanceOrigin};
pub use error::RemoteError;
pub use instance::{COLOURS, Instance, InstanceSettings};
pub use look::Report;
pub use proxy::Seal;
pub use relay::{Content, RelayMode, RelayRequest, RelayResponse, RequestBody};
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

/// Microseconds in a second: all times here are in µs.
const SECOND: i64 = 1_000_000;

/// The remote instances known to this computer.
pub struct Remotes {
    store: Store,
    vault: Vault,
    here: Here,
    attempts: Attempts,
    /// One slot for each contacted instance: requests that need a new access token wait for the one that fetches it.
    access: Mutex<HashMap<Uuid, access::AccessTokenSlot>>,
    /// Clients by instance, so that connections are reused.
    clients: Mutex<HashMap<Uuid, client::Open>>,
    /// Instances that did not answer, with the time from which they are contacted again.
    away: Mutex<HashMap<Uuid, i64>>,
}

/// Functions of this computer that this crate depends on.
#[derive(Clone)]
pub struct Here {
    /// The current time, µs since 1970 UTC.
    pub clock: fn() -> i64,
    pub seal: Arc<dyn Seal>,
    /// Whether a local connection, given by the addresses of the peer and of our end, belongs to the user of this process. True if the system does
    /// not report it.
    pub is_own_user: fn(SocketAddr, SocketAddr) -> bool,
}

impl Remotes {
    /// Creates the instances from the database and the data directory of this computer.
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

    /// The storage of keys.
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

/// Runs work that blocks on the disk or the keyring, off the threads that answer requests.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, RemoteError> + Send + 'static,
) -> Result<T, RemoteError> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|panic| Err(RemoteError::Interrupted(panic)))
}
