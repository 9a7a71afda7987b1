//! Reads document files that people export, such as cluster dumps, scans and alerts, into records.
//!
//! Start at [`FORMATS`]: one entry per format, and a module for each. A format recognises a file by its content ([`Head`]) and
//! reads it into [`record`]s, the only types shared by formats and the code that stores rows. Bills in CSV are read in the crate
//! `ingest` (`formats/`), because their rows are compared with stored rows.
//!
//! This crate does not open files, write rows, read the clock or use the network.

mod advice;
pub mod alerts;
mod bundle;
mod business;
mod format;
mod head;
mod iac;
mod kubernetes;
mod likeness;
mod list;
mod logs;
mod metering;
mod metrics;
#[cfg(test)]
mod mutations;
mod opencost;
mod read_error;
pub mod reason;
pub mod record;
mod security;
pub mod shape;
mod sink;
mod unread;

pub use format::Format;
pub use head::{Head, has};
pub use likeness::{Lacking, lacking};
pub use list::{FORMATS, recognise};
pub use opencost::NAMELESS_CLUSTER;
pub use read_error::ReadError;
pub use sink::{InnerFile, InnerOutcome, Place, Sink};
pub use unread::known;
