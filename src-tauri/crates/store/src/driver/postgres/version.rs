//! Detects that a newer program has migrated the database since it was opened. This program then neither reads nor writes it any more.

use super::session::Session;
use crate::StoreError;
use crate::driver::sqlite::store_error;
use catalogue::Catalogue;
use rusqlite::types::Value;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

pub(super) struct SchemaVersion {
    /// The table of applied migrations.
    table: &'static str,
    /// Number of the last migration that this program has.
    known: i64,
    /// How long a check is valid for reads.
    good_for: Duration,
    looked: Mutex<Option<Instant>>,
}

impl SchemaVersion {
    pub(super) fn new(table: &'static str, catalogue: &Catalogue, good_for: Duration) -> Self {
        let known = catalogue.migrations.last().map_or(1, |migration| i64::from(migration.number));
        Self { table, known, good_for, looked: Mutex::default() }
    }

    /// Refuses a database migrated by a newer program.
    pub(super) fn check(&self, session: &Session) -> Result<(), StoreError> {
        let mut statement = session.prepare(&format!("SELECT max(number)::bigint FROM \"{}\"", self.table));
        let mut cursor = statement.query();
        let row = cursor.next().map_err(store_error)?;
        match row.and_then(|cells| cells.first()) {
            Some(&Value::Integer(found)) if found > self.known => {
                *self.looked() = None;
                Err(StoreError::NewerSchema { found, known: self.known })
            }
            _ => Ok(()),
        }
    }

    /// Like [`Self::check`], for reads: a check is valid for a while.
    pub(super) fn check_when_due(&self, session: &Session) -> Result<(), StoreError> {
        let mut looked = self.looked();
        if looked.is_some_and(|looked| looked.elapsed() < self.good_for) {
            return Ok(());
        }
        *looked = Some(Instant::now());
        drop(looked);
        self.check(session)
    }

    fn looked(&self) -> MutexGuard<'_, Option<Instant>> {
        self.looked.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
