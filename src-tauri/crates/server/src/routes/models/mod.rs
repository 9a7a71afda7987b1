//! Language models: their providers, their registry, and their downloads.

pub mod downloads;
pub mod providers;
pub mod registry;
