//! Deduplicates the shared cells of many rows written by one transaction.

use crate::driver::db::Db;
use crate::shared::{TABLE, find, number};
use rusqlite::Result;
use rusqlite::types::{ToSqlOutput, Value, ValueRef};
use std::collections::HashMap;
use std::hash::BuildHasher as _;

/// Values of fewer bytes are stored in the row. In tests, nearly all values are shared.
const WORTH_IT: usize = if cfg!(test) { 5 } else { 12 };
/// Maximum number of remembered values, including those seen once.
const MOST: usize = 1 << 18;
/// Maximum number of values one transaction adds: they are held in memory until it ends.
const MOST_ADDED: usize = 1 << 17;

/// What this transaction knows about a value.
enum Occurrence {
    /// Seen once; its row stores it.
    Once,
    /// Stored in the shared table, under this number.
    Shared(i64, Box<[u8]>),
    /// Another value has the same number; rows store this one themselves.
    Own,
}

/// Decides what rows store. Must not outlive its writes: it belongs to one transaction, or to a part that is rolled back as a whole.
pub(crate) struct Sharer<'a> {
    connection: Db<'a>,
    hasher: foldhash::fast::RandomState,
    known: HashMap<u64, Occurrence, foldhash::fast::RandomState>,
    added: usize,
}

impl<'a> Sharer<'a> {
    pub(crate) fn new(connection: Db<'a>) -> Self {
        Self {
            connection,
            hasher: foldhash::fast::RandomState::default(),
            known: HashMap::default(),
            added: 0,
        }
    }

    /// What a row stores for these cells: null, the cells themselves, or their number in the shared table. Cells are added to the table
    /// when seen a second time.
    pub(crate) fn hold<'c>(&mut self, cells: &'c [u8]) -> Result<ToSqlOutput<'c>> {
        if cells.is_empty() {
            return Ok(ToSqlOutput::Owned(Value::Null));
        }
        let own = ToSqlOutput::Borrowed(ValueRef::Blob(cells));
        if cells.len() < WORTH_IT {
            return Ok(own);
        }
        let hash = self.hasher.hash_one(cells);
        let came = match self.known.get(&hash) {
            Some(Occurrence::Shared(number, known)) if **known == *cells => {
                return Ok(ToSqlOutput::Owned(Value::Integer(*number)));
            }
            Some(Occurrence::Own | Occurrence::Shared(..)) => return Ok(own),
            Some(Occurrence::Once) => true,
            None => false,
        };
        let number = number(cells);
        let known = match self.find(number)? {
            Some(found) if found == cells => Occurrence::Shared(number, cells.into()),
            Some(_) => Occurrence::Own,
            None if came && self.added < MOST_ADDED => {
                self.add(number, cells)?;
                Occurrence::Shared(number, cells.into())
            }
            None => Occurrence::Once,
        };
        if self.known.len() >= MOST {
            self.known.clear();
        }
        let is_shared = matches!(known, Occurrence::Shared(..));
        self.known.insert(hash, known);
        Ok(if is_shared { ToSqlOutput::Owned(Value::Integer(number)) } else { own })
    }

    fn find(&self, number: i64) -> Result<Option<Vec<u8>>> {
        let mut statement = self.connection.prepare_cached(&find())?;
        statement.bind(1, number)?;
        statement.first()
    }

    fn add(&mut self, number: i64, cells: &[u8]) -> Result<()> {
        let sql = format!("INSERT INTO \"{TABLE}\" (\"id\", \"cells\") VALUES (?1, shared_noted(?2))");
        let mut statement = self.connection.prepare_cached(&sql)?;
        statement.bind(1, number)?;
        statement.bind(2, cells)?;
        statement.execute()?;
        self.added += 1;
        Ok(())
    }
}
