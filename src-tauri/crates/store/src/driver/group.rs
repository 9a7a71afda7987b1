//! Group commit: concurrent writes share one commit and therefore wait for the disk once.
//!
//! A writer leaves the transaction open if others are about to write; the last of them commits for all. Every write has its own savepoint,
//! therefore a failed write rolls back only itself. No write returns before the commit. If the commit fails, or a failure rolls back the
//! whole transaction, the other writes are retried alone.

use super::sqlite::Connections;
use super::written::WrittenTables;
use rusqlite::Connection;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Maximum number of writes in one commit.
const MOST: usize = 64;
/// Approximate maximum time between the first and last write of a group.
const LONGEST: Duration = Duration::from_millis(10);

/// The writes that share the next commit.
#[derive(Default)]
pub(crate) struct Group {
    /// The number of writes about to join.
    coming: AtomicUsize,
    /// The transaction left open between two writes. Only accessed while holding the writer.
    open: Mutex<Option<Open>>,
}

struct Open {
    writes: usize,
    began: Instant,
    end: Arc<End>,
}

/// The outcome of a transaction, for writes that wait for it.
#[derive(Default)]
struct End {
    committed: Mutex<Option<bool>>,
    told: Condvar,
}

/// The outcome of a write in a shared transaction.
pub(crate) enum Shared<T, E> {
    /// Committed, or failed and rolled back.
    Done(Result<T, E>),
    /// Rolled back because of another write; can be retried alone.
    Undone,
}

impl Connections {
    /// Runs `work` in a transaction that may be shared with other writes. `work` must be short, because others wait for it.
    pub(crate) fn share<T, E>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, E>,
    ) -> rusqlite::Result<Shared<T, E>> {
        let group = self.group();
        group.coming.fetch_add(1, Ordering::AcqRel);
        let writer = self.lock_writer();
        group.coming.fetch_sub(1, Ordering::AcqRel);
        if group.lock().is_none() {
            self.set_written(WrittenTables::default());
            writer.execute_batch("PRAGMA foreign_keys = ON; BEGIN IMMEDIATE")?;
            *group.lock() = Some(Open { writes: 0, began: Instant::now(), end: Arc::default() });
        }
        let before = self.written();
        let answer = catch_unwind(AssertUnwindSafe(|| in_savepoint(&writer, work)));
        let is_kept = matches!(answer, Ok(Ok(Ok(_))));
        if !is_kept {
            self.set_written(before);
        }
        let end = group.leave_open(&writer);
        let is_committed = if let Some(end) = end {
            drop(writer);
            // A write that was rolled back has nothing to wait for.
            !is_kept || end.wait()
        } else {
            self.end_group(&writer)
        };
        match answer {
            Err(panic) => resume_unwind(panic),
            Ok(Err(error)) => Err(error),
            Ok(Ok(Ok(_))) if !is_committed => Ok(Shared::Undone),
            Ok(Ok(answer)) => Ok(Shared::Done(answer)),
        }
    }

    /// Commits the open transaction, if any. Returns `false` if the commit failed. Call it while holding the writer.
    pub(crate) fn end_group(&self, writer: &Connection) -> bool {
        let Some(open) = self.group().lock().take() else { return true };
        // A failure may have rolled back the whole transaction already.
        let is_committed = !writer.is_autocommit() && writer.execute_batch("COMMIT").is_ok();
        if is_committed {
            self.publish();
        } else if !writer.is_autocommit() && writer.execute_batch("ROLLBACK").is_err() {
            tracing::error!("a transaction could neither be committed nor undone");
        }
        open.end.tell(is_committed);
        is_committed
    }
}

/// Runs `work` in a savepoint: a failure rolls back only this write.
fn in_savepoint<T, E>(
    writer: &Connection,
    work: impl FnOnce(&Connection) -> Result<T, E>,
) -> rusqlite::Result<Result<T, E>> {
    writer.execute_batch("SAVEPOINT one")?;
    let answer = catch_unwind(AssertUnwindSafe(|| work(writer)));
    // Some failures roll back the whole transaction; the savepoint then no longer exists.
    if !writer.is_autocommit() {
        let is_kept = matches!(answer, Ok(Ok(_)));
        writer.execute_batch(if is_kept { "RELEASE one" } else { "ROLLBACK TO one; RELEASE one" })?;
    }
    answer.map_or_else(|panic| resume_unwind(panic), Ok)
}

impl Group {
    /// Leaves the transaction open if others are about to join it; returns the outcome to wait for.
    fn leave_open(&self, writer: &Connection) -> Option<Arc<End>> {
        let mut open = self.lock();
        let open = open.as_mut()?;
        open.writes += 1;
        let is_left = !writer.is_autocommit()
            && self.coming.load(Ordering::Acquire) > 0
            && open.writes < MOST
            && open.began.elapsed() < LONGEST;
        is_left.then(|| Arc::clone(&open.end))
    }

    fn lock(&self) -> MutexGuard<'_, Option<Open>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl End {
    fn tell(&self, is_committed: bool) {
        *self.committed.lock().unwrap_or_else(PoisonError::into_inner) = Some(is_committed);
        self.told.notify_all();
    }

    fn wait(&self) -> bool {
        let committed = self.committed.lock().unwrap_or_else(PoisonError::into_inner);
        let committed = self.told.wait_while(committed, |committed| committed.is_none());
        committed.unwrap_or_else(PoisonError::into_inner).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::Shared;
    use crate::driver::sqlite::{Connections, connect_writer};
    use catalogue::{Catalogue, Source};
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Arc, Barrier};
    use std::thread;

    const SCHEMA: &str = "\"A tenant.\" type tenant @table(tenant: \"id\") { id: uuid! @key }";

    struct Desk {
        connections: Arc<Connections>,
        commits: Arc<AtomicUsize>,
        _folder: tempfile::TempDir,
    }

    impl Desk {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            let mut writer = connect_writer(&folder.path().join("test.db")).unwrap();
            let tables = "CREATE TABLE a (n INTEGER PRIMARY KEY) STRICT; \
                          CREATE TABLE b (n INTEGER REFERENCES a (n) DEFERRABLE INITIALLY DEFERRED) STRICT";
            writer.execute_batch(tables).unwrap();
            let commits = Arc::new(AtomicUsize::new(0));
            let counted = Arc::clone(&commits);
            let count = move || {
                counted.fetch_add(1, Ordering::SeqCst);
                false
            };
            writer.commit_hook(Some(count)).unwrap();
            let sources = [Source { name: "tables/cost.graphql", text: SCHEMA }];
            let catalogue = Arc::new(Catalogue::parse(&sources).unwrap());
            let connections = Connections::new(&folder.path().join("test.db"), writer, &catalogue).unwrap();
            Self { connections, commits, _folder: folder }
        }

        /// Runs all writes concurrently; none starts before all threads are ready.
        fn write(&self, statements: &[&str]) -> Vec<Outcome> {
            let gate = self.connections.lock_writer();
            let outcomes = thread::scope(|scope| {
                let one =
                    |sql: &str| match self.connections.share(|writer| writer.execute_batch(sql)).unwrap() {
                        Shared::Done(Ok(())) => Kept,
                        Shared::Done(Err(_)) => Failed,
                        Shared::Undone => Undone,
                    };
                let threads: Vec<_> = statements.iter().map(|sql| scope.spawn(move || one(sql))).collect();
                while self.connections.group().coming.load(Ordering::SeqCst) < statements.len() {
                    thread::yield_now();
                }
                drop(gate);
                threads.into_iter().map(|thread| thread.join().unwrap()).collect()
            });
            self.connections.group().lock().is_none().then_some(outcomes).expect("nothing stays open")
        }

        fn rows(&self, table: &str) -> i64 {
            let count = format!("SELECT count(*) FROM {table}");
            self.connections.lock_writer().query_row(&count, [], |row| row.get(0)).unwrap()
        }

        fn commits(&self) -> usize {
            self.commits.load(Ordering::SeqCst)
        }
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    enum Outcome {
        Kept,
        Failed,
        Undone,
    }
    use Outcome::{Failed, Kept, Undone};

    #[test]
    fn writes_that_come_together_share_a_commit() {
        let desk = Desk::new();
        let before = desk.commits();
        let statements: Vec<String> = (0..16).map(|n| format!("INSERT INTO a VALUES ({n})")).collect();
        let statements: Vec<&str> = statements.iter().map(String::as_str).collect();
        assert_eq!(desk.write(&statements), [Kept; 16]);
        assert_eq!(desk.rows("a"), 16);
        let commits = desk.commits() - before;
        assert!(commits < 16, "{commits} commits");
        assert_eq!(desk.write(&["INSERT INTO a VALUES (16)"]), [Kept]);
        assert_eq!(desk.commits() - before, commits + 1);
    }

    #[test]
    fn a_write_that_fails_undoes_nothing_but_itself() {
        let desk = Desk::new();
        desk.write(&["INSERT INTO a VALUES (7)"]);
        let twice = "INSERT INTO a VALUES (8); INSERT INTO a VALUES (7)";
        let outcomes = desk.write(&["INSERT INTO a VALUES (1)", twice, "INSERT INTO a VALUES (2)"]);
        assert_eq!(outcomes, [Kept, Failed, Kept]);
        assert_eq!(desk.rows("a WHERE n = 8"), 0);
        assert_eq!(desk.rows("a"), 3);
    }

    #[test]
    fn whoever_shares_a_commit_that_fails_is_told_so() {
        let desk = Desk::new();
        let outcomes = desk.write(&["INSERT INTO b VALUES (5)"]);
        assert_eq!(outcomes, [Undone], "it refers to nothing, which is found at the commit");
        assert_eq!(desk.rows("b"), 0);
        assert_eq!(desk.write(&["INSERT INTO a VALUES (5)", "INSERT INTO a VALUES (6)"]), [Kept, Kept]);
        // SQLite rolls back the transaction when a writing statement is interrupted.
        let outcomes = desk.write(&["INSERT INTO a VALUES (9); ROLLBACK; nothing"]);
        assert_eq!(outcomes, [Failed]);
        assert_eq!(desk.rows("a"), 2);
    }

    #[test]
    fn who_needs_the_writer_alone_finds_nothing_open() {
        let desk = Desk::new();
        let begun = Barrier::new(2);
        thread::scope(|scope| {
            let first = scope.spawn(|| {
                desk.connections.share(|writer| {
                    begun.wait();
                    // Another write is about to join, and one that needs its own transaction.
                    while desk.connections.group().coming.load(Ordering::SeqCst) < 1 {
                        thread::yield_now();
                    }
                    writer.execute_batch("INSERT INTO a VALUES (1)")
                })
            });
            begun.wait();
            let second = scope
                .spawn(|| desk.connections.share(|writer| writer.execute_batch("INSERT INTO a VALUES (2)")));
            let alone = scope.spawn(|| desk.connections.writer().is_autocommit());
            assert!(alone.join().unwrap());
            assert!(matches!(first.join().unwrap().unwrap(), Shared::Done(Ok(()))));
            assert!(matches!(second.join().unwrap().unwrap(), Shared::Done(Ok(()))));
        });
        assert_eq!(desk.rows("a"), 2);
    }
}
