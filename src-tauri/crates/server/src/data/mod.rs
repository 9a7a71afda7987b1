//! The data directory: its files and its lock, the catalogue, and the database opened with both.

pub mod catalogue_source;
pub mod directory;
pub mod engine;
pub mod open;
