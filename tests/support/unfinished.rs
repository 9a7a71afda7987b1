//! Work that runs as long as a test needs it.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use reqwest::Method;

use super::client::Client;
use super::desk::Desk;
use super::desktop::serves;
use super::{fixture, programs};

/// Blocks all other writers until it is dropped: an import starts and cannot finish.
pub struct Pause(Child);

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
        // The process ends when its input closes, which releases the lock.
        drop(self.0.stdin.take());
        drop(self.0.wait());
    }
}

/// Starts an import that does not end before the pause is dropped.
pub async fn import(desk: &Desk) -> Pause {
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
