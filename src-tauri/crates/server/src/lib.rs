//! The service: settings, routes, jobs and pages; and the command line of `quarterdeck-server`.
//!
//! Start at [`start`] for the service and at [`cli::run`] for the command line. HTTP is handled in this crate only; the crates below it implement
//! the operations.

mod app;
mod background;
mod backups;
mod blocking;
pub mod cli;
mod clock;
mod data;
mod error;
mod guard;
mod hex;
mod jobs;
mod listen;
mod logging;
mod metrics;
mod plain_page;
mod report;
mod rest;
mod routes;
mod secrets;
mod settings;
mod signals;
mod start;
#[cfg(test)]
mod tests;
mod transfer;
mod window;

pub use background::registry::{JobRegistry, Kind, Outcome, Work, WorkEnd};
pub use backups::offline_restore::{OfflineRestore, RecoveryOption, recover};
pub use error::chain;
pub use operations::notices::RaisedNotice;
pub use plain_page::{PLAIN_PAGE_POLICY, escaped, plain_page};
pub use settings::{Flags, Settings, SettingsError, Source};
pub use signals::Signals;
pub use start::listener::BoundListener;
pub use start::{Running, StartError, start, start_at, start_behind};
pub use window::host::{Choice, Choices, FolderChosen, Host, HostError, OnClose, ZOOM};
pub use window::open_files::{InboxError, OpenFileInbox, RefusedFile, files_among};
