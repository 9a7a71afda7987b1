//! Programs that tasks run: with a list of arguments and never a shell, in a process group of their own that goes when the time is over or the run is ended.

use automation::commands::ProgramCall;
use automation::plan::TaskFailure;
use rustix::process::{Pid, Signal, kill_process_group};
use serde_json::{Map, Value};
use std::fmt::Write as _;
use std::io::Read;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::time::Instant;

/// Bytes of each output that are kept.
const LARGEST_OUTPUT: u64 = 256 * 1024;
/// Letters of what a program says of its failure that are told.
const QUOTED: usize = 500;
/// What of the service's own settings no program sees.
const HIDDEN: [&str; 2] = ["QUARTERDECK_", "SECRET_"];

/// Runs the calls one after the other; what they wrote. The first that fails ends it. `path` is where the machine has the program.
pub async fn run(call: ProgramCall, path: String) -> Result<Value, TaskFailure> {
    let end = Instant::now() + Duration::from_micros(u64::try_from(call.timeout).unwrap_or_default());
    let (mut data, mut errors) = (String::new(), String::new());
    for arguments in &call.calls {
        let (output, error) = one(call.program, &path, arguments, end).await?;
        data.push_str(&output);
        errors.push_str(&error);
    }
    let mut answer = Map::new();
    answer.insert("data".to_owned(), Value::String(data));
    if !errors.is_empty() {
        answer.insert("stderr".to_owned(), Value::String(errors));
    }
    Ok(Value::Object(answer))
}

async fn one(
    program: &'static str,
    path: &str,
    arguments: &[String],
    end: Instant,
) -> Result<(String, String), TaskFailure> {
    let cannot = |reason: String| TaskFailure::new("Program", format!("{program} cannot be run: {reason}"));
    let mut child = spawn(path, arguments).map_err(|error| cannot(error.to_string()))?;
    let group = Group::of(&child);
    let is_over = Arc::clone(&group.is_over);
    let waiting = tokio::task::spawn_blocking(move || {
        let ended = read_to_end(&mut child);
        is_over.store(true, Ordering::Release);
        ended
    });
    let Ok(ended) = tokio::time::timeout_at(end, waiting).await else {
        drop(group);
        let message = format!("{program} was ended: it took longer than the time-out of the task");
        return Err(TaskFailure { kind: "Timeout".to_owned(), message, is_timeout: true });
    };
    let ended = ended.map_err(|error| cannot(error.to_string()))?;
    let ProgramEnd { code, output, error } = ended.map_err(|error| cannot(error.to_string()))?;
    if code == Some(0) {
        return Ok((output, error));
    }
    let said = if error.trim().is_empty() { output } else { error };
    let said: String = said.trim().chars().take(QUOTED).collect();
    let how = code.map_or("was ended by a signal".to_owned(), |code| format!("ended with {code}"));
    Err(TaskFailure::new("Program", format!("{program} {how}: {said}")))
}

fn spawn(path: &str, arguments: &[String]) -> std::io::Result<Child> {
    let mut command = Command::new(path);
    command.args(arguments).process_group(0);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    for (name, _) in std::env::vars_os() {
        if name.to_str().is_none_or(|name| HIDDEN.iter().any(|start| name.starts_with(start))) {
            command.env_remove(name);
        }
    }
    command.spawn()
}

/// A process group; dropped before its leader has ended, it is killed as a whole.
struct Group {
    leader: Option<Pid>,
    is_over: Arc<AtomicBool>,
}

impl Group {
    fn of(child: &Child) -> Self {
        let leader = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        Self { leader, is_over: Arc::default() }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if let Some(leader) = self.leader.filter(|_| !self.is_over.load(Ordering::Acquire)) {
            let _ = kill_process_group(leader, Signal::KILL);
        }
    }
}

/// How a program ended, and what it wrote.
struct ProgramEnd {
    code: Option<i32>,
    output: String,
    error: String,
}

fn read_to_end(child: &mut Child) -> std::io::Result<ProgramEnd> {
    let (output, error) = (child.stdout.take(), child.stderr.take());
    let error = std::thread::spawn(move || read(error));
    let output = read(output)?;
    let error = error.join().unwrap_or_else(|_| Ok(String::new()))?;
    Ok(ProgramEnd { code: child.wait()?.code(), output, error })
}

/// What a pipe holds, as far as it is kept; the rest is read too, so that nobody waits for it to be taken.
fn read(pipe: Option<impl Read>) -> std::io::Result<String> {
    let Some(mut pipe) = pipe else { return Ok(String::new()) };
    let mut kept = Vec::new();
    (&mut pipe).take(LARGEST_OUTPUT).read_to_end(&mut kept)?;
    let rest = std::io::copy(&mut pipe, &mut std::io::sink())?;
    let mut text = String::from_utf8_lossy(&kept).into_owned();
    if rest > 0 {
        let _ = write!(text, "\n… {rest} bytes more were not kept");
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::run;
    use automation::commands::ProgramCall;
    use std::os::unix::fs::PermissionsExt;
    use std::path::Path;

    fn program(folder: &Path, text: &str) -> String {
        let file = folder.join("kubectl");
        std::fs::write(&file, format!("#!/bin/sh\n{text}\n")).unwrap();
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
        file.to_str().unwrap().to_owned()
    }

    fn call(arguments: &[&str], timeout: i64) -> ProgramCall {
        let arguments = arguments.iter().map(|word| (*word).to_owned()).collect();
        ProgramCall { program: "kubectl", calls: vec![arguments], timeout, then: None }
    }

    #[tokio::test]
    async fn arguments_arrive_as_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let path = program(folder.path(), "printf '<%s>' \"$@\"; echo note >&2");
        let answer = run(call(&["get", "a b; id", "$HOME"], 10_000_000), path).await.unwrap();
        assert_eq!(answer["data"], "<get><a b; id><$HOME>");
        assert_eq!(answer["stderr"], "note\n");
    }

    #[tokio::test]
    async fn a_failure_says_what_the_program_said() {
        let folder = tempfile::tempdir().unwrap();
        let path = program(folder.path(), "echo 'no such pod' >&2; exit 3");
        let failure = run(call(&["get"], 10_000_000), path).await.unwrap_err();
        assert_eq!(failure.message, "kubectl ended with 3: no such pod");
    }

    #[tokio::test]
    async fn a_program_that_takes_too_long_goes_with_its_children() {
        let folder = tempfile::tempdir().unwrap();
        let held = folder.path().join("held");
        // The child holds a lock for as long as it lives.
        let path = program(folder.path(), &format!("flock {} sleep 600 & wait", held.display()));
        let failure = run(call(&["get"], 300_000), path).await.unwrap_err();
        assert!(failure.is_timeout, "{}", failure.message);
        let free = std::process::Command::new("flock").arg("-w").arg("20").arg(&held).arg("true").status();
        assert!(free.unwrap().success(), "the child still lives");
    }
}
