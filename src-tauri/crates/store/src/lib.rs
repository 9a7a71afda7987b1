//! Turns an intent into SQL for one caller and runs it.
//!
//! Start at [`Store::read`] (queries of the interface, answered as JSON) and [`Store::transaction`] (rows for product
//! code). Row scope is added here and nowhere else, so a field generated from the catalogue and one written by hand are
//! guarded alike. No table is named in this crate; what is SQLite's own stays in `dialect`, `driver` and `ddl`.

mod access;
mod bounds;
mod calendar;
mod cells;
pub mod change;
mod constraint;
mod copy;
pub mod ddl;
mod dialect;
mod driver;
mod error;
mod follow;
mod group;
mod indices;
mod json;
mod json_changes;
mod json_sort;
mod json_tests;
mod like;
mod looks;
mod marks;
mod notices;
mod open;
pub mod pattern;
mod pieces;
mod plan;
pub mod query;
mod rows;
mod search;
mod segments;
#[cfg(test)]
mod tests;
mod trail;
mod work;
mod write;

pub use access::Whose;
pub use bounds::{Bounds, Cancel};
pub use change::Change;
pub use copy::{Contents, contents, release};
pub use error::{OpenError, StoreError};
pub use follow::Follow;
pub use marks::Marked;
pub use notices::Watch;
pub use open::DatabaseFile;
pub use pieces::Pieces;
pub use plan::Plans;
pub use query::Query;
pub use rows::{Condition, Inserter, Transaction, eq, ge, gt, is_null, le, lt, ne, one_of};
pub use search::Near;
pub use segments::{Chosen, Explained, Kept};
pub use work::{Code, Work};

use bounds::Meter;
use catalogue::{Caller, Catalogue, TableId, Value};
use change::ChangeKind;
use driver::sqlite::{Connections, Reader, begin, set_cache, store_error};
use group::Shared;
use json::Given;
use looks::Sizes;
use marks::Marks;
use plan::Body;
use std::path::Path;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};
use trail::Hand;

/// Microseconds since 1970, UTC.
pub type Clock = fn() -> i64;

/// One database, open. Cloning shares it.
#[derive(Clone)]
pub struct Store {
    connections: Arc<Connections>,
    catalogue: Arc<Catalogue>,
    clock: Clock,
    bounds: Bounds,
    /// What is remembered of segments; `None` where rows answer everything.
    segments: Option<Arc<segments::Cache>>,
    /// What follows when rows are written.
    follows: Arc<[Follow]>,
    marks: Arc<Marks>,
}

/// Which of the changes failed, and why.
type Failed = (usize, StoreError);

/// A moment in the life of a database: between two that are equal nobody has committed anything, in this process or another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment(u64);

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
            connections,
            catalogue,
            clock: system_time,
            bounds: Bounds::default(),
            segments: Some(Arc::default()),
            follows: Arc::default(),
            marks: Arc::default(),
        })
    }

    /// The same database, where something follows when rows of some tables are written. Say it once, before anything is written.
    pub fn following(mut self, follows: &[Follow]) -> Result<Self, StoreError> {
        follow::attach(&self.connections.writer(), &self.catalogue, follows)?;
        self.follows = follows.into();
        Ok(self)
    }

    /// The same database, with other bounds for what one request of the interface may take.
    #[must_use]
    pub fn with_bounds(mut self, bounds: Bounds) -> Self {
        self.bounds = bounds;
        self
    }

    /// The same database, with another time for columns that default to the time of the write.
    #[must_use]
    pub fn with_clock(mut self, clock: Clock) -> Self {
        self.clock = clock;
        self
    }

    /// What the clock of the store says, µs since 1970 UTC.
    pub fn now(&self) -> i64 {
        (self.clock)()
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

    /// Opens the connections that read, so that the first questions do not wait for it. Blocks the thread.
    pub fn open_ahead(&self) -> Result<(), StoreError> {
        self.connections.open_ahead()
    }

    /// Answers all queries from one snapshot, as the members of one JSON object (`{"a":…,"b":…}`), in their order.
    /// Blocks the thread.
    pub fn read(&self, caller: &Caller, queries: &[Query]) -> Result<Vec<u8>, StoreError> {
        self.read_until(caller, queries, &Cancel::default())
    }

    /// The same, until `cancel` stops it.
    pub fn read_until(
        &self,
        caller: &Caller,
        queries: &[Query],
        cancel: &Cancel,
    ) -> Result<Vec<u8>, StoreError> {
        self.run(caller, &self.plan(caller, queries), &[], cancel)
    }

    /// Decides how queries are answered for this caller, and for every other one with the same [`Whose`].
    pub fn plan(&self, caller: &Caller, queries: &[Query]) -> Plans {
        let plans = queries.iter().map(|query| dialect::sqlite::plan(&self.catalogue, caller, query));
        Plans { plans: plans.collect(), looks: looks::of_queries(&self.catalogue, queries, self.bounds.rows) }
    }

    /// Answers what was planned, as [`Store::read`] does, until `cancel` stops it. `slots` holds a value for each slot the
    /// queries have.
    pub fn run(
        &self,
        caller: &Caller,
        plans: &Plans,
        slots: &[Value],
        cancel: &Cancel,
    ) -> Result<Vec<u8>, StoreError> {
        Ok(self.run_explained(caller, plans, slots, cancel)?.0.into_bytes())
    }

    /// The same, with how each entry was answered.
    pub fn run_explained(
        &self,
        caller: &Caller,
        plans: &Plans,
        slots: &[Value],
        cancel: &Cancel,
    ) -> Result<(Pieces, Vec<Explained>), StoreError> {
        let meter = Meter::new(self.bounds);
        let work = |connection: &rusqlite::Connection, reader: &Reader| {
            let _alarm = reader.alarm.set(self.bounds.time, cancel);
            let snapshot = connection.unchecked_transaction().map_err(store_error)?;
            plans.looks.check(&Sizes::new(&snapshot, &self.catalogue), slots, self.bounds)?;
            let tenant = caller.tenant();
            let segments = self.segments.as_ref().map(|cache| segments::Reader {
                catalogue: &self.catalogue,
                cache,
                connection: &snapshot,
                tenant,
                alarm: &reader.alarm,
                told: &reader.told,
                lacking: self.connections.lacking(),
            });
            let given = Given { now: (self.clock)(), slots };
            let writer = json::Writer { connection: &snapshot, tenant, given, meter: &meter, segments };
            let mut explained = Vec::with_capacity(plans.plans.len());
            let mut pieces = Pieces::from(vec![b'{']);
            for (place, plan) in plans.plans.iter().enumerate() {
                if place > 0 {
                    pieces.text().push(b',');
                }
                match &plan.body {
                    Body::Data(data) => {
                        let is_last = place + 1 == plans.plans.len();
                        let told = writer.root(&plan.name, data, is_last, &mut pieces);
                        explained.push(told.map_err(store_error)?);
                    }
                    Body::Code(code) => {
                        let rows = self.rows(&snapshot, caller);
                        json::key(pieces.text(), &plan.name);
                        pieces.text().extend_from_slice(code.0.run(&rows)?.as_bytes());
                    }
                }
            }
            pieces.text().push(b'}');
            meter.length(pieces.text().len())?;
            Ok((pieces, explained))
        };
        let answer =
            if plans.is_glance() { self.connections.glance(work) } else { self.connections.read(work) };
        answer.map_err(|error| meter.stopped(error, cancel))
    }

    /// Runs all changes in one transaction and answers them as the members of one JSON object, in their order. When one
    /// fails, nothing is changed and its place in `changes` comes with the error; a refusal may keep what was changed before
    /// it. What is answered is on disk; requests that come together share a commit. Blocks the thread.
    pub fn write(&self, caller: &Caller, changes: &[Change]) -> Result<Vec<u8>, (usize, StoreError)> {
        // Code may take long, or do what cannot be done twice.
        if !changes.iter().any(|change| matches!(change.kind, ChangeKind::Code(_))) {
            let shared = self.connections.share(|connection| self.change(connection, caller, changes));
            match shared.map_err(|error| (0, store_error(error)))? {
                Shared::Done(answer) => {
                    return answer.and_then(|(out, refused)| refused.map_or(Ok(out), Err));
                }
                Shared::Undone => {}
            }
        }
        let last = changes.len().saturating_sub(1);
        let mut writer = self.connections.writer();
        let transaction = begin(&mut writer, false).map_err(|error| (0, store_error(error)))?;
        let (out, refused) = self.change(&transaction, caller, changes)?;
        transaction.commit().map_err(|error| (last, constraint::at_commit(error)))?;
        self.connections.publish();
        refused.map_or(Ok(out), Err)
    }

    /// Runs all changes in the transaction that is open. With the answer may come a refusal that keeps what was changed.
    fn change(
        &self,
        connection: &rusqlite::Connection,
        caller: &Caller,
        changes: &[Change],
    ) -> Result<(Vec<u8>, Option<Failed>), Failed> {
        let meter = &Meter::new(self.bounds);
        // A change whose caller went away is finished: nobody could tell otherwise whether it was made.
        let never = Cancel::default();
        let alarm = self.connections.writer_alarm().set(self.bounds.time, &never);
        let now = (self.clock)();
        self.check_looks(connection, changes)?;
        let mut out = vec![b'{'];
        let mut refused = None;
        for (place, change) in changes.iter().enumerate() {
            if place > 0 {
                out.push(b',');
            }
            let run = write::Changes {
                connection,
                catalogue: &self.catalogue,
                caller,
                now,
                meter,
                bounds: self.bounds,
                hand: Hand { operation: &change.field, person: caller.user, is_code: false },
                follows: &self.follows,
            };
            match run.run(change, &mut out) {
                Ok(()) => {}
                Err(error @ StoreError::Refused { keeps_changes: true, .. }) => {
                    refused = Some((place, error));
                    break;
                }
                Err(error) => return Err((place, meter.stopped(error, &never))),
            }
        }
        out.push(b'}');
        drop(alarm);
        self.refresh_segments(connection).map_err(|error| (changes.len().saturating_sub(1), error))?;
        Ok((out, refused))
    }

    /// Refuses changes that would look at too many rows, with the place of the first that is too much.
    fn check_looks(&self, connection: &rusqlite::Connection, changes: &[Change]) -> Result<(), Failed> {
        let sizes = Sizes::new(connection, &self.catalogue);
        let check = |changes: &[Change]| {
            looks::of_changes(&self.catalogue, changes, self.bounds.rows).check(&sizes, &[], self.bounds)
        };
        if check(changes).is_ok() {
            return Ok(());
        }
        let first =
            (0..changes.len()).find_map(|place| check(&changes[..=place]).err().map(|error| (place, error)));
        first.map_or(Ok(()), Err)
    }

    /// Runs `work` in one transaction that writes: kept when it answers `Ok`, undone when it answers `Err` or panics.
    /// Blocks the thread (call it from `spawn_blocking`); waits up to a minute for another process that is writing.
    pub fn transaction<T, E: From<StoreError>>(
        &self,
        caller: &Caller,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut writer = self.connections.writer();
        let transaction = begin(&mut writer, false).map_err(store_error)?;
        let rows = self.rows(&transaction, caller);
        let answer = work(&rows)?;
        self.follow(&rows, &transaction)?;
        self.refresh_segments(&transaction)?;
        transaction.commit().map_err(store_error)?;
        self.connections.publish();
        Ok(answer)
    }

    /// Does what follows from the rows of a transaction, unless they are to be left as they are.
    fn follow(&self, rows: &Transaction<'_>, connection: &rusqlite::Connection) -> Result<(), StoreError> {
        if rows.is_left() {
            return follow::forget(connection, &self.follows);
        }
        follow::run(connection, &self.catalogue, &self.follows, rows.now(), self.bounds)
    }

    /// Makes segments of what the transaction has written, once it is much.
    fn refresh_segments(&self, connection: &rusqlite::Connection) -> Result<(), StoreError> {
        segments::refresh_when_due(connection, &self.catalogue, |table| self.connections.has_written(table))
            .map_err(store_error)
    }

    /// Like [`Store::transaction`], for adding very many rows to one table, about `expected` of them.
    ///
    /// References are not checked row by row: `work` refers only to rows it has found or added in this transaction. When the
    /// table is small beside what comes, its indices are taken down and built at the end (or when `work` calls
    /// [`Transaction::restore_indices`], before it searches the table): sorting once costs less than finding every row's place.
    pub fn load<T, E: From<StoreError>>(
        &self,
        caller: &Caller,
        table: &str,
        expected: u64,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut writer = self.connections.writer();
        set_cache(&writer, true).map_err(store_error)?;
        let answer = self.load_with(&mut writer, caller, table, expected, work);
        set_cache(&writer, false).map_err(store_error)?;
        answer
    }

    fn load_with<T, E: From<StoreError>>(
        &self,
        writer: &mut rusqlite::Connection,
        caller: &Caller,
        table: &str,
        expected: u64,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let transaction = begin(writer, true).map_err(store_error)?;
        let rows = self.rows(&transaction, caller);
        rows.suspend_indices(table, expected)?;
        let answer = work(&rows)?;
        rows.restore_indices()?;
        self.follow(&rows, &transaction)?;
        drop(rows);
        if let Some(table) = self.catalogue.find(table) {
            segments::refresh(&transaction, &self.catalogue, table).map_err(store_error)?;
        }
        transaction.commit().map_err(store_error)?;
        self.connections.publish();
        Ok(answer)
    }

    /// Runs `work` in one read-only snapshot. Blocks the thread.
    pub fn snapshot<T, E: From<StoreError>>(
        &self,
        caller: &Caller,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        self.connections.read(|connection, _| {
            let snapshot = connection.unchecked_transaction().map_err(store_error)?;
            work(&self.rows(&snapshot, caller))
        })
    }

    fn rows<'a>(&'a self, connection: &'a rusqlite::Connection, caller: &'a Caller) -> Transaction<'a> {
        Transaction::new(connection, &self.catalogue, caller, (self.clock)(), self.bounds).with(&self.marks)
    }

    /// The present moment. Take it before reading what is to be kept until something changes. Blocks the thread, briefly.
    pub fn moment(&self) -> Result<Moment, StoreError> {
        self.connections.moment().map(Moment)
    }

    /// Watches tables for commits of anybody, in this process or another.
    pub fn watch(&self, tables: Vec<TableId>) -> Watch {
        Watch::new(Arc::clone(self.connections.notices()), &self.connections, tables)
    }

    /// Watches tables for commits of this process alone: nobody looks at the file for it.
    pub fn watch_own(&self, tables: Vec<TableId>) -> Watch {
        Watch::own(Arc::clone(self.connections.notices()), tables)
    }

    /// What is kept beside the rows, and where it tells something else than they do. Reads all rows it is kept of.
    pub fn check_segments(&self) -> Result<Vec<Kept>, StoreError> {
        self.connections.read(|connection, _| {
            let snapshot = connection.unchecked_transaction().map_err(store_error)?;
            segments::check(&snapshot, &self.catalogue).map_err(store_error)
        })
    }

    /// Waits until rows were written that are kept in segments, or an answer found many without one: what was written by
    /// other processes is noticed by who reads it. What is lacking itself stands in the database.
    pub async fn segments_lack(&self) {
        self.connections.lacking().notified().await;
    }

    /// Comes back when the last clone of this store has gone and its connections are closed: then everything written is in the one file, and nothing of
    /// this process changes it any more. Holds nothing open itself.
    pub fn closed(&self) -> impl Future<Output = ()> + Send + use<> {
        self.connections.closed()
    }

    /// Makes a few segments of rows that have none in force, in a short transaction of its own; whether any were lacking. Begin
    /// again until none are. Blocks the thread, and other writes.
    pub fn renew_segments(&self) -> Result<bool, StoreError> {
        let is_due = self.connections.read(|connection, _| {
            let snapshot = connection.unchecked_transaction().map_err(store_error)?;
            segments::is_due(&snapshot, &self.catalogue).map_err(store_error)
        })?;
        if !is_due {
            return Ok(false);
        }
        let mut writer = self.connections.writer();
        let transaction = begin(&mut writer, false).map_err(store_error)?;
        let is_renewed = segments::renew(&transaction, &self.catalogue).map_err(store_error)?;
        transaction.commit().map_err(store_error)?;
        Ok(is_renewed)
    }

    /// Makes all that is kept beside the rows anew. Blocks the thread, and other writes.
    pub fn repair_segments(&self) -> Result<(), StoreError> {
        let mut writer = self.connections.writer();
        let transaction = begin(&mut writer, false).map_err(store_error)?;
        segments::repair(&transaction, &self.catalogue).map_err(store_error)?;
        transaction.commit().map_err(store_error)
    }

    /// What SQLite finds wrong with the file; empty when it is sound. Reads the whole file.
    pub fn check(&self) -> Result<Vec<String>, StoreError> {
        self.connections.read(|connection, _| {
            let mut statement = connection.prepare("PRAGMA quick_check").map_err(store_error)?;
            let found = statement.query_map([], |row| row.get::<_, String>(0)).map_err(store_error)?;
            let found = found.collect::<rusqlite::Result<Vec<_>>>().map_err(store_error)?;
            Ok(found.into_iter().filter(|line| line != "ok").collect())
        })
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
