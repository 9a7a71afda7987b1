//! Measures workflow execution: runs of five tasks while a page sends queries, lateness of timers, wake-ups of an idle engine, and a service that
//! is killed repeatedly.
//!
//! `make bench-automation`; `BENCH_RUNS`, `BENCH_KILLS`, `BENCH_DATABASE=postgres`. Client, server and the service that tasks send requests to
//! share the machine; its state is printed in the first line.

mod counting;
mod dataset;
mod drive;
mod kills;
mod on_postgres;
mod processes;
mod program;
mod wire;
mod workflows;

use counting::Counting;
use drive::{Timing, drive};
use program::{Program, Server};
use serde_json::json;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use workflows::Client;

/// Number of runs, and of tasks in each.
const RUNS: usize = 10_000;
const TASKS: usize = 5;
/// Number of runs without page queries, to measure the processor time of a task.
const ALONE: usize = 1_000;
/// How long and how often a page sends queries while nothing else runs.
const IDLE: Duration = Duration::from_secs(20);
const PACE: Duration = Duration::from_millis(20);
/// Number of waits to measure, and their length.
const TIMERS: usize = 40;
const WAIT: Duration = Duration::from_secs(3);
/// How long an idle engine is observed.
const WATCHED: Duration = Duration::from_secs(10);
/// Goals.
const CPU_MS: f64 = 5.0;
const SLOWER: f64 = 1.5;
const LATE: f64 = 1.0;

/// The query of the recommendations page.
const PAGE: &str = "{ recommendation(where: {severity: {_eq: Medium}, status: {_in: [Open, Assigned]}}, order_by: {created_at: desc}, limit: 50) { id rule_name status } recommendation_aggregate(where: {severity: {_eq: Medium}, status: {_in: [Open, Assigned]}}) { aggregate { count } } }";

fn figure(name: &str, usual: usize) -> usize {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

fn main() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("tests/ stands in the project");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut file = project.join("target/release/quarterdeck-server");
    let is_postgres = std::env::var("BENCH_DATABASE").is_ok_and(|name| name == "postgres");
    if is_postgres {
        file = on_postgres::program(folder.path(), &file);
    }
    let program = Program { file, data: folder.path().join("data") };
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let processors = std::thread::available_parallelism().map_or(0, usize::from);
    let database = if is_postgres { "PostgreSQL" } else { "SQLite" };
    println!("{database}, {processors} processors, load before: {}", load.trim());
    let (pair, user) = workflows::administrator(&program);
    dataset::fill(folder.path(), &user, |table, file| {
        program.run(&["table", "load", table, file.to_str().expect("a plain name")]);
    });
    let on = [("QUARTERDECK_AUTOMATION", "on"), ("QUARTERDECK_AUTOMATION_PRIVATE", "on")];
    let runs = figure("BENCH_RUNS", RUNS);
    if runs > 0 {
        idle(&program, &on);
        work(&program, &on, &pair, runs);
    }
    let kills = figure("BENCH_KILLS", 20);
    if kills > 0 {
        print_kills(&kills::measure(&program, &on, &pair, kills));
    }
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    println!("load after: {}", load.trim());
}

/// How often an idle service wakes up, with and without automation.
fn idle(program: &Program, on: &[(&str, &str)]) {
    for (what, environment) in [("off", &[][..]), ("on", on)] {
        let server = Server::start_with(program, environment);
        std::thread::sleep(Duration::from_secs(5));
        let before = processes::threads(server.process());
        let cpu = server.cpu_micros();
        std::thread::sleep(WATCHED);
        let ran = processes::who_ran(server.process(), &before);
        let wakes: u64 = ran.iter().map(|(_, wakes, _)| wakes).sum();
        let cpu = (server.cpu_micros() - cpu) / 1000.0;
        println!(
            "idle, automation {what}: {wakes} wake-ups and {cpu:.0} ms of processor in {} s",
            WATCHED.as_secs()
        );
        for (name, wakes, cpu) in ran.iter().filter(|(_, wakes, _)| *wakes > 0) {
            println!("  {name}: {wakes} wake-ups, {cpu:.1} ms");
        }
    }
}

fn work(program: &Program, on: &[(&str, &str)], pair: &str, runs: usize) {
    let other = Counting::start();
    let server = Server::start_with(program, on);
    let token = server.token(pair);
    let mut client = Client::of(&server, &token);
    let get = |id: &str, before: &[&str]| json!({ "id": id, "type": "integrations.http", "depends_on": before, "params": { "url": format!("{}/{id}", other.url) } });
    let say = |id: &str, before: &[&str], message: &str| json!({ "id": id, "type": "core.print", "depends_on": before, "params": { "message": message } });
    let mixed = json!([
        get("read", &[]),
        say("count", &["read"], "{{ Tasks.read.output | length }}"),
        get("write", &["count"]),
        get("check", &["write"]),
        say("tell", &["check"], "done"),
    ]);
    let inside = json!([
        say("a", &[], "1"),
        say("b", &["a"], "2"),
        say("c", &["b"], "3"),
        say("d", &["c"], "4"),
        say("e", &["d"], "5"),
    ]);
    let mixed = client.create("five tasks", &mixed);
    let inside = client.create("five tasks inside", &inside);
    let page = client.request(PAGE);
    let quiet = drive(&server.address, &page, 1, Some(PACE), |since| since < IDLE);
    let (mut done, before) = (0, server.cpu_micros());
    for (what, workflow) in [("three over HTTP", &mixed), ("none over HTTP", &inside)] {
        let (cpu, began) = (server.cpu_micros(), Instant::now());
        begin(&server, &token, workflow, ALONE.min(runs), 1);
        done += ALONE.min(runs) as u64;
        client.until_completed(done, Duration::from_mins(30));
        let tasks = of_tasks(ALONE.min(runs));
        let cpu = (server.cpu_micros() - cpu) / 1000.0 / tasks;
        println!(
            "{} runs of five tasks, {what}: {:.1} s, {cpu:.2} ms of processor a task, its share of beginning the run in it (goal {CPU_MS} ms: {})",
            ALONE.min(runs),
            began.elapsed().as_secs_f64(),
            processes::verdict(cpu < CPU_MS)
        );
    }
    let began = Instant::now();
    let is_over = AtomicBool::new(false);
    let beside = std::thread::scope(|scope| {
        let asks = scope
            .spawn(|| drive(&server.address, &page, 1, Some(PACE), |_| !is_over.load(Ordering::Relaxed)));
        begin(&server, &token, &mixed, runs, 2);
        let all_begun = began.elapsed();
        done += runs as u64;
        client.until_completed(done, Duration::from_hours(1));
        is_over.store(true, Ordering::Relaxed);
        println!(
            "{runs} runs of five tasks: begun in {:.1} s, ended after {:.1} s, {:.0} tasks a second",
            all_begun.as_secs_f64(),
            began.elapsed().as_secs_f64(),
            of_tasks(runs) / began.elapsed().as_secs_f64()
        );
        asks.join().expect("the page asks")
    });
    let cpu = (server.cpu_micros() - before) / 1e6;
    println!("processor of all of it: {cpu:.0} s; memory {} MB", server.memory_mb("status", "VmHWM:"));
    compare(&quiet, &beside);
    lateness(&mut client, "nothing else");
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let beginner = scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                begin(&server, &token, &mixed, 50, 1);
            }
        });
        std::thread::sleep(Duration::from_secs(1));
        lateness(&mut client, "runs as fast as they are begun");
        stop.store(true, Ordering::Relaxed);
        beginner.join().expect("runs are begun");
    });
}

/// Number of tasks in that many runs.
fn of_tasks(runs: usize) -> f64 {
    u32::try_from(runs * TASKS).map_or(f64::INFINITY, f64::from)
}

/// Measures how late waits end under load.
fn lateness(client: &mut Client, what: &str) {
    let wait = json!([{ "id": "wait", "type": "core.wait", "params": { "duration": format!("{}s", WAIT.as_secs()) } }]);
    let workflow = client.create(&format!("timers beside {what}"), &wait);
    let runs: Vec<String> = (0..TIMERS).map(|_| client.trigger(&workflow)).collect();
    let mut late: Vec<f64> = runs.iter().map(|run| late(client, &workflow, run)).collect();
    late.sort_by(f64::total_cmp);
    let most = late[late.len() - 1];
    println!(
        "{TIMERS} timers beside {what}: late by {:.3} s in the middle, {most:.3} s at most (goal {LATE} s: {})",
        late[late.len() / 2],
        processes::verdict(most <= LATE)
    );
}

/// How late a run's wait ended, in s.
fn late(client: &mut Client, workflow: &str, run: &str) -> f64 {
    let began = Instant::now();
    loop {
        let seen = client.run(workflow, run);
        if seen["status"] == "COMPLETED" {
            let time = |name: &str| {
                let text = seen["tasks"][0][name].as_str().expect("a time");
                chrono::NaiveDateTime::parse_from_str(text, "%Y-%m-%dT%H:%M:%S%.f").expect("a time")
            };
            let took = (time("end_time") - time("start_time")).as_seconds_f64();
            return took - WAIT.as_secs_f64();
        }
        assert!(began.elapsed() < Duration::from_mins(5), "it never ends: {seen}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn print_kills(outcome: &kills::Outcome) {
    println!(
        "{} kills in {} runs, {} tasks asked for: {} that had ended were repeated (goal 0: {}), {} were begun again under the same key, the most {} times in all; {} more often than once a kill (goal 0: {}); a start until the first answer {:.2} s",
        outcome.kills,
        outcome.runs,
        outcome.tasks,
        outcome.repeated,
        processes::verdict(outcome.repeated == 0),
        outcome.again,
        outcome.most,
        outcome.beyond,
        processes::verdict(outcome.beyond == 0),
        outcome.ready.as_secs_f64()
    );
}

/// Starts that many runs over that many connections.
fn begin(server: &Server, token: &str, workflow: &str, runs: usize, connections: usize) {
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..connections {
            scope.spawn(|| {
                let mut client = Client::of(server, token);
                while next.fetch_add(1, Ordering::Relaxed) < runs {
                    client.trigger(workflow);
                }
            });
        }
    });
}

fn compare(quiet: &Timing, beside: &Timing) {
    let ms = |micros: f64| micros / 1000.0;
    println!(
        "a page's question: {} idle, p50 {:.1} ms, p99 {:.1} ms; {} beside the runs, p50 {:.1} ms, p99 {:.1} ms: {:.1} times (goal {SLOWER}: {})",
        quiet.requests,
        ms(quiet.p50),
        ms(quiet.p99),
        beside.requests,
        ms(beside.p50),
        ms(beside.p99),
        beside.p99 / quiet.p99,
        processes::verdict(beside.p99 <= quiet.p99 * SLOWER)
    );
}
