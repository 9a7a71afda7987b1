//! Measures the import of a first bill: a million rows compared with DuckDB loading the same file, memory, and the first start.
//!
//! `make bench` builds `quarterdeck-server` with optimisation, installs DuckDB's Python package under `target/` and runs this. Both programs run in
//! separate processes, alternating, three times each; the median counts. The rows are from ../shared/data/focus (1,000 real rows, repeated with
//! shifted dates) or, without it, from tests/fixtures.

mod bill;
mod processes;

use processes::{memory, middle, print, run, verdict};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

const ROWS: usize = 1_000_000;
const TURNS: usize = 3;

fn main() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("tests/ stands in the project");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let bill = folder.path().join("bill.csv");
    let source = bill::write(project, &bill, ROWS);
    let size_mb = std::fs::metadata(&bill).expect("the bill was written").len() / 1_000_000;
    println!("{ROWS} rows from {source}, {size_mb} MB\n");
    let server = project.join("target/release/quarterdeck-server");
    import(&server, project, folder.path(), &bill);
    start(&server, folder.path());
}

fn import(server: &Path, project: &Path, folder: &Path, bill: &Path) {
    let python = project.join("target/bench-python/bin/python3");
    let load = "import duckdb, sys; duckdb.connect(sys.argv[2]).execute(f\"CREATE TABLE spends AS SELECT * FROM read_csv('{sys.argv[1]}')\")";
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for turn in 0..TURNS {
        let data = folder.join(format!("data-{turn}"));
        ours.push(run(Command::new(server).arg("import").arg(bill).arg("--data-dir").arg(&data)));
        std::fs::remove_dir_all(&data).expect("the data directory can be removed");
        if python.exists() {
            let file = folder.join(format!("duck-{turn}.db"));
            theirs.push(run(Command::new(&python).args(["-c", load]).arg(bill).arg(&file)));
            std::fs::remove_file(&file).expect("DuckDB's file can be removed");
        }
    }
    let ours = middle(ours);
    print("import of the bill", &ours);
    println!("  memory: goal 300 MB, {}", verdict(ours.peak_mb <= 300));
    if theirs.is_empty() {
        println!("  no DuckDB at {}: `make bench` installs it", python.display());
        return;
    }
    let theirs = middle(theirs);
    print("DuckDB, the same file", &theirs);
    let ratio = ours.time.as_secs_f64() / theirs.time.as_secs_f64();
    println!("  time as a multiple of DuckDB's: {ratio:.2}, goal 2.5, {}\n", verdict(ratio <= 2.5));
}

/// Measures the time from the first start on an empty data directory to the first response, and the idle memory.
fn start(server: &Path, folder: &Path) {
    let data = folder.join("first-start");
    let began = Instant::now();
    let mut command = Command::new(server);
    command.args(["serve", "--listen", "127.0.0.1:0", "--data-dir"]).arg(&data);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the server starts");
    let mut lines = BufReader::new(child.stdout.take().expect("it is piped")).lines().map_while(Result::ok);
    let address = lines
        .find_map(|line| Some(line.split("http://").nth(1)?.split('/').next()?.to_owned()))
        .expect("the server prints its address");
    while std::net::TcpStream::connect(&address).and_then(|stream| answer(stream, &address)).is_err() {
        assert!(child.try_wait().expect("the process is ours").is_none(), "the server ended early");
    }
    let first = began.elapsed();
    println!(
        "first start to first answer: {} ms, goal 1000, {}",
        first.as_millis(),
        verdict(first.as_secs() < 1)
    );
    let idle = memory(&child, "VmRSS:");
    println!("idle: {idle} MB, goal 60, {}", verdict(idle <= 60));
    child.kill().expect("the server can be ended");
    child.wait().expect("the process is ours");
}

fn answer(mut stream: std::net::TcpStream, address: &str) -> std::io::Result<()> {
    write!(stream, "GET /healthz HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")?;
    let mut status = String::new();
    BufReader::new(stream).read_line(&mut status)?;
    if status.contains("200") { Ok(()) } else { Err(std::io::Error::other(status)) }
}
