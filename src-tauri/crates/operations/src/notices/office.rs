//! What notices need of the world outside, and nothing more. The service gives it; tests give a double.

use channels::{Channel, Failure, Message};
use uuid::Uuid;

/// Channels, and the place for their secrets. All of it blocks.
pub trait Messengers: Send + Sync {
    /// A secret as it may be kept in the database: it opens for the same purpose only. An error says in words why not.
    fn seal(&self, purpose: &str, secret: &str) -> Result<String, String>;

    /// What [`Self::seal`] was given.
    fn open(&self, purpose: &str, sealed: &str) -> Result<String, String>;

    /// Sends a message through a channel of that tenant, now.
    fn send(&self, tenant: Uuid, channel: &Channel, message: &Message) -> Result<(), Failure>;
}

/// No way out: for where nothing is sent.
pub struct NoMessengers;

const NONE: &str = "nothing is sent from here";

impl Messengers for NoMessengers {
    fn seal(&self, _: &str, _: &str) -> Result<String, String> {
        Err(NONE.to_owned())
    }

    fn open(&self, _: &str, _: &str) -> Result<String, String> {
        Err(NONE.to_owned())
    }

    fn send(&self, _: Uuid, _: &Channel, _: &Message) -> Result<(), Failure> {
        Err(Failure::lasting(NONE))
    }
}
