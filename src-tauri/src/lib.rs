//! The window around the service: starts the service inside this process and shows its pages.
//!
//! Start at [`shell::run`]. What the pages show and do is the business of `server`; this crate knows windows, links,
//! signals and nothing of costs. The plain build leaves all of it out: without the feature `desktop` this crate is empty.

#[cfg(feature = "desktop")]
pub mod links;
#[cfg(feature = "desktop")]
pub mod page;
#[cfg(feature = "desktop")]
pub mod service;
#[cfg(feature = "desktop")]
pub mod shell;
#[cfg(feature = "desktop")]
pub mod window;
