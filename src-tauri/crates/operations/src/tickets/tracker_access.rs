//! The external services that tickets need. The server implements them with crate `trackers` and the keyring; tests use a double.

use trackers::{Failure, Tracker};
use uuid::Uuid;

/// Access to trackers and to the key for their passwords. All methods block.
pub trait Trackers: Send + Sync {
    /// Encrypts a secret for storage in the database. It can be decrypted only with the same purpose. The error is a message for the user.
    fn encrypt(&self, purpose: &str, secret: &str) -> Result<String, String>;

    /// Decrypts the result of [`Self::encrypt`].
    fn decrypt(&self, purpose: &str, sealed: &str) -> Result<String, String>;

    /// Makes one read-only call to a tracker of that tenant. Returns a sentence with the account name that the tracker reports.
    fn check(&self, tenant: Uuid, tracker: &Tracker) -> Result<String, Failure>;

    /// Starts sending a due ticket. Returns when the attempt has a result, or after a few seconds at the latest.
    fn send_soon(&self, ticket: Uuid);
}

/// An implementation without network access, where nothing is sent.
pub struct NoTrackers;

const NONE: &str = "there is no way to trackers here";

impl Trackers for NoTrackers {
    fn encrypt(&self, _: &str, _: &str) -> Result<String, String> {
        Err(NONE.to_owned())
    }

    fn decrypt(&self, _: &str, _: &str) -> Result<String, String> {
        Err(NONE.to_owned())
    }

    fn check(&self, _: Uuid, _: &Tracker) -> Result<String, Failure> {
        Err(Failure::lasting(NONE))
    }

    fn send_soon(&self, _: Uuid) {}
}
