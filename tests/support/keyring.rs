//! A real keyring: gnome-keyring on a separate message bus, unlocked automatically.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use super::home::Home;

/// A message bus with an optional keyring; both are killed when dropped.
pub struct Bus {
    daemon: Child,
    keyring: Option<Child>,
    home: Home,
    /// The value for `DBUS_SESSION_BUS_ADDRESS`.
    pub address: String,
}

impl Bus {
    /// A bus without services.
    pub fn empty() -> Self {
        let home = Home::new();
        let config = Path::new(env!("CARGO_MANIFEST_DIR")).join("support/message-bus.conf");
        let mut daemon = Command::new("dbus-daemon")
            .arg(format!("--config-file={}", config.display()))
            .args(["--nofork", "--print-address"])
            // In the home folder, to delete the socket with it: a killed bus does not remove it.
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

    /// A bus with an unlocked keyring.
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
        // It prints its control address once it is ready.
        let mut line = String::new();
        BufReader::new(keyring.stdout.take().unwrap()).read_line(&mut line).unwrap();
        this.keyring = Some(keyring);
        this
    }
}

impl Drop for Bus {
    fn drop(&mut self) {
        for child in self.keyring.iter_mut().chain([&mut self.daemon]) {
            // It may have ended already.
            drop(child.kill());
            drop(child.wait());
        }
    }
}
