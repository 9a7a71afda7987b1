//! A panel that shows tray icons of programs: `tray.py`.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{ChildStdout, Command, Stdio};
use std::sync::Mutex;

use serde_json::Value;

use super::desktop::Started;
use super::keyring::Bus;

/// A panel on a message bus.
pub struct Tray(Mutex<(Started, BufReader<ChildStdout>)>);

impl Tray {
    pub fn on(bus: &Bus) -> Self {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("support/tray.py");
        let mut panel = Command::new("/usr/bin/python3")
            .arg(script)
            .env("DBUS_SESSION_BUS_ADDRESS", &bus.address)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut answers = BufReader::new(panel.stdout.take().unwrap());
        let mut line = String::new();
        answers.read_line(&mut line).unwrap();
        assert_eq!(line.trim(), "there", "`make test` installs what the panel needs");
        Self(Mutex::new((Started(panel), answers)))
    }

    /// The visible icons: the `icon`, `title` and menu `lines` of each.
    pub fn pictures(&self) -> Vec<Value> {
        self.ask("pictures").as_array().unwrap().clone()
    }

    /// Clicks the menu item `label`; false if there is none.
    pub fn click(&self, label: &str) -> bool {
        self.ask(&format!("click {label}")) == true
    }

    fn ask(&self, question: &str) -> Value {
        let (panel, answers) = &mut *self.0.lock().unwrap();
        writeln!(panel.0.stdin.as_mut().unwrap(), "{question}").unwrap();
        let mut line = String::new();
        answers.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("not JSON ({error}): {line:?}"))
    }
}
