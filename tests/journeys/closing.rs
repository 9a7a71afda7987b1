//! Closing the window while work goes on.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use reqwest::Method;

use crate::support::client::Client;
use crate::support::desktop::{Started, desktop_program, serves, until};
use crate::support::fixture;
use crate::support::keyring::Bus;
use crate::support::programs::{self, finish};

/// A screen of its own, so that keys reach the window of this test and no other.
struct Screen {
    server: Child,
    /// For `DISPLAY`.
    name: String,
}

impl Screen {
    fn new() -> Self {
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1400x900x24", "-nolisten", "tcp"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("Xvfb did not start ({error}). `make test` installs it"));
        let mut number = String::new();
        BufReader::new(server.stdout.take().unwrap()).read_line(&mut number).unwrap();
        Self { server, name: format!(":{}", number.trim()) }
    }

    /// The windows of `program` that are on the screen.
    fn windows(&self, program: &Child) -> Vec<String> {
        let pid = program.id().to_string();
        let search = ["search", "--onlyvisible", "--all", "--pid", &pid, "--name", "Quarterdeck"];
        let found = Command::new("xdotool").args(search).env("DISPLAY", &self.name).output();
        let found =
            found.unwrap_or_else(|error| panic!("xdotool did not start ({error}). `make test` installs it"));
        String::from_utf8(found.stdout).unwrap().lines().map(str::to_owned).collect()
    }

    /// Presses `keys` in `window`.
    fn press(&self, window: &str, keys: &str) {
        let press = ["windowfocus", "--sync", window, "key", keys];
        finish(Command::new("xdotool").args(press).env("DISPLAY", &self.name)).succeeded();
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // Already gone is as good.
        drop(self.server.kill());
        drop(self.server.wait());
    }
}

/// Hears every notification that is sent over `bus`.
fn notifications(bus: &Bus) -> (Started, Receiver<String>) {
    let mut monitor = Command::new("dbus-monitor")
        .args(["--address", &bus.address, "interface='org.freedesktop.Notifications',member='Notify'"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("dbus-monitor did not start ({error}). `make test` installs it"));
    let mut lines = BufReader::new(monitor.stdout.take().unwrap()).lines().map_while(Result::ok);
    // What it says of itself: from then on it hears.
    lines.next();
    let (sender, receiver) = channel();
    std::thread::spawn(move || lines.try_for_each(|line| sender.send(line)));
    (Started(monitor), receiver)
}

fn hear(heard: &Receiver<String>, text: &str) {
    let mut seen = Vec::new();
    while let Ok(line) = heard.recv_timeout(Duration::from_mins(1)) {
        if line.contains(text) {
            return;
        }
        seen.push(line);
    }
    panic!("no notification with {text:?} within a minute, but: {seen:#?}");
}

/// Keeps everybody from writing until it is dropped: an import begins, and cannot end.
struct Pause(Child);

impl Pause {
    fn of(data_dir: &std::path::Path) -> Self {
        let database = data_dir.join("quarterdeck.db");
        let script = "import sqlite3, sys
c = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=60)
c.execute('BEGIN IMMEDIATE')
print('held', flush=True)
sys.stdin.read()";
        let mut holds = Command::new("/usr/bin/python3")
            .args(["-c", script])
            .arg(database)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(holds.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert_eq!(line.trim(), "held");
        Self(holds)
    }
}

impl Drop for Pause {
    fn drop(&mut self) {
        // It ends when nothing is to be read any more, and what it held is free.
        drop(self.0.stdin.take());
        drop(self.0.wait());
    }
}

#[tokio::test]
async fn work_goes_on_without_the_window_and_the_program_ends_after_it() {
    let (screen, bus) = (Screen::new(), Bus::empty());
    let (_monitor, heard) = notifications(&bus);
    let home = tempfile::tempdir().unwrap();
    let data_dir = home.path().join("data");
    let decided = home.path().join("io.quarterdeck.desktop");
    std::fs::create_dir(&decided).unwrap();
    std::fs::write(decided.join("window.json"), r#"{"on_close": "finish"}"#).unwrap();
    let start = || {
        let mut program = desktop_program(home.path(), &data_dir);
        program
            .env("DISPLAY", &screen.name)
            .env("DBUS_SESSION_BUS_ADDRESS", &bus.address)
            .env_remove("WAYLAND_DISPLAY");
        program.stdout(Stdio::null());
        program
    };
    let mut window = Started(start().spawn().unwrap());
    until("a service", || serves(&data_dir).is_some()).await;
    until("a window", || !screen.windows(&window.0).is_empty()).await;
    programs::run(&data_dir, &["user", "add", "ada@example.com", "--role", "tenant_admin"]).succeeded();
    let pair = programs::run(&data_dir, &["token", "create", "ada@example.com", "--name", "tests", "--json"]);
    let ada = Client::sign_in(&serves(&data_dir).unwrap(), &pair.succeeded().json()).await;

    let pause = Pause::of(&data_dir);
    let bill = std::fs::read(fixture("september.csv")).unwrap();
    let sent = ada.request(Method::POST, "/api/imports?name=september.csv").body(bill).send().await.unwrap();
    assert_eq!(sent.status(), 202);
    let close = async |window: &Child| {
        // Until the window has its menu, nobody hears the keys.
        until("no window", || {
            screen.windows(window).first().is_none_or(|shown| {
                screen.press(shown, "ctrl+w");
                false
            })
        })
        .await;
    };
    close(&window.0).await;
    hear(&heard, "Quarterdeck goes on in the background");
    hear(&heard, "september.csv is being imported. Quarterdeck ends when that is done.");

    // A second start brings it back; closed again, it still goes on.
    assert!(start().status().unwrap().success());
    until("the window again", || !screen.windows(&window.0).is_empty()).await;
    close(&window.0).await;
    assert!(window.0.try_wait().unwrap().is_none(), "the program ended over its work");

    drop(pause);
    hear(&heard, "Import of september.csv finished");
    until_ended(&mut window).await;
    let spends = programs::run(&data_dir, &["table", "dump", "spends", "--format", "csv"]).succeeded().stdout;
    assert_eq!(spends.lines().count(), 13);
}

/// The program ends by itself, and well.
async fn until_ended(window: &mut Started) {
    let ended = async {
        loop {
            if let Some(status) = window.0.try_wait().unwrap() {
                return status;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let status = tokio::time::timeout(Duration::from_mins(1), ended).await.expect("it ends within a minute");
    assert!(status.success(), "the window ended with {status}");
}
