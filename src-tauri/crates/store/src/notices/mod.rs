//! Change notifications: which tables a commit wrote, for those who watch them.
//!
//! Writes of this process are recorded row by row and published at the commit. Writes of other processes (a command-line import) may
//! concern any table. While a table is watched, the system reports writes to the write-ahead log (`file_watcher.rs`), and only then the database is
//! checked for a commit. If the system cannot report them, the database is checked every two seconds.

mod file_watcher;

use catalogue::{Catalogue, TableId};
use file_watcher::{FileWatcher, WakeHandle, WatchEvent};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::Duration;
use tokio::sync::watch;

/// Interval between checks for changes of other processes, if the system does not report writes.
const POLL_INTERVAL: Duration = Duration::from_secs(2);

/// Interval between checks of a database without a local file.
const REMOTE_POLL_INTERVAL: Duration = Duration::from_millis(400);

/// A commit may become visible a moment after its last byte was written, when it is on disk. The check is therefore repeated after this
/// time and then after twice the previous time …
const FIRST_CHECK: Duration = Duration::from_millis(150);
/// … up to this interval.
const LAST_CHECK: Duration = Duration::from_secs(3);

/// Detects commits of other processes.
pub(crate) trait Foreign: Send + Sync {
    /// A number that changes when another process commits; `None` if it cannot be read now.
    fn version(&self) -> Option<i64>;
    /// The file that is written on every commit, if there is one.
    fn log(&self) -> Option<PathBuf>;
}

/// The change notifications of one database.
pub(crate) struct Notices {
    /// The number of commits that wrote each table, indexed by table id.
    commits: Vec<AtomicU64>,
    sender: watch::Sender<()>,
    watchers: Mutex<Watchers>,
    watch_dropped: Condvar,
}

#[derive(Default)]
struct Watchers {
    count: usize,
    /// Whether a thread checks for changes of other processes.
    is_polling: bool,
    /// Wakes up that thread while it waits for the file.
    wake_handle: Option<WakeHandle>,
}

impl Notices {
    pub(crate) fn new(catalogue: &Catalogue) -> Arc<Self> {
        Arc::new(Self {
            commits: catalogue.iter().map(|_| AtomicU64::new(0)).collect(),
            sender: watch::Sender::new(()),
            watchers: Mutex::default(),
            watch_dropped: Condvar::new(),
        })
    }

    /// Publishes that rows of these tables were written.
    pub(crate) fn publish(&self, tables: impl Iterator<Item = TableId>) {
        let mut some = false;
        for table in tables {
            some = true;
            self.commits[usize::from(table.0)].fetch_add(1, Ordering::Release);
        }
        if some {
            self.sender.send_replace(());
        }
    }

    /// Publishes that rows of any table may have been written.
    pub(crate) fn publish_all(&self) {
        for commits in &self.commits {
            commits.fetch_add(1, Ordering::Release);
        }
        self.sender.send_replace(());
    }

    fn watchers(&self) -> MutexGuard<'_, Watchers> {
        self.watchers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Watches tables. Writes before [`Watch::mark`] are not reported.
pub struct Watch {
    /// Whether changes of other processes are detected.
    detects_foreign: bool,
    notices: Arc<Notices>,
    tables: Vec<TableId>,
    marked: u64,
    receiver: watch::Receiver<()>,
}

impl Watch {
    pub(crate) fn new(notices: Arc<Notices>, foreign: &Arc<dyn Foreign>, tables: Vec<TableId>) -> Self {
        {
            let mut watchers = notices.watchers();
            watchers.count += 1;
            if !watchers.is_polling {
                watchers.is_polling = true;
                let seen = foreign.version();
                let (notices, foreign) = (Arc::clone(&notices), Arc::downgrade(foreign));
                thread::spawn(move || poll_foreign(&notices, &foreign, seen));
            }
        }
        Self::subscribe(notices, tables, true)
    }

    /// Watches for writes of this process, which costs nothing while nothing is written.
    pub(crate) fn own(notices: Arc<Notices>, tables: Vec<TableId>) -> Self {
        Self::subscribe(notices, tables, false)
    }

    fn subscribe(notices: Arc<Notices>, tables: Vec<TableId>, detects_foreign: bool) -> Self {
        let receiver = notices.sender.subscribe();
        let mut watch = Self { detects_foreign, notices, tables, marked: 0, receiver };
        watch.mark();
        watch
    }

    /// Starts waiting for changes from now on. Call it before reading the data concerned.
    pub fn mark(&mut self) {
        self.receiver.borrow_and_update();
        self.marked = self.commits();
    }

    /// Waits until one of the tables is written after the mark.
    pub async fn changed(&mut self) {
        while self.commits() == self.marked {
            // Cannot fail: the notices held here own the sender.
            let _ = self.receiver.changed().await;
        }
    }

    fn commits(&self) -> u64 {
        let of = |table: &TableId| self.notices.commits[usize::from(table.0)].load(Ordering::Acquire);
        self.tables.iter().map(of).sum()
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if !self.detects_foreign {
            return;
        }
        let mut watchers = self.notices.watchers();
        watchers.count -= 1;
        if let Some(wake_handle) = watchers.wake_handle.as_ref().filter(|_| watchers.count == 0) {
            wake_handle.wake();
        }
        self.notices.watch_dropped.notify_all();
    }
}

/// Checks for changes of other processes while somebody watches.
fn poll_foreign(notices: &Notices, foreign: &Weak<dyn Foreign>, mut seen: Option<i64>) {
    let log = foreign.upgrade().and_then(|open| open.log());
    // Without a file to watch, checks are more frequent, to keep pages from being seconds late.
    let between = if log.is_some() { POLL_INTERVAL } else { REMOTE_POLL_INTERVAL };
    let mut watcher = log.and_then(|log| FileWatcher::open(&log));
    notices.watchers().wake_handle = watcher.as_ref().map(FileWatcher::wake_handle);
    // `None`: until the file is written.
    let mut pause = Some(FIRST_CHECK);
    loop {
        let Some(open) = foreign.upgrade() else { break };
        if let Some(version) = open.version() {
            // A watch that started while this process was writing has not seen any change yet.
            if seen.replace(version) != Some(version) {
                notices.publish_all();
            }
        }
        drop(open);
        if let Some(open_watcher) = &watcher {
            match pause.map_or_else(|| open_watcher.wait(), |pause| open_watcher.wait_for(pause)) {
                WatchEvent::Written => pause = Some(FIRST_CHECK),
                WatchEvent::Nothing => {
                    pause = pause.map(|pause| pause * 2).filter(|pause| *pause <= LAST_CHECK);
                }
                WatchEvent::Gone => watcher = None,
            }
        } else {
            let watchers = notices.watchers();
            let waited =
                notices.watch_dropped.wait_timeout_while(watchers, between, |watchers| watchers.count > 0);
            drop(waited);
        }
        let mut watchers = notices.watchers();
        if watchers.count == 0 {
            watchers.end();
            return;
        }
    }
    notices.watchers().end();
}

impl Watchers {
    /// Called when the thread ends.
    fn end(&mut self) {
        self.is_polling = false;
        self.wake_handle = None;
    }
}

#[cfg(test)]
mod tests {
    use super::{Foreign, LAST_CHECK, Watch};
    use crate::driver::sqlite::{Connections, connect_writer};
    use catalogue::{Catalogue, Source};
    use std::sync::Arc;
    use std::time::{Duration, Instant};

    const SCHEMA: &str = "\"A tenant.\" type tenant @table(tenant: \"id\") { id: uuid! @key }";

    #[tokio::test]
    async fn commits_of_another_process_are_told_and_the_eye_is_closed_with_the_last_watch() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("test.db");
        let writer = connect_writer(&path).unwrap();
        writer.execute_batch("CREATE TABLE a (n INTEGER PRIMARY KEY) STRICT").unwrap();
        let catalogue = Catalogue::parse(&[Source { name: "tables/cost.graphql", text: SCHEMA }]).unwrap();
        let tables = vec![catalogue.find("tenant").unwrap()];
        let connections = Connections::new(&path, writer, &Arc::new(catalogue)).unwrap();
        let notices = connections.notices();
        let foreign: Arc<dyn Foreign> = Arc::clone(&connections) as _;
        let mut watch = Watch::new(Arc::clone(notices), &foreign, tables.clone());
        let second = Watch::new(Arc::clone(notices), &foreign, tables);

        // For SQLite, another connection is equivalent to another process.
        let other = connect_writer(&path).unwrap();
        for n in 0..3 {
            watch.mark();
            other.execute("INSERT INTO a VALUES (?1)", [n]).unwrap();
            tokio::time::timeout(Duration::from_mins(1), watch.changed()).await.expect("a commit is told");
        }
        assert_eq!(
            cfg!(target_os = "linux"),
            notices.watchers().wake_handle.is_some(),
            "who is looked for by the clock"
        );

        drop(watch);
        assert!(notices.watchers().is_polling, "somebody watches");
        drop(second);
        let since = Instant::now();
        while notices.watchers().is_polling {
            assert!(since.elapsed() < LAST_CHECK * 20, "nobody watches any more");
            std::thread::yield_now();
        }
    }
}
