//! A report on the processes behind a page whose WebDriver does not answer: it shows whether the page is in an endless loop, the program is blocked, or
//! the driver lost an answer.
//!
//! `.ci/tests` repeats a test that failed with [`NO_ANSWER`] and an idle page, because then nothing of ours was at work.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::fs::read_to_string;
use std::time::Duration;

/// The failure message of a driver that does not answer.
pub const NO_ANSWER: &str = "Its driver does not answer.";

/// How long the processes are observed.
const OBSERVED: Duration = Duration::from_secs(2);

/// Processor time, in clock ticks of 10 ms, from which a process counts as busy within [`OBSERVED`].
const BUSY_TICKS: u64 = 10;

/// A process as `/proc` describes it.
struct Process {
    id: u32,
    parent: u32,
    name: String,
    state: String,
    ticks: u64,
}

impl Process {
    /// Reads `/proc/ID/stat`; `None` if the process has ended.
    fn read(id: u32) -> Option<Self> {
        let stat = read_to_string(format!("/proc/{id}/stat")).ok()?;
        let (head, tail) = stat.rsplit_once(") ")?;
        let name = head.split_once('(')?.1.to_owned();
        let fields: Vec<&str> = tail.split(' ').collect();
        let number = |at: usize| fields.get(at)?.parse::<u64>().ok();
        Some(Self {
            id,
            parent: u32::try_from(number(1)?).ok()?,
            name,
            state: (*fields.first()?).to_owned(),
            ticks: number(11)? + number(12)?,
        })
    }

    /// Where the main thread waits in the kernel.
    fn waits_in(&self) -> String {
        read_to_string(format!("/proc/{}/wchan", self.id)).unwrap_or_default()
    }
}

/// Describes `driver` and its descendants, one process a line, after observing them for two seconds.
pub async fn report(driver: u32) -> String {
    let before = family(driver);
    tokio::time::sleep(OBSERVED).await;
    let mut report = String::new();
    let mut is_busy = false;
    for process in before {
        let Some(now) = Process::read(process.id) else { continue };
        let used = now.ticks.saturating_sub(process.ticks);
        is_busy |= used >= BUSY_TICKS;
        let (id, name, state, wait) = (now.id, &now.name, &now.state, now.waits_in());
        writeln!(report, "  {name} ({id}): state {state}, waits in {wait}, {used} ticks").unwrap();
    }
    let verdict = if is_busy { "A process is busy" } else { "All processes are idle" };
    format!("{NO_ANSWER} {verdict}:\n{report}")
}

/// A process and its descendants.
fn family(root: u32) -> Vec<Process> {
    let ids = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let all: Vec<Process> =
        ids.filter_map(|entry| Process::read(entry.file_name().to_str()?.parse().ok()?)).collect();
    let mut known = HashSet::from([root]);
    loop {
        let count = known.len();
        known.extend(
            all.iter()
                .filter(|process| known.contains(&process.parent))
                .map(|process| process.id)
                .collect::<Vec<_>>(),
        );
        if known.len() == count {
            break;
        }
    }
    all.into_iter().filter(|process| known.contains(&process.id)).collect()
}

#[cfg(test)]
mod tests {
    use super::{NO_ANSWER, report};
    use std::process::{Command, Stdio};

    #[tokio::test]
    async fn a_loop_is_told_from_waiting() {
        let observe = async |script: &str| {
            let mut child = Command::new("sh").args(["-c", script]).stdin(Stdio::piped()).spawn().unwrap();
            let report = report(child.id()).await;
            child.kill().unwrap();
            child.wait().unwrap();
            report
        };
        let (waiting, busy) = tokio::join!(observe("read line"), observe("while :; do :; done"));
        assert!(waiting.starts_with(&format!("{NO_ANSWER} All processes are idle:\n  sh (")), "{waiting}");
        assert!(busy.starts_with(&format!("{NO_ANSWER} A process is busy:\n")), "{busy}");
    }
}
