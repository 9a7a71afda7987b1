//! Servers on loopback that replace external services in tests.
//!
//! Each implements the real protocol over real HTTP, stores the requests it receives, and fails on demand. Only [`product`] uses code of the
//! product.

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
