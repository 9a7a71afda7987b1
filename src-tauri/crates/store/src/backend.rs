//! The database behind a store: one SQLite file, or PostgreSQL.

use crate::StoreError;
use crate::bounds::Deadline;
use crate::driver::answer_memo::AnswerMemo;
use crate::driver::db::Db;
use crate::driver::postgres;
use crate::driver::sqlite::{self, store_error};
use crate::notices::{Foreign, Notices, Watch};
use crate::scope::ReadScope;
use crate::sql::Dialect;
use catalogue::TableId;
use std::pin::Pin;
use std::sync::Arc;

#[derive(Clone)]
pub(crate) enum Backend {
    Sqlite(Arc<sqlite::Connections>),
    Postgres(Arc<postgres::Connections>),
}

/// A snapshot for reading.
pub(crate) struct View<'a> {
    pub db: Db<'a>,
    /// Interrupts statements of the snapshot.
    pub deadline: &'a Deadline,
    /// SQLite only: answers that the reading connection remembers.
    pub answer_memo: Option<&'a AnswerMemo>,
}

impl Backend {
    pub(crate) fn dialect(&self) -> Dialect {
        match self {
            Self::Sqlite(_) => Dialect::Sqlite,
            Self::Postgres(_) => Dialect::Postgres,
        }
    }

    /// The SQLite connections; `None` for PostgreSQL. Callers skip features that exist for SQLite only.
    pub(crate) fn sqlite(&self) -> Option<&Arc<sqlite::Connections>> {
        match self {
            Self::Sqlite(connections) => Some(connections),
            Self::Postgres(_) => None,
        }
    }

    /// Runs `work` in a read-only snapshot.
    pub(crate) fn read<T, E: From<StoreError>>(
        &self,
        scope: ReadScope,
        work: impl FnOnce(View<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        match self {
            Self::Sqlite(connections) => {
                let work = |connection: &rusqlite::Connection, reader: &sqlite::Reader| {
                    let snapshot = connection.unchecked_transaction().map_err(store_error)?;
                    work(View {
                        db: Db::Sqlite(&snapshot),
                        deadline: &reader.deadline,
                        answer_memo: Some(&reader.answer_memo),
                    })
                };
                if scope.is_point_read { connections.read_point(work) } else { connections.read(work) }
            }
            Self::Postgres(connections) => connections.read(scope.is_one_statement, |session| {
                work(View { db: Db::Postgres(session), deadline: &session.deadline, answer_memo: None })
            }),
        }
    }

    /// Runs `work` in a snapshot of the replica. A failure may concern the replica only.
    pub(crate) fn read_replica<T, E: From<StoreError>>(
        &self,
        scope: ReadScope,
        work: impl FnOnce(View<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        match self {
            Self::Sqlite(_) => Err(StoreError::OfOneFile.into()),
            Self::Postgres(connections) => connections.read_replica(scope.is_one_statement, |session| {
                work(View { db: Db::Postgres(session), deadline: &session.deadline, answer_memo: None })
            }),
        }
    }

    pub(crate) fn data_version(&self) -> Result<u64, StoreError> {
        match self {
            Self::Sqlite(connections) => connections.data_version(),
            Self::Postgres(connections) => connections.data_version(),
        }
    }

    /// How far the database's clock is ahead of this machine's, in µs.
    pub(crate) fn clock_ahead(&self) -> i64 {
        match self {
            Self::Sqlite(_) => 0,
            Self::Postgres(connections) => connections.clock_ahead(),
        }
    }

    fn notices(&self) -> &Arc<Notices> {
        match self {
            Self::Sqlite(connections) => connections.notices(),
            Self::Postgres(connections) => connections.notices(),
        }
    }

    pub(crate) fn watch(&self, tables: Vec<TableId>) -> Watch {
        let foreign: Arc<dyn Foreign> = match self {
            Self::Sqlite(connections) => Arc::clone(connections) as _,
            Self::Postgres(connections) => Arc::clone(connections) as _,
        };
        Watch::new(Arc::clone(self.notices()), &foreign, tables)
    }

    pub(crate) fn watch_own(&self, tables: Vec<TableId>) -> Watch {
        match self {
            Self::Sqlite(connections) => Watch::own(Arc::clone(connections.notices()), tables),
            Self::Postgres(_) => self.watch(tables),
        }
    }

    /// Completes when all connections are closed. The future itself holds no connection.
    pub(crate) fn closed(&self) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        match self {
            Self::Sqlite(connections) => Box::pin(connections.closed()),
            Self::Postgres(connections) => {
                let mut open = connections.closed();
                Box::pin(async move { while open.changed().await.is_ok() {} })
            }
        }
    }
}
