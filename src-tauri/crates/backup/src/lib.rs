//! Backups of the whole data directory in one file: taken while the service writes, verified by opening them, and restored in one step.
//!
//! A backup is a gzip-compressed tar archive that can be opened without this program: `manifest.json` first, then the database and the
//! other files. With a passphrase, the archive is encrypted in the format of [`seal`].
//!
//! Models are excluded: they are large and can be downloaded again. The keys of this computer (`layout::KEYS`) are excluded too.

mod archive;
mod error;
mod folder;
mod layout;
mod manifest;
pub mod private;
pub mod replaced;
mod restore;
mod schedule;
mod seal;
mod swap;
mod take;
#[cfg(test)]
mod tests;

pub use archive::inspect;
pub use error::BackupError;
pub use folder::{BackupFacts, BackupFile, Check, Folder, Reason};
pub use layout::LeftOut;
pub use manifest::Manifest;
pub use restore::{RestoreDestination, UnpackedBackup, stage, unpack};
pub use schedule::{Every, Schedule};
pub use seal::Passphrase;
pub use swap::{RestoreOutcome, finish};
pub use take::{Source, take};
