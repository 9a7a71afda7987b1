//! Caches columns and dictionaries of segments, up to a memory limit.
//!
//! Entries never become outdated: a column's id is random and never reused, and a dictionary only grows within an epoch. Data that a
//! commit changes is therefore looked up under other keys. Only read-only connections fill the cache, therefore it never contains data of
//! a transaction that may be rolled back.

use super::layout::{Layout, Slot};
use super::pack::Column;
use super::values::Dictionary;
use catalogue::TableId;
use rusqlite::Connection;
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Limit for the columns of all tables together. If it is smaller than one query needs, each query reads all its columns anew: ten million
/// charges grouped by a tag took 290 ms of CPU with 96 MB, 190 with 160, 173 with this limit (`ten_million`).
const LIMIT_BYTES: usize = 224 * 1024 * 1024;

#[derive(Debug)]
pub(crate) struct Cache {
    entries: Mutex<CacheEntries>,
    /// Number of threads that currently aggregate rows, including helper threads.
    adding: AtomicUsize,
    cores: usize,
}

/// Counts a thread that aggregates rows, until dropped.
#[derive(Debug)]
pub(super) struct Adding<'a>(&'a Cache);

#[derive(Debug, Default)]
struct CacheEntries {
    columns: HashMap<i64, Entry>,
    bytes: usize,
    /// A counter that is incremented on every use.
    now: u64,
    dictionaries: HashMap<(TableId, Slot), (i64, Arc<Dictionary>)>,
}

#[derive(Debug)]
struct Entry {
    column: Arc<Column>,
    bytes: usize,
    used: u64,
}

impl Default for Cache {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self { entries: Mutex::default(), adding: AtomicUsize::new(0), cores }
    }
}

impl Drop for Adding<'_> {
    fn drop(&mut self) {
        self.0.adding.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Cache {
    /// Registers a thread that starts to aggregate rows.
    pub(super) fn begin(&self) -> Adding<'_> {
        self.adding.fetch_add(1, Ordering::Relaxed);
        Adding(self)
    }

    /// Registers a second thread for one query, if a core is idle.
    pub(super) fn begin_to_help(&self) -> Option<Adding<'_>> {
        let one_more = |adding| (adding < self.cores).then_some(adding + 1);
        self.adding.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_more).ok().map(|_| Adding(self))
    }

    pub(super) fn column(&self, id: i64) -> Option<Arc<Column>> {
        let mut kept = self.entries();
        kept.now += 1;
        let now = kept.now;
        let entry = kept.columns.get_mut(&id)?;
        entry.used = now;
        Some(Arc::clone(&entry.column))
    }

    pub(super) fn keep(&self, id: i64, column: &Arc<Column>) {
        let mut kept = self.entries();
        let bytes = column.bytes();
        kept.now += 1;
        let entry = Entry { column: Arc::clone(column), bytes, used: kept.now };
        kept.bytes += bytes;
        if let Some(before) = kept.columns.insert(id, entry) {
            kept.bytes -= before.bytes;
        }
        if kept.bytes > LIMIT_BYTES {
            kept.forget();
        }
    }

    /// The dictionary of a slot, with at least `count` values.
    pub(super) fn dictionary(
        &self,
        connection: &Connection,
        layout: &Layout<'_>,
        epoch: i64,
        slot: Slot,
        count: usize,
    ) -> rusqlite::Result<Arc<Dictionary>> {
        let place = (layout.id, slot);
        let known = self
            .entries()
            .dictionaries
            .get(&place)
            .filter(|(of, _)| *of == epoch)
            .map(|(_, known)| Arc::clone(known));
        if let Some(known) = known.as_ref().filter(|known| known.len() >= count) {
            return Ok(Arc::clone(known));
        }
        let read = Arc::new(Dictionary::read(connection, layout, slot, known.as_deref())?);
        let mut kept = self.entries();
        let newest = kept.dictionaries.entry(place).or_insert_with(|| (epoch, Arc::clone(&read)));
        if newest.0 != epoch || newest.1.len() < read.len() {
            *newest = (epoch, Arc::clone(&read));
        }
        Ok(read)
    }

    fn entries(&self) -> MutexGuard<'_, CacheEntries> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl CacheEntries {
    /// Evicts the least recently used quarter.
    fn forget(&mut self) {
        let mut ages: Vec<(u64, i64)> = self.columns.iter().map(|(id, entry)| (entry.used, *id)).collect();
        ages.sort_unstable();
        for (_, id) in ages {
            if self.bytes <= LIMIT_BYTES / 4 * 3 {
                break;
            }
            if let Some(entry) = self.columns.remove(&id) {
                self.bytes -= entry.bytes;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Cache, LIMIT_BYTES};
    use crate::segments::pack::Column;
    use std::sync::Arc;

    #[test]
    fn what_was_used_longest_ago_makes_room() {
        let cache = Cache::default();
        let column = Arc::new(Column::Weights(vec![1; 1 << 20]));
        let many = i64::try_from(LIMIT_BYTES / column.bytes()).unwrap() + 8;
        for id in 0..many {
            cache.keep(id, &column);
            assert!(cache.column(0).is_some(), "it is used all the time");
        }
        assert!(cache.column(1).is_none());
        assert!(cache.column(many - 1).is_some());
        assert!(cache.entries().bytes <= LIMIT_BYTES);
    }
}
