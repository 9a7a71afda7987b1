//! Measures running processes with the figures of Linux.

#![allow(dead_code, reason = "each benchmark uses some of it")]

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A process and its descendants; the process itself comes first.
pub fn family(process: u32) -> Vec<u32> {
    let parents: Vec<(u32, u32)> = std::fs::read_dir("/proc")
        .expect("Linux tells")
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .filter_map(|process| Some((process, parent(process)?)))
        .collect();
    let mut all = vec![process];
    let mut next = 0;
    while let Some(one) = all.get(next).copied() {
        all.extend(parents.iter().filter(|(_, parent)| *parent == one).map(|(child, _)| child));
        next += 1;
    }
    all
}

/// The name of a process, at most 15 characters.
pub fn name(process: u32) -> String {
    read(process, "comm").trim().to_owned()
}

/// Processor time of a thread in ns: the first of three figures of Linux.
fn had(thread: &Path) -> f64 {
    let figures = std::fs::read_to_string(thread.join("schedstat")).unwrap_or_default();
    figures.split_whitespace().next().and_then(|figure| figure.parse().ok()).unwrap_or_default()
}

/// The threads that ran since `before`: name, number of voluntary wake-ups, and processor time in ms. Threads that have ended are not included.
pub fn who_ran(process: u32, before: &[Thread]) -> Vec<(String, u64, f64)> {
    threads(process)
        .into_iter()
        .filter_map(|now| {
            let then = before.iter().find(|then| then.number == now.number);
            let wakes = now.wakes - then.map_or(0, |then| then.wakes);
            let cpu = now.cpu - then.map_or(0.0, |then| then.cpu);
            (wakes > 0 || cpu > 0.0).then_some((now.name, wakes, cpu))
        })
        .collect()
}

/// A thread with its figures so far.
pub struct Thread {
    number: String,
    name: String,
    wakes: u64,
    cpu: f64,
}

pub fn threads(process: u32) -> Vec<Thread> {
    let Ok(threads) = std::fs::read_dir(format!("/proc/{process}/task")) else { return Vec::new() };
    let all = threads.filter_map(Result::ok).map(|thread| Thread {
        number: thread.file_name().to_string_lossy().into_owned(),
        name: std::fs::read_to_string(thread.path().join("comm")).unwrap_or_default().trim().to_owned(),
        wakes: figure(&thread.path(), "status", "voluntary_ctxt_switches:"),
        cpu: had(&thread.path()) / 1e6,
    });
    all.collect()
}

/// Memory in MB: resident, and proportional (shared pages divided among their users).
pub fn memory_mb(process: u32) -> (u64, u64) {
    let place = format!("/proc/{process}");
    let mb = |name| figure(Path::new(&place), "smaps_rollup", name) * 1024 / 1_000_000;
    (mb("Rss:"), mb("Pss:"))
}

fn parent(process: u32) -> Option<u32> {
    fields(process).get(1)?.parse().ok()
}

/// The fields of /proc/PID/stat after the name, which can contain spaces: state, parent, …
fn fields(process: u32) -> Vec<String> {
    let stat = read(process, "stat");
    stat.rsplit(')').next().unwrap_or_default().split_whitespace().map(str::to_owned).collect()
}

fn figure(place: &Path, file: &str, name: &str) -> u64 {
    let text = std::fs::read_to_string(place.join(file)).unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with(name)).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|figure| figure.parse().ok()).unwrap_or_default()
}

/// Empty for a process that has ended.
fn read(process: u32, file: &str) -> String {
    std::fs::read_to_string(format!("/proc/{process}/{file}")).unwrap_or_default()
}

/// Duration of a process, and its peak memory.
pub struct Run {
    pub time: Duration,
    pub peak_mb: u64,
}

pub fn run(command: &mut Command) -> Run {
    let began = Instant::now();
    let mut child = command.stdout(Stdio::null()).spawn().expect("the program starts");
    let mut peak_mb = 0;
    let status = loop {
        peak_mb = peak_mb.max(memory(&child, "VmHWM:"));
        if let Some(status) = child.try_wait().expect("the process is ours") {
            break status;
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    assert!(status.success(), "{command:?} ended with {status}");
    Run { time: began.elapsed(), peak_mb }
}

/// A value of /proc/PID/status in megabytes; 0 if the process has ended.
pub fn memory(child: &Child, name: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with(name)).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|kb| kb.parse::<u64>().ok()).unwrap_or_default() / 1000
}

pub fn middle(mut runs: Vec<Run>) -> Run {
    runs.sort_by_key(|run| run.time);
    runs.swap_remove(runs.len() / 2)
}

pub fn print(what: &str, run: &Run) {
    println!("{what}: {:.1} s, at most {} MB", run.time.as_secs_f64(), run.peak_mb);
}

pub fn verdict(is_met: bool) -> &'static str {
    if is_met { "met" } else { "NOT met" }
}
