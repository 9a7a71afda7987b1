//! Starts and measures `quarterdeck-server` in benchmarks.

#![allow(dead_code, reason = "each benchmark uses some of it")]

use crate::wire::{Ask, Connection};
use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

/// Linux reports processor time in hundredths of a second on every machine.
pub const TICKS: f64 = 100.0;

/// `quarterdeck-server` with its data directory.
pub struct Program {
    pub file: PathBuf,
    pub data: PathBuf,
}

impl Program {
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.file);
        command.args(arguments).arg("--data-dir").arg(&self.data);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    /// The output of the program, which must succeed.
    pub fn run(&self, arguments: &[&str]) -> String {
        let mut command = self.command(arguments);
        let out = command.stdout(Stdio::piped()).stderr(Stdio::piped()).output().expect("the program starts");
        assert!(out.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&out.stderr));
        String::from_utf8(out.stdout).expect("it prints text")
    }
}

/// A running service; it is killed when dropped.
pub struct Server {
    child: Child,
    pub address: String,
}

impl Server {
    pub fn start(program: &Program) -> Self {
        Self::start_with(program, &[])
    }

    /// Starts it with these environment variables.
    pub fn start_with(program: &Program, environment: &[(&str, &str)]) -> Self {
        let mut command = program.command(&["serve", "--listen", "127.0.0.1:0"]);
        command.envs(environment.iter().copied());
        let mut child = command.stdout(Stdio::piped()).spawn().expect("the server starts");
        let mut lines =
            BufReader::new(child.stdout.take().expect("it is piped")).lines().map_while(Result::ok);
        let address = lines
            .find_map(|line| Some(line.split("http://").nth(1)?.split('/').next()?.to_owned()))
            .expect("the server prints its address");
        // The output must be read: a full pipe would block the server.
        std::thread::spawn(move || lines.for_each(drop));
        Self { child, address }
    }

    /// A bearer token for an e-mail address and secret.
    pub fn token(&self, pair: &str) -> String {
        let ask = Ask::post(&self.address, "/api/auth/token", None, pair);
        let answer = Connection::open(&self.address).send(&ask).to_vec();
        text_of(&String::from_utf8(answer).expect("JSON is text"), "token")
    }

    /// The id of its process.
    pub fn process(&self) -> u32 {
        self.child.id()
    }

    /// Processor time of its process, in microseconds.
    pub fn cpu_micros(&self) -> f64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).expect("it runs");
        // User and system time.
        (ticks(&stat, 14) + ticks(&stat, 15)) / TICKS * 1e6
    }

    /// A value of a `file` in /proc/PID, in megabytes.
    pub fn memory_mb(&self, file: &str, name: &str) -> u64 {
        let text = std::fs::read_to_string(format!("/proc/{}/{file}", self.child.id())).expect("it runs");
        let line = text.lines().find(|line| line.starts_with(name)).expect("Linux tells");
        line.split_whitespace().nth(1).and_then(|kb| kb.parse::<u64>().ok()).expect("a number") * 1024
            / 1_000_000
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// A field of /proc/PID/stat, counted from 1.
pub fn ticks(stat: &str, field: usize) -> f64 {
    // After the name, which can contain spaces: state is field 3.
    let fields = stat.rsplit(')').next().expect("a name");
    fields.split_whitespace().nth(field - 3).and_then(|ticks| ticks.parse().ok()).expect("a number")
}

/// The text field `name` of a JSON object.
pub fn text_of(object: &str, name: &str) -> String {
    let object: serde_json::Value = serde_json::from_str(object).expect("an object");
    object[name].as_str().unwrap_or_else(|| panic!("no text {name:?} in {object}")).to_owned()
}
