//! Starting and stopping the service.
//!
//! [`service`] opens the [`parts`], puts them together and hands out [`Running`]; [`listener`] is the port, which outlives one service and serves the next;
//! [`upgrade`] answers there while the database is migrated; [`runtime`] is where all tasks of one service run; [`damage`] tells a damaged database from other reasons not to start.

pub mod damage;
mod error;
pub mod listener;
mod parts;
mod running;
mod runtime;
mod service;
mod upgrade;

pub use error::StartError;
pub use running::Running;
pub use service::{start, start_at, start_behind};
