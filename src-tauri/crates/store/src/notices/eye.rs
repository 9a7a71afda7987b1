//! Detects writes to a file by any process, without polling.

use std::path::Path;
use std::time::Duration;

/// The event that ended a wait.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum WatchEvent {
    Written,
    /// The time is over, or the bell was rung.
    Nothing,
    /// The file was deleted or moved, or can no longer be watched.
    Gone,
}

#[cfg(target_os = "linux")]
pub(super) use linux::{Bell, FileWatcher};

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
    pub(crate) struct Bell(Arc<OwnedFd>);

    impl Bell {
        pub(crate) fn ring(&self) {
            // If the write fails because the counter is at its maximum, the watcher wakes up anyway.
            let _ = write(&*self.0, &1u64.to_ne_bytes());
        }
    }

    /// Watches one file with inotify. All processes that share a write-ahead log are on this machine, because they share memory.
    pub(crate) struct FileWatcher {
        file: OwnedFd,
        bell: Bell,
    }

    impl FileWatcher {
        /// `None` if the system cannot watch the file.
        pub(crate) fn on(file: &Path) -> Option<Self> {
            let told = inotify::init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC).ok()?;
            let what = WatchFlags::MODIFY | WatchFlags::DELETE_SELF | WatchFlags::MOVE_SELF;
            inotify::add_watch(&told, file, what).ok()?;
            let bell = eventfd(0, EventfdFlags::NONBLOCK | EventfdFlags::CLOEXEC).ok()?;
            Some(Self { file: told, bell: Bell(Arc::new(bell)) })
        }

        pub(crate) fn bell(&self) -> Bell {
            self.bell.clone()
        }

        /// Waits until the file is written or the bell is rung.
        pub(crate) fn wait(&self) -> WatchEvent {
            let mut both =
                [PollFd::new(&self.file, PollFlags::IN), PollFd::new(&*self.bell.0, PollFlags::IN)];
            match poll(&mut both, None) {
                Ok(_) | Err(Errno::INTR) => self.take(),
                Err(_) => WatchEvent::Gone,
            }
        }

        /// Waits for `time` unless the bell is rung. Returns whether the file was written meanwhile.
        pub(crate) fn rest(&self, time: Duration) -> WatchEvent {
            let mut bell = [PollFd::new(&*self.bell.0, PollFlags::IN)];
            match Timespec::try_from(time).map(|time| poll(&mut bell, Some(&time))) {
                Ok(Ok(_) | Err(Errno::INTR)) => self.take(),
                _ => WatchEvent::Gone,
            }
        }

        /// Collects the events since the last call and resets the bell.
        fn take(&self) -> WatchEvent {
            let _ = read(&*self.bell.0, &mut [0u8; 8]);
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
pub(super) use elsewhere::{Bell, FileWatcher};

/// Other systems: no watcher is implemented yet.
#[cfg(not(target_os = "linux"))]
mod elsewhere {
    use super::{Duration, Path, WatchEvent};

    #[derive(Clone)]
    pub(crate) enum Bell {}

    impl Bell {
        pub(crate) fn ring(&self) {
            match *self {}
        }
    }

    pub(crate) enum FileWatcher {}

    impl FileWatcher {
        pub(crate) fn on(_: &Path) -> Option<Self> {
            None
        }

        pub(crate) fn bell(&self) -> Bell {
            match *self {}
        }

        pub(crate) fn wait(&self) -> WatchEvent {
            match *self {}
        }

        pub(crate) fn rest(&self, _: Duration) -> WatchEvent {
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
        assert!(FileWatcher::on(&path).is_none(), "there is nothing to see");
        let mut file = std::fs::File::create(&path).unwrap();
        let eye = FileWatcher::on(&path).unwrap();
        file.write_all(b"more").unwrap();
        assert_eq!(eye.wait(), WatchEvent::Written);
        assert_eq!(eye.rest(Duration::ZERO), WatchEvent::Nothing, "it was told once");
        file.write_all(b"more").unwrap();
        assert_eq!(eye.rest(Duration::ZERO), WatchEvent::Written);
        eye.bell().ring();
        assert_eq!(eye.wait(), WatchEvent::Nothing);
        eye.bell().ring();
        assert_eq!(eye.rest(Duration::MAX), WatchEvent::Gone, "no clock counts so far");
        assert_eq!(eye.rest(Duration::from_hours(1)), WatchEvent::Nothing);
        drop(file);
        std::fs::remove_file(&path).unwrap();
        assert_eq!(eye.wait(), WatchEvent::Gone);
    }
}
