//! Finds the program that runs models.

use super::Engine;
use crate::environment::{EnvironmentValues, get};
use crate::failure::{Failure, FailureKind};
use schemars::JsonSchema;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// The setting with its path.
const SETTING: &str = "LLM_RUNNER_PATH";
const NAME: &str = if cfg!(windows) { "llama-server.exe" } else { "llama-server" };
const OLLAMA: &str = if cfg!(windows) { "ollama.exe" } else { "ollama" };
/// Usual install locations that may not be on a service's PATH.
const USUAL: [&str; 4] =
    ["/usr/local/bin", "/opt/homebrew/bin", "/home/linuxbrew/.linuxbrew/bin", "/usr/bin"];

/// The programs available to run models on this machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "ModelRunner")]
pub struct LocalRunners {
    pub llama_server: Option<PathBuf>,
    /// Path of Ollama, which is used if there is no llama-server.
    pub ollama: Option<PathBuf>,
    /// An error message if the configured program does not exist.
    pub wrong: Option<String>,
    /// Installation instructions if no program was found.
    pub how: Option<&'static str>,
}

/// Searches the configured path, then PATH, then the usual locations.
pub fn find(given: &EnvironmentValues) -> LocalRunners {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&path).chain(USUAL.map(PathBuf::from)).collect();
    let first = |name: &str| folders.iter().map(|folder| folder.join(name)).find(|path| path.is_file());
    let named = get(given, SETTING).map(PathBuf::from);
    let wrong = named.as_ref().filter(|path| !path.is_file());
    let wrong = wrong.map(|path| format!("{SETTING} is {}, and there is no such file", path.display()));
    let (llama_server, ollama) = match named.filter(|path| path.is_file()) {
        Some(path) if is_ollama(&path) => (None, Some(path)),
        Some(path) => (Some(path), first(OLLAMA)),
        None if wrong.is_some() => (None, first(OLLAMA)),
        None => (first(NAME), first(OLLAMA)),
    };
    let how = (llama_server.is_none() && ollama.is_none()).then_some(HOW);
    LocalRunners { llama_server, ollama, wrong, how }
}

fn is_ollama(path: &Path) -> bool {
    path.file_stem().is_some_and(|name| name == "ollama")
}

const HOW: &str = "Service models are run by llama-server, a program of llama.cpp, or by Ollama. Get the first with `brew install llama.cpp`, `winget install llama.cpp`, your \
                   system's package manager, or from github.com/ggml-org/llama.cpp/releases, the second from \
                   ollama.com, and put it on the PATH of the service or name it in LLM_RUNNER_PATH.";

/// The program to use, or a failure that explains how to install one.
pub(crate) fn needed(given: &EnvironmentValues) -> Result<Engine, Failure> {
    let found = find(given);
    // A configured path that does not exist is an error, not a reason to use another program.
    let ollama = found.ollama.filter(|_| found.wrong.is_none());
    let engine = found.llama_server.map(Engine::LlamaServer).or(ollama.map(Engine::Ollama));
    engine.ok_or_else(|| {
        let message = found.wrong.map_or_else(
            || "There is no program on this machine that runs service models.".to_owned(),
            |wrong| format!("{wrong}."),
        );
        Failure::new(FailureKind::Runner, message, HOW)
    })
}
