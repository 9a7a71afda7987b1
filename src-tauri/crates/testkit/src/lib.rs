//! Servers on loopback that stand in for other people's services in tests.
//!
//! Each speaks the real protocol over real HTTP, keeps what it is sent, and fails on demand. Of the product only [`product`] uses anything.

#![allow(clippy::unwrap_used, reason = "only tests use this crate: a panic fails the test")]

pub mod buckets;
pub mod http;
pub mod language_models;
pub mod loopback;
#[cfg(unix)]
pub mod postgres;
pub mod product;
pub mod registry;
pub mod repositories;
pub mod trackers;
