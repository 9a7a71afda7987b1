//! Batches: files that were handed in together are one delivery, imported once all of them have arrived.

use std::collections::HashMap;
use uuid::Uuid;

/// If no file of a batch arrives for this time, µs, its sender is considered gone and the files that arrived are imported.
const LONGEST_SILENCE: i64 = 120 * 1_000_000;

/// Tenant and id of a batch.
pub type BatchKey = (Uuid, Uuid);

/// The batches of which some file has arrived or is arriving.
#[derive(Debug, Default)]
pub struct Batches(HashMap<BatchKey, Batch>);

#[derive(Debug, Default)]
struct Batch {
    /// Number of files announced by the sender.
    files: usize,
    /// Files that have arrived, including those that were cancelled later.
    arrived: usize,
    /// Files that are being received.
    arriving: usize,
    /// Time of the last activity, µs since 1970 UTC.
    heard: i64,
}

impl Batches {
    /// Records that a file of the batch begins to arrive.
    pub fn begin(&mut self, key: BatchKey, files: usize, now: i64) {
        let batch = self.0.entry(key).or_default();
        batch.files = files;
        batch.arriving += 1;
        batch.heard = now;
    }

    /// Records that a file of the batch has arrived, or that its upload failed.
    pub fn end(&mut self, key: BatchKey, has_arrived: bool, now: i64) {
        if let Some(batch) = self.0.get_mut(&key) {
            batch.arriving = batch.arriving.saturating_sub(1);
            batch.arrived += usize::from(has_arrived);
            batch.heard = now;
        }
    }

    /// Records a file that arrived before the service was started.
    pub fn take_up(&mut self, key: BatchKey, files: usize, now: i64) {
        self.begin(key, files, now);
        self.end(key, true, now);
    }

    /// Sets the final number of files. Returns whether the batch is known.
    pub fn close(&mut self, key: BatchKey, files: usize) -> bool {
        let batch = self.0.get_mut(&key);
        batch.map(|batch| batch.files = files).is_some()
    }

    /// Whether the files of the batch can be imported. True for an unknown batch.
    pub fn is_complete(&self, key: BatchKey, now: i64) -> bool {
        self.0.get(&key).is_none_or(|batch| {
            let is_silent = now.saturating_sub(batch.heard) > LONGEST_SILENCE;
            batch.arriving == 0 && (batch.arrived >= batch.files || is_silent)
        })
    }

    /// Removes complete batches without waiting files.
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
