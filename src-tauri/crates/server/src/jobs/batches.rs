//! Files that were handed in together: they are one delivery, imported once all of them have arrived.

use std::collections::HashMap;
use uuid::Uuid;

/// After so long without any file of it, a batch is imported with those that came, µs: its sender is gone.
const LONGEST_SILENCE: i64 = 120 * 1_000_000;

/// The batch of a tenant.
pub type BatchKey = (Uuid, Uuid);

/// The batches some file of which has come or is coming.
#[derive(Debug, Default)]
pub struct Batches(HashMap<BatchKey, Batch>);

#[derive(Debug, Default)]
struct Batch {
    /// How many files its sender says there are.
    files: usize,
    /// Files that have arrived, those that were cancelled later among them.
    arrived: usize,
    /// Files on their way.
    arriving: usize,
    /// When something was last heard of it, µs since 1970 UTC.
    heard: i64,
}

impl Batches {
    /// A file of the batch begins to arrive.
    pub fn begin(&mut self, key: BatchKey, files: usize, now: i64) {
        let batch = self.0.entry(key).or_default();
        batch.files = files;
        batch.arriving += 1;
        batch.heard = now;
    }

    /// A file of the batch has arrived, or broke off.
    pub fn end(&mut self, key: BatchKey, has_arrived: bool, now: i64) {
        if let Some(batch) = self.0.get_mut(&key) {
            batch.arriving = batch.arriving.saturating_sub(1);
            batch.arrived += usize::from(has_arrived);
            batch.heard = now;
        }
    }

    /// A file that arrived before the service was started.
    pub fn take_up(&mut self, key: BatchKey, files: usize, now: i64) {
        self.begin(key, files, now);
        self.end(key, true, now);
    }

    /// The sender says how many files there are after all; whether such a batch is known.
    pub fn close(&mut self, key: BatchKey, files: usize) -> bool {
        let batch = self.0.get_mut(&key);
        batch.map(|batch| batch.files = files).is_some()
    }

    /// Whether its files can be imported. A batch nobody knows any more can.
    pub fn is_complete(&self, key: BatchKey, now: i64) -> bool {
        self.0.get(&key).is_none_or(|batch| {
            let is_silent = now.saturating_sub(batch.heard) > LONGEST_SILENCE;
            batch.arriving == 0 && (batch.arrived >= batch.files || is_silent)
        })
    }

    /// Forgets batches of which no file waits or is on its way, and which expect no more.
    pub fn retain(&mut self, is_waiting: impl Fn(&BatchKey) -> bool, now: i64) {
        let over: Vec<BatchKey> =
            self.0.keys().filter(|key| !is_waiting(key) && self.is_complete(**key, now)).copied().collect();
        for key in over {
            self.0.remove(&key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: BatchKey = (Uuid::nil(), Uuid::nil());

    #[test]
    fn a_batch_is_complete_when_all_its_files_have_come() {
        let mut batches = Batches::default();
        batches.begin(KEY, 2, 0);
        batches.end(KEY, true, 1);
        assert!(!batches.is_complete(KEY, 2));
        batches.begin(KEY, 2, 2);
        assert!(!batches.is_complete(KEY, 2));
        batches.end(KEY, true, 3);
        assert!(batches.is_complete(KEY, 3));
    }

    #[test]
    fn a_batch_whose_sender_says_fewer_or_is_gone_is_complete_with_what_came() {
        let mut batches = Batches::default();
        batches.begin(KEY, 3, 0);
        batches.end(KEY, true, 1);
        batches.begin(KEY, 3, 1);
        batches.end(KEY, false, 2);
        assert!(!batches.is_complete(KEY, 2 + LONGEST_SILENCE));
        assert!(batches.is_complete(KEY, 3 + LONGEST_SILENCE));
        assert!(batches.close(KEY, 1));
        assert!(batches.is_complete(KEY, 3));
        batches.retain(|_| false, 3);
        assert!(!batches.close(KEY, 1));
    }

    #[test]
    fn a_file_on_its_way_is_waited_for_however_long_it_takes() {
        let mut batches = Batches::default();
        batches.begin(KEY, 2, 0);
        assert!(!batches.is_complete(KEY, i64::MAX));
    }
}
