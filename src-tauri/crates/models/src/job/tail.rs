//! Hashes a file from the beginning while the rest is still arriving, on a thread of its own.
//!
//! It reads the file, not the network stream: bytes found by a resumed download are hashed by the same code, and the hash covers what the disk
//! returns.

use crate::digest::{ExpectedDigest, FileDigests, Hashing};
use crate::part::read_at;
use std::fs::File;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

const BUFFER: usize = 1 << 20;
/// Number of bytes between notifications about progress.
const TELL: u64 = 32 << 20;

/// Hashes a growing file.
pub(crate) struct Tail {
    shared: Arc<Shared>,
    thread: Mutex<Option<JoinHandle<io::Result<Option<FileDigests>>>>>,
}

#[derive(Default)]
struct Shared {
    stand: Mutex<Stand>,
    changed: Condvar,
}

#[derive(Default)]
struct Stand {
    /// Number of contiguous bytes from the beginning that are in the file.
    there: u64,
    hashed: u64,
    is_given_up: bool,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Stand> {
        self.stand.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Tail {
    /// Starts with a file that is assumed to be empty. Calls `told` on progress.
    pub fn follow(
        file: Arc<File>,
        size: u64,
        expected: &[ExpectedDigest],
        told: impl Fn() + Send + 'static,
    ) -> io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let hashing = Hashing::for_any_of(expected);
        let thread = std::thread::Builder::new().name("model hash".to_owned()).spawn({
            let shared = Arc::clone(&shared);
            move || run(&shared, &file, size, hashing, told)
        })?;
        Ok(Self { shared, thread: Mutex::new(Some(thread)) })
    }

    /// Reports the number of contiguous bytes from the beginning.
    pub fn advance(&self, there: u64) {
        let mut stand = self.shared.lock();
        if there > stand.there {
            stand.there = there;
            drop(stand);
            self.shared.changed.notify_one();
        }
    }

    pub fn hashed(&self) -> u64 {
        self.shared.lock().hashed
    }

    /// Waits until the whole file is hashed. Blocks the thread.
    pub fn finish(&self) -> io::Result<FileDigests> {
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        let ended = thread.and_then(|thread| thread.join().ok());
        ended.unwrap_or(Ok(None))?.ok_or_else(|| io::Error::other("hashing was given up"))
    }
}

impl Drop for Tail {
    /// Waits for the thread, which reads one more buffer at most: it holds the file, and therefore the lock that excludes other downloads.
    fn drop(&mut self) {
        self.shared.lock().is_given_up = true;
        self.shared.changed.notify_one();
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        // A panic in the thread has already been reported.
        let _ = thread.map(JoinHandle::join);
    }
}

fn run(
    shared: &Shared,
    file: &File,
    size: u64,
    mut hashing: Hashing,
    told: impl Fn(),
) -> io::Result<Option<FileDigests>> {
    let mut buffer = vec![0; BUFFER];
    let (mut at, mut told_at) = (0, 0);
    while at < size {
        let there = {
            let mut stand = shared.lock();
            stand.hashed = at;
            while stand.there <= at && !stand.is_given_up {
                stand = shared.changed.wait(stand).unwrap_or_else(PoisonError::into_inner);
            }
            if stand.is_given_up {
                return Ok(None);
            }
            stand.there
        };
        let most = usize::try_from(there - at).map_or(BUFFER, |left| left.min(BUFFER));
        let read = read_at(file, &mut buffer[..most], at)?;
        if read == 0 {
            return Err(io::Error::new(
                io::ErrorKind::UnexpectedEof,
                "the part file is shorter than it should be",
            ));
        }
        hashing.update(&buffer[..read]);
        at += read as u64;
        if at - told_at >= TELL {
            told_at = at;
            told();
        }
    }
    shared.lock().hashed = at;
    Ok(Some(hashing.finish()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn it_hashes_what_is_there_and_waits_for_the_rest() {
        let mut file = tempfile::tempfile().unwrap();
        let bytes = vec![7; 3_000_000];
        file.write_all(&bytes).unwrap();
        let tail = Tail::follow(Arc::new(file), 3_000_000, &[], || ()).unwrap();
        tail.advance(1_000_000);
        tail.advance(3_000_000);
        let mut whole = Hashing::for_any_of(&[]);
        whole.update(&bytes);
        assert_eq!(tail.finish().unwrap(), whole.finish());
        assert_eq!(tail.hashed(), 3_000_000);
    }

    #[test]
    fn a_tail_that_is_dropped_holds_the_file_no_more() {
        for _ in 0..50 {
            let file = Arc::new(tempfile::tempfile().unwrap());
            let tail = Tail::follow(Arc::clone(&file), 10, &[], || ()).unwrap();
            drop(tail);
            assert_eq!(Arc::strong_count(&file), 1);
        }
    }

    #[test]
    fn a_file_that_is_shorter_than_it_was_said_to_be_is_an_error() {
        let tail = Tail::follow(Arc::new(tempfile::tempfile().unwrap()), 10, &[], || ()).unwrap();
        tail.advance(10);
        assert!(tail.finish().is_err());
    }
}
