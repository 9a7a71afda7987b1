//! What tasks ask of services elsewhere, before anybody asks, and what their answers say.

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
