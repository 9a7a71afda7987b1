//! Whether the system opens the window when the person signs in to it.
//!
//! On Linux it opens the window as it was started, on the same data directory, and each of those is decided about by itself. Elsewhere Tauri's plugin
//! opens the window on the usual one.

#[cfg(target_os = "linux")]
mod entry;
#[cfg(not(target_os = "linux"))]
mod plugin;

#[cfg(target_os = "linux")]
pub use entry::{AtLogin, prepare};
#[cfg(not(target_os = "linux"))]
pub use plugin::{AtLogin, prepare};
