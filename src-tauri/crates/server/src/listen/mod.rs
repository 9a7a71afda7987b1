//! HTTP below the routes: connections and their peers, slow bodies, compression, and the built pages.

pub mod compression;
pub mod connections;
pub mod pages;
pub mod peer;
pub mod slow_body;
#[cfg(target_os = "linux")]
mod socket_owner;
