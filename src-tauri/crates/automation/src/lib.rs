//! Workflows as values: what a definition says, what comes next in a run, what its templates give.
//!
//! Start at [`plan`]. There is no database, clock or network here: the journal, the moment and what was heard are arguments, so a run that was cut off
//! goes on by planning again from its journal. A dry run is the same planner without anybody who makes its calls.

pub mod approval;
mod call;
pub mod changes;
pub mod checks;
pub mod commands;
pub mod definition;
pub mod dry_run;
pub mod duration;
pub mod journal;
pub mod kinds;
pub mod mask;
mod params;
pub mod plan;
pub mod schedule;
pub mod secrets;
pub mod services;
pub mod template;
pub mod upcoming;
pub mod values;
pub mod yaml;
