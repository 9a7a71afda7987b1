//! The task that owns a connection: receives commands in order and answers through channels on which a thread may block.
//!
//! Rows of a statement are read as requested. If another statement arrives before all are read, the rest is buffered in memory: PostgreSQL
//! answers the statements of a connection one after another.

use super::address::Address;
use super::cells::{Argument, Parameter, with_length};
use super::error::store_error;
use crate::StoreError;
use futures_util::{SinkExt as _, StreamExt as _};
use std::collections::{HashMap, VecDeque};
use std::pin::{Pin, pin};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use tokio::runtime::Handle;
use tokio::sync::mpsc;
use tokio_postgres::types::private::BytesMut;
use tokio_postgres::{CancelToken, Client, Row, RowStream, Statement};

/// Maximum number of rows per answer.
const CHUNK: usize = 256;
/// Maximum number of prepared statements; beyond it, all are dropped and prepared again.
const CACHED_STATEMENTS: usize = 512;
/// Number of rows from which COPY is used instead of INSERT.
const WORTH_A_COPY: usize = 16;
/// A statement that takes longer this many times in a row is planned on each execution, which then costs a small part of its time.
const SLOW: Duration = Duration::from_millis(1);
const SLOW_IN_A_ROW: u8 = 8;
/// Bytes of COPY data sent at once.
const PIECE: usize = 256 * 1024;

pub(super) type Answer<T> = Result<T, StoreError>;

/// Some rows of a statement, and whether they are the last.
pub(super) struct Rows {
    pub rows: VecDeque<Row>,
    pub is_last: bool,
}

pub(super) enum Command {
    /// Runs statements without parameters. Without `reply`, the next command with a reply reports a failure.
    Batch {
        sql: String,
        reply: Option<SyncSender<Answer<()>>>,
    },
    /// Begins a transaction, together with the next command.
    BeginLater {
        sql: &'static str,
    },
    /// Starts reading the rows of a statement.
    Query {
        id: u64,
        sql: Arc<str>,
        values: Vec<Argument>,
        is_guarded: bool,
        reply: SyncSender<Answer<Rows>>,
    },
    /// Reads more rows.
    Fetch {
        id: u64,
        reply: SyncSender<Answer<Rows>>,
    },
    /// Discards the remaining rows.
    Close {
        id: u64,
    },
    Execute {
        sql: Arc<str>,
        values: Vec<Argument>,
        is_guarded: bool,
        reply: SyncSender<Answer<u64>>,
    },
    /// Inserts many rows with one statement, or with `COPY table (columns)`.
    Add {
        sql: Arc<str>,
        copy: String,
        rows: Vec<Vec<Argument>>,
        reply: SyncSender<Answer<()>>,
    },
}

/// The handle to a connection's task.
pub(super) struct Link {
    pub commands: mpsc::UnboundedSender<Command>,
    pub cancel: CancelToken,
}

/// The runtime of all connections: one thread that polls sockets.
pub(super) fn runtime() -> Result<&'static Handle, StoreError> {
    static RUNTIME: OnceLock<Result<Handle, String>> = OnceLock::new();
    let begin = || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| error.to_string())?;
        let handle = runtime.handle().clone();
        let thread = std::thread::Builder::new().name("postgres".to_owned());
        thread
            .spawn(move || runtime.block_on(std::future::pending::<()>()))
            .map_err(|error| error.to_string())?;
        Ok(handle)
    };
    RUNTIME.get_or_init(begin).as_ref().map_err(|error| StoreError::Unreachable(error.clone().into()))
}

/// Opens a connection. Blocks the thread.
pub(super) fn connect(address: &Address) -> Result<Link, StoreError> {
    let (reply, answer) = sync_channel(1);
    let Address { config, encryption } = address.clone();
    runtime()?.spawn(async move {
        match config.connect(encryption).await {
            Ok((client, connection)) => {
                let ended = tokio::spawn(connection);
                let (commands, received) = mpsc::unbounded_channel();
                let link = Link { commands, cancel: client.cancel_token() };
                if reply.send(Ok(link)).is_ok() {
                    Task::new(client).run(received, ended).await;
                }
            }
            Err(error) => {
                let _ = reply.send(Err(store_error(error)));
            }
        }
    });
    received(&answer)?
}

/// Waits for an answer. Fails only if the task has ended.
fn received<T>(answer: &Receiver<T>) -> Result<T, StoreError> {
    answer.recv().map_err(|error| StoreError::Unreachable(Box::new(error)))
}

/// A prepared statement.
struct KnownStatement {
    statement: Statement,
    /// The number of consecutive slow executions. A statement that is often slow is planned with its values each time: PostgreSQL's cached
    /// generic plan assumes average values, but the values queried most are the most frequent ones.
    slow_runs: u8,
}

impl KnownStatement {
    fn is_slow(&self) -> bool {
        self.slow_runs >= SLOW_IN_A_ROW
    }

    fn has_taken(&mut self, duration: Duration) {
        if !self.is_slow() {
            self.slow_runs = if duration > SLOW { self.slow_runs + 1 } else { 0 };
        }
    }
}

struct Task {
    client: Client,
    statements: HashMap<Arc<str>, KnownStatement>,
    /// The BEGIN of the transaction that the next command belongs to.
    beginning: Option<&'static str>,
    /// The statement whose rows are being read.
    open: Option<(u64, Pin<Box<RowStream>>)>,
    /// Remaining rows of statements that were interrupted by another statement.
    kept: HashMap<u64, VecDeque<Row>>,
    /// The failure of a command without a reply.
    fault: Option<StoreError>,
}

impl Task {
    fn new(client: Client) -> Self {
        Self {
            client,
            statements: HashMap::new(),
            beginning: None,
            open: None,
            kept: HashMap::new(),
            fault: None,
        }
    }

    /// Runs until all senders are dropped or the connection ends; holders of the other end notice that.
    async fn run(mut self, mut commands: mpsc::UnboundedReceiver<Command>, ended: impl Future + Unpin) {
        let mut ended = ended;
        loop {
            let command = tokio::select! {
                biased;
                _ = &mut ended => return,
                command = commands.recv() => command,
            };
            let Some(command) = command else { return };
            match command {
                Command::Batch { sql, reply } => {
                    let done = self.batch(&sql).await;
                    match reply {
                        Some(reply) => {
                            let done = self.fault.take().map_or(done, Err);
                            let _ = reply.send(done);
                        }
                        None => self.fault = self.fault.take().or(done.err()),
                    }
                }
                Command::BeginLater { sql } => self.beginning = Some(sql),
                Command::Query { id, sql, values, is_guarded, reply } => {
                    let rows = match self.fault.take() {
                        Some(fault) => Err(fault),
                        None if is_guarded => self.guarded_query(&sql, &values).await,
                        None => self.query(id, &sql, &values).await,
                    };
                    let _ = reply.send(rows);
                }
                Command::Fetch { id, reply } => {
                    let _ = reply.send(self.fetch(id).await);
                }
                Command::Close { id } => {
                    self.kept.remove(&id);
                    self.open.take_if(|(open, _)| *open == id);
                }
                Command::Execute { sql, values, is_guarded, reply } => {
                    let done = match self.fault.take() {
                        Some(fault) => Err(fault),
                        None => self.execute(&sql, &values, is_guarded).await,
                    };
                    let _ = reply.send(done);
                }
                Command::Add { sql, copy, rows, reply } => {
                    let done = match self.fault.take() {
                        Some(fault) => Err(fault),
                        None => self.add(&sql, &copy, &rows).await,
                    };
                    let _ = reply.send(done);
                }
            }
        }
    }

    async fn batch(&mut self, sql: &str) -> Answer<()> {
        self.finish_reading().await?;
        self.begin().await?;
        self.client.batch_execute(sql).await.map_err(store_error)
    }

    /// Sends the deferred BEGIN.
    async fn begin(&mut self) -> Answer<()> {
        match self.beginning.take() {
            Some(sql) => self.client.batch_execute(sql).await.map_err(store_error),
            None => Ok(()),
        }
    }

    async fn statement(&mut self, sql: &Arc<str>) -> Answer<Statement> {
        if let Some(known) = self.statements.get(sql) {
            return Ok(known.statement.clone());
        }
        self.begin().await?;
        if self.statements.len() >= CACHED_STATEMENTS {
            self.statements.clear();
        }
        let statement = self.client.prepare(sql).await.map_err(store_error)?;
        let known = KnownStatement { statement: statement.clone(), slow_runs: 0 };
        self.statements.insert(Arc::clone(sql), known);
        Ok(statement)
    }

    async fn query(&mut self, id: u64, sql: &Arc<str>, values: &[Argument]) -> Answer<Rows> {
        self.finish_reading().await?;
        let statement = self.statement(sql).await?;
        let is_slow = self.statements.get(sql).is_some_and(KnownStatement::is_slow);
        let began = Instant::now();
        let client = &self.client;
        let parameters = values.iter().map(Parameter);
        let work = async {
            if is_slow {
                let types = statement.params().iter().cloned();
                client.query_typed_raw(sql, parameters.zip(types)).await
            } else {
                client.query_raw(&statement, parameters).await
            }
        };
        let rows = match self.beginning.take() {
            // Both are sent before the first is answered.
            Some(beginning) => {
                let (transaction, rows) = tokio::join!(client.batch_execute(beginning), work);
                transaction.and(rows)
            }
            None => work.await,
        };
        self.open = Some((id, Box::pin(rows.map_err(store_error)?)));
        let rows = self.fetch(id).await;
        if let Some(known) = self.statements.get_mut(sql) {
            known.has_taken(began.elapsed());
        }
        rows
    }

    /// The next rows of a statement.
    async fn fetch(&mut self, id: u64) -> Answer<Rows> {
        if let Some(rows) = self.kept.remove(&id) {
            return Ok(Rows { rows, is_last: true });
        }
        let Some((_, stream)) = self.open.as_mut().filter(|(open, _)| *open == id) else {
            return Ok(Rows { rows: VecDeque::new(), is_last: true });
        };
        let mut rows = VecDeque::new();
        while rows.len() < CHUNK {
            match stream.next().await {
                Some(Ok(row)) => rows.push_back(row),
                Some(Err(error)) => {
                    self.open = None;
                    return Err(store_error(error));
                }
                None => {
                    self.open = None;
                    return Ok(Rows { rows, is_last: true });
                }
            }
        }
        Ok(Rows { rows, is_last: false })
    }

    /// Buffers the remaining rows of the open statement, so that another can run.
    async fn finish_reading(&mut self) -> Answer<()> {
        let Some((id, mut stream)) = self.open.take() else { return Ok(()) };
        let mut rows = VecDeque::new();
        while let Some(row) = stream.next().await {
            rows.push_back(row.map_err(store_error)?);
        }
        self.kept.insert(id, rows);
        Ok(())
    }

    /// Runs a writing statement in a savepoint, so that its failure leaves the transaction usable.
    async fn guarded<T>(
        client: &Client,
        work: impl Future<Output = Result<T, tokio_postgres::Error>>,
    ) -> Answer<T> {
        // All three are sent before the first is answered.
        let (begun, done, ended) = tokio::join!(
            client.batch_execute("SAVEPOINT statement"),
            work,
            client.batch_execute("RELEASE statement")
        );
        begun.map_err(store_error)?;
        match done {
            Ok(done) => ended.map(|()| done).map_err(store_error),
            Err(error) => {
                let error = store_error(error);
                let undone = client.batch_execute("ROLLBACK TO statement; RELEASE statement").await;
                undone.map_err(store_error)?;
                Err(error)
            }
        }
    }

    async fn guarded_query(&mut self, sql: &Arc<str>, values: &[Argument]) -> Answer<Rows> {
        self.finish_reading().await?;
        self.begin().await?;
        let statement = self.statement(sql).await?;
        let client = &self.client;
        let work = async {
            let rows = client.query_raw(&statement, values.iter().map(Parameter)).await?;
            let mut rows = pin!(rows);
            let mut found = VecDeque::new();
            while let Some(row) = rows.next().await {
                found.push_back(row?);
            }
            Ok(found)
        };
        let rows = Self::guarded(client, work).await?;
        Ok(Rows { rows, is_last: true })
    }

    async fn execute(&mut self, sql: &Arc<str>, values: &[Argument], is_guarded: bool) -> Answer<u64> {
        self.finish_reading().await?;
        self.begin().await?;
        let statement = self.statement(sql).await?;
        let work = self.client.execute_raw(&statement, values.iter().map(Parameter));
        if is_guarded { Self::guarded(&self.client, work).await } else { work.await.map_err(store_error) }
    }

    async fn add(&mut self, sql: &Arc<str>, copy: &str, rows: &[Vec<Argument>]) -> Answer<()> {
        self.finish_reading().await?;
        self.begin().await?;
        let statement = self.statement(sql).await?;
        if rows.len() < WORTH_A_COPY {
            for row in rows {
                let added = self.client.execute_raw(&statement, row.iter().map(Parameter)).await;
                added.map_err(store_error)?;
            }
            return Ok(());
        }
        let sink = self.client.copy_in::<_, bytes::Bytes>(copy).await.map_err(store_error)?;
        let mut sink = pin!(sink);
        // "COPY", Binary Format: a signature, flags, no extension; then rows; then -1.
        let mut out = BytesMut::from(&b"PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0"[..]);
        for row in rows {
            write_row(row, &statement, &mut out)?;
            if out.len() >= PIECE {
                sink.send(out.split().freeze()).await.map_err(store_error)?;
            }
        }
        out.extend_from_slice(&(-1_i16).to_be_bytes());
        sink.send(out.freeze()).await.map_err(store_error)?;
        sink.finish().await.map(drop).map_err(store_error)
    }
}

/// Appends a row in COPY's binary format.
fn write_row(row: &[Argument], statement: &Statement, out: &mut BytesMut) -> Answer<()> {
    let wrong = |error: Box<dyn std::error::Error + Send + Sync>| StoreError::Database(error);
    out.extend_from_slice(&i16::try_from(row.len()).map_err(|error| wrong(error.into()))?.to_be_bytes());
    for (value, ty) in row.iter().zip(statement.params()) {
        with_length(out, |out| value.encode(ty, out)).map_err(wrong)?;
    }
    Ok(())
}
