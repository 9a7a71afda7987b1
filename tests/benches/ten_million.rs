//! Measures ten million charges: the cost of importing with and without segments and cubes, the size on disk, and the speed of the pages' queries
//! over HTTP compared with DuckDB on its own file of the same charges: warm, one request at a time, alternating, with the same number of threads.
//!
//! All results are compared row by row, to the last digit.
//!
//! `make bench` builds `quarterdeck-server` with optimisation, installs DuckDB's Python package under `target/` and runs this.
//! `QUARTERDECK_BENCH_ROWS` sets a smaller number of charges. The bills are created once, in `QUARTERDECK_BENCH_DATA` (`target/charges`); with
//! `QUARTERDECK_BENCH_KEEP` set, the databases are retained too.

mod charges;
mod duck;
mod program;
mod questions;
mod wire;

use duck::Duck;
use program::{Program, Server, TICKS, ticks};
use questions::{Goal, Question};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use wire::{Ask, Connection};

const ROWS: u64 = 10_000_000;
const ROUNDS: usize = 5;
/// Approximate duration of one query's part of a round.
const ROUND: Duration = Duration::from_millis(200);
const CONNECTIONS: usize = 8;

fn main() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("tests/ stands in the project");
    let rows =
        std::env::var("QUARTERDECK_BENCH_ROWS").ok().and_then(|rows| rows.parse().ok()).unwrap_or(ROWS);
    let data = std::env::var_os("QUARTERDECK_BENCH_DATA")
        .map_or_else(|| project.join("target/charges"), PathBuf::from)
        .join(rows.to_string());
    let began = Instant::now();
    let bills = charges::files(&data.join("bills"), rows);
    let bytes: u64 = bills.iter().map(|bill| std::fs::metadata(bill).expect("it was written").len()).sum();
    let made = began.elapsed().as_secs_f64();
    println!("{rows} charges in {} files, {} MB, made in {made:.0} s", bills.len(), bytes / 1_000_000);

    let python = project.join("target/bench-python/bin/python3");
    let mut duck = Duck::start(&python, &project.join("tests/benches/duck.py"));
    let program =
        Program { file: project.join("target/release/quarterdeck-server"), data: data.join("with-segments") };
    let keeps = std::env::var_os("QUARTERDECK_BENCH_KEEP").is_some();
    if !keeps || !data.join("complete").exists() {
        import(&program, &mut duck, project, &data, &bills);
        std::fs::write(data.join("complete"), "").expect("there is room");
    }
    sizes(&mut duck, &program.data.join("quarterdeck.db"), rows);

    drop(program.command(&["user", "add", "bench@example.com"]).status());
    // A retained database has a token of an earlier run.
    let name = format!("bench {}", std::process::id());
    let pair = program.run(&["token", "create", "bench@example.com", "--name", &name, "--json"]);
    let server = Server::start(&program);
    let token = server.token(&pair);
    let threads = std::thread::available_parallelism().map_or(2, usize::from).clamp(2, 4);
    duck.open(&data.join("duck.db"), threads);
    let mut asked: Vec<Asked> = questions::all()
        .into_iter()
        .filter_map(|question| Asked::new(question, &server, &mut duck, &token))
        .collect();
    for round in 0..ROUNDS {
        // For queries that take seconds one round is enough.
        for one in asked.iter_mut().filter(|one| round == 0 || one.first < Duration::from_secs(3)) {
            one.measure(&server, &mut duck);
        }
    }
    print(&asked, threads);
    drop(duck);
    memory(&server, &asked);
    drop(server);
    if !keeps {
        for left in ["with-segments", "complete", "duck.db"] {
            let left = data.join(left);
            drop(std::fs::remove_dir_all(&left));
            drop(std::fs::remove_file(&left));
        }
    }
}

// ── importing ──

fn import(program: &Program, duck: &mut Duck, project: &Path, data: &Path, bills: &[PathBuf]) {
    let plain = Program { file: program.file.clone(), data: data.join("without-segments") };
    let schema = data.join("schema-without-segments");
    without_segments(&project.join("schema"), &schema);
    for folder in [&program.data, &plain.data] {
        drop(std::fs::remove_dir_all(folder));
    }
    let run = |program: &Program, arguments: &[&str], bills: &[PathBuf]| {
        let mut command = program.command(&["import"]);
        let began = (Instant::now(), cpu_of_children());
        let status = command.args(arguments).args(bills).status().expect("the program starts");
        assert!(status.success(), "the import ended with {status}");
        (began.0.elapsed().as_secs_f64(), cpu_of_children() - began.1)
    };
    let schema = schema.to_str().expect("a plain name");
    // The overhead of segments is measured with the first year; the other two are imported once.
    let (first, rest) = bills.split_at(bills.len() / 3);
    let (wall_without, cpu_without) = run(&plain, &["--schema", schema], first);
    std::fs::remove_dir_all(&plain.data).expect("it can be removed");
    let (wall, cpu) = run(program, &[], first);
    let (rest_wall, rest_cpu) = run(program, &[], rest);
    let theirs = duck.load(bills, &data.join("duck.db"));
    println!("\nimport                                              s    CPU s");
    println!("{:<46}{wall_without:>9.1}{cpu_without:>9.1}", "the first year, without segments and cubes");
    println!("{:<46}{wall:>9.1}{cpu:>9.1}", "the first year, with them");
    println!("{:<46}{:>9.1}{:>9.1}", "three years, with them", wall + rest_wall, cpu + rest_cpu);
    println!("{:<46}{:>9.1}{:>9.1}", "three years, DuckDB, its columns only", theirs.seconds, theirs.cpu);
    let more = (cpu / cpu_without - 1.0) * 100.0;
    println!("segments and cubes add {more:.0}% of CPU, goal 40%, {}", verdict(more <= 40.0));
}

/// Processor seconds of the child processes this one has waited for.
fn cpu_of_children() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").expect("it runs");
    (ticks(&stat, 16) + ticks(&stat, 17)) / TICKS
}

/// The product's schema without the columnar segments.
fn without_segments(schema: &Path, to: &Path) {
    drop(std::fs::remove_dir_all(to));
    for part in ["tables", "operations", "views"] {
        let folder = to.join(part);
        std::fs::create_dir_all(&folder).expect("there is room");
        for file in std::fs::read_dir(schema.join(part)).expect("it is there").flatten() {
            let mut text = std::fs::read_to_string(file.path()).expect("it is text");
            for directive in ["@segments(", "@cube("] {
                while let Some(start) = text.find(directive) {
                    let length = text[start..].find(')').expect("a directive ends") + 1;
                    text.replace_range(start..start + length, "");
                }
            }
            std::fs::write(folder.join(file.file_name()), text).expect("there is room");
        }
    }
}

fn sizes(duck: &mut Duck, database: &Path, rows: u64) {
    let sizes = duck.sizes(database);
    let sum = |is_meant: &dyn Fn(&str) -> bool| {
        let bytes: u64 = sizes.iter().filter(|(name, _)| is_meant(name)).map(|(_, bytes)| bytes).sum();
        bytes / 1_000_000
    };
    let is_kept = |name: &str| name.contains('#');
    let is_index = |name: &str| name.starts_with("sqlite_autoindex_spends_") || name.starts_with("spends_");
    println!("\nthe file, MB");
    println!("{:<46}{:>9}", "charges", sum(&|name| name == "spends"));
    println!("{:<46}{:>9}", "their indices", sum(&is_index));
    let kept = sum(&is_kept);
    for (name, bytes) in sizes.iter().filter(|(name, _)| name.starts_with('(')) {
        println!("{:<46}{:>9}", format!("kept beside them, {name}"), bytes / 1_000_000);
    }
    let goal = 350 * rows / ROWS;
    println!("{:<46}{kept:>9}  goal {goal}, {}", "kept beside them, in all", verdict(kept <= goal));
    let whole = std::fs::metadata(database).map_or(0, |metadata| metadata.len() / 1_000_000);
    println!("{:<46}{whole:>9}  {} bytes a charge", "everything", whole * 1_000_000 / rows);
}

// ── asking ──

struct Asked {
    question: Question,
    ask: Ask,
    bytes: usize,
    /// Seconds and processor seconds of one request in each round.
    ours: Vec<(f64, f64)>,
    theirs: Vec<(f64, f64)>,
    chosen: String,
    first: Duration,
}

impl Asked {
    /// `None`, with a message, for a query that the server does not answer.
    fn new(question: Question, server: &Server, duck: &mut Duck, token: &str) -> Option<Self> {
        let body = serde_json::json!({ "query": question.ours }).to_string();
        let ask = Ask::post(&server.address, "/api/graphql", Some(token), &body);
        let explained =
            serde_json::json!({ "query": question.ours, "extensions": { "explain": true } }).to_string();
        let explain = Ask::post(&server.address, "/api/graphql", Some(token), &explained);
        let mut connection = Connection::open(&server.address);
        let began = Instant::now();
        let answer = connection.send(&ask);
        let bytes = answer.len();
        let first = began.elapsed();
        if answer.starts_with(b"{\"errors\"") {
            println!("{}: {}", question.what, String::from_utf8_lossy(answer));
            return None;
        }
        compare(&question, answer, duck);
        let answer: serde_json::Value = serde_json::from_slice(connection.send(&explain)).expect("JSON");
        let told = &answer["extensions"]["explain"]["spend_groupings_v2"];
        let chosen = told["chosen"].as_str().unwrap_or_default().to_owned();
        Some(Self { question, ask, bytes, ours: Vec::new(), theirs: Vec::new(), chosen, first })
    }

    fn measure(&mut self, server: &Server, duck: &mut Duck) {
        let mut connection = Connection::open(&server.address);
        let (began, cpu) = (Instant::now(), server.cpu_micros());
        let mut walls = Vec::new();
        while walls.is_empty() || began.elapsed() < ROUND {
            let sent = Instant::now();
            connection.send(&self.ask);
            walls.push(sent.elapsed().as_secs_f64());
        }
        #[expect(clippy::cast_precision_loss, reason = "fewer than 2^52 requests")]
        let cpu = (server.cpu_micros() - cpu) / 1e6 / walls.len() as f64;
        self.ours.push((middle(walls), cpu));
        let before = duck.ask(&self.question.theirs, 1).0;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 1 and 50")]
        let times = (ROUND.as_secs_f64() / before[0]).clamp(1.0, 50.0) as usize;
        let (walls, cpu) = duck.ask(&self.question.theirs, times);
        #[expect(clippy::cast_precision_loss, reason = "at most 50")]
        let cpu = cpu / walls.len() as f64;
        self.theirs.push((middle(walls), cpu));
    }
}

/// Checks that both return the same rows.
fn compare(question: &Question, answer: &[u8], duck: &mut Duck) {
    let answer: serde_json::Value = serde_json::from_slice(answer).expect("JSON");
    let rows = answer["data"]["spend_groupings_v2"]["rows"].as_array().expect("rows");
    let mut ours: Vec<Vec<String>> = rows
        .iter()
        .map(|row| question.fields.iter().map(|field| questions::text(&row[*field])).collect())
        .collect();
    let mut theirs = duck.rows(&question.theirs);
    ours.sort_unstable();
    theirs.sort_unstable();
    assert_eq!(ours.len(), theirs.len(), "rows of {}", question.what);
    for (ours, theirs) in ours.iter().zip(&theirs) {
        assert_eq!(ours, theirs, "{}", question.what);
    }
}

fn middle(mut all: Vec<f64>) -> f64 {
    all.sort_by(f64::total_cmp);
    all[all.len() / 2]
}

fn print(asked: &[Asked], threads: usize) {
    println!(
        "\n{:<38}{:>9}{:>8}{:>9}{:>9}{:>9}{:>9}{:>8}{:>8}",
        "warm, one at a time, milliseconds", "from", "KB", "ours", "CPU", "DuckDB", "CPU", "times", "CPU"
    );
    for one in asked {
        let figure =
            |all: &[(f64, f64)], which: fn(&(f64, f64)) -> f64| middle(all.iter().map(which).collect()) * 1e3;
        let (wall, cpu) = (figure(&one.ours, |run| run.0), figure(&one.ours, |run| run.1));
        let (their_wall, their_cpu) = (figure(&one.theirs, |run| run.0), figure(&one.theirs, |run| run.1));
        let times = their_wall / wall;
        let verdict = match one.question.goal {
            Goal::Times(goal) => format!("goal {goal}, {}", verdict(times >= goal)),
            Goal::None => String::new(),
        };
        println!(
            "{:<38}{:>9}{:>8}{wall:>9.2}{cpu:>9.2}{their_wall:>9.2}{their_cpu:>9.2}{times:>8.1}{:>8.1}  {verdict}",
            one.question.what,
            one.chosen,
            one.bytes / 1000,
            their_cpu / cpu.max(0.01),
        );
    }
    println!("DuckDB has {threads} threads; its rows are not carried anywhere, ours are JSON over HTTP.");
    let first: Vec<String> =
        asked.iter().take(4).map(|one| format!("{:.0}", one.first.as_secs_f64() * 1e3)).collect();
    println!("The first four, asked for the first time: {} ms.", first.join(", "));
}

/// Measures the server's memory while the four queries run over many connections.
fn memory(server: &Server, asked: &[Asked]) {
    let is_over = AtomicBool::new(false);
    let mut most = [0; 4];
    let figures =
        [("status", "VmRSS:"), ("status", "RssAnon:"), ("status", "RssFile:"), ("smaps_rollup", "Pss:")];
    let began = Instant::now();
    let answered = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..CONNECTIONS)
            .map(|_| {
                scope.spawn(|| {
                    let mut connection = Connection::open(&server.address);
                    let mut answered = 0u32;
                    while !is_over.load(Ordering::Relaxed) {
                        for one in &asked[..4] {
                            connection.send(&one.ask);
                            answered += 1;
                        }
                    }
                    answered
                })
            })
            .collect();
        while began.elapsed() < Duration::from_secs(8) {
            for (most, (file, name)) in most.iter_mut().zip(figures) {
                *most = (*most).max(server.memory_mb(file, name));
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        is_over.store(true, Ordering::Relaxed);
        workers.into_iter().map(|worker| worker.join().expect("no answer failed")).sum::<u32>()
    });
    let per_second = f64::from(answered) / began.elapsed().as_secs_f64();
    println!(
        "\nthe first four from {CONNECTIONS} connections: {per_second:.0} answers a second; memory at most, MB, goal 400"
    );
    for (most, what) in most.iter().zip(["resident", "its own", "pages of files", "proportional"]) {
        println!("  {what:<44}{most:>9}  {}", verdict(*most < 400));
    }
}

fn verdict(is_met: bool) -> &'static str {
    if is_met { "met" } else { "NOT met" }
}
