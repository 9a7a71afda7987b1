//! Supervises one program on a thread of its own.

use super::engine::{Engine, Work};
use super::{Pace, ServedModel, Task};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tokio::process::Child;
use tokio::sync::watch;

/// Loading a model of many GB from a slow disk takes long.
const LOADS_WITHIN: Duration = Duration::from_mins(10);
const LONGEST_PAUSE: Duration = Duration::from_mins(1);
/// Number of failed health checks before the program is ended.
const SILENT_LOOKS: u32 = 3;
/// Maximum length of its last output line in messages.
const LAST_WORDS: usize = 300;

/// The state of a program.
pub(super) enum State {
    Starting,
    Ready(ServedModel),
    /// It ended or does not respond, with the reason; it will be restarted soon.
    Waiting(String),
}

pub(super) struct Supervisor {
    pub engine: Engine,
    pub model: String,
    pub file: PathBuf,
    pub task: Task,
    pub log: PathBuf,
    pub pace: Pace,
}

impl Supervisor {
    /// Runs until told to stop; then the program has ended.
    pub(super) fn keep(&self, tell: &watch::Sender<State>, mut stopping: watch::Receiver<bool>) {
        let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
            Ok(runtime) => runtime,
            Err(error) => return drop(tell.send(State::Waiting(error.to_string()))),
        };
        runtime.block_on(async {
            let mut pause = self.pace.pause;
            loop {
                let began = Instant::now();
                let Some(why) = self.run(tell, &mut stopping).await else { return };
                tracing::warn!(model = %self.model, "the program that runs a model is started again: {why}");
                let _ = tell.send(State::Waiting(why));
                if began.elapsed() > LONGEST_PAUSE {
                    pause = self.pace.pause;
                }
                tokio::select! {
                    biased;
                    _ = stopping.wait_for(|stop| *stop) => return,
                    () = tokio::time::sleep(pause) => {}
                }
                pause = (pause * 2).min(LONGEST_PAUSE);
                let _ = tell.send(State::Starting);
            }
        });
    }

    /// Starts the program and watches it until it fails. Returns the reason; `None` if it was told to stop. The program has ended by then, to free
    /// its memory before the next start.
    async fn run(&self, tell: &watch::Sender<State>, stopping: &mut watch::Receiver<bool>) -> Option<String> {
        let work = self.work();
        let (mut child, served) = match self.engine.start(&work) {
            Ok(started) => started,
            Err(error) => {
                return Some(format!("{} cannot be started ({error})", self.engine.program().display()));
            }
        };
        let why = tokio::select! {
            biased;
            _ = stopping.wait_for(|stop| *stop) => None,
            why = self.watch(&mut child, &served, tell) => Some(why),
        };
        self.engine.end(&mut child, &work).await;
        why
    }

    fn work(&self) -> Work<'_> {
        Work { model: &self.model, file: &self.file, task: self.task, log: &self.log }
    }

    /// Returns once the program has ended, has stopped responding, or took too long to load.
    async fn watch(&self, child: &mut Child, served: &ServedModel, tell: &watch::Sender<State>) -> String {
        let mut is_ready = false;
        let mut silent = 0;
        let began = Instant::now();
        loop {
            let look = if is_ready { self.pace.watch } else { self.pace.look };
            tokio::select! {
                ended = child.wait() => {
                    let how = ended.map_or_else(|error| error.to_string(), |status| status.to_string());
                    return format!("it ended ({how}){}", self.last_words());
                }
                () = tokio::time::sleep(look) => {}
            }
            let is_well = self.engine.is_well(served).await.unwrap_or(false);
            if is_well && !is_ready {
                if let Err(failure) = self.engine.prepare(&self.work(), served).await {
                    return failure.message;
                }
                tracing::info!(model = %self.model, address = %served.address, "a model is loaded");
                is_ready = true;
                let _ = tell.send(State::Ready(served.clone()));
            }
            silent = if is_well { 0 } else { silent + 1 };
            if is_ready && silent >= SILENT_LOOKS {
                return "it stopped answering".to_owned();
            }
            if !is_ready && began.elapsed() > LOADS_WITHIN {
                return "it did not load the model in time".to_owned();
            }
        }
    }

    /// Its last output.
    fn last_words(&self) -> String {
        let Some(line) = last_line(&self.log) else { return String::new() };
        format!(" and said: {line}")
    }
}

fn last_line(log: &Path) -> Option<String> {
    let bytes = std::fs::read(log).ok()?;
    let end = &bytes[bytes.len().saturating_sub(4096)..];
    let text = String::from_utf8_lossy(end);
    let line = text.lines().rev().map(str::trim).find(|line| !line.is_empty())?;
    Some(line.chars().filter(|letter| !letter.is_control()).take(LAST_WORDS).collect())
}
