//! A program that answers on a port of this computer: started, waited for, ended.

use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::NamedTempFile;

/// How long a program may take until it answers, on a busy computer.
const START: Duration = Duration::from_mins(1);

/// A program that listens; it ends with this value.
pub struct Listening {
    child: Child,
}

impl Listening {
    /// Starts `command`, which is to listen on `port`. It answers when this returns.
    ///
    /// # Panics
    /// When it does not come up; the message has what the program said.
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
        // Already gone is as good.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// A port that nobody listened on just now.
pub fn free_port() -> u16 {
    TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port()
}
