//! Tests a provider: one small real request for each of its models, reported step by step.

use crate::chat::{Chat, Message, Usage};
use crate::failure::{Failure, FailureKind};
use crate::provider::Provider;
use schemars::JsonSchema;
use serde::Serialize;
use std::time::{Duration, Instant};

/// The prompt; contains no user data.
const PROMPT: &str = "Reply with the word OK.";
/// Enough for models that think before they write.
const TOKENS: u32 = 200;
/// The model may have to be loaded first.
const PATIENCE: Duration = Duration::from_mins(2);

/// The result of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "ProviderStepOutcome")]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    Ok,
    Warning,
    Failed,
}

/// One finding of a provider test.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "ProviderTestStep")]
pub struct Step {
    pub outcome: Outcome,
    pub text: String,
    /// How to fix the problem. Empty if there is none.
    pub remedy: String,
    pub latency_ms: Option<u64>,
    pub tokens: Option<u64>,
}

/// The result of a test.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ProviderCheck {
    /// Every model answered.
    pub is_sound: bool,
    pub steps: Vec<Step>,
}

/// The use a model is tested for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TestedUse {
    Chat,
    Embeddings,
}

impl ProviderCheck {
    /// A test that could not start.
    pub fn failed(failure: &Failure) -> Self {
        Self { is_sound: false, steps: vec![step(Outcome::Failed, failure.message.clone(), failure)] }
    }
}

/// Tests each model once, in order. If there is none, requests the list of models from `otherwise`.
pub async fn check(trials: &[(TestedUse, Provider)], otherwise: &Provider) -> ProviderCheck {
    let mut steps: Vec<Step> = Vec::new();
    for (trial, provider) in trials {
        let began = Instant::now();
        let tried = tokio::time::timeout(PATIENCE, try_out(*trial, provider));
        let tried = tried.await.unwrap_or_else(|_| Err(too_slow(provider)));
        let latency = began.elapsed();
        match tried {
            Ok((said, usage)) => {
                reached(&mut steps, provider, latency);
                steps.push(Step {
                    outcome: Outcome::Ok,
                    text: format!("{} {said}", provider.model),
                    remedy: String::new(),
                    latency_ms: Some(millis(latency)),
                    tokens: usage.is_told().then(|| usage.total()),
                });
            }
            Err(failure) => {
                if is_known_there(&failure) {
                    reached(&mut steps, provider, latency);
                }
                steps.push(step(Outcome::Failed, failure.message.clone(), &failure));
                if !is_known_there(&failure) {
                    break;
                }
            }
        }
    }
    if trials.is_empty() {
        match otherwise.models().await {
            Ok(Some(names)) => {
                let text = format!(
                    "Reached {}; it has {} models, and none is chosen",
                    otherwise.host(),
                    names.len()
                );
                steps.push(step(Outcome::Warning, text, &no_model()));
            }
            Ok(None) => steps.push(step(Outcome::Failed, "No model is chosen".to_owned(), &no_model())),
            Err(failure) => steps.push(step(Outcome::Failed, failure.message.clone(), &failure)),
        }
    }
    ProviderCheck { is_sound: steps.iter().all(|step| step.outcome == Outcome::Ok), steps }
}

async fn try_out(trial: TestedUse, provider: &Provider) -> Result<(String, Usage), Failure> {
    match trial {
        TestedUse::Chat => {
            let messages = vec![Message::user(PROMPT)];
            let chat = Chat { messages, max_tokens: Some(TOKENS), ..Chat::default() };
            let reply = provider.chat(&chat).await?.whole().await?;
            Ok(("answered a test prompt".to_owned(), reply.usage))
        }
        TestedUse::Embeddings => {
            let (vectors, usage) = provider.embed(&["OK".to_owned()]).await?;
            let length = vectors.first().map_or(0, Vec::len);
            Ok((format!("embedded a test text in {length} numbers"), usage))
        }
    }
}

/// Reports once that the provider was reached and accepted the key.
fn reached(steps: &mut Vec<Step>, provider: &Provider, latency: Duration) {
    if !steps.is_empty() {
        return;
    }
    let host = provider.host();
    let text = if host.is_empty() { "Runs on this machine".to_owned() } else { format!("Reached {host}") };
    let latency_ms = Some(millis(latency));
    steps.push(Step { outcome: Outcome::Ok, text, remedy: String::new(), latency_ms, tokens: None });
}

/// Whether the provider answered and accepted the credentials, so that another of its models may work.
fn is_known_there(failure: &Failure) -> bool {
    matches!(
        failure.trouble,
        FailureKind::ModelUnknown
            | FailureKind::Limited
            | FailureKind::Rejected
            | FailureKind::Broken
            | FailureKind::TooLong
    )
}

fn step(outcome: Outcome, text: String, why: &Failure) -> Step {
    Step { outcome, text, remedy: why.remedy.clone(), latency_ms: None, tokens: None }
}

fn no_model() -> Failure {
    Failure::new(FailureKind::NotConfigured, "", "Choose a model below, then test again.")
}

fn too_slow(provider: &Provider) -> Failure {
    let message = format!("{} did not answer within {} s.", provider.model, PATIENCE.as_secs());
    Failure::new(FailureKind::Slow, message, "Ask again later, or use a smaller model.")
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
