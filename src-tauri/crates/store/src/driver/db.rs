//! One interface for running statements on SQLite or PostgreSQL.
//!
//! Parameters are written `?1`, `?2` … Cells are SQLite's storage classes in both directions: an id is 16 bytes, a time an integer of
//! microseconds, a decimal its text. [`super::postgres`] converts them to and from PostgreSQL's types.

use super::postgres::{self, Session};
use crate::sql::Dialect;
use rusqlite::types::{FromSql, ToSql, Value, ValueRef};
use rusqlite::{CachedStatement, Result, StatementStatus};
use std::cell::Cell;

thread_local! {
    static STEPS: Cell<u64> = const { Cell::new(0) };
}

/// SQLite VM steps executed so far by completed statements of this thread: the cost of reads, independent of the machine's load.
/// PostgreSQL counts rows itself (`pg_stat_user_tables`).
pub fn steps() -> u64 {
    STEPS.get()
}

/// A connection with an open transaction or snapshot.
#[derive(Clone, Copy)]
pub(crate) enum Db<'a> {
    Sqlite(&'a rusqlite::Connection),
    Postgres(&'a Session),
}

impl<'a> From<&'a rusqlite::Connection> for Db<'a> {
    fn from(connection: &'a rusqlite::Connection) -> Self {
        Self::Sqlite(connection)
    }
}

impl<'a> Db<'a> {
    pub(crate) fn dialect(self) -> Dialect {
        match self {
            Self::Sqlite(_) => Dialect::Sqlite,
            Self::Postgres(_) => Dialect::Postgres,
        }
    }

    /// Prepares a statement, or takes it from the cache.
    pub(crate) fn prepare_cached(self, sql: &str) -> Result<Call<'a>> {
        Ok(match self {
            Self::Sqlite(connection) => Call::Sqlite(connection.prepare_cached(sql)?),
            Self::Postgres(session) => Call::Postgres(session.prepare(sql)),
        })
    }

    /// Runs statements without parameters and results.
    pub(crate) fn execute_batch(self, sql: &str) -> Result<()> {
        match self {
            Self::Sqlite(connection) => connection.execute_batch(sql),
            Self::Postgres(session) => session.batch(sql),
        }
    }

    /// Whether no transaction is open.
    pub(crate) fn is_autocommit(self) -> bool {
        match self {
            Self::Sqlite(connection) => connection.is_autocommit(),
            Self::Postgres(session) => !session.has_transaction(),
        }
    }
}

/// A statement with its parameters.
pub(crate) enum Call<'a> {
    Sqlite(CachedStatement<'a>),
    Postgres(postgres::Call<'a>),
}

impl Call<'_> {
    /// The highest parameter number in the statement.
    pub(crate) fn parameter_count(&self) -> usize {
        match self {
            Self::Sqlite(statement) => statement.parameter_count(),
            Self::Postgres(prepared) => prepared.parameter_count(),
        }
    }

    /// Binds a parameter, counted from 1.
    pub(crate) fn bind<T: ToSql>(&mut self, place: usize, value: T) -> Result<()> {
        match self {
            Self::Sqlite(statement) => statement.raw_bind_parameter(place, value),
            Self::Postgres(prepared) => prepared.bind(place, &value),
        }
    }

    /// Binds a list as an array; PostgreSQL only.
    pub(crate) fn bind_each(&mut self, place: usize, values: Vec<Value>) -> Result<()> {
        match self {
            Self::Sqlite(_) => Err(rusqlite::Error::InvalidParameterName(place.to_string())),
            Self::Postgres(prepared) => {
                prepared.bind_each(place, values);
                Ok(())
            }
        }
    }

    /// Binds all parameters in order.
    pub(crate) fn bind_all(&mut self, values: &[&dyn ToSql]) -> Result<()> {
        (1..).zip(values).try_for_each(|(place, value)| self.bind(place, value))
    }

    /// Runs the statement and returns a cursor over its rows.
    pub(crate) fn query(&mut self) -> Cursor<'_> {
        match self {
            Self::Sqlite(statement) => Cursor::Sqlite(statement.raw_query()),
            Self::Postgres(prepared) => Cursor::Postgres(prepared.query()),
        }
    }

    /// Runs the statement. Returns the number of affected rows.
    pub(crate) fn execute(&mut self) -> Result<usize> {
        match self {
            Self::Sqlite(statement) => statement.raw_execute(),
            Self::Postgres(prepared) => prepared.execute(),
        }
    }

    /// The first cell of the first row, if there is a row.
    pub(crate) fn first<T: FromSql>(&mut self) -> Result<Option<T>> {
        self.query().next()?.map(|row| row.get(0)).transpose()
    }
}

impl Drop for Call<'_> {
    fn drop(&mut self) {
        if let Self::Sqlite(statement) = self {
            let taken = statement.reset_status(StatementStatus::VmStep);
            STEPS.set(STEPS.get() + u64::try_from(taken).unwrap_or_default());
        }
    }
}

/// A cursor over rows.
pub(crate) enum Cursor<'s> {
    Sqlite(rusqlite::Rows<'s>),
    Postgres(postgres::Cursor<'s>),
}

impl Cursor<'_> {
    pub(crate) fn next(&mut self) -> Result<Option<Row<'_>>> {
        Ok(match self {
            Self::Sqlite(rows) => rows.next()?.map(Row::Sqlite),
            Self::Postgres(cursor) => cursor.next()?.map(Row::Postgres),
        })
    }
}

/// The current row, valid until the next is read.
#[derive(Clone, Copy)]
pub(crate) enum Row<'r> {
    Sqlite(&'r rusqlite::Row<'r>),
    Postgres(&'r [Value]),
}

impl<'r> Row<'r> {
    pub(crate) fn get_ref(self, place: usize) -> Result<ValueRef<'r>> {
        match self {
            Self::Sqlite(row) => row.get_ref(place),
            Self::Postgres(cells) => {
                cells.get(place).map(Into::into).ok_or(rusqlite::Error::InvalidColumnIndex(place))
            }
        }
    }

    /// Copies the cells.
    pub(crate) fn cells(self) -> Result<Vec<Value>> {
        match self {
            Self::Sqlite(row) => (0..row.as_ref().column_count()).map(|place| row.get(place)).collect(),
            Self::Postgres(cells) => Ok(cells.to_vec()),
        }
    }

    pub(crate) fn get<T: FromSql>(self, place: usize) -> Result<T> {
        let cell = self.get_ref(place)?;
        T::column_result(cell)
            .map_err(|error| rusqlite::Error::FromSqlConversionFailure(place, cell.data_type(), error.into()))
    }
}
