//! Turns an intent into SQL for one caller and runs it.
//!
//! Start at [`Store::read`] and [`Store::transaction`]. Row scope and column access are added here and nowhere else, so a
//! field generated from the catalogue and one written by hand are guarded alike. No table is named in this crate.

mod error;
mod rows;

pub use error::{OpenError, StoreError};
pub use rows::{Condition, Inserter, Transaction, eq, ge, gt, is_null, le, lt, ne, one_of};

use catalogue::{Caller, Catalogue};
use std::path::Path;
use std::sync::Arc;

/// One database, open. Cloning shares it.
#[derive(Clone)]
pub struct Store {}

impl Store {
    /// Opens the database file, creating it from the catalogue when it is new and adding what the catalogue has gained.
    pub fn open(_path: &Path, _catalogue: Arc<Catalogue>) -> Result<Self, OpenError> {
        unimplemented!()
    }

    pub fn catalogue(&self) -> &Arc<Catalogue> {
        unimplemented!()
    }

    /// Runs `work` in one transaction that writes: kept when it answers `Ok`, undone when it answers `Err` or panics.
    /// Blocks the thread (call it from `spawn_blocking`); waits up to a minute for another process that is writing.
    pub fn transaction<T, E: From<StoreError>>(
        &self,
        _caller: &Caller,
        _work: impl FnOnce(&Transaction<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        unimplemented!()
    }

    /// Runs `work` in one read-only snapshot. Blocks the thread.
    pub fn snapshot<T, E: From<StoreError>>(
        &self,
        _caller: &Caller,
        _work: impl FnOnce(&Transaction<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        unimplemented!()
    }
}
