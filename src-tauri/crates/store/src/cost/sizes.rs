//! Table sizes. In SQLite the size is the highest row id; a table that lost rows counts with its former size.

use super::size_cache::SizeCache;
use crate::StoreError;
use crate::driver::db::Db;
use crate::driver::sqlite::store_error;
use crate::sql::Dialect;
use catalogue::{Catalogue, TableId, TableKind};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// The sizes of tables in one snapshot.
pub(crate) struct Sizes<'a> {
    connection: Db<'a>,
    catalogue: &'a Catalogue,
    known: RefCell<BTreeMap<TableId, u64>>,
    cache: &'a SizeCache,
    /// Microseconds since 1970.
    now: i64,
}

impl<'a> Sizes<'a> {
    pub(crate) fn new(
        connection: Db<'a>,
        catalogue: &'a Catalogue,
        remembered: &'a SizeCache,
        now: i64,
    ) -> Self {
        Self { connection, catalogue, known: RefCell::default(), cache: remembered, now }
    }

    /// The rows of a table; for a view, those of the largest table in its text.
    pub(super) fn rows(&self, table: TableId) -> Result<u64, StoreError> {
        if let Some(rows) = self.known.borrow().get(&table) {
            return Ok(*rows);
        }
        let rows = match &self.catalogue.table(table).kind {
            TableKind::View { select, .. } => {
                let words: Vec<&str> =
                    select.split(|letter: char| !letter.is_alphanumeric() && letter != '_').collect();
                let mut most = 0;
                for (other, described) in self.catalogue.iter() {
                    let is_view = matches!(described.kind, TableKind::View { .. });
                    if !is_view && words.contains(&described.name.as_str()) {
                        most = most.max(self.rows(other)?);
                    }
                }
                most
            }
            TableKind::Table | TableKind::Lookup { .. } => self.load(table)?,
        };
        self.known.borrow_mut().insert(table, rows);
        Ok(rows)
    }

    fn load(&self, table: TableId) -> Result<u64, StoreError> {
        if self.connection.dialect() == Dialect::Sqlite {
            return self.query(table);
        }
        if let Some(rows) = self.cache.get(table, self.now) {
            return Ok(rows);
        }
        let rows = self.query(table)?;
        self.cache.set(table, self.now, rows);
        Ok(rows)
    }

    fn query(&self, table: TableId) -> Result<u64, StoreError> {
        let name = &self.catalogue.table(table).name;
        let sql = match self.connection.dialect() {
            Dialect::Sqlite => format!("SELECT max(rowid) FROM \"{name}\""),
            // The last count of PostgreSQL; -1 if there is none.
            Dialect::Postgres => {
                format!("SELECT reltuples::bigint FROM pg_class WHERE oid = to_regclass('\"{name}\"')")
            }
        };
        let mut statement = self.connection.prepare_cached(&sql).map_err(store_error)?;
        let last: Option<i64> = statement.first::<Option<i64>>().map_err(store_error)?.flatten();
        Ok(last.and_then(|last| u64::try_from(last).ok()).unwrap_or_default())
    }
}
