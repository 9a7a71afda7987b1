//! The desktop window: starts the service inside this process and shows its pages.
//!
//! Start at [`shell::run`]. The content of the pages is implemented in `server`; this crate handles windows, links and signals. A build without the
//! feature `desktop` excludes all of it: this crate is then empty.

#[cfg(all(feature = "desktop", target_os = "linux"))]
pub mod activation;
#[cfg(feature = "desktop")]
pub mod arguments;
#[cfg(feature = "desktop")]
mod at_login;
#[cfg(feature = "desktop")]
mod background;
#[cfg(feature = "desktop")]
mod choices;
#[cfg(feature = "desktop")]
mod desk;
#[cfg(feature = "desktop")]
mod dialogs;
#[cfg(all(feature = "desktop", target_os = "linux"))]
pub mod drawing;
#[cfg(feature = "desktop")]
mod folders;
#[cfg(feature = "desktop")]
mod geometry;
#[cfg(feature = "desktop")]
mod links;
#[cfg(feature = "desktop")]
mod menu;
#[cfg(feature = "desktop")]
mod notify;
#[cfg(feature = "desktop")]
mod page;
#[cfg(feature = "desktop")]
mod saving;
#[cfg(feature = "desktop")]
mod service;
#[cfg(feature = "desktop")]
pub mod shell;
#[cfg(feature = "desktop")]
mod single_instance;
#[cfg(feature = "desktop")]
mod tray;
#[cfg(feature = "desktop")]
mod window;
