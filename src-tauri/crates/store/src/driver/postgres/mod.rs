//! PostgreSQL: sessions that block the thread that asks, over connections that a runtime of their own drives.
//!
//! [`link`] is the task that owns a connection, [`session`] what the store holds of it, [`cells`] turns PostgreSQL's values into SQLite's storage
//! classes and back, [`connections`] keeps the one session that writes and those that read ([`readers`]), [`replica`] a server that follows and how far, [`address`] and [`encryption`] say how it is reached,
//! [`explain`] tells how PostgreSQL runs a statement, [`clock`] how the database's clock differs from this machine's, [`version`] whether a newer program has changed the database.

mod address;
mod cells;
mod clock;
mod connections;
mod encryption;
mod error;
mod explain;
mod link;
mod nul;
mod numeric;
mod readers;
mod replica;
mod session;
mod statement;
mod turn;
mod version;

pub(crate) use address::Address;
pub use connections::ConnectionLimits;
pub(crate) use connections::{Connections, PATIENCE, write_alone};
pub(crate) use session::{Call, Cursor, Session};
