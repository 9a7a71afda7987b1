//! Backups: the whole data directory in one file, taken while the service writes, checked by opening it, and put back in one step.
//!
//! A backup is a gzip-compressed tar archive that every computer can open without this program: `manifest.json` first, then the database and the
//! other files. Where a passphrase closes it, the archive is wrapped as [`seal`] says.
//!
//! Models are not part of it: they are large and come from their registry again. Nor are the keys of this computer (`layout::KEYS`).

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
