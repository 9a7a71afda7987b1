//! The sessions of one PostgreSQL database: a limited number for reading, and one for writing.
//!
//! Writes of all servers on a database are serialised: each holds an advisory lock until its transaction ends. Data that a transaction
//! reads before it writes is therefore still valid when it writes, as with SQLite. A bulk transaction takes the lock only at its end.

use super::address::Address;
use super::clock::DatabaseClock;
use super::error::PATIENCE_SECONDS;
use super::exclusive_session::ExclusiveSession;
use super::readers::Readers;
use super::replica::Replica;
use super::session::Session;
use super::version::SchemaVersion;
use crate::StoreError;
use crate::notices::{Foreign, Notices};
use catalogue::{Catalogue, OnDelete, TableId};
use std::collections::BTreeSet;
use std::hash::BuildHasher as _;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// Advisory lock for writing ("QDCK").
const WRITER_LOCK: i64 = 0x5144_434B;
/// Advisory lock for bulk writes.
const BULK_LOCK: i64 = WRITER_LOCK + 1;
/// How long a write transaction waits for others.
pub(crate) const PATIENCE: Duration = Duration::from_secs(PATIENCE_SECONDS);

/// Limits on one program's use of a PostgreSQL database.
#[derive(Debug, Clone, Copy)]
pub struct ConnectionLimits {
    /// Maximum number of concurrent read connections; further reads wait. There are up to three more connections for writing.
    pub readers: usize,
    /// Maximum wait for a connection or for other writers; afterwards the request fails.
    pub patience: Duration,
    /// How long reads rely on the last check that no newer program has migrated the database.
    pub version_good_for: Duration,
}

impl Default for ConnectionLimits {
    fn default() -> Self {
        Self { readers: 16, patience: PATIENCE, version_good_for: Duration::from_secs(1) }
    }
}

pub(crate) struct Connections {
    address: Address,
    limits: ConnectionLimits,
    readers: Readers,
    /// A second server that replicates this one.
    replica: OnceLock<Replica>,
    writer: ExclusiveSession,
    /// The session for writes that run beside the writer.
    beside: ExclusiveSession,
    /// The session for bulk writes, which run beside the writer.
    bulk: ExclusiveSession,
    clock: DatabaseClock,
    version: SchemaVersion,
    /// The first statements of each writing session.
    greeting: OnceLock<&'static str>,
    notices: Arc<Notices>,
    catalogue: Arc<Catalogue>,
    hash: foldhash::fast::FixedState,
    /// Dropped last, which signals that all connections are closed.
    open: watch::Sender<()>,
}

impl Connections {
    pub(crate) fn new(
        address: Address,
        limits: ConnectionLimits,
        writer: Session,
        migrations: &'static str,
        catalogue: &Arc<Catalogue>,
    ) -> Arc<Self> {
        writer.set_guarded();
        Arc::new(Self {
            readers: Readers::new(address.clone(), limits.readers, limits.patience),
            replica: OnceLock::new(),
            address,
            limits,
            writer: ExclusiveSession::new(writer),
            beside: ExclusiveSession::default(),
            bulk: ExclusiveSession::default(),
            clock: DatabaseClock::default(),
            version: SchemaVersion::new(migrations, catalogue, limits.version_good_for),
            greeting: OnceLock::new(),
            notices: Notices::new(catalogue),
            catalogue: Arc::clone(catalogue),
            hash: foldhash::fast::FixedState::default(),
            open: watch::Sender::new(()),
        })
    }

    pub(crate) fn notices(&self) -> &Arc<Notices> {
        &self.notices
    }

    /// Signals when all connections are closed. The receiver itself holds none.
    pub(crate) fn closed(&self) -> watch::Receiver<()> {
        self.open.subscribe()
    }

    /// Runs `statements` once, and `greeting` on the current and every future writing session.
    pub(crate) fn greet(&self, greeting: &'static str, statements: &[String]) -> Result<(), StoreError> {
        self.transaction(PATIENCE, |session| {
            session.run(greeting)?;
            statements.iter().try_for_each(|statement| session.run(statement))
        })?;
        let _ = self.greeting.set(greeting);
        Ok(())
    }

    /// Runs `work` in a snapshot. A single statement is a snapshot by itself and needs no transaction.
    pub(crate) fn read<T, E: From<StoreError>>(
        &self,
        is_one_statement: bool,
        work: impl FnOnce(&Session) -> Result<T, E>,
    ) -> Result<T, E> {
        let lent = self.readers.acquire()?;
        let session = lent.session()?;
        let checked = self.version.check_when_due(session).map_err(E::from);
        let answer = checked.and_then(|()| snapshot(session, is_one_statement, work));
        if answer.is_err() {
            self.explain(session)?;
        }
        answer
    }

    /// Adds a replica for [`Connections::read_replica`].
    pub(crate) fn set_replica(&self, address: Address) {
        let readers = Readers::new(address, self.limits.readers, self.limits.patience);
        let _ = self.replica.set(Replica::new(readers));
    }

    /// A time, µs since 1970 UTC, up to which the replica has all data. Only returned if it is at most `most_age` ago and this process has
    /// written nothing since; otherwise, or if unknown, `None`.
    pub(crate) fn replica_as_of(&self, most_age: Duration) -> Option<i64> {
        let lent = || self.readers.acquire();
        self.replica.get()?.as_of(most_age, lent).map(|as_of| as_of + self.clock_ahead())
    }

    /// Whether the replica has everything written so far.
    pub(crate) fn is_replica_current(&self) -> Result<bool, StoreError> {
        let (_, written, replayed) = self.replica()?.look(|| self.readers.acquire())?;
        Ok(replayed >= written)
    }

    fn replica(&self) -> Result<&Replica, StoreError> {
        self.replica.get().ok_or_else(|| StoreError::Unreachable("there is no replica".into()))
    }

    /// Runs `work` in a snapshot of the replica. A failure may concern the replica only.
    pub(crate) fn read_replica<T, E: From<StoreError>>(
        &self,
        is_one_statement: bool,
        work: impl FnOnce(&Session) -> Result<T, E>,
    ) -> Result<T, E> {
        let lent = self.replica()?.acquire()?;
        snapshot(lent.session()?, is_one_statement, work)
    }

    /// Runs `work` in a write transaction; committed on `Ok`. Waits for other writers for at most `patience`.
    pub(crate) fn transaction<T, E: From<StoreError>>(
        &self,
        patience: Duration,
        work: impl FnOnce(&Session) -> Result<T, E>,
    ) -> Result<T, E> {
        let patience = patience.min(self.limits.patience);
        let (began, busy) = (Instant::now(), StoreError::Busy { seconds: patience.as_secs() });
        let Some(mut writer) = self.writer.acquire(patience) else { return Err(busy.into()) };
        let millis = patience.saturating_sub(began.elapsed()).as_millis().max(1);
        let opening = format!(
            "BEGIN; SET LOCAL lock_timeout = '{millis}ms'; SELECT pg_advisory_xact_lock({WRITER_LOCK}); SET LOCAL lock_timeout = 0"
        );
        self.write_in(&mut writer.session, &opening, patience, work)
    }

    /// Runs `work` in a transaction outside the write lock: only writes to the same rows wait for each other.
    pub(crate) fn concurrent_transaction<T, E: From<StoreError>>(
        &self,
        work: impl FnOnce(&Session) -> Result<T, E>,
    ) -> Result<T, E> {
        let patience = self.limits.patience;
        let busy = StoreError::Busy { seconds: patience.as_secs() };
        let Some(mut beside) = self.beside.acquire(patience) else { return Err(busy.into()) };
        // The holder of a row lock may be stuck.
        let opening = format!("BEGIN; SET LOCAL lock_timeout = '{}ms'", patience.as_millis().max(1));
        self.write_in(&mut beside.session, &opening, patience, work)
    }

    /// Runs `work` in a transaction beside those of [`Connections::transaction`], one at a time across all servers, until it takes their
    /// lock ([`take_write_lock`]).
    pub(crate) fn bulk<T, E: From<StoreError>>(
        &self,
        work: impl FnOnce(&Session) -> Result<T, E>,
    ) -> Result<T, E> {
        let patience = self.limits.patience;
        let busy = StoreError::Busy { seconds: patience.as_secs() };
        let Some(mut bulk) = self.bulk.acquire(patience) else { return Err(busy.into()) };
        let millis = patience.as_millis().max(1);
        let opening = format!(
            "BEGIN; SET LOCAL lock_timeout = '{millis}ms'; SELECT pg_advisory_xact_lock({BULK_LOCK})"
        );
        self.write_in(&mut bulk.session, &opening, patience, work)
    }

    /// Runs `work` in a transaction of the session in `place`; opens a new session if there is none or it is closed.
    fn write_in<T, E: From<StoreError>>(
        &self,
        place: &mut Option<Session>,
        opening: &str,
        patience: Duration,
        work: impl FnOnce(&Session) -> Result<T, E>,
    ) -> Result<T, E> {
        // Taken out during the work: after a panic the session is dropped, which rolls back its transaction.
        let session = if let Some(session) = place.take().filter(|session| !session.is_closed()) {
            session
        } else {
            self.open_writer()?
        };
        session.forget_added();
        session.take_written();
        session.run(opening).map_err(|error| match error {
            StoreError::Busy { .. } => StoreError::Busy { seconds: patience.as_secs() },
            error => error,
        })?;
        session.set_transaction(true);
        let checked = self.keep_time(&session).and_then(|()| self.version.check(&session));
        let answer = checked.map_err(E::from).and_then(|()| work(&session));
        session.set_transaction(false);
        let answer = match answer {
            Ok(answer) => {
                session.flush().map_err(crate::driver::sqlite::store_error)?;
                session.run("COMMIT")?;
                if let Some(replica) = self.replica.get() {
                    replica.has_written();
                }
                self.publish(&session.take_written());
                Ok(answer)
            }
            Err(error) => {
                session.forget_added();
                // A session that cannot roll back is closed, which has the same effect.
                if session.run("ROLLBACK").is_err() {
                    return Err(error);
                }
                self.explain(&session).map_err(E::from).and(Err(error))
            }
        };
        *place = Some(session);
        answer
    }

    /// Measures the difference between this machine's clock and the database's, if due.
    fn keep_time(&self, session: &Session) -> Result<(), StoreError> {
        if !self.clock.is_due() {
            return Ok(());
        }
        let before = crate::system_time();
        let mut statement =
            session.prepare("SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint");
        let mut cursor = statement.query();
        let row = cursor.next().map_err(crate::driver::sqlite::store_error)?;
        if let Some(rusqlite::types::Value::Integer(told)) = row.and_then(|cells| cells.first()) {
            self.clock.set(*told, before, crate::system_time());
        }
        Ok(())
    }

    /// How far the database's clock is ahead of this machine's, in µs.
    pub(crate) fn clock_ahead(&self) -> i64 {
        self.clock.ahead()
    }

    fn open_writer(&self) -> Result<Session, StoreError> {
        let session = Session::open(&self.address)?;
        session.set_guarded();
        if let Some(greeting) = self.greeting.get() {
            session.run(greeting)?;
        }
        Ok(session)
    }

    /// After a failure: returns an error if the cause is a newer program that has migrated the tables.
    fn explain(&self, session: &Session) -> Result<(), StoreError> {
        match self.version.check(session) {
            Err(newer @ StoreError::NewerSchema { .. }) => Err(newer),
            // Otherwise the original error is reported.
            _ => Ok(()),
        }
    }

    /// Publishes the tables that a transaction wrote, including those affected by cascading deletes.
    fn publish(&self, written: &BTreeSet<String>) {
        let mut tables: BTreeSet<TableId> =
            written.iter().filter_map(|table| self.catalogue.find(table)).collect();
        loop {
            let follows = |id: &TableId| {
                self.catalogue.table(*id).columns.iter().any(|column| {
                    column.references.as_ref().is_some_and(|reference| {
                        reference.on_delete != OnDelete::Restrict && tables.contains(&reference.table)
                    })
                })
            };
            let more: Vec<TableId> = self
                .catalogue
                .iter()
                .map(|(id, _)| id)
                .filter(|id| !tables.contains(id))
                .filter(follows)
                .collect();
            if more.is_empty() {
                break;
            }
            tables.extend(more);
        }
        self.notices.publish(tables.into_iter());
    }

    /// A number that changes with each commit by anyone: a hash of the transactions visible in a snapshot.
    pub(crate) fn data_version(&self) -> Result<u64, StoreError> {
        let lent = self.readers.acquire()?;
        Ok(self.hash.hash_one(text_of(lent.session()?, "SELECT pg_current_snapshot()::text")?))
    }
}

impl Foreign for Connections {
    fn version(&self) -> Option<i64> {
        self.data_version().ok().map(u64::cast_signed)
    }

    fn log(&self) -> Option<PathBuf> {
        None
    }
}

/// Waits until no other transaction writes, and keeps others from writing until this session's transaction ends. Foreign keys of the rows
/// written so far are checked before; a check at COMMIT would make all other writers wait.
pub(crate) fn take_write_lock(session: &Session) -> Result<(), StoreError> {
    session.flush().map_err(crate::driver::sqlite::store_error)?;
    session.run("SET CONSTRAINTS ALL IMMEDIATE; SET CONSTRAINTS ALL DEFERRED")?;
    session.run(&format!("SELECT pg_advisory_xact_lock({WRITER_LOCK})"))
}

/// Runs `work` in a snapshot; a single statement is one by itself.
fn snapshot<T, E: From<StoreError>>(
    session: &Session,
    is_one_statement: bool,
    work: impl FnOnce(&Session) -> Result<T, E>,
) -> Result<T, E> {
    if is_one_statement {
        return work(session);
    }
    session.begin_later("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    let answer = work(session);
    session.set_transaction(false);
    session.run_later("ROLLBACK");
    answer
}

/// The text that a statement returns; empty if it returns no row.
pub(super) fn text_of(session: &Session, sql: &str) -> Result<String, StoreError> {
    let mut statement = session.prepare(sql);
    let mut cursor = statement.query();
    let row = cursor.next().map_err(crate::driver::sqlite::store_error)?;
    Ok(match row.and_then(|cells| cells.first()) {
        Some(rusqlite::types::Value::Text(text)) => text.clone(),
        _ => String::new(),
    })
}
