//! Detects writes to a file by any process, without polling.

use std::path::Path;
use std::time::Duration;

/// The event that ended a wait.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum WatchEvent {
    Written,
    /// The time is over, or the watcher was woken.
    Nothing,
    /// The file was deleted or moved, or can no longer be watched.
    Gone,
}

#[cfg(target_os = "linux")]
pub(super) use linux::{FileWatcher, WakeHandle};

#[cfg(target_os = "linux")]
mod linux {
    use super::{Duration, Path, WatchEvent};
    use rustix::event::{EventfdFlags, PollFd, PollFlags, Timespec, eventfd, poll};
    use rustix::fs::inotify::{self, CreateFlags, ReadFlags, Reader, WatchFlags};
    use rustix::io::{Errno, read, write};
    use std::mem::MaybeUninit;
    use std::os::fd::OwnedFd;
    use std::sync::Arc;

    /// Wakes up a waiting [`FileWatcher`].
    #[derive(Clone)]
    pub(crate) struct WakeHandle(Arc<OwnedFd>);

    impl WakeHandle {
        pub(crate) fn wake(&self) {
            // If the write fails because the counter is at its maximum, the watcher wakes up anyway.
            let _ = write(&*self.0, &1u64.to_ne_bytes());
        }
    }

    /// Watches one file with inotify. All processes that share a write-ahead log are on this machine, because they share memory.
    pub(crate) struct FileWatcher {
        file: OwnedFd,
        wake_handle: WakeHandle,
    }

    impl FileWatcher {
        /// `None` if the system cannot watch the file.
        pub(crate) fn open(file: &Path) -> Option<Self> {
            let told = inotify::init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC).ok()?;
            let what = WatchFlags::MODIFY | WatchFlags::DELETE_SELF | WatchFlags::MOVE_SELF;
            inotify::add_watch(&told, file, what).ok()?;
            let wake_handle = eventfd(0, EventfdFlags::NONBLOCK | EventfdFlags::CLOEXEC).ok()?;
            Some(Self { file: told, wake_handle: WakeHandle(Arc::new(wake_handle)) })
        }

        pub(crate) fn wake_handle(&self) -> WakeHandle {
            self.wake_handle.clone()
        }

        /// Waits until the file is written or the watcher is woken.
        pub(crate) fn wait(&self) -> WatchEvent {
            let mut both =
                [PollFd::new(&self.file, PollFlags::IN), PollFd::new(&*self.wake_handle.0, PollFlags::IN)];
            match poll(&mut both, None) {
                Ok(_) | Err(Errno::INTR) => self.drain(),
                Err(_) => WatchEvent::Gone,
            }
        }

        /// Waits for `time` unless the watcher is woken. Returns whether the file was written meanwhile.
        pub(crate) fn wait_for(&self, time: Duration) -> WatchEvent {
            let mut wake_handle = [PollFd::new(&*self.wake_handle.0, PollFlags::IN)];
            match Timespec::try_from(time).map(|time| poll(&mut wake_handle, Some(&time))) {
                Ok(Ok(_) | Err(Errno::INTR)) => self.drain(),
                _ => WatchEvent::Gone,
            }
        }

        /// Collects the events since the last call and resets the wake handle.
        fn drain(&self) -> WatchEvent {
            let _ = read(&*self.wake_handle.0, &mut [0u8; 8]);
            let mut room = [MaybeUninit::uninit(); 512];
            let mut told = Reader::new(&self.file, &mut room);
            let mut seen = WatchEvent::Nothing;
            loop {
                match told.next() {
                    Ok(event) if event.events().intersects(ReadFlags::MODIFY | ReadFlags::QUEUE_OVERFLOW) => {
                        seen = WatchEvent::Written;
                    }
                    Err(Errno::INTR) => {}
                    Err(Errno::AGAIN) => return seen,
                    _ => return WatchEvent::Gone,
                }
            }
        }
    }
}

#[cfg(not(target_os = "linux"))]
pub(super) use elsewhere::{FileWatcher, WakeHandle};

/// Other systems: no watcher is implemented yet.
#[cfg(not(target_os = "linux"))]
mod elsewhere {
    use super::{Duration, Path, WatchEvent};

    #[derive(Clone)]
    pub(crate) enum WakeHandle {}

    impl WakeHandle {
        pub(crate) fn wake(&self) {
            match *self {}
        }
    }

    pub(crate) enum FileWatcher {}

    impl FileWatcher {
        pub(crate) fn open(_: &Path) -> Option<Self> {
            None
        }

        pub(crate) fn wake_handle(&self) -> WakeHandle {
            match *self {}
        }

        pub(crate) fn wait(&self) -> WatchEvent {
            match *self {}
        }

        pub(crate) fn wait_for(&self, _: Duration) -> WatchEvent {
            match *self {}
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::{FileWatcher, WatchEvent};
    use std::io::Write as _;
    use std::time::Duration;

    #[test]
    fn a_file_that_is_written_or_goes_is_seen_and_a_bell_is_heard() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        assert!(FileWatcher::open(&path).is_none(), "there is nothing to see");
        let mut file = std::fs::File::create(&path).unwrap();
        let watcher = FileWatcher::open(&path).unwrap();
        file.write_all(b"more").unwrap();
        assert_eq!(watcher.wait(), WatchEvent::Written);
        assert_eq!(watcher.wait_for(Duration::ZERO), WatchEvent::Nothing, "it was told once");
        file.write_all(b"more").unwrap();
        assert_eq!(watcher.wait_for(Duration::ZERO), WatchEvent::Written);
        watcher.wake_handle().wake();
        assert_eq!(watcher.wait(), WatchEvent::Nothing);
        watcher.wake_handle().wake();
        assert_eq!(watcher.wait_for(Duration::MAX), WatchEvent::Gone, "no clock counts so far");
        assert_eq!(watcher.wait_for(Duration::from_hours(1)), WatchEvent::Nothing);
        drop(file);
        std::fs::remove_file(&path).unwrap();
        assert_eq!(watcher.wait(), WatchEvent::Gone);
    }
}
