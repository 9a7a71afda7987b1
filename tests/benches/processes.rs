//! What programs that run take of the machine, as Linux tells.

use std::path::Path;

/// A process and all that it started, itself first.
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

/// The name of a process, at most 15 letters of it.
pub fn name(process: u32) -> String {
    read(process, "comm").trim().to_owned()
}

/// What a process has had of the processor, ms; Linux counts in tens.
pub fn cpu_ms(process: u32) -> u64 {
    // User and system time, in hundredths of a second whatever the machine.
    fields(process).iter().skip(11).take(2).filter_map(|ticks| ticks.parse::<u64>().ok()).sum::<u64>() * 10
}

/// How often the threads that it has woke up by themselves.
pub fn wakes(process: u32) -> u64 {
    let Ok(threads) = std::fs::read_dir(format!("/proc/{process}/task")) else { return 0 };
    threads
        .filter_map(Result::ok)
        .map(|thread| figure(&thread.path(), "status", "voluntary_ctxt_switches:"))
        .sum()
}

/// What it holds in memory, MB: all of it, and its own share where several use the same.
pub fn memory_mb(process: u32) -> (u64, u64) {
    let place = format!("/proc/{process}");
    let mb = |name| figure(Path::new(&place), "smaps_rollup", name) * 1024 / 1_000_000;
    (mb("Rss:"), mb("Pss:"))
}

fn parent(process: u32) -> Option<u32> {
    fields(process).get(1)?.parse().ok()
}

/// Of /proc/PID/stat what stands behind the name, which may hold blanks: state, parent, …
fn fields(process: u32) -> Vec<String> {
    let stat = read(process, "stat");
    stat.rsplit(')').next().unwrap_or_default().split_whitespace().map(str::to_owned).collect()
}

fn figure(place: &Path, file: &str, name: &str) -> u64 {
    let text = std::fs::read_to_string(place.join(file)).unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with(name)).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|figure| figure.parse().ok()).unwrap_or_default()
}

/// Nothing of a process that has ended.
fn read(process: u32, file: &str) -> String {
    std::fs::read_to_string(format!("/proc/{process}/{file}")).unwrap_or_default()
}
