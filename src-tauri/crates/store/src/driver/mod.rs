//! Everything that knows how a database is driven.

pub(crate) mod cache;
pub(crate) mod db;
pub(crate) mod functions;
mod gathering;
pub(crate) mod journal;
#[cfg(test)]
mod opening_tests;
mod pool;
pub(crate) mod postgres;
pub(crate) mod sqlite;
pub(crate) mod statistics;
mod text_list;
pub(crate) mod written;
