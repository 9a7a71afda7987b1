//! DuckDB's Python package as a process that answers requests one after another (duck.py).

use crate::questions::plain;
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

pub struct Duck {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

/// Time used by an operation.
pub struct Took {
    pub seconds: f64,
    pub cpu: f64,
}

impl Duck {
    pub fn start(python: &Path, script: &Path) -> Self {
        assert!(python.exists(), "no DuckDB at {}: `make bench` installs it", python.display());
        let mut command = Command::new(python);
        command.arg(script).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("Python starts");
        let to = child.stdin.take().expect("it is piped");
        let from = BufReader::new(child.stdout.take().expect("it is piped"));
        Self { child, to, from }
    }

    pub fn load(&mut self, files: &[PathBuf], file: &Path) -> Took {
        drop(std::fs::remove_file(file));
        let answer = self.request(&json!({ "load": files, "file": file }));
        Took { seconds: number(&answer["seconds"]), cpu: number(&answer["cpu"]) }
    }

    pub fn open(&mut self, file: &Path, threads: usize) {
        self.request(&json!({ "open": file, "threads": threads }));
    }

    /// Seconds of each run, and processor seconds of all runs together.
    pub fn ask(&mut self, sql: &str, times: usize) -> (Vec<f64>, f64) {
        let answer = self.request(&json!({ "ask": sql, "times": times }));
        let runs = answer["runs"].as_array().expect("runs").iter().map(number).collect();
        (runs, number(&answer["cpu"]))
    }

    pub fn rows(&mut self, sql: &str) -> Vec<Vec<String>> {
        let answer = self.request(&json!({ "rows": sql }));
        let rows = answer["rows"].as_array().expect("rows").iter();
        let cells = |row: &Value| {
            let cells = row.as_array().expect("a row").iter();
            cells.map(|cell| plain(cell.as_str().unwrap_or_default())).collect()
        };
        rows.map(cells).collect()
    }

    /// Sizes in bytes of the tables and indices in an SQLite file, by name.
    pub fn sizes(&mut self, file: &Path) -> Vec<(String, u64)> {
        let answer = self.request(&json!({ "sizes": file }));
        let sizes = answer["sizes"].as_array().expect("sizes").iter();
        sizes
            .map(|size| (size[0].as_str().expect("a name").to_owned(), size[1].as_u64().expect("bytes")))
            .collect()
    }

    fn request(&mut self, request: &Value) -> Value {
        writeln!(self.to, "{request}").expect("DuckDB listens");
        let mut line = String::new();
        self.from.read_line(&mut line).expect("DuckDB answers");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{request}: {error}: {line}"))
    }
}

impl Drop for Duck {
    fn drop(&mut self) {
        // It may have ended already.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}
