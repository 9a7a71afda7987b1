//! How SQL is run. Only SQLite so far; PostgreSQL will stand beside it.

pub(crate) mod functions;
mod gathering;
mod pool;
pub(crate) mod sqlite;
pub(crate) mod statistics;
mod text_list;
