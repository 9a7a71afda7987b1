//! Language models: who provides them, the registry they come from, and their downloads.

pub mod downloads;
pub mod providers;
pub mod registry;
