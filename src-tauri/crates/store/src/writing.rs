//! Writes: GraphQL mutations and rows written by product code, each in one transaction with its hooks.

use crate::backend::Backend;
use crate::bounds::Meter;
use crate::cost::{self, Sizes};
use crate::driver::cache::{Cache, set_cache};
use crate::driver::constraint;
use crate::driver::db::Db;
use crate::driver::group::Shared;
use crate::driver::postgres::PATIENCE;
use crate::driver::sqlite::{Connections, begin, begin_within, store_error};
use crate::driver::statistics;
use crate::query::change::ChangeKind;
use crate::rows::changes::Changes;
use crate::trail::Actor;
use crate::{Cancel, Change, Store, StoreError, Transaction, hooks, indices, segments};
use catalogue::Caller;
use std::time::{Duration, Instant};

/// The index of the failed change, and the error.
type FailedChange = (usize, StoreError);

/// A [`FailedChange`] that can also be made from an error of the whole transaction.
struct Failure(FailedChange);

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self((usize::MAX, error))
    }
}

impl Store {
    /// Runs all changes in one transaction and returns one JSON object with a member per change, in their order. When this returns, the
    /// data is on disk. Concurrent requests share a commit. Blocks the thread.
    ///
    /// # Errors
    ///
    /// The index of the failed change in `changes`, with the error. The transaction is rolled back, except for a refusal that keeps
    /// earlier changes.
    pub fn write(&self, caller: &Caller, changes: &[Change]) -> Result<Vec<u8>, (usize, StoreError)> {
        let last = changes.len().saturating_sub(1);
        let connections = match &self.backend {
            Backend::Sqlite(connections) => connections,
            Backend::Postgres(connections) => {
                let change = |session: &_| self.change(Db::Postgres(session), caller, changes);
                let done = connections.transaction(PATIENCE, |session| change(session).map_err(Failure));
                let (out, refused) = done.map_err(|Failure((place, error))| match error {
                    // Foreign keys are checked when the transaction ends.
                    StoreError::ForeignKey(_) if place > last => (last, constraint::dangling_at_commit()),
                    error => (place.min(last), error),
                })?;
                return refused.map_or(Ok(out), Err);
            }
        };
        // Code may take long, or have effects that must not be repeated.
        if !changes.iter().any(|change| matches!(change.kind, ChangeKind::Code(_))) {
            let shared = connections.share(|connection| self.change(connection.into(), caller, changes));
            match shared.map_err(|error| (0, store_error(error)))? {
                Shared::Done(answer) => {
                    return answer.and_then(|(out, refused)| refused.map_or(Ok(out), Err));
                }
                Shared::Undone => {}
            }
        }
        let mut writer = connections.writer();
        let transaction = begin(&mut writer, false).map_err(|error| (0, store_error(error)))?;
        let (out, refused) = self.change((&*transaction).into(), caller, changes)?;
        transaction.commit().map_err(|error| (last, constraint::at_commit(error)))?;
        connections.publish();
        refused.map_or(Ok(out), Err)
    }

    /// Runs all changes in the open transaction. The result may include a refusal that keeps the changes made before.
    fn change(
        &self,
        connection: Db<'_>,
        caller: &Caller,
        changes: &[Change],
    ) -> Result<(Vec<u8>, Option<FailedChange>), FailedChange> {
        let meter = &Meter::new(self.bounds);
        // A change is completed even if its caller disconnects: otherwise nobody could know whether it was made.
        let never = Cancel::default();
        let deadline = match (&self.backend, connection) {
            (Backend::Sqlite(connections), _) => connections.writer_deadline(),
            (_, Db::Postgres(session)) => &session.deadline,
            (Backend::Postgres(_), Db::Sqlite(_)) => return Err((0, StoreError::OfOneFile)),
        };
        let deadline = deadline.set(self.bounds.time, &never);
        let now = self.now();
        self.check_cost(connection, changes)?;
        let mut out = vec![b'{'];
        let mut refused = None;
        for (place, change) in changes.iter().enumerate() {
            if place > 0 {
                out.push(b',');
            }
            let run = Changes {
                connection,
                catalogue: &self.catalogue,
                caller,
                now,
                meter,
                bounds: self.bounds,
                actor: Actor {
                    operation: &change.field,
                    user: caller.user,
                    is_code: false,
                    is_recorded: true,
                },
                hooks: &self.hooks,
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
        drop(deadline);
        self.refresh_segments(connection).map_err(|error| (changes.len().saturating_sub(1), error))?;
        Ok((out, refused))
    }

    /// Refuses changes that would read too many rows; returns the index of the first that exceeds the limit.
    fn check_cost(&self, connection: Db<'_>, changes: &[Change]) -> Result<(), FailedChange> {
        let sizes = Sizes::new(connection, &self.catalogue, &self.sizes, self.now());
        let check = |changes: &[Change]| {
            cost::estimate_changes(&self.catalogue, changes, self.bounds.rows).check(&sizes, &[], self.bounds)
        };
        if check(changes).is_ok() {
            return Ok(());
        }
        let first =
            (0..changes.len()).find_map(|place| check(&changes[..=place]).err().map(|error| (place, error)));
        first.map_or(Ok(()), Err)
    }

    /// Runs `work` in one write transaction: committed on `Ok`, rolled back on `Err` or panic. Blocks the thread (call it from
    /// `spawn_blocking`). Waits up to a minute for another process that is writing.
    pub fn transaction<T, E: From<StoreError>>(
        &self,
        caller: &Caller,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        match &self.backend {
            Backend::Sqlite(connections) => {
                let mut writer = connections.writer();
                let transaction = begin(&mut writer, false).map_err(store_error)?;
                self.transact(connections, transaction, caller, work)
            }
            Backend::Postgres(connections) => {
                connections.transaction(PATIENCE, |session| self.run_in(Db::Postgres(session), caller, work))
            }
        }
    }

    /// Like [`Store::transaction`], for work that inserts or updates very many rows: SQLite keeps more of the database in memory. Pages of
    /// rows whose index entries are scattered over the file are then read and written once instead of once per row.
    pub fn large_transaction<T, E: From<StoreError>>(
        &self,
        caller: &Caller,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let Some(connections) = self.backend.sqlite() else { return self.transaction(caller, work) };
        let mut writer = connections.writer();
        set_cache(&writer, Cache::Load).map_err(store_error)?;
        let answer = begin(&mut writer, false)
            .map_err(|error| store_error(error).into())
            .and_then(|transaction| self.transact(connections, transaction, caller, work));
        set_cache(&writer, Cache::Usual).map_err(store_error)?;
        answer
    }

    /// Like [`Store::transaction`], but runs concurrently with other write transactions: PostgreSQL waits only for locks on the same rows,
    /// however long an import takes. Data that `work` has read may change before it writes. Use it for leases of this server and for rows
    /// that nobody else writes. With SQLite it is an ordinary transaction.
    pub fn concurrent_transaction<T, E: From<StoreError>>(
        &self,
        caller: &Caller,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        match &self.backend {
            Backend::Sqlite(_) => self.transaction(caller, work),
            Backend::Postgres(connections) => {
                connections.concurrent_transaction(|session| self.run_in(Db::Postgres(session), caller, work))
            }
        }
    }

    /// Like [`Store::transaction`], but fails with [`StoreError::Busy`] if other writers block it for longer than `patience`; `work` is
    /// then never started.
    pub fn transaction_within<T, E: From<StoreError>>(
        &self,
        caller: &Caller,
        patience: Duration,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let connections = match &self.backend {
            Backend::Sqlite(connections) => connections,
            Backend::Postgres(connections) => {
                return connections
                    .transaction(patience, |session| self.run_in(Db::Postgres(session), caller, work));
            }
        };
        let (began, busy) = (Instant::now(), || StoreError::Busy { seconds: patience.as_secs() });
        let writer = connections.writer_within(patience).ok_or_else(busy)?;
        let left = patience.saturating_sub(began.elapsed());
        let transaction = begin_within(&writer, left).map_err(|error| match store_error(error) {
            StoreError::Busy { .. } => busy(),
            error => error,
        })?;
        self.transact(connections, transaction, caller, work)
    }

    fn transact<T, E: From<StoreError>>(
        &self,
        connections: &Connections,
        transaction: rusqlite::Transaction<'_>,
        caller: &Caller,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let answer = self.run_in((&*transaction).into(), caller, work)?;
        transaction.commit().map_err(store_error)?;
        connections.publish();
        Ok(answer)
    }

    /// Runs `work` in the open transaction, with its hooks.
    fn run_in<T, E: From<StoreError>>(
        &self,
        connection: Db<'_>,
        caller: &Caller,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let rows = self.rows(connection, caller);
        let answer = work(&rows)?;
        rows.restore_indices()?;
        self.run_hooks(&rows, connection)?;
        self.refresh_segments(connection)?;
        Ok(answer)
    }

    /// Runs the hooks for the rows of a transaction, unless they are disabled for it.
    fn run_hooks(&self, rows: &Transaction<'_>, connection: Db<'_>) -> Result<(), StoreError> {
        if rows.are_hooks_disabled() {
            return hooks::clear(connection, &self.hooks);
        }
        hooks::run(connection, &self.catalogue, &self.hooks, rows.now(), self.bounds)
    }

    /// Builds segments of the rows written so far, once there are enough.
    fn refresh_segments(&self, connection: Db<'_>) -> Result<(), StoreError> {
        let (Backend::Sqlite(connections), Db::Sqlite(connection)) = (&self.backend, connection) else {
            return Ok(());
        };
        segments::refresh_when_due(connection, &self.catalogue, |table| connections.has_written(table))
            .map_err(store_error)
    }

    /// Like [`Store::transaction`], for long work. With PostgreSQL, others can write other rows at the same time until the transaction
    /// takes the [write lock](Transaction::take_write_lock), at the latest when `work` has ended. Bulk transactions run one after another.
    ///
    /// Rows that `work` has read may be changed by others until then. If both write the same row, the transaction fails with
    /// [`StoreError::Busy`] and can be retried.
    pub fn bulk<T, E: From<StoreError>>(
        &self,
        caller: &Caller,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        match &self.backend {
            Backend::Sqlite(_) => self.transaction(caller, work),
            Backend::Postgres(connections) => connections.bulk(|session| {
                self.run_in(Db::Postgres(session), caller, |rows| {
                    let answer = work(rows)?;
                    // Hooks also use rows that others have written.
                    rows.take_write_lock()?;
                    Ok(answer)
                })
            }),
        }
    }

    /// Like [`Store::bulk`], for inserting about `expected` rows into one table.
    ///
    /// Foreign keys are not checked per row: `work` must only refer to rows it has found or inserted in this transaction. If the table is
    /// small compared with `expected`, its indices are dropped and rebuilt at the end (or when `work` calls
    /// [`Transaction::restore_indices`], before it searches the table): one sort costs less than many index insertions.
    pub fn load<T, E: From<StoreError>>(
        &self,
        caller: &Caller,
        table: &str,
        expected: u64,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let Some(connections) = self.backend.sqlite() else { return self.bulk(caller, work) };
        let mut writer = connections.writer();
        set_cache(&writer, Cache::Load).map_err(store_error)?;
        let answer = self.load_with(connections, &mut writer, caller, table, expected, work);
        set_cache(&writer, Cache::Usual).map_err(store_error)?;
        if answer.is_ok() && expected >= indices::WORTH_IT && self.catalogue.find(table).is_some() {
            // The rows are committed. If another process is writing, this step fails, and query plans are slightly worse.
            if let Err(error) = statistics::renew(&writer, table) {
                tracing::debug!(table, "rows were not counted: {error}");
            }
        }
        answer
    }

    fn load_with<T, E: From<StoreError>>(
        &self,
        connections: &Connections,
        writer: &mut rusqlite::Connection,
        caller: &Caller,
        table: &str,
        expected: u64,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let transaction = begin(writer, true).map_err(store_error)?;
        let rows = self.rows((&*transaction).into(), caller);
        rows.suspend_indices(table, expected)?;
        let answer = work(&rows)?;
        rows.restore_indices()?;
        self.run_hooks(&rows, (&*transaction).into())?;
        drop(rows);
        if let Some(table) = self.catalogue.find(table) {
            segments::refresh(&transaction, &self.catalogue, table).map_err(store_error)?;
        }
        transaction.commit().map_err(store_error)?;
        connections.publish();
        Ok(answer)
    }
}
