//! Runs programs for tasks: with a list of arguments and never a shell, in a process group of their own, which is killed on timeout or when the run
//! is ended.

use super::outputs;
use automation::commands::{FILE, ProgramCall, ProgramSetup};
use automation::plan::TaskFailure;
use rustix::process::{Pid, Signal, kill_process_group};
use serde_json::{Map, Value};
use std::fmt::Write as _;
use std::io::{Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tempfile::TempDir;
use tokio::time::Instant;

/// Maximum number of bytes kept of each output.
const LARGEST_OUTPUT: u64 = 256 * 1024;
/// Maximum number of characters quoted from a program's error output.
const QUOTED: usize = 500;
/// Prefixes of environment variables of the service that are hidden from all programs.
const HIDDEN: [&str; 2] = ["QUARTERDECK_", "SECRET_"];
/// Environment variables passed to isolated programs: the locations of programs and certificates, and the proxy.
const SHARED: [&str; 16] = [
    "PATH",
    "LANG",
    "LC_ALL",
    "TZ",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
    "NO_PROXY",
    "http_proxy",
    "https_proxy",
    "all_proxy",
    "no_proxy",
    "SYSTEMROOT",
    "TMPDIR",
];

fn cannot(program: &str, reason: &str) -> TaskFailure {
    TaskFailure::new("Program", format!("{program} cannot be run: {reason}"))
}

fn until(timeout: i64) -> Instant {
    Instant::now() + Duration::from_micros(u64::try_from(timeout).unwrap_or_default())
}

/// Runs the calls one after the other and returns their output. Stops at the first that fails. `path` is the location of the program on this
/// machine.
pub async fn run(call: ProgramCall, path: String) -> Result<Value, TaskFailure> {
    let end = until(call.timeout);
    // Deleted after the last call.
    let home = Home::make(&call.setup).map_err(|error| cannot(call.program, &error.to_string()))?;
    let (mut data, mut errors, mut is_cut) = (String::new(), String::new(), false);
    for arguments in &call.calls {
        let place = Place { program: call.program, path: &path, setup: &call.setup, home: home.as_ref() };
        let ended = one(&place, arguments, end).await?;
        if ended.code != Some(0) {
            return Err(failed(call.program, &ended));
        }
        data.push_str(&ended.output.text());
        errors.push_str(&ended.error.text());
        is_cut |= ended.output.rest > 0;
    }
    let mut answer = Map::new();
    outputs::read(call.setup.output, call.program, data, is_cut, &mut answer)?;
    if !errors.is_empty() {
        answer.insert("stderr".to_owned(), Value::String(errors));
    }
    Ok(Value::Object(answer))
}

/// The output of a program, whether or not it failed, provided that it is not empty.
pub async fn written(
    program: &'static str,
    path: String,
    arguments: Vec<String>,
    timeout: i64,
) -> Result<String, TaskFailure> {
    let setup = ProgramSetup { is_apart: true, ..ProgramSetup::default() };
    let place = Place { program, path: &path, setup: &setup, home: None };
    let ended = one(&place, &arguments, until(timeout)).await?;
    let output = ended.output.text();
    if output.trim().is_empty() { Err(failed(program, &ended)) } else { Ok(output) }
}

fn failed(program: &str, ended: &ProgramEnd) -> TaskFailure {
    let (output, error) = (ended.output.text(), ended.error.text());
    let said = if error.trim().is_empty() { output } else { error };
    let said: String = said.trim().chars().take(QUOTED).collect();
    let how = ended.code.map_or("was ended by a signal".to_owned(), |code| format!("ended with {code}"));
    TaskFailure::new("Program", format!("{program} {how}: {said}"))
}

/// The temporary home folder of an isolated program, with its private file.
struct Home {
    folder: TempDir,
    file: Option<String>,
}

impl Home {
    fn make(setup: &ProgramSetup) -> std::io::Result<Option<Self>> {
        if !setup.is_apart {
            return Ok(None);
        }
        let folder = tempfile::Builder::new().prefix("quarterdeck-task-").tempdir()?;
        let mut file = None;
        if let Some(private) = &setup.file {
            let path = folder.path().join(&private.name);
            let mut opened =
                std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path)?;
            opened.write_all(private.text.as_bytes())?;
            file = path.to_str().map(str::to_owned);
        }
        Ok(Some(Self { folder, file }))
    }
}

/// The program to run, and its environment.
struct Place<'p> {
    program: &'static str,
    path: &'p str,
    setup: &'p ProgramSetup,
    home: Option<&'p Home>,
}

async fn one(place: &Place<'_>, arguments: &[String], end: Instant) -> Result<ProgramEnd, TaskFailure> {
    let program = place.program;
    let mut child = spawn(place, arguments).map_err(|error| cannot(program, &error.to_string()))?;
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
    let ended = ended.map_err(|error| cannot(program, &error.to_string()))?;
    ended.map_err(|error| cannot(program, &error.to_string()))
}

fn spawn(place: &Place<'_>, arguments: &[String]) -> std::io::Result<Child> {
    let mut command = Command::new(place.path);
    let file = place.home.and_then(|home| home.file.as_deref()).unwrap_or_default();
    command.args(arguments.iter().map(|word| if word == FILE { file } else { word }));
    command.process_group(0).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let setup = place.setup;
    let is_shared = |name: &str| SHARED.contains(&name) || setup.kept.contains(&name);
    for (name, _) in std::env::vars_os() {
        let is_seen = name.to_str().is_some_and(|name| {
            if setup.is_apart { is_shared(name) } else { !HIDDEN.iter().any(|start| name.starts_with(start)) }
        });
        if !is_seen {
            command.env_remove(name);
        }
    }
    if let Some(home) = place.home.map(|home| -> &Path { home.folder.path() }) {
        command.current_dir(home);
        if !setup.kept.contains(&"HOME") {
            command.env("HOME", home);
        }
    }
    command.envs(setup.environment.0.iter().map(|(name, value)| (name, value)));
    command.spawn()
}

/// A process group. It is killed as a whole if dropped before its leader has ended.
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

/// The exit code and output of a program.
struct ProgramEnd {
    code: Option<i32>,
    output: PipeOutput,
    error: PipeOutput,
}

/// The output of a pipe, up to the limit.
#[derive(Default)]
struct PipeOutput {
    kept: Vec<u8>,
    /// Number of bytes beyond the limit.
    rest: u64,
}

impl PipeOutput {
    fn text(&self) -> String {
        let mut text = String::from_utf8_lossy(&self.kept).into_owned();
        if self.rest > 0 {
            let _ = write!(text, "\n… {} bytes more were not kept", self.rest);
        }
        text
    }
}

fn read_to_end(child: &mut Child) -> std::io::Result<ProgramEnd> {
    let (output, error) = (child.stdout.take(), child.stderr.take());
    let error = std::thread::spawn(move || read(error));
    let output = read(output)?;
    let error = error.join().unwrap_or_else(|_| Ok(PipeOutput::default()))?;
    Ok(ProgramEnd { code: child.wait()?.code(), output, error })
}

/// Also reads the rest, so that the program does not block on a full pipe.
fn read(pipe: Option<impl Read>) -> std::io::Result<PipeOutput> {
    let Some(mut pipe) = pipe else { return Ok(PipeOutput::default()) };
    let mut kept = Vec::new();
    (&mut pipe).take(LARGEST_OUTPUT).read_to_end(&mut kept)?;
    let rest = std::io::copy(&mut pipe, &mut std::io::sink())?;
    Ok(PipeOutput { kept, rest })
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
        ProgramCall::new("kubectl", vec![arguments], timeout)
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
        // The child holds a file lock as long as it lives.
        let path = program(folder.path(), &format!("flock {} sleep 600 & wait", held.display()));
        let failure = run(call(&["get"], 300_000), path).await.unwrap_err();
        assert!(failure.is_timeout, "{}", failure.message);
        let free = std::process::Command::new("flock").arg("-w").arg("20").arg(&held).arg("true").status();
        assert!(free.unwrap().success(), "the child still lives");
    }
}
