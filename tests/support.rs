//! Helpers of the tests: programs, a service, a browser, the window.

pub mod balancer;
pub mod browser;
pub mod client;
pub mod desk;
pub mod desktop;
pub mod encrypted;
pub mod exact;
pub mod home;
pub mod idp;
pub mod keyring;
pub mod listening;
pub mod live;
pub mod notifications;
pub mod older;
pub mod page;
#[cfg(unix)]
pub mod postgres;
pub mod programs;
pub mod pysaml2;
pub mod service;
pub mod static_model;
pub mod stuck;
#[cfg(target_os = "linux")]
pub mod tray;
pub mod trust;
pub mod unfinished;

use std::path::{Path, PathBuf};

/// The path of a file in `tests/fixtures`.
pub fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name)
}

/// The folder with sample files, beside the project; `None` if only the project is checked out.
pub fn shared_data() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data");
    folder.is_dir().then_some(folder)
}
