//! What tickets need of the world outside, and nothing more. The service gives it (`trackers` and the keyring behind it); tests give a double.

use trackers::{Failure, Tracker};
use uuid::Uuid;

/// Trackers, and the place for their secrets. All of it blocks.
pub trait Trackers: Send + Sync {
    /// A secret as it may be kept in the database: it opens for the same purpose only. An error says in words why not.
    fn seal(&self, purpose: &str, secret: &str) -> Result<String, String>;

    /// What [`Self::seal`] was given.
    fn open(&self, purpose: &str, sealed: &str) -> Result<String, String>;

    /// Makes one call to a tracker of that tenant that changes nothing; whom the tracker takes us for, in a sentence.
    fn check(&self, tenant: Uuid, tracker: &Tracker) -> Result<String, Failure>;

    /// Begins to send a ticket that is due, and comes back when that came to something, or after the few seconds that somebody waits for it.
    fn send_soon(&self, ticket: Uuid);
}

/// No way out: for where nothing is sent.
pub struct NoTrackers;

const NONE: &str = "there is no way to trackers here";

impl Trackers for NoTrackers {
    fn seal(&self, _: &str, _: &str) -> Result<String, String> {
        Err(NONE.to_owned())
    }

    fn open(&self, _: &str, _: &str) -> Result<String, String> {
        Err(NONE.to_owned())
    }

    fn check(&self, _: Uuid, _: &Tracker) -> Result<String, Failure> {
        Err(Failure::lasting(NONE))
    }

    fn send_soon(&self, _: Uuid) {}
}
