//! Closing the window while work goes on.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use reqwest::Method;

use crate::support::client::Client;
use crate::support::desk::{Desk, QUESTION, WINDOW, until_ended};
use crate::support::desktop::{Started, serves, until};
use crate::support::fixture;
use crate::support::keyring::Bus;
use crate::support::programs;

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

/// Begins an import that does not end before the pause does.
async fn import(desk: &Desk) -> Pause {
    programs::run(&desk.data_dir, &["user", "add", "ada@example.com", "--role", "tenant_admin"]).succeeded();
    let arguments = ["token", "create", "ada@example.com", "--name", "tests", "--json"];
    let pair = programs::run(&desk.data_dir, &arguments).succeeded().json();
    let ada = Client::sign_in(&serves(&desk.data_dir).unwrap(), &pair).await;
    let pause = Pause::of(&desk.data_dir);
    let bill = std::fs::read(fixture("september.csv")).unwrap();
    let sent = ada.request(Method::POST, "/api/imports?name=september.csv").body(bill).send().await.unwrap();
    assert_eq!(sent.status(), 202);
    pause
}

#[tokio::test]
async fn the_window_opens_as_large_as_it_was_left_however_it_ended() {
    let desk = Desk::of_one_who_decided("stop");
    let shown = |window: &Started| desk.screen.windows(&window.0, WINDOW).pop().unwrap_or_default();
    let kept = desk.home.path().join("io.quarterdeck.desktop/.window-state.json");
    let is_kept = |width: &str| std::fs::read_to_string(&kept).is_ok_and(|kept| kept.contains(width));
    let mut window = desk.open().await;
    until("the usual size", || desk.screen.size(&shown(&window)) == "1280x800").await;
    desk.screen.resize(&shown(&window), (1111, 700));
    until("a size that is kept", || is_kept("1111")).await;
    window.0.kill().unwrap();
    window.0.wait().unwrap();

    let mut window = desk.open().await;
    until("the size it was left in", || desk.screen.size(&shown(&window)) == "1111x700").await;
    desk.screen.resize(&shown(&window), (1222, 750));
    desk.close(&window).await;
    until_ended(&mut window).await;

    let window = desk.open().await;
    until("the size it was closed in", || desk.screen.size(&shown(&window)) == "1222x750").await;
}

#[tokio::test]
async fn work_goes_on_without_the_window_and_the_program_ends_after_it() {
    let desk = Desk::of_one_who_decided("finish");
    let (_monitor, heard) = notifications(&desk.bus);
    let mut window = desk.open().await;
    let pause = import(&desk).await;
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
    let pause = import(&desk).await;
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
