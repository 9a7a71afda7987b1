//! Background work that no request waits for, and the registry of long-running jobs that the window shows.
//!
//! Due times are stored in the database. Each loop sleeps until the next due time, or until rows that trigger its work are written.

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
