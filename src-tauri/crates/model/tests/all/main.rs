//! The generated code matches the catalogue, and typed reads and writes work as documented.

#![expect(clippy::unwrap_used, reason = "a test may")]

mod generated;
mod names;
mod printer;
mod rows;
mod shapes;
