//! Database drivers: SQLite and PostgreSQL.

pub(crate) mod answer_memo;
pub(crate) mod cache;
pub(crate) mod constraint;
pub(crate) mod database_file;
pub(crate) mod db;
pub(crate) mod functions;
mod gathering;
pub(crate) mod group;
pub(crate) mod journal;
#[cfg(test)]
mod opening_tests;
mod pool;
pub(crate) mod postgres;
pub(crate) mod sqlite;
pub(crate) mod statistics;
mod text_list;
pub(crate) mod upkeep;
pub(crate) mod written;
