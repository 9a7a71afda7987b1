//! Tests of service models run by a program on this machine: `fake_llama_server.py` implements the protocol of llama.cpp's server.

use super::{provider_at, wait};
use crate::kind::{Field, ProviderKind};
use crate::provider::{LocalResources, Provider, SharedState};
use crate::runner::{Pace, Runner};
use crate::sign::amazon_role::Roles;
use crate::sign::google_token::Tokens;
use crate::static_model::Statics;
use crate::{Chat, EnvironmentValues, FailureKind, Message, Reply, ask, embed};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;
use testkit::language_models::LanguageModels;

struct Desk {
    folder: TempDir,
    runner: Arc<Runner>,
    environment: EnvironmentValues,
}

/// A file name as in the library: the file's hash.
const FILE: &str = "sha256-5e1c3e8d2b7a4f60919d8c2e7b3a5f4c6d1e0f9a8b7c6d5e4f3a2b1c0d9e8f7a";

const PACE: Pace = Pace {
    look: Duration::from_millis(10),
    watch: Duration::from_millis(20),
    pause: Duration::from_millis(10),
};

/// With a llama-server with the given behaviour: `well`, `crash` (always ends before it is ready), `once` (the first process ends after its first
/// answer), `mute` (the first process fails health checks after its first answer).
fn desk(manners: &str) -> Desk {
    desk_of("fake_llama_server.py", manners)
}

/// With that script, under that name.
fn desk_of(script: &str, manners: &str) -> Desk {
    let folder = tempfile::tempdir().unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/tests/running").join(script);
    // A link rather than a file written here: a file that this process has open for writing is open in every program that another test starts
    // meanwhile, and the system then refuses to execute it ("Text file busy").
    let program = folder.path().join(manners);
    std::os::unix::fs::symlink(script, &program).unwrap();
    std::fs::write(folder.path().join(FILE), "GGUF").unwrap();
    let environment =
        EnvironmentValues::from([("LLM_RUNNER_PATH".to_owned(), program.display().to_string())]);
    let runner = Arc::new(Runner::new(&folder.path().join("runner"), PACE));
    Desk { folder, runner, environment }
}

impl Desk {
    fn provider(&self) -> Provider {
        let double = LanguageModels::start();
        let mut provider = provider_at(&double, ProviderKind::Ollama);
        provider.kind = ProviderKind::Service;
        provider.connection.0.remove(&Field::Endpoint);
        "svc-llm".clone_into(&mut provider.model);
        provider.common = Arc::new(SharedState {
            now: || 0,
            environment: self.environment.clone(),
            tokens: Tokens::default(),
            roles: Roles::default(),
            statics: Statics::default(),
        });
        let service = Some((self.folder.path().join(FILE), Arc::clone(&self.runner)));
        provider.local = LocalResources { service, folder: PathBuf::new() };
        provider
    }

    fn ask(&self) -> Result<Reply, crate::Failure> {
        let chat = Chat { messages: vec![Message::user("Hello")], ..Chat::default() };
        let provider = [self.provider()];
        wait(async { ask(&provider, &chat).await?.whole().await })
    }

    /// The arguments of each start, one start on each line.
    fn starts(&self) -> Vec<String> {
        let text = std::fs::read_to_string(self.folder.path().join("starts")).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    /// Repeats the request until it succeeds; a bounded number of times.
    fn ask_until_answered(&self) -> Reply {
        for _ in 0..500 {
            if let Ok(reply) = self.ask() {
                return reply;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("{:?}", self.runner.list());
    }
}

fn is_running(process: &str) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    !status.is_empty() && !status.contains(") Z ")
}

#[test]
fn a_service_model_is_started_when_it_is_asked_and_ended_with_the_service() {
    let desk = desk("well");
    assert!(desk.runner.list().is_empty(), "nothing runs before anybody asks");
    assert_eq!(desk.ask().unwrap().text, "Hello from svc-llm");
    assert_eq!(desk.ask().unwrap().text, "Hello from svc-llm");
    assert_eq!(desk.runner.list()[0].state, "ready");
    let starts = desk.starts();
    let [start] = starts.as_slice() else { panic!("{starts:?}") };
    let key = std::fs::read_to_string(desk.folder.path().join("key")).unwrap();
    assert_eq!(key.len(), 48);
    assert!(start.contains("--host 127.0.0.1 --port ") && !start.contains(&key), "{start}");
    let process = std::fs::read_to_string(desk.folder.path().join("process")).unwrap();
    assert!(is_running(&process));
    desk.runner.stop();
    assert!(!is_running(&process), "stop waits until it has ended");
}

#[test]
fn embeddings_have_a_program_of_their_own() {
    let desk = desk("well");
    let embedded = wait(embed(&[desk.provider()], &["a".to_owned(), "b".to_owned()])).unwrap();
    assert_eq!((embedded.vectors.len(), embedded.kind), (2, ProviderKind::Service));
    assert!(desk.starts()[0].contains("--embeddings"), "{:?}", desk.starts());
}

#[test]
fn a_program_that_ends_is_started_again() {
    for manners in ["once", "mute"] {
        let desk = desk(manners);
        assert_eq!(desk.ask().unwrap().text, "Hello from svc-llm");
        for _ in 0..500 {
            if desk.starts().len() > 1 {
                break;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        assert_eq!(desk.ask_until_answered().text, "Hello from svc-llm", "{manners}");
        assert_eq!(desk.starts().len(), 2, "{manners}");
    }
}

#[test]
fn one_that_never_comes_up_is_told_with_its_last_words() {
    let failure = desk("crash").ask().unwrap_err();
    assert_eq!(failure.trouble, FailureKind::Runner);
    assert!(failure.message.contains("said: error: failed to load model"), "{failure}");
}

#[test]
fn without_the_program_it_is_said_how_to_get_it() {
    let mut desk = desk("well");
    desk.environment.insert("LLM_RUNNER_PATH".to_owned(), "/nowhere/llama-server".to_owned());
    let failure = desk.ask().unwrap_err();
    assert!(failure.message.contains("LLM_RUNNER_PATH is /nowhere/llama-server"), "{failure}");
    assert!(failure.remedy.contains("brew install llama.cpp"), "{}", failure.remedy);
}

#[test]
fn ollama_runs_the_file_itself_where_there_is_no_llama_server() {
    let desk = desk_of("fake_ollama.py", "ollama");
    assert_eq!(desk.ask().unwrap().text, "Hello from svc-llm");
    let embedded = wait(embed(&[desk.provider()], &["a".to_owned()])).unwrap();
    assert_eq!((embedded.vectors.len(), embedded.kind), (1, ProviderKind::Service));
    assert_eq!(desk.starts(), ["serve"], "one program does everything");
    let process = std::fs::read_to_string(desk.folder.path().join("process")).unwrap();
    desk.runner.stop();
    assert!(!is_running(&process), "stop waits until it has ended");
    assert!(desk.folder.path().join("ended well").exists(), "it is asked to end: it has programs of its own");
    assert!(
        desk.folder.path().join(FILE).exists() && !desk.folder.path().join("runner/svc-llm.ollama").exists()
    );
}

#[test]
fn what_ollama_has_against_a_file_is_told() {
    let desk = desk_of("fake_ollama.py", "ollama");
    std::fs::write(desk.folder.path().join(FILE), "nothing").unwrap();
    let failure = desk.ask().unwrap_err();
    assert!(failure.message.contains("Ollama does not take the model in: unknown type"), "{failure}");
}
