//! One window for each data directory: a lock that the system takes back from whoever dies, and a socket beside it. No message bus is needed.

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

/// In the data directory, for this user alone.
const FOLDER: &str = "window";

/// How long an open window may take to answer.
const ANSWERED_WITHIN: Duration = Duration::from_secs(10);

/// How long a program that ends may take: more than its service does.
const GONE_WITHIN: Duration = Duration::from_secs(12);

const BETWEEN_TRIES: Duration = Duration::from_millis(20);

/// Before the next start is heard when one could not be: it may be a lack of files, which passes.
const AFTER_TROUBLE: Duration = Duration::from_secs(1);

/// Who has the window of a data directory.
pub enum ClaimOutcome {
    /// This start.
    Ours(Claim),
    /// Another one, which took the files.
    Handed,
}

/// The window is this program's while this lives.
pub struct Claim {
    _lock: File,
    at: PathBuf,
    /// Where other starts knock; they wait there until somebody listens.
    door: Option<UnixListener>,
    hears: Option<AbortHandle>,
}

/// Takes the window of `data_dir`, or hands over to the program that has it.
///
/// # Errors
/// When neither can be done: then nobody can be told of later starts, or the program that has the window does not answer.
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
            // It has the window, or had it, or will have its door open in a moment.
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

/// The plugins of the window have no part in it.
pub fn prepare(builder: Builder<Wry>) -> Builder<Wry> {
    builder
}

/// Who was not taken is waiting.
pub fn make_late_starts() {}

/// Opens the door, where one that died may have left its own behind.
fn open(socket: &Path) -> io::Result<UnixListener> {
    match std::fs::remove_file(socket) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let listener = UnixListener::bind(socket)?;
    std::fs::set_permissions(socket, PermissionsExt::from_mode(0o600))?;
    Ok(listener)
}

/// Says what was given to whoever listens; tells whether they took it.
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
    /// Listens to other starts from now on: those that have knocked already, too.
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

    /// Shuts the door: who knocks from now on waits until this program has gone.
    pub fn shut(&mut self) {
        self.door = None;
        if let Some(hears) = self.hears.take() {
            hears.abort();
        }
        // What is left is taken away by the next program.
        drop(std::fs::remove_file(&self.at));
    }
}

async fn attend(door: UnixListener, at: &Path, app: &AppHandle) -> io::Result<()> {
    door.set_nonblocking(true)?;
    let door = tokio::net::UnixListener::from_std(door)?;
    // The user of this process, since it made the socket.
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

/// Hears one start, and answers it when the window has what it names. One that is not answered looks for itself.
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
    // It writes them down.
    if tokio::task::spawn_blocking(move || super::take(&app, &given)).await.unwrap_or(false) {
        // Who has gone does not hear it.
        drop(write.write_all(TAKEN).await);
    }
}

/// The way to the socket in a folder.
struct Way {
    /// Where it is.
    at: PathBuf,
    /// What it is reached by: addresses of sockets end after about a hundred bytes, paths do not.
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
    use crate::handover::message::{self, TAKEN};
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
            // It comes, and is not answered.
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
