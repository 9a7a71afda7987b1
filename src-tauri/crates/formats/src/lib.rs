//! Reads document files that people export, such as cluster dumps, scans and alerts, into records.
//!
//! Start at [`FORMATS`]: one entry per format, and a module for each. A format recognises a file by its content ([`Head`]) and
//! reads it into [`record`]s, the only types shared by formats and the code that stores rows. Bills in CSV are read in the crate
//! `ingest` (`formats/`), because their rows are compared with stored rows.
//!
//! This crate does not open files, write rows, read the clock or use the network.

pub mod alerts;
mod bundle;
mod business;
mod format;
mod head;
mod iac;
mod kubernetes;
mod list;
mod logs;
mod metering;
mod metrics;
#[cfg(test)]
mod mutations;
mod opencost;
mod read_error;
pub mod reason;
mod recommendations;
pub mod record;
mod required_parts;
mod security;
pub mod shape;
mod sink;
mod unsupported;

pub use format::Format;
pub use head::{Head, has};
pub use list::{FORMATS, recognise};
pub use opencost::UNNAMED_CLUSTER;
pub use read_error::ReadError;
pub use required_parts::{MissingParts, find_missing_parts};
pub use sink::{InnerFile, InnerOutcome, Position, Sink};
pub use unsupported::find_unsupported_type;
