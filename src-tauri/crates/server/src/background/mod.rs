//! Work that no request waits for, and the registry of long jobs that the window shows.
//!
//! What is due stands in the database. Each loop sleeps until the next time that is written there, or until rows that tell of work are written.

pub mod chores;
pub mod desktop_notices;
pub mod download_notices;
pub mod language_models;
pub mod notices;
pub mod priority;
pub mod registry;
pub mod segments;
pub mod tickets;
pub mod workflow_runs;
