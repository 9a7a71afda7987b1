//! The external services that notices need. The server implements them; tests use a double.

use channels::{Channel, Failure, Message};
use uuid::Uuid;

/// Access to channels and to the key for their secrets. All methods block.
pub trait Messengers: Send + Sync {
    /// Encrypts a secret for storage in the database. It can be decrypted only with the same purpose. The error is a message for the user.
    fn encrypt(&self, purpose: &str, secret: &str) -> Result<String, String>;

    /// Decrypts the result of [`Self::encrypt`].
    fn decrypt(&self, purpose: &str, sealed: &str) -> Result<String, String>;

    /// Sends a message through a channel of that tenant immediately.
    fn send(&self, tenant: Uuid, channel: &Channel, message: &Message) -> Result<(), Failure>;
}

/// An implementation without network access, where nothing is sent.
pub struct NoMessengers;

const NONE: &str = "nothing is sent from here";

impl Messengers for NoMessengers {
    fn encrypt(&self, _: &str, _: &str) -> Result<String, String> {
        Err(NONE.to_owned())
    }

    fn decrypt(&self, _: &str, _: &str) -> Result<String, String> {
        Err(NONE.to_owned())
    }

    fn send(&self, _: Uuid, _: &Channel, _: &Message) -> Result<(), Failure> {
        Err(Failure::lasting(NONE))
    }
}
