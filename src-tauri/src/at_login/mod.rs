//! Whether the system opens the window when the user logs in.
//!
//! On Linux, the entry repeats the arguments of the window, therefore each data directory has its own setting. On other systems, Tauri's plugin
//! opens the window on the default one.

#[cfg(target_os = "linux")]
mod entry;
#[cfg(not(target_os = "linux"))]
mod plugin;

#[cfg(target_os = "linux")]
pub use entry::{AtLogin, prepare};
#[cfg(not(target_os = "linux"))]
pub use plugin::{AtLogin, prepare};
