//! The programs that run models: llama.cpp's `llama-server`, started with one file and a key; and Ollama, started with its own folder, which then
//! imports the file.

use super::{ServedModel, Task};
use crate::failure::{Failure, FailureKind};
use crate::kind::ProviderKind;
use outgoing::{EgressPolicy, Method, Outgoing, OutgoingSettings, StatusCode, read};
use rand::RngCore;
use serde_json::{Value, json};
use std::fs::File;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;
use tokio::process::{Child, Command};
use url::Url;

/// Context length in tokens: enough for evidence, within the memory of a laptop.
const CONTEXT: &str = "16384";
/// Maximum size of an error response, in bytes.
const LARGEST: usize = 64 * 1024;
/// Reading the header of a file of many GB takes long on a slow disk.
const TAKES_IN_WITHIN: Duration = Duration::from_mins(10);

/// A program that runs models.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Engine {
    LlamaServer(PathBuf),
    Ollama(PathBuf),
}

/// The model to run.
pub(super) struct Work<'a> {
    pub model: &'a str,
    pub file: &'a Path,
    pub task: Task,
    /// File for its output.
    pub log: &'a Path,
}

impl Work<'_> {
    /// Ollama's folder for its data about the model, beside the log.
    fn folder(&self) -> PathBuf {
        self.log.with_extension("ollama")
    }
}

impl Engine {
    pub(super) fn program(&self) -> &Path {
        match self {
            Self::LlamaServer(path) | Self::Ollama(path) => path,
        }
    }

    /// The task a program is started for: one Ollama process serves all.
    pub(super) fn task(&self, task: Task) -> Task {
        match self {
            Self::LlamaServer(_) => task,
            Self::Ollama(_) => Task::Chat,
        }
    }

    /// Starts it on a free port of this machine.
    pub(super) fn start(&self, work: &Work<'_>) -> std::io::Result<(Child, ServedModel)> {
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let log = File::create(work.log)?;
        let mut command = Command::new(self.program());
        let served = match self {
            Self::LlamaServer(_) => llama_server(&mut command, work, port)?,
            Self::Ollama(_) => ollama(&mut command, work, port)?,
        };
        let child =
            command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log).kill_on_drop(true).spawn()?;
        Ok((child, served))
    }

    /// Whether its health check succeeds: for llama-server when the model is loaded, for Ollama when it listens.
    pub(super) async fn is_well(&self, served: &ServedModel) -> Result<bool, Failure> {
        let path = match self {
            Self::LlamaServer(_) => "/health",
            Self::Ollama(_) => "/api/version",
        };
        let way = OutgoingSettings {
            egress: EgressPolicy::anywhere(),
            connecting: Duration::from_secs(2),
            silence: Duration::from_secs(5),
            ..OutgoingSettings::default()
        };
        let outgoing = way.open()?;
        let request = outgoing.request(Method::GET, &at(served, path))?;
        Ok(outgoing.send(request).await?.status() == StatusCode::OK)
    }

    /// Prepares it after start-up, before the first request.
    pub(super) async fn prepare(&self, work: &Work<'_>, served: &ServedModel) -> Result<(), Failure> {
        match self {
            Self::LlamaServer(_) => Ok(()),
            Self::Ollama(_) => take_in(work, served).await,
        }
    }

    /// Ends the process. Ollama gets a signal first, to end its own child processes.
    pub(super) async fn end(&self, child: &mut Child, work: &Work<'_>) {
        let is_ollama = matches!(self, Self::Ollama(_));
        if let Some(process) = child.id().filter(|_| is_ollama && cfg!(unix)) {
            let told = Command::new("kill").args(["-TERM", &process.to_string()]).status().await;
            if told.is_ok_and(|status| status.success()) {
                let _ = tokio::time::timeout(Duration::from_secs(5), child.wait()).await;
            }
        }
        // An error means that it has ended already.
        let _ = child.kill().await;
        if is_ollama {
            // The folder only refers to the file in the models folder; nothing is lost.
            let _ = std::fs::remove_dir_all(work.folder());
        }
    }
}

fn llama_server(command: &mut Command, work: &Work<'_>, port: u16) -> std::io::Result<ServedModel> {
    let mut bytes = [0; 24];
    rand::rng().fill_bytes(&mut bytes);
    let key: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    command.arg("--model").arg(work.file).args(["--host", "127.0.0.1", "--port", &port.to_string()]);
    command.args(["--alias", work.model]);
    match work.task {
        Task::Chat => command.args(["--jinja", "--ctx-size", CONTEXT]),
        Task::Embeddings => command.arg("--embeddings"),
    };
    command.env("LLAMA_API_KEY", &key);
    let address = Url::parse(&format!("http://127.0.0.1:{port}/v1")).map_err(std::io::Error::other)?;
    Ok(ServedModel { address, key: Some(key), kind: ProviderKind::OpenAi })
}

/// Ollama has no keys: every user of this machine can send it requests, as with any Ollama.
fn ollama(command: &mut Command, work: &Work<'_>, port: u16) -> std::io::Result<ServedModel> {
    let folder = work.folder();
    std::fs::create_dir_all(&folder)?;
    command.arg("serve").env("OLLAMA_HOST", format!("127.0.0.1:{port}")).env("OLLAMA_MODELS", folder);
    // At start-up it deletes files that nothing refers to, which includes the model's file before the import.
    command.env("OLLAMA_NOPRUNE", "1").env("OLLAMA_CONTEXT_LENGTH", CONTEXT);
    let address = Url::parse(&format!("http://127.0.0.1:{port}")).map_err(std::io::Error::other)?;
    Ok(ServedModel { address, key: None, kind: ProviderKind::Ollama })
}

/// Creates an Ollama model from the file. Ollama finds it in its storage by hash, so nothing is copied.
async fn take_in(work: &Work<'_>, served: &ServedModel) -> Result<(), Failure> {
    let name = work.file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let hash = name.strip_prefix("sha256-").ok_or_else(|| wrong("the file is not named by its hash"))?;
    let blobs = work.folder().join("blobs");
    lead_to(work.file, &blobs, &name).map_err(|error| wrong(&error.to_string()))?;
    let way = OutgoingSettings {
        egress: EgressPolicy::anywhere(),
        silence: TAKES_IN_WITHIN,
        ..OutgoingSettings::default()
    };
    let outgoing = way.open()?;
    let body = json!({
        "model": work.model, "files": { "model.gguf": format!("sha256:{hash}") }, "stream": false,
    });
    let said = ask(&outgoing, &at(served, "/api/create"), &body).await?;
    match said["status"].as_str() {
        Some("success") => Ok(()),
        _ => Err(wrong(said["error"].as_str().unwrap_or("it did not say that it has it"))),
    }
}

fn lead_to(file: &Path, blobs: &Path, name: &str) -> std::io::Result<()> {
    std::fs::create_dir_all(blobs)?;
    let there = blobs.join(name);
    if std::fs::symlink_metadata(&there).is_ok() {
        return Ok(());
    }
    #[cfg(unix)]
    return std::os::unix::fs::symlink(std::path::absolute(file)?, there);
    // Links to files need a privilege there that few users have; a hard link does not, on the same volume.
    #[cfg(not(unix))]
    return std::fs::hard_link(file, &there).or_else(|_| std::fs::copy(file, &there).map(drop));
}

async fn ask(outgoing: &Outgoing, address: &Url, body: &Value) -> Result<Value, Failure> {
    let request = outgoing.request(Method::POST, address)?;
    let request = request.header("content-type", "application/json").body(body.to_string());
    let answer = outgoing.send(request).await?;
    let body = read(answer, LARGEST).await?;
    serde_json::from_slice(&body).map_err(|_| Failure::nonsense("Ollama", "expected JSON"))
}

fn at(served: &ServedModel, path: &str) -> Url {
    let mut address = served.address.clone();
    address.set_path(path);
    address
}

fn wrong(why: &str) -> Failure {
    Failure::new(FailureKind::Runner, format!("Ollama does not take the model in: {why}"), "")
}
