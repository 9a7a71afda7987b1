//! The window around the service: starts the service inside this process and shows its pages.
//!
//! Start at [`shell::run`]. What the pages show and do is the business of `server`; this crate knows windows, links,
//! signals and nothing of costs. The plain build leaves all of it out: without the feature `desktop` this crate is empty.

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
mod handover;
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
mod tray;
#[cfg(feature = "desktop")]
mod window;
