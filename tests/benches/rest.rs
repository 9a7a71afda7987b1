//! Measures memory of idle windows and processor time while nothing changes: the product compared with a window with an empty page.
//!
//! The time of WebKitGTK's own threads in both does not count against the product, but is printed.

use crate::processes::{self, Thread};
use crate::verdict;
use std::collections::HashMap;
use std::time::Duration;

const AT_REST: Duration = Duration::from_secs(10);

/// The measurements of a program with a window.
pub struct Seen {
    processes: Vec<Process>,
}

struct Process {
    /// The name of the process.
    name: String,
    /// In MB: resident, and proportional (shared pages divided among their users).
    memory: (u64, u64),
    ran: Vec<Ran>,
}

/// A thread that ran during the measurement.
struct Ran {
    name: String,
    wakes: u64,
    cpu_ms: f64,
}

/// Measures a window that has just opened: the program `shell` and its descendants.
pub fn watch(shell: u32) -> Seen {
    let all = processes::family(shell);
    let memory: Vec<(u64, u64)> = all.iter().map(|one| processes::memory_mb(*one)).collect();
    until_settled(&all);
    let before: Vec<Vec<Thread>> = all.iter().map(|one| processes::threads(*one)).collect();
    std::thread::sleep(AT_REST);
    let processes = all.iter().zip(memory).zip(before).map(|((process, memory), before)| {
        let ran = processes::who_ran(*process, &before).into_iter();
        let ran = ran.map(|(name, wakes, cpu_ms)| Ran { name, wakes, cpu_ms }).collect();
        Process { name: processes::name(*process), memory, ran }
    });
    Seen { processes: processes.collect() }
}

/// Waits until start-up work has finished: twelve seconds without activity, a minute and a half at most. WebKitGTK cleans up about twelve and about
/// twenty seconds after a page has loaded, with no activity in between.
fn until_settled(all: &[u32]) {
    let mut quiet = 0;
    for _ in 0..90 {
        let before: Vec<Vec<Thread>> = all.iter().map(|one| processes::threads(*one)).collect();
        std::thread::sleep(Duration::from_secs(1));
        let is_quiet =
            all.iter().zip(&before).all(|(one, before)| processes::who_ran(*one, before).is_empty());
        quiet = if is_quiet { quiet + 1 } else { 0 };
        if quiet == 12 {
            return;
        }
    }
}

/// Prints both, and the verdict on the second, the product.
pub fn report([empty, ours]: &[Seen; 2]) {
    println!("memory, MB                                       all     share");
    for process in empty.processes.iter().chain(&ours.processes) {
        let (all, share) = process.memory;
        println!("{:<46}{all:>6}{share:>10}", process.name);
    }
    let held = ours.processes[0].memory.0;
    println!("shell with the service: {held} MB, goal 200, {}\n", verdict(held <= 200));

    println!("while nothing changes, {} s                CPU ms     wakes", AT_REST.as_secs());
    for process in empty.processes.iter().chain(&ours.processes) {
        let (wakes, cpu) = sum(process.ran.iter().map(|ran| (ran.wakes, ran.cpu_ms)));
        println!("{:<46}{cpu:>6.1}{wakes:>10}", process.name);
        for Ran { name, wakes, cpu_ms } in &process.ran {
            println!("  {name:<44}{cpu_ms:>6.1}{wakes:>10}");
        }
    }
    let (wakes, cpu) = beyond(empty, ours);
    println!(
        "processor at rest beyond the empty window: {cpu:.1} ms of {} s and {wakes} wakes, goal no wake and less than 1 ms, {}\n",
        AT_REST.as_secs(),
        verdict(wakes == 0 && cpu < 1.0)
    );
}

/// By how much the threads of `ours` exceed those with the same name in `empty`. Each name is compared separately: one cannot offset another.
fn beyond(empty: &Seen, ours: &Seen) -> (u64, f64) {
    let of_empty = by_thread(empty);
    sum(by_thread(ours).into_iter().map(|(thread, (wakes, cpu))| {
        let (same_wakes, same_cpu) = of_empty.get(&thread).copied().unwrap_or_default();
        (wakes.saturating_sub(same_wakes), (cpu - same_cpu).max(0.0))
    }))
}

/// Wake-ups and processor time by names of process and thread; the program itself has the name "" in both cases.
fn by_thread(seen: &Seen) -> HashMap<(&str, &str), (u64, f64)> {
    let mut all = HashMap::new();
    for (place, process) in seen.processes.iter().enumerate() {
        let own = |name| if place == 0 && name == process.name.as_str() { "" } else { name };
        for ran in &process.ran {
            let sums: &mut (u64, f64) = all.entry((own(&process.name), own(&ran.name))).or_default();
            *sums = (sums.0 + ran.wakes, sums.1 + ran.cpu_ms);
        }
    }
    all
}

fn sum(parts: impl Iterator<Item = (u64, f64)>) -> (u64, f64) {
    parts.fold((0, 0.0), |(wakes, cpu), (its_wakes, its_cpu)| (wakes + its_wakes, cpu + its_cpu))
}
