//! Files of documents that people can export, read into records.
//!
//! Start at [`FORMATS`]: one entry a format, and a folder beside it. A format recognises a file by its content ([`Head`]) and
//! reads it into [`record`]s, which are the only words between formats and whoever writes them. Rows of bills in CSV are read
//! elsewhere (crate `ingest`, `formats/`), since they are compared with what is stored.
//!
//! What this crate does not do: open files, write rows, read the clock, ask the network.

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
