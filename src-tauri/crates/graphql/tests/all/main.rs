//! Tests of the interface over the product's catalogue, from outside the crate.

#![expect(clippy::unwrap_used, reason = "a test may")]

mod contract;
mod databases;
mod examples;
mod generated;
mod operations;
mod project;
mod properties;
mod rights;
mod test_world;
