//! The store's handle to a connection: used by one thread at a time, which blocks while PostgreSQL works.

use super::address::Address;
use super::cells::{Argument, Cell as Decoded};
use super::encryption::Encryption;
use super::link::{Answer, Command, Link, Rows, connect, runtime};
use super::statement::Statement;
use crate::StoreError;
use crate::bounds::Deadline;
use crate::driver::sqlite::carried;
use rusqlite::Result;
use rusqlite::types::{ToSql, ToSqlOutput, Value};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;
use tokio_postgres::Row;

/// How often a waiting thread checks the deadline.
const POLL_INTERVAL: Duration = Duration::from_millis(20);
/// Maximum number of remembered statement texts; beyond it, all are dropped and parsed again.
const CACHED_STATEMENTS: usize = 1_024;
/// Maximum number of rows of one table that are inserted together.
const TOGETHER: usize = 4_096;

/// The first statements of each connection: times are UTC, and JIT is off because statements take milliseconds.
const GREETING: &str = "SET TimeZone = 'UTC'; SET client_min_messages = warning; SET jit = off";

pub(crate) struct Session {
    link: Link,
    /// TLS settings for the second connection that cancelling a statement needs.
    encryption: Encryption,
    statements: RefCell<HashMap<String, Arc<Statement>>>,
    next: Cell<u64>,
    has_transaction: Cell<bool>,
    /// Whether writing statements run in a savepoint, so that a failure leaves the transaction usable.
    is_guarded: Cell<bool>,
    /// Tables written since the transaction began.
    written: RefCell<BTreeSet<String>>,
    added: RefCell<Option<Addition>>,
    /// Interrupts statements of this session.
    pub(crate) deadline: Arc<Deadline>,
}

/// Rows buffered to be inserted together.
struct Addition {
    statement: Arc<Statement>,
    copy: String,
    rows: Vec<Vec<Argument>>,
}

impl Session {
    /// Opens a connection. Blocks the thread.
    pub(crate) fn open(address: &Address) -> std::result::Result<Self, StoreError> {
        let session = Self {
            link: connect(address)?,
            encryption: address.encryption.clone(),
            statements: RefCell::default(),
            next: Cell::new(0),
            has_transaction: Cell::new(false),
            is_guarded: Cell::new(false),
            written: RefCell::default(),
            added: RefCell::default(),
            deadline: Arc::default(),
        };
        session.run(GREETING)?;
        Ok(session)
    }

    /// Whether the connection has ended.
    pub(super) fn is_closed(&self) -> bool {
        self.link.commands.is_closed()
    }

    pub(super) fn set_guarded(&self) {
        self.is_guarded.set(true);
    }

    pub(crate) fn has_transaction(&self) -> bool {
        self.has_transaction.get()
    }

    /// Runs statements that begin a transaction.
    pub(crate) fn begin(&self, sql: &str) -> std::result::Result<(), StoreError> {
        self.run(sql)?;
        self.set_transaction(true);
        Ok(())
    }

    /// Runs statements that end a transaction.
    pub(crate) fn end(&self, sql: &str) -> std::result::Result<(), StoreError> {
        self.set_transaction(false);
        self.run(sql)
    }

    pub(super) fn set_transaction(&self, has_transaction: bool) {
        self.has_transaction.set(has_transaction);
    }

    pub(super) fn take_written(&self) -> BTreeSet<String> {
        self.written.take()
    }

    /// Discards rows that were not sent yet.
    pub(super) fn forget_added(&self) {
        self.added.take();
    }

    /// Runs statements without parameters and waits for the result.
    pub(crate) fn run(&self, sql: &str) -> std::result::Result<(), StoreError> {
        self.ask(|reply| Command::Batch { sql: sql.to_owned(), reply: Some(reply) })
    }

    /// Runs statements without parameters; the next call that waits reports a failure.
    pub(super) fn run_later(&self, sql: &str) {
        let _ = self.link.commands.send(Command::Batch { sql: sql.to_owned(), reply: None });
    }

    /// Begins a transaction together with the next statement, which reports a failure.
    pub(super) fn begin_later(&self, sql: &'static str) {
        let _ = self.link.commands.send(Command::BeginLater { sql });
        self.set_transaction(true);
    }

    pub(crate) fn batch(&self, sql: &str) -> Result<()> {
        self.flush()?;
        self.run(sql).map_err(carried)
    }

    /// Sends the buffered rows.
    pub(crate) fn flush(&self) -> Result<()> {
        let Some(Addition { statement, copy, rows }) = self.added.take() else { return Ok(()) };
        let sql = Arc::clone(&statement.text);
        self.ask(|reply| Command::Add { sql, copy, rows, reply }).map_err(carried)
    }

    pub(crate) fn prepare(&self, sql: &str) -> Call<'_> {
        let mut known = self.statements.borrow_mut();
        let statement = if let Some(statement) = known.get(sql) {
            Arc::clone(statement)
        } else {
            if known.len() >= CACHED_STATEMENTS {
                known.clear();
            }
            let statement = Arc::new(Statement::new(sql));
            known.insert(sql.to_owned(), Arc::clone(&statement));
            statement
        };
        let values = vec![Argument::NULL; statement.places.len()];
        Call { session: self, statement, values }
    }

    fn ask<T>(
        &self,
        command: impl FnOnce(SyncSender<Answer<T>>) -> Command,
    ) -> std::result::Result<T, StoreError> {
        let (reply, answer) = sync_channel(1);
        let gone = |_| StoreError::Unreachable("the connection to PostgreSQL has ended".into());
        self.link.commands.send(command(reply)).map_err(gone)?;
        self.wait(&answer)
    }

    fn wait<T>(&self, answer: &Receiver<Answer<T>>) -> std::result::Result<T, StoreError> {
        let mut is_stopped = false;
        loop {
            match answer.recv_timeout(POLL_INTERVAL) {
                Ok(answer) => return answer,
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(StoreError::Unreachable("the connection to PostgreSQL has ended".into()));
                }
                Err(RecvTimeoutError::Timeout) if !is_stopped && self.deadline.must_stop() => {
                    is_stopped = true;
                    let (cancel, encryption) = (self.link.cancel.clone(), self.encryption.clone());
                    runtime()?.spawn(async move { cancel.cancel_query(encryption).await });
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    fn note(&self, statement: &Statement) {
        if let Some(table) = statement.table.as_ref().filter(|table| !self.written.borrow().contains(*table))
        {
            self.written.borrow_mut().insert(table.clone());
        }
    }
}

/// A statement with its parameters.
pub(crate) struct Call<'a> {
    session: &'a Session,
    statement: Arc<Statement>,
    values: Vec<Argument>,
}

impl<'a> Call<'a> {
    pub(crate) fn parameter_count(&self) -> usize {
        self.statement.highest
    }

    pub(crate) fn bind(&mut self, place: usize, value: &dyn ToSql) -> Result<()> {
        self.set(place, Argument::One(owned(value)?));
        Ok(())
    }

    /// Binds a list.
    pub(crate) fn bind_each(&mut self, place: usize, values: Vec<Value>) {
        self.set(place, Argument::Each(values));
    }

    fn set(&mut self, place: usize, argument: Argument) {
        if let Some(at) = self.statement.places.iter().position(|known| *known == place) {
            self.values[at] = argument;
        }
    }

    /// Buffers the row, to be inserted with others before anything else runs. `copy` is the text after `COPY` for these columns.
    pub(crate) fn add(&mut self, copy: &str) -> Result<()> {
        let row = std::mem::replace(&mut self.values, vec![Argument::NULL; self.statement.places.len()]);
        self.session.note(&self.statement);
        let mut added = self.session.added.borrow_mut();
        match &mut *added {
            Some(more) if Arc::ptr_eq(&more.statement, &self.statement) && more.rows.len() < TOGETHER => {
                more.rows.push(row);
            }
            _ => {
                drop(added);
                self.session.flush()?;
                let statement = Arc::clone(&self.statement);
                self.session.added.replace(Some(Addition {
                    statement,
                    copy: copy.to_owned(),
                    rows: vec![row],
                }));
            }
        }
        Ok(())
    }

    pub(crate) fn query(&mut self) -> Cursor<'a> {
        let id = self.session.next.get();
        self.session.next.set(id + 1);
        Cursor {
            session: self.session,
            id,
            state: State::New(Arc::clone(&self.statement), self.values.clone()),
            rows: VecDeque::new(),
            cells: Vec::new(),
        }
    }

    pub(crate) fn execute(&mut self) -> Result<usize> {
        self.session.flush()?;
        self.session.note(&self.statement);
        let (sql, values) = (Arc::clone(&self.statement.text), self.values.clone());
        let is_guarded = self.session.is_guarded.get();
        let done = self.session.ask(|reply| Command::Execute { sql, values, is_guarded, reply });
        Ok(usize::try_from(done.map_err(carried)?).unwrap_or(usize::MAX))
    }
}

enum State {
    New(Arc<Statement>, Vec<Argument>),
    Open,
    Done,
}

/// A cursor over rows.
pub(crate) struct Cursor<'a> {
    session: &'a Session,
    id: u64,
    state: State,
    rows: VecDeque<Row>,
    cells: Vec<Value>,
}

impl Cursor<'_> {
    pub(crate) fn next(&mut self) -> Result<Option<&[Value]>> {
        if self.rows.is_empty() {
            let id = self.id;
            let more = match std::mem::replace(&mut self.state, State::Done) {
                State::Done => return Ok(None),
                State::Open => self.session.ask(|reply| Command::Fetch { id, reply }),
                State::New(statement, values) => {
                    self.session.flush()?;
                    self.session.note(&statement);
                    let is_guarded = statement.table.is_some() && self.session.is_guarded.get();
                    let sql = Arc::clone(&statement.text);
                    self.session.ask(|reply| Command::Query { id, sql, values, is_guarded, reply })
                }
            };
            let Rows { rows, is_last } = more.map_err(carried)?;
            self.rows = rows;
            if !is_last {
                self.state = State::Open;
            }
        }
        let Some(row) = self.rows.pop_front() else { return Ok(None) };
        self.cells.clear();
        for place in 0..row.len() {
            let cell = row.try_get::<_, Decoded>(place);
            self.cells.push(cell.map_err(|error| carried(StoreError::Database(Box::new(error))))?.0);
        }
        Ok(Some(&self.cells))
    }
}

impl Drop for Cursor<'_> {
    fn drop(&mut self) {
        if matches!(self.state, State::Open) {
            let _ = self.session.link.commands.send(Command::Close { id: self.id });
        }
    }
}

/// The value as SQLite would store it.
fn owned(value: &dyn ToSql) -> Result<Value> {
    Ok(match value.to_sql()? {
        ToSqlOutput::Owned(value) => value,
        ToSqlOutput::Borrowed(value) => value.try_into()?,
        _ => Value::Null,
    })
}
