//! Service models on this machine: finds, starts, watches and ends one `llama-server` of llama.cpp for each model, or Ollama if there is none.
//!
//! The program listens on a free loopback port; llama-server requires a key, passed in its environment and never as an argument. It is started at
//! the first request, and restarted with growing delays if it ends or stops responding.

mod engine;
mod find;
mod supervisor;

pub(crate) use engine::Engine;
pub(crate) use find::needed;
pub use find::{LocalRunners, find};

use crate::failure::{Failure, FailureKind};
use crate::kind::ProviderKind;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use supervisor::State;
use tokio::sync::watch;
use url::Url;

/// The address of a running model, and its key. Never shown.
#[derive(Clone)]
pub(crate) struct ServedModel {
    pub address: Url,
    pub key: Option<String>,
    /// The protocol of the server.
    pub kind: ProviderKind,
}

/// The task a model is loaded for: each program supports one of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Task {
    Chat,
    Embeddings,
}

/// The status of a program that runs a model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "RunningProgram")]
pub struct Program {
    pub model: String,
    #[schemars(extend("enum" = ["starting", "ready", "waiting", "stopped"]))]
    pub state: &'static str,
    /// The last error, while the program waits to be restarted.
    pub trouble: Option<String>,
}

/// The running programs.
pub struct Runner {
    /// The folder for log files; only the last run of each program is retained.
    folder: PathBuf,
    programs: Mutex<BTreeMap<(String, Task), RunningEngine>>,
    pace: Pace,
}

/// Intervals of supervision.
#[derive(Debug, Clone, Copy)]
pub struct Pace {
    /// Between two health checks during start-up.
    pub look: std::time::Duration,
    /// Between two health checks of a ready program.
    pub watch: std::time::Duration,
    /// Before the first restart; doubled each time, up to a minute.
    pub pause: std::time::Duration,
}

impl Default for Pace {
    fn default() -> Self {
        use std::time::Duration;
        Self {
            look: Duration::from_millis(100),
            watch: Duration::from_secs(10),
            pause: Duration::from_secs(1),
        }
    }
}

struct RunningEngine {
    path: PathBuf,
    state: watch::Receiver<State>,
    stop: watch::Sender<bool>,
    thread: Option<JoinHandle<()>>,
}

impl Runner {
    pub fn new(folder: &Path, pace: Pace) -> Self {
        Self { folder: folder.to_owned(), programs: Mutex::default(), pace }
    }

    /// The server of a model: starts its program if none is running, and waits until the model is loaded. Fails while the program waits for a
    /// restart.
    pub(crate) async fn serve(
        &self,
        engine: &Engine,
        model: &str,
        file: &Path,
        task: Task,
    ) -> Result<ServedModel, Failure> {
        let mut state = self.begin(engine, model, file, engine.task(task))?;
        loop {
            match &*state.borrow_and_update() {
                State::Ready(served) => return Ok(served.clone()),
                State::Waiting(why) => return Err(failed(model, why)),
                State::Starting => {}
            }
            if state.changed().await.is_err() {
                return Err(failed(model, "it was ended"));
            }
        }
    }

    fn begin(
        &self,
        engine: &Engine,
        model: &str,
        file: &Path,
        task: Task,
    ) -> Result<watch::Receiver<State>, Failure> {
        let mut programs = self.lock();
        let key = (model.to_owned(), task);
        if let Some(kept) = programs.get(&key) {
            // The file name is derived from its hash: another file is another model with this name.
            if kept.path == file && !kept.thread.as_ref().is_none_or(JoinHandle::is_finished) {
                return Ok(kept.state.clone());
            }
            let _ = kept.stop.send(true);
        }
        let (tell, state) = watch::channel(State::Starting);
        let (stop, stopping) = watch::channel(false);
        let keeper = supervisor::Supervisor {
            engine: engine.clone(),
            model: model.to_owned(),
            file: file.to_owned(),
            task,
            log: self.folder.join(match task {
                Task::Chat => format!("{model}.log"),
                Task::Embeddings => format!("{model}-embeddings.log"),
            }),
            pace: self.pace,
        };
        std::fs::create_dir_all(&self.folder).map_err(|error| failed(model, &error.to_string()))?;
        let thread = std::thread::Builder::new()
            .name("model runner".to_owned())
            .spawn(move || keeper.keep(&tell, stopping))
            .map_err(|error| failed(model, &error.to_string()))?;
        programs.insert(
            key,
            RunningEngine { path: file.to_owned(), state: state.clone(), stop, thread: Some(thread) },
        );
        Ok(state)
    }

    /// Every program that was started.
    pub fn list(&self) -> Vec<Program> {
        let programs = self.lock();
        let one = |((model, _), kept): (&(String, Task), &RunningEngine)| {
            let is_over = kept.thread.as_ref().is_none_or(JoinHandle::is_finished);
            let (state, trouble) = match &*kept.state.borrow() {
                _ if is_over => ("stopped", None),
                State::Starting => ("starting", None),
                State::Ready(_) => ("ready", None),
                State::Waiting(why) => ("waiting", Some(why.clone())),
            };
            Program { model: model.clone(), state, trouble }
        };
        programs.iter().map(one).collect()
    }

    /// Ends all programs and waits until they have ended. Blocks the thread.
    pub fn stop(&self) {
        let kept: Vec<RunningEngine> = std::mem::take(&mut *self.lock()).into_values().collect();
        for one in &kept {
            let _ = one.stop.send(true);
        }
        for thread in kept.into_iter().filter_map(|one| one.thread) {
            if thread.join().is_err() {
                tracing::error!("the thread of a model's program ended in a panic");
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<(String, Task), RunningEngine>> {
        self.programs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Runner {
    fn drop(&mut self) {
        self.stop();
    }
}

fn failed(model: &str, why: &str) -> Failure {
    Failure::new(
        FailureKind::Runner,
        format!("The program that runs {model} does not answer: {why}."),
        "It is started again by itself; its own words are in the folder runner of the data directory.",
    )
}
