//! The rules for waste beside bills that know nothing of them.

#![expect(clippy::unwrap_used, reason = "a test may")]

mod bench;
mod cluster_generator;
mod clusters;
mod generator;
mod recomputed;
mod single;
