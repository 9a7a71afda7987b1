//! Notifications that programs show through the system.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use super::desktop::Started;
use super::keyring::Bus;

/// Receives every notification sent over `bus`.
pub fn notifications(bus: &Bus) -> (Started, Receiver<String>) {
    let mut monitor = Command::new("dbus-monitor")
        .args(["--address", &bus.address, "interface='org.freedesktop.Notifications',member='Notify'"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("dbus-monitor did not start ({error}). `make test` installs it"));
    let mut lines = BufReader::new(monitor.stdout.take().unwrap()).lines().map_while(Result::ok);
    // The first output is about the monitor itself: from then on it receives.
    lines.next();
    let (sender, receiver) = channel();
    std::thread::spawn(move || lines.try_for_each(|line| sender.send(line)));
    (Started(monitor), receiver)
}

/// Waits for a notification that contains `text`.
pub fn hear(heard: &Receiver<String>, text: &str) {
    let mut seen = Vec::new();
    while let Ok(line) = heard.recv_timeout(Duration::from_mins(1)) {
        if line.contains(text) {
            return;
        }
        seen.push(line);
    }
    panic!("no notification with {text:?} within a minute, but: {seen:#?}");
}
