//! Closing the window while work goes on.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use reqwest::Method;
use tempfile::TempDir;

use crate::support::client::Client;
use crate::support::desktop::{Started, desktop_program, serves, until};
use crate::support::fixture;
use crate::support::keyring::Bus;
use crate::support::programs;

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

    /// The windows of `program` with such a title (a regular expression) that are on the screen.
    fn windows(&self, program: &Child, title: &str) -> Vec<String> {
        let pid = program.id().to_string();
        let search = ["search", "--onlyvisible", "--all", "--pid", &pid, "--name", title];
        let found = Command::new("xdotool").args(search).env("DISPLAY", &self.name).output();
        let found =
            found.unwrap_or_else(|error| panic!("xdotool did not start ({error}). `make test` installs it"));
        String::from_utf8(found.stdout).unwrap().lines().map(str::to_owned).collect()
    }

    /// Presses `keys` in `window`; one that has just gone hears nothing, and whoever asks looks at what came of it.
    fn press(&self, window: &str, keys: &str) {
        let press = ["10", "xdotool", "windowfocus", "--sync", window, "key", keys];
        drop(Command::new("timeout").args(press).env("DISPLAY", &self.name).output());
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

/// The title of the window, and of the question it asks before it goes.
const WINDOW: &str = "^Quarterdeck$";
const QUESTION: &str = "^Quarterdeck is still at work$";

/// A screen, a message bus and a person of their own.
struct Desk {
    screen: Screen,
    bus: Bus,
    home: TempDir,
    data_dir: PathBuf,
}

impl Desk {
    /// Of a person who decided so about work that goes on.
    fn of_one_who_decided(on_close: &str) -> Self {
        let home = tempfile::tempdir().unwrap();
        let decided = home.path().join("io.quarterdeck.desktop");
        std::fs::create_dir(&decided).unwrap();
        let decision = format!(r#"{{"on_close": "{on_close}"}}"#);
        std::fs::write(decided.join("window.json"), decision).unwrap();
        let data_dir = home.path().join("data");
        Self { screen: Screen::new(), bus: Bus::empty(), home, data_dir }
    }

    /// The program, not yet started.
    fn program(&self) -> Command {
        let mut program = desktop_program(self.home.path(), &self.data_dir);
        program
            .env("DISPLAY", &self.screen.name)
            .env("DBUS_SESSION_BUS_ADDRESS", &self.bus.address)
            .env_remove("WAYLAND_DISPLAY");
        program.stdout(Stdio::null());
        program
    }

    async fn open(&self) -> Started {
        let window = Started(self.program().spawn().unwrap());
        until("a service", || serves(&self.data_dir).is_some()).await;
        until("a window", || self.shows(&window, WINDOW)).await;
        window
    }

    fn shows(&self, window: &Started, title: &str) -> bool {
        !self.screen.windows(&window.0, title).is_empty()
    }

    /// Begins an import that does not end before the pause does.
    async fn import(&self) -> Pause {
        programs::run(&self.data_dir, &["user", "add", "ada@example.com", "--role", "tenant_admin"])
            .succeeded();
        let arguments = ["token", "create", "ada@example.com", "--name", "tests", "--json"];
        let pair = programs::run(&self.data_dir, &arguments).succeeded().json();
        let ada = Client::sign_in(&serves(&self.data_dir).unwrap(), &pair).await;
        let pause = Pause::of(&self.data_dir);
        let bill = std::fs::read(fixture("september.csv")).unwrap();
        let sent =
            ada.request(Method::POST, "/api/imports?name=september.csv").body(bill).send().await.unwrap();
        assert_eq!(sent.status(), 202);
        pause
    }

    /// Presses `keys` in what has this title until `holds`: before a window has its menu, nobody hears them.
    async fn press(&self, window: &Started, title: &str, keys: &str, what: &str, holds: impl Fn() -> bool) {
        until(what, || {
            let done = holds();
            if !done && let Some(shown) = self.screen.windows(&window.0, title).first() {
                self.screen.press(shown, keys);
            }
            done
        })
        .await;
    }

    /// Closes the window until it is gone.
    async fn close(&self, window: &Started) {
        self.press(window, WINDOW, "ctrl+w", "no window", || !self.shows(window, WINDOW)).await;
    }
}

#[tokio::test]
async fn work_goes_on_without_the_window_and_the_program_ends_after_it() {
    let desk = Desk::of_one_who_decided("finish");
    let (_monitor, heard) = notifications(&desk.bus);
    let mut window = desk.open().await;
    let pause = desk.import().await;
    desk.close(&window).await;
    hear(&heard, "Quarterdeck goes on in the background");
    hear(&heard, "september.csv is being imported. Quarterdeck ends when that is done.");

    // A second start brings it back; closed again, it still goes on.
    assert!(desk.program().status().unwrap().success());
    until("the window again", || desk.shows(&window, WINDOW)).await;
    desk.close(&window).await;
    assert!(window.0.try_wait().unwrap().is_none(), "the program ended over its work");

    drop(pause);
    hear(&heard, "Import of september.csv finished");
    until_ended(&mut window).await;
    let dump = ["table", "dump", "spends", "--format", "csv"];
    let spends = programs::run(&desk.data_dir, &dump).succeeded().stdout;
    assert_eq!(spends.lines().count(), 13);
}

#[tokio::test]
async fn over_work_that_goes_on_closing_asks_and_the_answer_is_followed() {
    let desk = Desk::of_one_who_decided("ask");
    let mut window = desk.open().await;
    let pause = desk.import().await;
    let asks = || desk.shows(&window, QUESTION);
    desk.press(&window, WINDOW, "ctrl+w", "a question", asks).await;
    desk.press(&window, QUESTION, "Escape", "no question", || !asks()).await;
    assert!(desk.shows(&window, WINDOW), "the window went although its person said no");

    desk.press(&window, WINDOW, "ctrl+w", "a question", asks).await;
    desk.press(&window, QUESTION, "Return", "no question", || !asks()).await;
    until("no window", || !desk.shows(&window, WINDOW)).await;
    assert!(window.0.try_wait().unwrap().is_none(), "the program ended over its work");
    drop(pause);
    until_ended(&mut window).await;
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
