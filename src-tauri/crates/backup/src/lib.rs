//! Backups of the whole data directory in one file: taken while the service writes, verified by opening them, and restored in one step.
//!
//! A backup is a gzip-compressed tar archive that can be opened without this program: `manifest.json` first, then the database and the
//! other files. With a passphrase, the archive is encrypted in the format of [`seal`].
//!
//! Models are excluded: they are large and can be downloaded again. The keys of this computer (`layout::KEYS`) are excluded too.

mod archive;
pub mod aside;
mod error;
mod exchange;
mod folder;
mod layout;
mod manifest;
pub mod private;
mod restore;
mod schedule;
mod seal;
mod take;
#[cfg(test)]
mod tests;

pub use archive::inspect;
pub use error::BackupError;
pub use exchange::{RestoreOutcome, finish};
pub use folder::{BackupFile, Check, Folder, Reason, Remark};
pub use layout::LeftOut;
pub use manifest::Manifest;
pub use restore::{Place, UnpackedBackup, stage, unpack};
pub use schedule::{Every, Schedule};
pub use seal::Passphrase;
pub use take::{Source, take};
