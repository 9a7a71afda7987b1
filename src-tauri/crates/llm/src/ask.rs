//! Sends a request to the first of several providers that answers.

use crate::answer::Answer;
use crate::chat::{Chat, Usage};
use crate::failure::{Failure, FailureKind};
use crate::kind::ProviderKind;
use crate::provider::Provider;

/// Embeddings of texts.
#[derive(Debug, Clone, PartialEq)]
pub struct Embeddings {
    /// One vector for each text, in order, all of the same length.
    pub vectors: Vec<Vec<f32>>,
    pub usage: Usage,
    /// The provider that created them. Vectors of different models cannot be compared.
    pub provider: String,
    pub kind: ProviderKind,
    pub model: String,
}

/// Sends the request to the first candidate that starts to answer. A candidate is skipped if its data must stay on this machine, or if it fails
/// before its first event and another provider could succeed. The reported failure is the first one.
pub async fn ask(candidates: &[Provider], chat: &Chat) -> Result<Answer, Failure> {
    let mut first = None;
    for provider in candidates {
        let asked = match provider.check_leaving() {
            Ok(()) => begun(provider, chat).await,
            Err(failure) => Err(failure),
        };
        match asked {
            Ok(answer) => return Ok(answer),
            Err(failure) => note(&mut first, provider, failure)?,
        }
    }
    Err(first.unwrap_or_else(nobody))
}

/// An answer whose first event has arrived.
async fn begun(provider: &Provider, chat: &Chat) -> Result<Answer, Failure> {
    let mut answer = provider.chat(chat).await?;
    answer.begin().await?;
    Ok(answer)
}

/// Embeds texts with the first candidate that succeeds.
pub async fn embed(candidates: &[Provider], texts: &[String]) -> Result<Embeddings, Failure> {
    let mut first = None;
    for provider in candidates {
        let made = match provider.check_leaving() {
            Ok(()) => provider.embed(texts).await,
            Err(failure) => Err(failure),
        };
        match made {
            Ok((vectors, usage)) => {
                let (provider, kind, model) = (provider.id.clone(), provider.kind, provider.model.clone());
                return Ok(Embeddings { vectors, usage, provider, kind, model });
            }
            Err(failure) => note(&mut first, provider, failure)?,
        }
    }
    Err(first.unwrap_or_else(nobody))
}

/// Stores the first failure; returns it if the next provider would fail too.
fn note(first: &mut Option<Failure>, provider: &Provider, failure: Failure) -> Result<(), Failure> {
    tracing::warn!(provider = %provider.id, model = %provider.model, "{failure}");
    let is_worth_it = failure.is_worth_a_fallback();
    let kept = first.get_or_insert(failure);
    if is_worth_it { Ok(()) } else { Err(kept.clone()) }
}

fn nobody() -> Failure {
    Failure::new(
        FailureKind::NotConfigured,
        "No model provider is set up for that.",
        "Set one up under Settings, Model providers.",
    )
}
