//! The PostgreSQL driver: blocking sessions on connections that a separate runtime drives.
//!
//! [`link`] is the task that owns a connection, [`session`] the store's handle to it. [`cells`] converts values between PostgreSQL's types
//! and SQLite's storage classes. [`connections`] manages the writing session and those that read ([`readers`]), [`replica`] a replica and
//! its lag. [`address`] and [`encryption`] define how the server is reached. [`explain`] shows query plans, [`clock`] measures the
//! difference between the database's clock and this machine's, [`version`] detects migration by a newer program.

mod address;
mod cells;
mod clock;
mod connections;
mod encryption;
mod error;
mod exclusive_session;
mod explain;
mod link;
mod nul;
mod numeric;
mod readers;
mod replica;
mod session;
mod statement;
mod version;

pub(crate) use address::Address;
pub use connections::ConnectionLimits;
pub(crate) use connections::{Connections, PATIENCE, take_write_lock};
pub(crate) use session::{Call, Cursor, Session};
