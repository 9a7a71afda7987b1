//! Models on this machine: downloads, imports, stores, verifies and exports them.
//!
//! Start at [`Downloads`] for downloads and at [`Library`] for installed models. A download ends with a file whose hash was computed over every
//! byte, or with a [`Failure`] that states a remedy; never with a wrong file. The state for a restart is in the database and in the part file.
//! Time, randomness and free space come from [`Surroundings`]. This crate does not run models and does not know the user.

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
pub use look::ConnectionTest;
pub use name::{ModelName, NotAName, OFFERED};
pub use policy::{FolderNotAllowed, Policy};
pub use record::{Notice, State, Status};
pub use safe::SecretStore;
pub use settings::Settings;
pub use surroundings::{Passing, Surroundings};
