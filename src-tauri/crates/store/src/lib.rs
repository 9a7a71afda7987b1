//! Turns an intent into SQL for one caller and runs it.
//!
//! Start at [`Store::read`] (GraphQL queries, answered as JSON) and [`Store::transaction`] (rows for product code). The row filter of the
//! caller is added here and nowhere else, therefore generated and hand-written fields are protected alike. No table is named in this
//! crate. SQLite specifics are confined to `dialect`, `driver` and `ddl`.

mod access;
mod answers;
mod backend;
mod bounds;
mod cost;
pub mod ddl;
mod dialect;
mod driver;
mod error;
mod hooks;
mod indices;
mod json;
mod lookups;
mod marks;
pub mod moving;
mod notices;
mod open;
mod plan;
pub mod query;
mod reading;
mod references;
mod rows;
pub mod schema;
mod scope;
mod search;
mod segments;
mod shared;
mod slow;
mod sql;
mod statement;
#[cfg(test)]
mod tests;
mod trail;
mod values;
mod work;
mod writing;

pub use access::PlanScope;
pub use answers::pieces::ResponseChunks;
pub use bounds::{Bounds, Cancel};
pub use driver::database_file::{DatabaseFile, MigrationStep, SCHEMA_VERSION};
pub use driver::db::steps;
pub use driver::postgres::ConnectionLimits;
pub use driver::sqlite::is_damage;
pub use driver::upkeep::UpkeepPause;
pub use error::{OpenError, StoreError};
pub use hooks::AfterWriteHook;
pub use moving::copy::{Contents, close_for_move, inspect_copy, page_content, redact_copy};
pub use notices::Watch;
pub use plan::Plans;
pub use query::Query;
pub use query::change;
pub use query::change::{Change, Member, MemberValue};
pub use reading::Answer;
pub use rows::{
    Condition, Inserter, MarkedRows, NewRows, Transaction, eq, ge, gt, is_null, le, lt, ne, one_of,
};
pub use search::Near;
pub use segments::{AnswerSource, Explanation, SegmentReport};
pub use values::citext::fold;
pub use values::pattern;
pub use work::{Code, Work};

use backend::Backend;
use catalogue::{Caller, Catalogue, TableId};
use driver::db::Db;
use driver::sqlite::{Connections, store_error};
use marks::Marks;
use schema::postgres::Purpose;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Returns the time in microseconds since 1970, UTC.
pub type Clock = fn() -> i64;

/// One open database. Clones share it.
#[derive(Clone)]
pub struct Store {
    backend: Backend,
    catalogue: Arc<Catalogue>,
    /// Replaces the system clock.
    clock: Option<Clock>,
    bounds: Bounds,
    /// The cache of column segments; `None` if all queries are answered from rows.
    segments: Option<Arc<segments::Cache>>,
    /// Hooks that run when rows are written.
    hooks: Arc<[AfterWriteHook]>,
    marks: Arc<Marks>,
    /// Reads that take longer are logged.
    slow: Option<Duration>,
    pauses: Arc<driver::upkeep::Pauses>,
    sizes: Arc<cost::SizeCache>,
}

/// Which server answers a GraphQL query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ReadFrom {
    #[default]
    First,
    /// The [replica](Store::with_replica), or the primary if the replica fails.
    Replica,
}

/// A version of the data: between two equal versions no process has committed anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DataVersion(u64);

impl Store {
    /// Opens the database file. A new file is created from the catalogue; tables and columns that the catalogue has gained are added.
    pub fn open(path: &Path, catalogue: Arc<Catalogue>) -> Result<Self, OpenError> {
        Self::open_file(DatabaseFile::open(path)?, catalogue)
    }

    /// Opens the store on an already open file, as [`Store::open`].
    pub fn open_file(file: DatabaseFile, catalogue: Arc<Catalogue>) -> Result<Self, OpenError> {
        let path = file.path.clone();
        let writer = open::update_schema(file, &catalogue)?;
        let connections = Connections::new(&path, writer, &catalogue)
            .map_err(|error| OpenError::Cannot { path, cause: store_error(error) })?;
        Ok(Self {
            backend: Backend::Sqlite(connections),
            catalogue,
            clock: None,
            bounds: Bounds::default(),
            segments: Some(Arc::default()),
            hooks: Arc::default(),
            marks: Arc::default(),
            slow: None,
            pauses: Arc::default(),
            sizes: Arc::default(),
        })
    }

    /// Opens a PostgreSQL database by its URL (`postgres://…`), and creates what is missing compared with the catalogue. Blocks the thread.
    pub fn open_postgres(url: &str, catalogue: Arc<Catalogue>) -> Result<Self, OpenError> {
        Self::open_postgres_within(url, catalogue, ConnectionLimits::default())
    }

    /// Like [`Store::open_postgres`], with the given connection limits.
    pub fn open_postgres_within(
        url: &str,
        catalogue: Arc<Catalogue>,
        limits: ConnectionLimits,
    ) -> Result<Self, OpenError> {
        let connections = open::postgres(url, &catalogue, Purpose::Use, limits)?;
        Ok(Self::over_postgres(connections, catalogue))
    }

    fn over_postgres(connections: Arc<driver::postgres::Connections>, catalogue: Arc<Catalogue>) -> Self {
        Self {
            backend: Backend::Postgres(connections),
            catalogue,
            clock: None,
            bounds: Bounds::default(),
            segments: None,
            hooks: Arc::default(),
            marks: Arc::default(),
            slow: None,
            pauses: Arc::default(),
            sizes: Arc::default(),
        }
    }

    /// Adds a replica at another URL for reads that [allow it](ReadFrom::Replica). It need not be reachable. Does not block.
    pub fn with_replica(self, url: &str) -> Result<Self, OpenError> {
        let (address, path) = open::address(url)?;
        let Backend::Postgres(connections) = &self.backend else {
            return Err(OpenError::Cannot { path, cause: StoreError::OfOneFile });
        };
        connections.set_replica(address);
        Ok(self)
    }

    /// A time, in µs since 1970 UTC by the store's clock, up to which the replica has all data. Only returned if it is at most `most_age`
    /// ago and this process has written nothing since. `None` without a replica, or if it is unreachable or lags further behind.
    pub fn replica_as_of(&self, most_age: Duration) -> Option<i64> {
        match &self.backend {
            Backend::Sqlite(_) => None,
            Backend::Postgres(connections) => connections.replica_as_of(most_age),
        }
    }

    /// Whether the replica has everything written so far. An error if it cannot be reached or is not a replica.
    pub fn is_replica_current(&self) -> Result<bool, StoreError> {
        match &self.backend {
            Backend::Sqlite(_) => Err(StoreError::OfOneFile),
            Backend::Postgres(connections) => connections.is_replica_current(),
        }
    }

    /// Whether services on other computers may have the same database open.
    pub fn is_shared(&self) -> bool {
        self.backend.sqlite().is_none()
    }

    /// Adds hooks that run when rows of some tables are written. Call once, before anything is written.
    pub fn with_hooks(mut self, follows: &[AfterWriteHook]) -> Result<Self, StoreError> {
        hooks::attach(&self.backend, &self.catalogue, follows)?;
        self.hooks = follows.into();
        Ok(self)
    }

    /// Sets the limits for one GraphQL request.
    #[must_use]
    pub fn with_bounds(mut self, bounds: Bounds) -> Self {
        self.bounds = bounds;
        self
    }

    /// Sets the duration from which GraphQL reads are logged with their plan.
    #[must_use]
    pub fn with_slow_reads_logged(mut self, from: Option<Duration>) -> Self {
        self.slow = from;
        self
    }

    /// Sets the clock used for columns that default to the time of the write.
    #[must_use]
    pub fn with_clock(mut self, clock: Clock) -> Self {
        self.clock = Some(clock);
        self
    }

    /// The time of the store's clock, µs since 1970 UTC: with PostgreSQL, that of the database server.
    pub fn now(&self) -> i64 {
        self.clock.map_or_else(|| system_time() + self.clock_ahead(), |clock| clock())
    }

    /// How far the database's clock is ahead of this machine's, in µs: 0 with SQLite, and when the difference is negligible.
    pub fn clock_ahead(&self) -> i64 {
        self.backend.clock_ahead()
    }

    /// Answers groupings from rows only; used to verify segments.
    #[must_use]
    pub fn without_segments(mut self) -> Self {
        self.segments = None;
        self
    }

    pub fn catalogue(&self) -> &Arc<Catalogue> {
        &self.catalogue
    }

    /// Rows of a transaction, with the access of a caller.
    fn rows<'a>(&'a self, db: Db<'a>, caller: &'a Caller) -> Transaction<'a> {
        Transaction::new(db, &self.catalogue, caller, self.now(), self.bounds).with_marks(&self.marks)
    }

    /// The current version of the data. Take it before reading data that is cached until something changes. Blocks the thread briefly.
    pub fn data_version(&self) -> Result<DataVersion, StoreError> {
        self.backend.data_version().map(DataVersion)
    }

    /// Watches tables for commits by any process.
    pub fn watch(&self, tables: Vec<TableId>) -> Watch {
        self.backend.watch(tables)
    }

    /// Watches tables for commits by this process only, which needs no polling of the file. If several servers share the database, for
    /// commits by all servers.
    pub fn watch_own(&self, tables: Vec<TableId>) -> Watch {
        self.backend.watch_own(tables)
    }

    /// Completes when the last clone of this store is dropped and its connections are closed. All data is then in the single database
    /// file, and this process no longer changes it. The future itself holds nothing open.
    pub fn closed(&self) -> impl Future<Output = ()> + Send + use<> {
        self.backend.closed()
    }
}

/// The version of the built-in SQLite.
pub fn sqlite_version() -> &'static str {
    rusqlite::version()
}

fn system_time() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_micros()).unwrap_or(i64::MAX)
}
