//! Starting and stopping the service.
//!
//! [`service`] opens the [`parts`], assembles them and returns [`Running`]; [`listener`] is the port, which outlives one service and serves the
//! next; [`upgrade`] answers there while the database is migrated; [`runtime`] runs all tasks of one service; [`damage`] distinguishes a damaged
//! database from other reasons for a failed start.

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
