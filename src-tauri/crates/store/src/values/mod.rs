//! Comparing, sorting, changing and writing values, independent of any database.

pub(crate) mod calendar;
pub(crate) mod cells;
pub(crate) mod citext;
pub(crate) mod json_changes;
pub(crate) mod json_predicates;
pub(crate) mod json_sort;
pub(crate) mod like;
pub mod pattern;
pub(crate) mod sqlite_value;
