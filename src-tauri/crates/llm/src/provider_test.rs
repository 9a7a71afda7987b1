//! Tests a provider with each of its models, and stores the result.

use crate::check::{ProviderCheck, TestedUse, check};
use crate::failure::Failure;
use crate::kind::ProviderKind;
use crate::provider::Provider;
use crate::providers::Providers;
use crate::record::Entry;
use crate::save::SaveError;

/// The models to test, and the provider that lists models if there are none.
type Trials = (Vec<(TestedUse, Provider)>, Provider);

impl Providers {
    /// Sends one small real request for each model of the provider. The result is stored with the time `at`, as text.
    pub async fn test(&self, id: &str, at: &str) -> Result<ProviderCheck, SaveError> {
        let (this, wanted) = (self.clone(), id.to_owned());
        let found = wait(move || this.trials_of(&wanted)).await?;
        let checked = match found {
            Ok((trials, otherwise)) => check(&trials, &otherwise).await,
            Err(failure) => ProviderCheck::failed(&failure),
        };
        let mut kept = serde_json::json!(checked);
        kept["at"] = at.into();
        let (this, id) = (self.clone(), id.to_owned());
        wait(move || this.note_test(&id, kept)).await?;
        Ok(checked)
    }

    /// Names of the provider's models, to choose from; `None` if the provider does not list them.
    pub async fn models_of(&self, id: &str) -> Result<Option<Vec<String>>, SaveError> {
        let (this, id) = (self.clone(), id.to_owned());
        let found = wait(move || {
            let entry = this.entry(&id)?;
            if entry.kind == Some(ProviderKind::Service) {
                return Ok(Err(this.names_here()?));
            }
            Ok(Ok(this.provider(&entry, "")?))
        });
        match found.await? {
            Ok(provider) => Ok(provider.models().await?),
            Err(here) => Ok(Some(here)),
        }
    }

    /// Service models on this machine. Blocks the thread.
    fn names_here(&self) -> Result<Vec<String>, SaveError> {
        let Some(downloads) = self.downloads() else { return Ok(Vec::new()) };
        Ok(downloads.library()?.list()?.into_iter().map(|model| model.name).collect())
    }

    /// The effective settings of a provider. Blocks the thread.
    pub fn entry(&self, id: &str) -> Result<Entry, SaveError> {
        let found = self.setup()?.entries.into_iter().find(|entry| entry.id == id);
        found.ok_or_else(|| SaveError::Unknown { id: id.to_owned() })
    }

    fn trials_of(&self, id: &str) -> Result<Result<Trials, Failure>, SaveError> {
        let entry = self.entry(id)?;
        Ok(self.trials(&entry))
    }

    /// Each of its models once.
    fn trials(&self, entry: &Entry) -> Result<Trials, Failure> {
        let mut trials: Vec<(TestedUse, Provider)> = Vec::new();
        for (trial, model) in [
            (TestedUse::Chat, &entry.chat_model.value),
            (TestedUse::Chat, &entry.small_model.value),
            (TestedUse::Embeddings, &entry.embeddings_model.value),
        ] {
            let is_known = trials.iter().any(|(known, provider)| *known == trial && provider.model == *model);
            if !model.is_empty() && !is_known {
                trials.push((trial, self.provider(entry, model)?));
            }
        }
        let otherwise = match trials.first() {
            Some((_, provider)) => provider.clone(),
            None => self.provider(entry, "")?,
        };
        Ok((trials, otherwise))
    }
}

/// Runs blocking work on a thread for it.
async fn wait<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, SaveError> + Send + 'static,
) -> Result<T, SaveError> {
    let ended = |error: tokio::task::JoinError| {
        Failure::new(crate::FailureKind::Ours, error.to_string(), "Ask again.")
    };
    tokio::task::spawn_blocking(work).await.map_err(ended)?
}
