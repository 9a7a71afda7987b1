//! Requests of tasks to other services, and the parsing of the responses.
//!
//! Nothing is sent here.

pub mod events;
pub mod hosts;
pub mod metrics;
pub mod network;
pub mod pulls;
pub mod remote_tools;
pub mod requests;
pub mod slack;
pub mod tickets;
pub mod usage;
