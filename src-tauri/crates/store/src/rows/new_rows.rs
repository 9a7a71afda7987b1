//! Inserts rows that do not exist yet.

use super::{Inserter, Transaction, one_of};
use crate::StoreError;
use crate::driver::db::Db;
use catalogue::{Value, ValueRef};
use std::collections::HashSet;
use uuid::Uuid;

/// Inserts rows whose keys do not exist yet; see [`Transaction::new_rows`].
pub struct NewRows<'a> {
    rows: &'a Transaction<'a>,
    table: &'a str,
    key: &'a str,
    inserter: Inserter<'a>,
}

impl<'a> Transaction<'a> {
    /// A prepared insert that skips existing rows; the first column must be the table's key, a uuid. With SQLite the insert itself detects
    /// existing keys. With PostgreSQL, where many rows are sent at once, the keys are looked up first.
    pub fn new_rows(&'a self, table: &'a str, columns: &'a [&'a str]) -> Result<NewRows<'a>, StoreError> {
        let key = columns.first().copied().unwrap_or_default();
        let inserter = match self.connection {
            Db::Sqlite(_) => {
                self.inserter_with(table, columns, &format!(" ON CONFLICT (\"{key}\") DO NOTHING"))?
            }
            Db::Postgres(_) => self.inserter(table, columns)?,
        };
        Ok(NewRows { rows: self, table, key, inserter })
    }
}

impl NewRows<'_> {
    /// Inserts the rows that do not exist, and returns for each row whether it was inserted. The keys must be distinct.
    pub fn add<const N: usize>(&mut self, rows: &[[ValueRef<'_>; N]]) -> Result<Vec<bool>, StoreError> {
        let there = self.there(rows)?;
        rows.iter()
            .map(|row| {
                let is_there = matches!(row.first(), Some(ValueRef::Uuid(key)) if there.contains(key));
                Ok(!is_there && self.inserter.run(row)? > 0)
            })
            .collect()
    }

    /// The existing keys; empty if the insert itself detects them.
    fn there<const N: usize>(&self, rows: &[[ValueRef<'_>; N]]) -> Result<HashSet<Uuid>, StoreError> {
        if matches!(self.rows.connection, Db::Sqlite(_)) || rows.is_empty() {
            return Ok(HashSet::new());
        }
        let keys = rows.iter().filter_map(|row| row.first().copied()).collect();
        let found = self.rows.select(self.table, &[self.key], &[one_of(self.key, keys)])?;
        Ok(found.iter().filter_map(|row| row.first().and_then(Value::as_uuid)).collect())
    }
}
