//! Turns an intent into SQL for one caller and runs it.
//!
//! Start at [`Store::read`] (queries of the interface, answered as JSON) and [`Store::transaction`] (rows for product
//! code). Row scope is added here and nowhere else, so a field generated from the catalogue and one written by hand are
//! guarded alike. No table is named in this crate; what is SQLite's own stays in `dialect`, `driver` and `ddl`.

mod access;
mod answers;
mod backend;
mod bounds;
pub mod ddl;
mod dialect;
mod driver;
mod error;
mod follow;
mod indices;
mod json;
mod looks;
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
pub use follow::AfterWriteHook;
pub use moving::copy::{Contents, contents, pages, release, take_out};
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

/// Microseconds since 1970, UTC.
pub type Clock = fn() -> i64;

/// One database, open. Cloning shares it.
#[derive(Clone)]
pub struct Store {
    backend: Backend,
    catalogue: Arc<Catalogue>,
    /// Another clock than the system's.
    clock: Option<Clock>,
    bounds: Bounds,
    /// What is remembered of segments; `None` where rows answer everything.
    segments: Option<Arc<segments::Cache>>,
    /// What follows when rows are written.
    follows: Arc<[AfterWriteHook]>,
    marks: Arc<Marks>,
    /// Reads that take longer are logged.
    slow: Option<Duration>,
    pauses: Arc<driver::upkeep::Pauses>,
    sizes: Arc<looks::SizeMemory>,
}

/// From where a query of the interface is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ReadFrom {
    #[default]
    First,
    /// The [replica](Store::with_replica), and the first server where that fails.
    Replica,
}

/// A moment in the life of a database: between two that are equal nobody has committed anything, in this process or another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DataVersion(u64);

impl Store {
    /// Opens the database file, creating it from the catalogue when it is new and adding what the catalogue has gained.
    pub fn open(path: &Path, catalogue: Arc<Catalogue>) -> Result<Self, OpenError> {
        Self::over(DatabaseFile::open(path)?, catalogue)
    }

    /// The same, over a file that is open.
    pub fn over(file: DatabaseFile, catalogue: Arc<Catalogue>) -> Result<Self, OpenError> {
        let path = file.path.clone();
        let writer = open::bring_up(file, &catalogue)?;
        let connections = Connections::new(&path, writer, &catalogue)
            .map_err(|error| OpenError::Cannot { path, cause: store_error(error) })?;
        Ok(Self {
            backend: Backend::Sqlite(connections),
            catalogue,
            clock: None,
            bounds: Bounds::default(),
            segments: Some(Arc::default()),
            follows: Arc::default(),
            marks: Arc::default(),
            slow: None,
            pauses: Arc::default(),
            sizes: Arc::default(),
        })
    }

    /// Opens a database of PostgreSQL by its address (`postgres://…`), creating what the catalogue has and it has not. Blocks the thread.
    pub fn open_postgres(url: &str, catalogue: Arc<Catalogue>) -> Result<Self, OpenError> {
        Self::open_postgres_within(url, catalogue, ConnectionLimits::default())
    }

    /// The same with other limits.
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
            follows: Arc::default(),
            marks: Arc::default(),
            slow: None,
            pauses: Arc::default(),
            sizes: Arc::default(),
        }
    }

    /// The same database, where reads that [allow it](ReadFrom::Replica) go to a server at another address that follows the first one. It need not be
    /// reachable. Blocks nothing.
    pub fn with_replica(self, url: &str) -> Result<Self, OpenError> {
        let (address, path) = open::address(url)?;
        let Backend::Postgres(connections) = &self.backend else {
            return Err(OpenError::Cannot { path, cause: StoreError::OfOneFile });
        };
        connections.follow_with(address);
        Ok(self)
    }

    /// A time, µs since 1970 UTC by the clock of the store, up to which the replica has everything, where that is at most `most_age` ago and this process has
    /// written nothing since. `None` without a replica, and where it cannot be reached or is further behind.
    pub fn replica_as_of(&self, most_age: Duration) -> Option<i64> {
        match &self.backend {
            Backend::Sqlite(_) => None,
            Backend::Postgres(connections) => connections.replica_as_of(most_age),
        }
    }

    /// Whether the replica has everything that is written at this moment; an error where it cannot be reached or is none.
    pub fn look_at_replica(&self) -> Result<bool, StoreError> {
        match &self.backend {
            Backend::Sqlite(_) => Err(StoreError::OfOneFile),
            Backend::Postgres(connections) => connections.look_at_replica(),
        }
    }

    /// Whether services on other computers may have the same database open.
    pub fn is_shared(&self) -> bool {
        self.backend.sqlite().is_none()
    }

    /// The same database, where something follows when rows of some tables are written. Say it once, before anything is written.
    pub fn following(mut self, follows: &[AfterWriteHook]) -> Result<Self, StoreError> {
        follow::attach(&self.backend, &self.catalogue, follows)?;
        self.follows = follows.into();
        Ok(self)
    }

    /// The same database, with other bounds for what one request of the interface may take.
    #[must_use]
    pub fn with_bounds(mut self, bounds: Bounds) -> Self {
        self.bounds = bounds;
        self
    }

    /// The same database, where reads of the interface that take so long are logged with their plan.
    #[must_use]
    pub fn with_slow_reads_logged(mut self, from: Option<Duration>) -> Self {
        self.slow = from;
        self
    }

    /// The same database, with another time for columns that default to the time of the write.
    #[must_use]
    pub fn with_clock(mut self, clock: Clock) -> Self {
        self.clock = Some(clock);
        self
    }

    /// What the clock of the store says, µs since 1970 UTC: with PostgreSQL, the database's.
    pub fn now(&self) -> i64 {
        self.clock.map_or_else(|| system_time() + self.clock_ahead(), |clock| clock())
    }

    /// How far the clock of the database is ahead of this machine's, µs: 0 with SQLite, and where the difference is too small to matter.
    pub fn clock_ahead(&self) -> i64 {
        self.backend.clock_ahead()
    }

    /// The same database, where groupings are answered from rows alone: what segments are compared with.
    #[must_use]
    pub fn without_segments(mut self) -> Self {
        self.segments = None;
        self
    }

    pub fn catalogue(&self) -> &Arc<Catalogue> {
        &self.catalogue
    }

    /// The rows of a transaction, as a caller meets them.
    fn rows<'a>(&'a self, db: Db<'a>, caller: &'a Caller) -> Transaction<'a> {
        Transaction::new(db, &self.catalogue, caller, self.now(), self.bounds).with(&self.marks)
    }

    /// The present moment. Take it before reading what is to be kept until something changes. Blocks the thread, briefly.
    pub fn moment(&self) -> Result<DataVersion, StoreError> {
        self.backend.moment().map(DataVersion)
    }

    /// Watches tables for commits of anybody, in this process or another.
    pub fn watch(&self, tables: Vec<TableId>) -> Watch {
        self.backend.watch(tables)
    }

    /// Watches tables for commits of this process alone: nobody looks at the file for it. Where several servers share the database, for those of all.
    pub fn watch_own(&self, tables: Vec<TableId>) -> Watch {
        self.backend.watch_own(tables)
    }

    /// Comes back when the last clone of this store has gone and its connections are closed: then everything written is in the one file, and nothing of
    /// this process changes it any more. Holds nothing open itself.
    pub fn closed(&self) -> impl Future<Output = ()> + Send + use<> {
        self.backend.closed()
    }
}

/// The version of SQLite inside this program.
pub fn sqlite_version() -> &'static str {
    rusqlite::version()
}

fn system_time() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_micros()).unwrap_or(i64::MAX)
}
