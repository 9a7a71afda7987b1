//! A real keyring: gnome-keyring on a message bus of its own, unlocked with a password nobody types.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use super::home::Home;

/// A bus and, if wanted, a keyring on it; both end with this value.
pub struct Bus {
    daemon: Child,
    keyring: Option<Child>,
    home: Home,
    /// For `DBUS_SESSION_BUS_ADDRESS`.
    pub address: String,
}

impl Bus {
    /// A bus on which nothing is.
    pub fn empty() -> Self {
        let home = Home::new();
        let config = Path::new(env!("CARGO_MANIFEST_DIR")).join("support/message-bus.conf");
        let mut daemon = Command::new("dbus-daemon")
            .arg(format!("--config-file={}", config.display()))
            .args(["--nofork", "--print-address"])
            // Its socket goes with the folder: a bus that is killed leaves it where it is.
            .arg(format!("--address=unix:path={}", home.path().join("bus").display()))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("dbus-daemon did not start ({error}). `make test` installs it"));
        let mut address = String::new();
        BufReader::new(daemon.stdout.take().unwrap()).read_line(&mut address).unwrap();
        Self { daemon, keyring: None, home, address: address.trim().to_owned() }
    }

    /// A bus with an open keyring.
    pub fn with_keyring() -> Self {
        let mut this = Self::empty();
        let home = this.home.path().to_owned();
        let mut keyring = Command::new("gnome-keyring-daemon")
            .args(["--unlock", "--components=secrets", "--foreground"])
            .env("DBUS_SESSION_BUS_ADDRESS", &this.address)
            .envs([("HOME", &home), ("XDG_DATA_HOME", &home), ("XDG_RUNTIME_DIR", &home)])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| {
                panic!("gnome-keyring-daemon did not start ({error}). `make test` installs it")
            });
        keyring.stdin.take().unwrap().write_all(b"a-password-of-a-test\n").unwrap();
        // It prints where it listens once it does.
        let mut line = String::new();
        BufReader::new(keyring.stdout.take().unwrap()).read_line(&mut line).unwrap();
        this.keyring = Some(keyring);
        this
    }
}

impl Drop for Bus {
    fn drop(&mut self) {
        for child in self.keyring.iter_mut().chain([&mut self.daemon]) {
            // Already gone is as good.
            drop(child.kill());
            drop(child.wait());
        }
    }
}
