//! The generated code is what the catalogue says, and typed reads and writes do what they promise.

#![expect(clippy::unwrap_used, reason = "a test may")]

mod generated;
mod names;
mod printer;
mod rows;
mod shapes;
