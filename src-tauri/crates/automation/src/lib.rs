//! Workflows as values: what a definition says, what comes next in a run, what its templates give.
//!
//! Start at [`plan`]. There is no database, clock or network here: the journal, the moment and what was heard are arguments, so a run that was cut off
//! goes on by planning again from its journal. A dry run is the same planner without anybody who makes its calls.

pub mod approval;
pub mod changes;
pub mod commands;
pub mod crypto;
pub mod definition;
pub mod dry_run;
pub mod duration;
pub mod journal;
pub mod jsonata;
pub mod kinds;
pub mod mask;
pub mod metrics;
pub mod network;
pub mod plan;
pub mod pulls;
pub mod remote_tools;
pub mod requests;
pub mod schedule;
pub mod slack;
pub mod template;
pub mod tickets;
pub mod transform;
pub mod upcoming;
pub mod yaml;
