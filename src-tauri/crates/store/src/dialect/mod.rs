//! How SQL is spelled. Only SQLite so far; PostgreSQL will stand beside it.

pub(crate) mod sqlite;
