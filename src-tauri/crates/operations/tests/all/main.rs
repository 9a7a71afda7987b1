//! Tests of operations with a store, configured as in the service.

#![expect(clippy::unwrap_used, reason = "a test may")]

mod accounts;
mod anomalies;
mod automation;
mod clusters;
mod events;
mod house;
mod insights;
mod measurements;
mod messages;
mod notices;
mod providers;
mod reports;
mod savings;
mod search;
mod spending;
mod tickets;
mod triggers;
mod ways;
mod workflows;
