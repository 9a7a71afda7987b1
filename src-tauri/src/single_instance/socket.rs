//! Single instance on Unix, for each data directory: a lock, which the system releases when its owner dies, and a socket beside it. No message bus
//! is needed.

use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::net::Shutdown;
use std::os::fd::AsRawFd as _;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt};
use std::os::unix::net::{SocketAddr, UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tauri::{AppHandle, Builder, Wry};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::runtime::Handle;
use tokio::task::AbortHandle;

use super::message::{self, LONGEST, TAKEN};
use crate::arguments::StartArguments;

/// Folder in the data directory, accessible to this user only.
const FOLDER: &str = "window";

/// Timeout for the answer of the open window.
const ANSWERED_WITHIN: Duration = Duration::from_secs(10);

/// How long to wait for a program that is ending: longer than its service takes to stop.
const GONE_WITHIN: Duration = Duration::from_secs(12);

const BETWEEN_TRIES: Duration = Duration::from_millis(20);

/// Delay after a failure to accept a connection: the process may be out of file descriptors temporarily.
const AFTER_TROUBLE: Duration = Duration::from_secs(1);

/// The owner of the window of a data directory.
pub enum ClaimOutcome {
    /// This start.
    Ours(Claim),
    /// Another one, which accepted the files.
    Handed,
}

/// The claim to the window; it lasts until this is dropped.
pub struct Claim {
    _lock: File,
    at: PathBuf,
    /// The socket for other starts. Their connections wait until it is listened on.
    door: Option<UnixListener>,
    hears: Option<AbortHandle>,
}

/// Claims the window of `data_dir`, or hands over to the program that owns it.
///
/// # Errors
/// When neither is possible: later starts cannot be accepted, or the program that owns the window does not answer.
pub fn claim(data_dir: &Path, given: &StartArguments) -> io::Result<ClaimOutcome> {
    let folder = data_dir.join(FOLDER);
    DirBuilder::new().recursive(true).mode(0o700).create(&folder)?;
    std::fs::set_permissions(&folder, PermissionsExt::from_mode(0o700))?;
    let lock =
        OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(folder.join("lock"))?;
    let socket = Way::to(&folder)?;
    let since = Instant::now();
    loop {
        match lock.try_lock() {
            Ok(()) => {
                let door = Some(open(&socket.path)?);
                return Ok(ClaimOutcome::Ours(Claim { _lock: lock, at: socket.at, door, hears: None }));
            }
            Err(TryLockError::Error(error)) => return Err(error),
            // Another process owns the window, or is ending, or is about to open its socket.
            Err(TryLockError::WouldBlock) => {}
        }
        match hand_over(&socket.path, given) {
            Ok(true) => return Ok(ClaimOutcome::Handed),
            outcome if since.elapsed() > GONE_WITHIN => {
                outcome?;
                return Err(io::Error::other("the program that has the window does not take this start"));
            }
            _ => std::thread::sleep(BETWEEN_TRIES),
        }
    }
}

/// Nothing to prepare on Unix.
pub fn prepare(builder: Builder<Wry>) -> Builder<Wry> {
    builder
}

/// Does nothing on Unix: starts that were not accepted are still waiting.
pub fn make_late_starts() {}

/// Binds the socket, replacing one left by a process that died.
fn open(socket: &Path) -> io::Result<UnixListener> {
    match std::fs::remove_file(socket) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let listener = UnixListener::bind(socket)?;
    std::fs::set_permissions(socket, PermissionsExt::from_mode(0o600))?;
    Ok(listener)
}

/// Sends the arguments of this start to the listening process. Returns whether it accepted them.
fn hand_over(socket: &Path, given: &StartArguments) -> io::Result<bool> {
    let mut stream = UnixStream::connect(socket)?;
    stream.set_read_timeout(Some(ANSWERED_WITHIN))?;
    stream.set_write_timeout(Some(ANSWERED_WITHIN))?;
    stream.write_all(&message::write(given))?;
    stream.shutdown(Shutdown::Write)?;
    let mut answer = Vec::new();
    stream.take(TAKEN.len() as u64 + 1).read_to_end(&mut answer)?;
    Ok(answer == TAKEN)
}

impl Claim {
    /// Starts accepting other starts, including those whose connections already wait.
    pub fn listen(&mut self, app: &AppHandle, runtime: &Handle) {
        let Some(door) = self.door.take() else { return };
        let (app, at) = (app.clone(), self.at.clone());
        let heard = runtime.spawn(async move {
            if let Err(error) = attend(door, &at, &app).await {
                tracing::warn!(%error, "other starts are not heard");
            }
        });
        self.hears = Some(heard.abort_handle());
    }

    /// Stops accepting connections. New ones fail, and their starts wait until this process has ended.
    pub fn shut(&mut self) {
        self.door = None;
        if let Some(hears) = self.hears.take() {
            hears.abort();
        }
        // If this fails, the next program removes the file.
        drop(std::fs::remove_file(&self.at));
    }
}

async fn attend(door: UnixListener, at: &Path, app: &AppHandle) -> io::Result<()> {
    door.set_nonblocking(true)?;
    let door = tokio::net::UnixListener::from_std(door)?;
    // The user of this process, since it created the socket.
    let own = std::fs::symlink_metadata(at)?.uid();
    loop {
        let Ok((stream, _)) = door.accept().await else {
            tokio::time::sleep(AFTER_TROUBLE).await;
            continue;
        };
        if stream.peer_cred().is_ok_and(|peer| peer.uid() == own) {
            tokio::spawn(tokio::time::timeout(ANSWERED_WITHIN, answer(stream, app.clone())));
        }
    }
}

/// Handles one start, and confirms it if the window has accepted its arguments. Without confirmation, the other start continues by itself.
async fn answer(stream: tokio::net::UnixStream, app: AppHandle) {
    let (read, mut write) = stream.into_split();
    let mut said = Vec::new();
    let is_whole = match read.take(LONGEST as u64 + 1).read_to_end(&mut said).await {
        Ok(length) => length <= LONGEST,
        Err(_) => false,
    };
    let Some(given) = message::read(&said).filter(|_| is_whole) else {
        tracing::warn!("something that is no start of this program spoke to the window");
        return;
    };
    // Blocking, because it writes the files to the inbox on disk.
    if tokio::task::spawn_blocking(move || super::take(&app, &given)).await.unwrap_or(false) {
        // The other start may be gone.
        drop(write.write_all(TAKEN).await);
    }
}

/// The path to the socket in a folder.
struct Way {
    /// The location of the socket.
    at: PathBuf,
    /// The path used to connect: socket addresses are limited to about a hundred bytes, unlike paths.
    path: PathBuf,
    _folder: Option<File>,
}

impl Way {
    fn to(folder: &Path) -> io::Result<Self> {
        let at = folder.join("socket");
        if SocketAddr::from_pathname(&at).is_ok() {
            return Ok(Self { path: at.clone(), at, _folder: None });
        }
        let open = File::open(folder)?;
        let path = PathBuf::from(format!("/proc/self/fd/{}/socket", open.as_raw_fd()));
        Ok(Self { at, path, _folder: Some(open) })
    }
}

#[cfg(test)]
mod tests {
    use super::{ClaimOutcome, Way, claim, hand_over, open};
    use crate::arguments::StartArguments;
    use crate::single_instance::message::{self, TAKEN};
    use std::io::{Read as _, Write as _};
    use std::os::unix::fs::PermissionsExt as _;
    use std::path::PathBuf;

    fn given() -> StartArguments {
        StartArguments {
            folder: PathBuf::from("/home/ada"),
            files: vec![PathBuf::from("bill.csv")],
            token: None,
        }
    }

    #[test]
    fn a_socket_that_a_killed_program_left_behind_is_in_nobodys_way() {
        let data_dir = tempfile::tempdir().unwrap();
        let folder = data_dir.path().join("window");
        std::fs::create_dir(&folder).unwrap();
        drop(open(&folder.join("socket")).unwrap());
        assert!(folder.join("socket").exists());
        let ClaimOutcome::Ours(_claim) = claim(data_dir.path(), &given()).unwrap() else {
            panic!("nobody is there")
        };
        let mode = |path: PathBuf| path.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(folder.clone()), 0o700);
        assert_eq!(mode(folder.join("socket")), 0o600);
        assert_eq!(mode(folder.join("lock")), 0o600);
    }

    #[test]
    fn the_window_is_handed_files_however_long_its_path_is() {
        let data_dir = tempfile::tempdir().unwrap();
        let long = data_dir.path().join("a".repeat(100)).join("b".repeat(100));
        let ClaimOutcome::Ours(mut first) = claim(&long, &given()).unwrap() else {
            panic!("nobody is there")
        };
        let door = first.door.take().unwrap();
        let hears = std::thread::spawn(move || {
            let (mut stream, _) = door.accept().unwrap();
            let mut said = Vec::new();
            stream.read_to_end(&mut said).unwrap();
            stream.write_all(TAKEN).unwrap();
            message::read(&said).unwrap()
        });
        assert!(matches!(claim(&long, &given()).unwrap(), ClaimOutcome::Handed));
        assert_eq!(hears.join().unwrap().files, [PathBuf::from("/home/ada/bill.csv")]);
    }

    #[test]
    fn a_start_that_is_not_taken_has_the_window_when_the_other_has_gone() {
        let data_dir = tempfile::tempdir().unwrap();
        let ClaimOutcome::Ours(mut first) = claim(data_dir.path(), &given()).unwrap() else {
            panic!("nobody is there")
        };
        let door = first.door.take().unwrap();
        let ends = std::thread::spawn(move || {
            // The connection is accepted, but not answered.
            drop(door.accept().unwrap());
            first.shut();
        });
        assert!(matches!(claim(data_dir.path(), &given()).unwrap(), ClaimOutcome::Ours(_)));
        ends.join().unwrap();
    }

    #[test]
    fn whoever_does_not_answer_in_our_words_has_taken_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let way = Way::to(folder.path()).unwrap();
        let door = open(&way.path).unwrap();
        let answers = std::thread::spawn(move || {
            let (mut stream, _) = door.accept().unwrap();
            stream.read_to_end(&mut Vec::new()).unwrap();
            stream.write_all(b"taken\nand more").unwrap();
        });
        assert!(!hand_over(&way.path, &given()).unwrap());
        answers.join().unwrap();
    }
}
