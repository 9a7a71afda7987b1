//! Measures the window: from its start to a painted page with a million charges, compared with a window with an empty page; the memory of both;
//! their processor time while nothing changes; and in Chromium, from its trace, switching pages and scrolling through a table of 100,000 rows.
//!
//! `make bench` builds the programs with optimisation and runs this on a separate message bus. The painting is observed in the image of a virtual
//! screen: both programs are measured alike and need no instrumentation. `QUARTERDECK_BENCH_PROGRAMS` sets another folder with `quarterdeck`,
//! `quarterdeck-server` and `examples/empty_window`, `QUARTERDECK_BENCH_ROWS` another number of charges.

mod bill;
mod processes;
mod rest;
mod screen;

use screen::{Painted, Screen};
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Instant;

const ROWS: usize = 1_000_000;
const TURNS: usize = 5;

fn main() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("tests/ stands in the project");
    let rows =
        std::env::var("QUARTERDECK_BENCH_ROWS").ok().and_then(|rows| rows.parse().ok()).unwrap_or(ROWS);
    let programs = std::env::var_os("QUARTERDECK_BENCH_PROGRAMS")
        .map_or_else(|| project.join("target/release"), PathBuf::from);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let source = import(project, &programs, folder.path(), rows);
    println!("{rows} charges from {source}\n");
    start(project, &programs, folder.path());
    pages(project, &programs, folder.path());
}

/// Imports a bill with that many rows in a separate process. Returns the origin of the rows.
fn import(project: &Path, programs: &Path, folder: &Path, rows: usize) -> String {
    let bill = folder.join(format!("bill-{rows}.csv"));
    let source = bill::write(project, &bill, rows);
    let imported = service(programs, folder, "import").arg(&bill).status().expect("the program starts");
    assert!(imported.success(), "the import ended with {imported}");
    source
}

/// `quarterdeck-server` with a command, on the data of this run.
fn service(programs: &Path, folder: &Path, command: &str) -> Command {
    let mut service = Command::new(programs.join("quarterdeck-server"));
    service.arg(command).arg("--data-dir").arg(folder.join("data"));
    service.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    service
}

/// A running program; it is killed when dropped.
struct Running(Child);

impl Running {
    /// Opens a window on the screen.
    fn window(file: &Path, screen: &Screen, folder: &Path, home: &Path) -> Self {
        let mut command = Command::new(file);
        for name in ["HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"] {
            command.env(name, home);
        }
        command.env("DISPLAY", &screen.name).env_remove("WAYLAND_DISPLAY").env("NO_AT_BRIDGE", "1");
        command.env("QUARTERDECK_DATA_DIR", folder.join("data"));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        Self(command.spawn().expect("the program starts"))
    }

    /// Ends it with SIGTERM, as a system shutdown does.
    fn close(mut self) {
        let told = Command::new("kill").arg(self.0.id().to_string()).status().expect("kill is there");
        assert!(told.success(), "the program had ended by itself");
        self.0.wait().expect("the process is ours");
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended already.
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

fn start(project: &Path, programs: &Path, folder: &Path) {
    let home = folder.join("home");
    std::fs::create_dir(&home).expect("there is room");
    let screen = Screen::start(folder);
    let nothing = screen.look();
    let (ours, empty) = (programs.join("quarterdeck"), programs.join("examples/empty_window"));
    let open = |file: &Path| {
        let began = Instant::now();
        let window = Running::window(file, &screen, folder, &home);
        (screen.painted(began), window)
    };
    let (mut of_empty, mut of_left, mut of_changed) = (Vec::new(), Vec::new(), Vec::new());
    // The first turns do not count: they load the files into memory, and the window stores its page.
    for turn in 0..TURNS + 2 {
        for (file, painted, more) in
            [(&empty, &mut of_empty, 0), (&ours, &mut of_left, 0), (&ours, &mut of_changed, turn + 1)]
        {
            if more > 0 {
                import(project, programs, folder, more);
            }
            let (when, window) = open(file);
            if turn > 1 {
                painted.push(when);
            }
            window.close();
            screen.wait_until_empty(&nothing);
        }
    }
    println!("from the start of the program, ms              first  complete  as a multiple, goal 2");
    let of_empty = middle(of_empty);
    for (what, when) in [
        ("a window with an empty page", of_empty),
        ("Quarterdeck on its overview", middle(of_left)),
        ("the same, after a shell has imported a bill", middle(of_changed)),
    ] {
        let ratio = when.complete.as_secs_f64() / of_empty.complete.as_secs_f64();
        let (first, complete) = (when.first.as_millis(), when.complete.as_millis());
        println!("{what:<46}{first:>6}{complete:>10}{ratio:>7.2}, {}", verdict(ratio <= 2.0));
    }
    println!();

    let seen = [&empty, &ours].map(|file| {
        let (_, window) = open(file);
        let seen = rest::watch(window.0.id());
        window.close();
        screen.wait_until_empty(&nothing);
        seen
    });
    rest::report(&seen);
}

/// Opens the same pages in Chromium; a script reads its trace.
fn pages(project: &Path, programs: &Path, folder: &Path) {
    let mut command = service(programs, folder, "serve");
    let mut running = Running(
        command.args(["--listen", "127.0.0.1:0"]).stdout(Stdio::piped()).spawn().expect("the service starts"),
    );
    let printed = running.0.stdout.take().expect("it is piped");
    let mut lines = BufReader::new(printed).lines().map_while(Result::ok);
    let link = lines
        .find_map(|line| line.split_whitespace().find(|word| word.contains("/sign-in#")).map(str::to_owned))
        .expect("the service prints a link");
    let script = project.join("tests/benches/pages.mjs");
    let status = Command::new("node").arg(script).arg(&link).status().expect("node starts");
    assert!(status.success(), "the script ended with {status}");
    running.close();
}

fn middle(mut times: Vec<Painted>) -> Painted {
    times.sort_by_key(|painted| painted.complete);
    times.swap_remove(times.len() / 2)
}

fn verdict(is_met: bool) -> &'static str {
    if is_met { "met" } else { "NOT met" }
}
