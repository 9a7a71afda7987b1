//! Rows that are added unless they are there.

use super::{Inserter, Transaction, one_of};
use crate::StoreError;
use crate::driver::db::Db;
use catalogue::{Value, ValueRef};
use std::collections::HashSet;
use uuid::Uuid;

/// Adds rows of a table whose keys are not there yet; see [`Transaction::new_rows`].
pub struct NewRows<'a> {
    rows: &'a Transaction<'a>,
    table: &'a str,
    key: &'a str,
    inserter: Inserter<'a>,
}

impl<'a> Transaction<'a> {
    /// A prepared insert that leaves out rows which are there: the first column is the key of the table, a uuid. With SQLite the insert
    /// itself finds out; with PostgreSQL, to which rows go many at a time, the keys are looked up before.
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
    /// Adds those of the rows that are not there; for each whether it was added. No key stands among them twice.
    pub fn add<const N: usize>(&mut self, rows: &[[ValueRef<'_>; N]]) -> Result<Vec<bool>, StoreError> {
        let there = self.there(rows)?;
        rows.iter()
            .map(|row| {
                let is_there = matches!(row.first(), Some(ValueRef::Uuid(key)) if there.contains(key));
                Ok(!is_there && self.inserter.run(row)? > 0)
            })
            .collect()
    }

    /// The keys that have to be known before: none where the insert finds out.
    fn there<const N: usize>(&self, rows: &[[ValueRef<'_>; N]]) -> Result<HashSet<Uuid>, StoreError> {
        if matches!(self.rows.connection, Db::Sqlite(_)) || rows.is_empty() {
            return Ok(HashSet::new());
        }
        let keys = rows.iter().filter_map(|row| row.first().copied()).collect();
        let found = self.rows.select(self.table, &[self.key], &[one_of(self.key, keys)])?;
        Ok(found.iter().filter_map(|row| row.first().and_then(Value::as_uuid)).collect())
    }
}
