//! Starts a program that listens on a port of this computer, waits for it and stops it.

use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::NamedTempFile;

/// Timeout for a program to start listening, on a busy computer.
const START: Duration = Duration::from_mins(1);

/// A listening program; it is killed when dropped.
pub struct Listening {
    child: Child,
}

impl Listening {
    /// Starts `command`, which must listen on `port`. It accepts connections when this returns.
    ///
    /// # Panics
    /// If it does not start; the message contains the program's output.
    pub async fn start(mut command: Command, port: u16) -> Self {
        let said = NamedTempFile::new().unwrap();
        let child = command
            .stdin(Stdio::null())
            .stdout(said.reopen().unwrap())
            .stderr(said.reopen().unwrap())
            .spawn()
            .unwrap_or_else(|error| panic!("{command:?} did not start: {error}"));
        let mut listening = Self { child };
        let begun = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            let ended = listening.child.try_wait().unwrap();
            if ended.is_some() || begun.elapsed() > START {
                let said = std::fs::read_to_string(said.path()).unwrap();
                panic!("{command:?} does not listen on port {port} (ended: {ended:?}). It said:\n{said}");
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        listening
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        // It may have ended already.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// A port that was free just now.
pub fn free_port() -> u16 {
    TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port()
}
