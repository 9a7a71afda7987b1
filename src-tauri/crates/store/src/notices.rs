//! Notices of changes: which tables a commit wrote, for whoever watches them.
//!
//! What this process writes is noted row by row while it is written and told at the commit. What other processes write (an
//! import from the command line) is noticed by looking a few times a second while somebody watches, and may be about any table.

use crate::driver::sqlite::Connections;
use catalogue::{Catalogue, TableId};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::Duration;
use tokio::sync::watch;

/// How often the file is looked at for changes of other processes.
const BETWEEN_LOOKS: Duration = Duration::from_millis(300);

/// The changes of one database.
pub(crate) struct Notices {
    /// Counts the commits that wrote a table, by its place in the catalogue.
    commits: Vec<AtomicU64>,
    told: watch::Sender<()>,
    watchers: Mutex<Watchers>,
    left: Condvar,
}

#[derive(Default)]
struct Watchers {
    count: usize,
    /// A thread looks for changes of other processes.
    looking: bool,
}

impl Notices {
    pub(crate) fn new(catalogue: &Catalogue) -> Arc<Self> {
        Arc::new(Self {
            commits: catalogue.iter().map(|_| AtomicU64::new(0)).collect(),
            told: watch::Sender::new(()),
            watchers: Mutex::default(),
            left: Condvar::new(),
        })
    }

    /// Tells that rows of these tables were written.
    pub(crate) fn publish(&self, tables: impl Iterator<Item = TableId>) {
        let mut some = false;
        for table in tables {
            some = true;
            self.commits[usize::from(table.0)].fetch_add(1, Ordering::Release);
        }
        if some {
            self.told.send_replace(());
        }
    }

    /// Tells that rows of any table may have been written.
    pub(crate) fn publish_all(&self) {
        for commits in &self.commits {
            commits.fetch_add(1, Ordering::Release);
        }
        self.told.send_replace(());
    }

    fn watchers(&self) -> MutexGuard<'_, Watchers> {
        self.watchers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Watches tables. What was written before [`Watch::mark`] is not told.
pub struct Watch {
    /// Whether changes of other processes are looked for.
    looks: bool,
    notices: Arc<Notices>,
    tables: Vec<TableId>,
    marked: u64,
    told: watch::Receiver<()>,
}

impl Watch {
    pub(crate) fn new(notices: Arc<Notices>, connections: &Arc<Connections>, tables: Vec<TableId>) -> Self {
        {
            let mut watchers = notices.watchers();
            watchers.count += 1;
            if !watchers.looking {
                watchers.looking = true;
                let seen = connections.foreign_version();
                let (notices, connections) = (Arc::clone(&notices), Arc::downgrade(connections));
                thread::spawn(move || look(&notices, &connections, seen));
            }
        }
        Self::over(notices, tables, true)
    }

    /// Watches for what this process writes, which costs nothing while nothing is written.
    pub(crate) fn own(notices: Arc<Notices>, tables: Vec<TableId>) -> Self {
        Self::over(notices, tables, false)
    }

    fn over(notices: Arc<Notices>, tables: Vec<TableId>, looks: bool) -> Self {
        let told = notices.told.subscribe();
        let mut watch = Self { looks, notices, tables, marked: 0, told };
        watch.mark();
        watch
    }

    /// Waits for changes from now on. Call it before reading what the changes are about.
    pub fn mark(&mut self) {
        self.told.borrow_and_update();
        self.marked = self.commits();
    }

    /// Waits until one of the tables has been written since the mark.
    pub async fn changed(&mut self) {
        while self.commits() == self.marked {
            // The sender lives in the notices held here.
            let _ = self.told.changed().await;
        }
    }

    fn commits(&self) -> u64 {
        let of = |table: &TableId| self.notices.commits[usize::from(table.0)].load(Ordering::Acquire);
        self.tables.iter().map(of).sum()
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if !self.looks {
            return;
        }
        self.notices.watchers().count -= 1;
        self.notices.left.notify_all();
    }
}

/// Looks for changes of other processes while somebody watches.
fn look(notices: &Notices, connections: &Weak<Connections>, mut seen: Option<i64>) {
    loop {
        let Some(open) = connections.upgrade() else { break };
        if let Some(version) = open.foreign_version() {
            // Who began to watch while this process was writing has seen nothing yet.
            if seen.replace(version) != Some(version) {
                notices.publish_all();
            }
        }
        drop(open);
        let watchers = notices.watchers();
        let waited = notices.left.wait_timeout_while(watchers, BETWEEN_LOOKS, |watchers| watchers.count > 0);
        let (mut watchers, _) = waited.unwrap_or_else(PoisonError::into_inner);
        if watchers.count == 0 {
            watchers.looking = false;
            return;
        }
    }
    notices.watchers().looking = false;
}
