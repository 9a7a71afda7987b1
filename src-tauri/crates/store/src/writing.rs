//! Changing: what the interface asks for, and rows by product code, each in one transaction with all that follows from it.

use crate::backend::Backend;
use crate::bounds::Meter;
use crate::driver::cache::{Cache, set_cache};
use crate::driver::constraint;
use crate::driver::db::Db;
use crate::driver::group::Shared;
use crate::driver::postgres::PATIENCE;
use crate::driver::sqlite::{Connections, begin, begin_within, store_error};
use crate::driver::statistics;
use crate::looks::{self, Sizes};
use crate::query::change::ChangeKind;
use crate::rows::changes::Changes;
use crate::trail::Actor;
use crate::{Cancel, Change, Store, StoreError, Transaction, follow, indices, segments};
use catalogue::Caller;
use std::time::{Duration, Instant};

/// Which of the changes failed, and why.
type FailedChange = (usize, StoreError);

/// The same where a transaction may fail as a whole.
struct Failure(FailedChange);

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self((usize::MAX, error))
    }
}

impl Store {
    /// Runs all changes in one transaction and answers them as the members of one JSON object, in their order. When one
    /// fails, nothing is changed and its place in `changes` comes with the error; a refusal may keep what was changed before
    /// it. What is answered is on disk; requests that come together share a commit. Blocks the thread.
    pub fn write(&self, caller: &Caller, changes: &[Change]) -> Result<Vec<u8>, (usize, StoreError)> {
        let last = changes.len().saturating_sub(1);
        let connections = match &self.backend {
            Backend::Sqlite(connections) => connections,
            Backend::Postgres(connections) => {
                let change = |session: &_| self.change(Db::Postgres(session), caller, changes);
                let done = connections.transaction(PATIENCE, |session| change(session).map_err(Failure));
                let (out, refused) = done.map_err(|Failure((place, error))| match error {
                    // References are checked when a transaction ends.
                    StoreError::ForeignKey(_) if place > last => (last, constraint::dangling_at_commit()),
                    error => (place.min(last), error),
                })?;
                return refused.map_or(Ok(out), Err);
            }
        };
        // Code may take long, or do what cannot be done twice.
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

    /// Runs all changes in the transaction that is open. With the answer may come a refusal that keeps what was changed.
    fn change(
        &self,
        connection: Db<'_>,
        caller: &Caller,
        changes: &[Change],
    ) -> Result<(Vec<u8>, Option<FailedChange>), FailedChange> {
        let meter = &Meter::new(self.bounds);
        // A change whose caller went away is finished: nobody could tell otherwise whether it was made.
        let never = Cancel::default();
        let alarm = match (&self.backend, connection) {
            (Backend::Sqlite(connections), _) => connections.writer_alarm(),
            (_, Db::Postgres(session)) => &session.alarm,
            (Backend::Postgres(_), Db::Sqlite(_)) => return Err((0, StoreError::OfOneFile)),
        };
        let alarm = alarm.set(self.bounds.time, &never);
        let now = self.now();
        self.check_looks(connection, changes)?;
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
                hand: Actor { operation: &change.field, person: caller.user, is_code: false, is_noted: true },
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
    fn check_looks(&self, connection: Db<'_>, changes: &[Change]) -> Result<(), FailedChange> {
        let sizes = Sizes::new(connection, &self.catalogue, &self.sizes, self.now());
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

    /// Like [`Store::transaction`], for work that adds or changes very many rows: with SQLite it keeps more of the database in memory. Rows whose places
    /// in the indices are all over the file are read and written once then, not once a row.
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

    /// The same as [`Store::transaction`] beside other transactions that write: with PostgreSQL it waits for no other rows than its own, however long an import takes. What `work` has
    /// read may have changed before it has written. So it is for leases that this server holds, and for rows that nobody else writes; with SQLite
    /// it is a transaction as any other.
    pub fn beside<T, E: From<StoreError>>(
        &self,
        caller: &Caller,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        match &self.backend {
            Backend::Sqlite(_) => self.transaction(caller, work),
            Backend::Postgres(connections) => {
                connections.beside(|session| self.run_in(Db::Postgres(session), caller, work))
            }
        }
    }

    /// Like [`Store::transaction`], but whoever asks hears [`StoreError::Busy`] when others write for longer than `patience`; `work` is not begun then, nor later.
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

    /// Runs `work` in the transaction that is open, with all that follows from it.
    fn run_in<T, E: From<StoreError>>(
        &self,
        connection: Db<'_>,
        caller: &Caller,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let rows = self.rows(connection, caller);
        let answer = work(&rows)?;
        rows.restore_indices()?;
        self.follow(&rows, connection)?;
        self.refresh_segments(connection)?;
        Ok(answer)
    }

    /// Does what follows from the rows of a transaction, unless they are to be left as they are.
    fn follow(&self, rows: &Transaction<'_>, connection: Db<'_>) -> Result<(), StoreError> {
        if rows.is_left() {
            return follow::forget(connection, &self.follows);
        }
        follow::run(connection, &self.catalogue, &self.follows, rows.now(), self.bounds)
    }

    /// Makes segments of what the transaction has written, once it is much.
    fn refresh_segments(&self, connection: Db<'_>) -> Result<(), StoreError> {
        let (Backend::Sqlite(connections), Db::Sqlite(connection)) = (&self.backend, connection) else {
            return Ok(());
        };
        segments::refresh_when_due(connection, &self.catalogue, |table| connections.has_written(table))
            .map_err(store_error)
    }

    /// Like [`Store::transaction`], for work that takes long. With PostgreSQL others write beside it, to other rows, until it asks to
    /// [write alone](Transaction::write_alone), which it does at the latest when `work` has ended; two of its kind run one after another. What `work` has read of rows that
    /// others may write can have changed until then. Where such a row was written by both, the transaction fails with [`StoreError::Busy`] and can be tried again.
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
                    // What follows from the rows is worked out from what others have written, too.
                    rows.write_alone()?;
                    Ok(answer)
                })
            }),
        }
    }

    /// Like [`Store::bulk`], for adding very many rows to one table, about `expected` of them.
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
        let Some(connections) = self.backend.sqlite() else { return self.bulk(caller, work) };
        let mut writer = connections.writer();
        set_cache(&writer, Cache::Load).map_err(store_error)?;
        let answer = self.load_with(connections, &mut writer, caller, table, expected, work);
        set_cache(&writer, Cache::Usual).map_err(store_error)?;
        if answer.is_ok() && expected >= indices::WORTH_IT && self.catalogue.find(table).is_some() {
            // The rows are there. Plans are chosen a little worse when another process writes and this has to be left out.
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
        self.follow(&rows, (&*transaction).into())?;
        drop(rows);
        if let Some(table) = self.catalogue.find(table) {
            segments::refresh(&transaction, &self.catalogue, table).map_err(store_error)?;
        }
        transaction.commit().map_err(store_error)?;
        connections.publish();
        Ok(answer)
    }
}
