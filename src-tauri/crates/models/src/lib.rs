//! Models on this machine: fetched from a registry, brought in from a file, kept, checked, given on.
//!
//! Start at [`Downloads`] for fetching and at [`Library`] for what is here. A download ends in a file whose hash was computed over every byte, or in a
//! [`Failure`] that says what to do; never in a file that is something else. What a restart needs stands in the database and in the part file.
//! Time, chance and free space come in through [`Surroundings`]. This crate does not run models, and does not know who is asking.

mod content;
mod definitions;
mod digest;
mod downloads;
mod export;
mod failure;
mod installed;
mod job;
mod library;
mod look;
mod name;
mod part;
mod plan;
mod policy;
mod ranges;
mod record;
mod registry;
mod rows;
mod safe;
pub mod settings;
mod surroundings;
#[cfg(test)]
mod tests;

pub use digest::{Algorithm, ExpectedDigest, of_sidecar};
pub use downloads::{DownloadEnd, Downloads, Wish};
pub use export::Export;
pub use failure::{Failure, Kind};
pub use installed::{Model, Trust, Verification};
pub use library::{Library, LibraryError};
pub use look::Look;
pub use name::{ModelName, NotAName, OFFERED};
pub use policy::{FolderNotAllowed, Policy};
pub use record::{Notice, State, Status};
pub use safe::Safe;
pub use settings::Settings;
pub use surroundings::{Passing, Surroundings};
