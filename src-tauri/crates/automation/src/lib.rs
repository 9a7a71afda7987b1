//! The workflow engine as pure functions: reads definitions, plans the next steps of a run, and renders templates.
//!
//! Start at [`plan`]. This crate uses no database, clock or network: the journal, the time and the results of calls are arguments. An interrupted
//! run therefore continues by planning again from its journal. A dry run uses the same planner and makes no calls.

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
