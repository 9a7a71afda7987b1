//! Operations over a store, as the service has them.

#![expect(clippy::unwrap_used, reason = "a test may")]

mod accounts;
mod automation;
mod events;
mod house;
mod providers;
mod tickets;
mod workflows;
