//! Asking the first of several that answers.

use crate::answer::Answer;
use crate::chat::{Chat, Usage};
use crate::failure::{Failure, Trouble};
use crate::kind::ProviderKind;
use crate::provider::Provider;

/// Vectors of texts.
#[derive(Debug, Clone, PartialEq)]
pub struct Embeddings {
    /// One a text, in order, all of one length.
    pub vectors: Vec<Vec<f32>>,
    pub usage: Usage,
    /// Who made them. Vectors of different models cannot be compared.
    pub provider: String,
    pub kind: ProviderKind,
    pub model: String,
}

/// Asks the first candidate that begins to answer. One whose data must stay here is passed over; so is one that fails before its first word, unless
/// another would fail alike. The failure is the first one.
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

/// An answer of which the first word has come.
async fn begun(provider: &Provider, chat: &Chat) -> Result<Answer, Failure> {
    let mut answer = provider.chat(chat).await?;
    answer.begin().await?;
    Ok(answer)
}

/// Embeds texts with the first candidate that does.
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

/// Remembers the first failure; gives up where the next provider would do no better.
fn note(first: &mut Option<Failure>, provider: &Provider, failure: Failure) -> Result<(), Failure> {
    tracing::warn!(provider = %provider.id, model = %provider.model, "{failure}");
    let is_worth_it = failure.is_worth_a_fallback();
    let kept = first.get_or_insert(failure);
    if is_worth_it { Ok(()) } else { Err(kept.clone()) }
}

fn nobody() -> Failure {
    Failure::new(
        Trouble::NotConfigured,
        "No model provider is set up for that.",
        "Set one up under Settings, Model providers.",
    )
}
