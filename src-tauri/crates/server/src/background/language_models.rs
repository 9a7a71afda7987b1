//! The language models of the service, as the assistant calls them from blocking threads.

use llm::{Chat, End, Event, Failure, FailureKind, Provider, Providers, Purpose, Tier};
use operations::{ModelReply, Models, Who, unknown_model};
use std::time::Duration;
use tokio::runtime::Handle;

/// How often to check, while a model sends nothing, whether the answer is still wanted.
const LOOK_UP: Duration = Duration::from_millis(250);

/// The configured models.
pub struct LanguageModels(pub Providers);

impl LanguageModels {
    fn of_chat(&self, agent: Option<&str>) -> Result<Vec<Provider>, Failure> {
        self.0.candidates(&Purpose::Chat { tier: Tier::Reasoning, agent })
    }
}

fn who(provider: &Provider) -> Who {
    Who {
        id: provider.id.clone(),
        name: provider.name.clone(),
        model: provider.model.clone(),
        host: provider.host(),
        is_local: provider.is_local(),
        may_leave: provider.may_leave,
    }
}

/// The runtime of the current thread, to block on.
fn runtime() -> Result<Handle, Failure> {
    let none = |_| Failure::new(FailureKind::Ours, "The service is stopping.", "Ask again when it runs.");
    Handle::try_current().map_err(none)
}

impl Models for LanguageModels {
    fn candidates(&self, agent: Option<&str>) -> Result<Vec<Who>, Failure> {
        Ok(self.of_chat(agent)?.iter().map(who).collect())
    }

    fn named(&self, provider: &str, model: &str) -> Result<Who, Failure> {
        // The models that `ai_list_models` returns: the main ones and the small ones.
        for tier in [Tier::Reasoning, Tier::Retrieval, Tier::Summary] {
            let all = self.0.candidates(&Purpose::Chat { tier, agent: None })?;
            if let Some(found) = all.iter().find(|known| known.id == provider && known.model == model) {
                return Ok(who(found));
            }
        }
        Err(unknown_model(provider, model))
    }

    fn ask(&self, who: &Who, chat: &Chat, hear: &mut dyn FnMut(&str) -> bool) -> Result<ModelReply, Failure> {
        let provider = self.0.named(&who.id, &who.model)?;
        runtime()?.block_on(converse(&provider, chat, hear))
    }

    fn embedder(&self) -> Result<Who, Failure> {
        let all = self.0.candidates(&Purpose::Embeddings)?;
        let none = || Failure::new(FailureKind::NotConfigured, "No model of embeddings is set up.", "");
        all.first().map(who).ok_or_else(none)
    }

    fn embed(&self, who: &Who, texts: &[String]) -> Result<Vec<Vec<f32>>, Failure> {
        let all = self.0.candidates(&Purpose::Embeddings)?;
        let found: Vec<Provider> =
            all.into_iter().filter(|known| known.id == who.id && known.model == who.model).collect();
        Ok(runtime()?.block_on(llm::embed(&found, texts))?.vectors)
    }
}

/// Reads an answer to its end, or until it is no longer wanted. The connection is then closed, which stops the model.
async fn converse(
    provider: &Provider,
    chat: &Chat,
    hear: &mut dyn FnMut(&str) -> bool,
) -> Result<ModelReply, Failure> {
    let mut asked = ModelReply::default();
    let mut looked = tokio::time::interval(LOOK_UP);
    let one = std::slice::from_ref(provider);
    let begun = llm::ask(one, chat);
    tokio::pin!(begun);
    let mut answer = loop {
        tokio::select! {
            answer = &mut begun => break answer?,
            _ = looked.tick() => if !hear("") { return Ok(asked) },
        }
    };
    loop {
        let event = tokio::select! {
            event = answer.next() => event?,
            _ = looked.tick() => {
                if !hear("") {
                    asked.usage = answer.usage();
                    return Ok(asked);
                }
                continue;
            }
        };
        match event {
            Some(Event::Text(piece)) => {
                asked.text.push_str(&piece);
                if !hear(&piece) {
                    asked.usage = answer.usage();
                    return Ok(asked);
                }
            }
            Some(Event::Call(call)) => asked.calls.push(call),
            Some(Event::Usage(usage)) => asked.usage = usage,
            Some(Event::End(end)) => asked.is_whole = matches!(end, End::Complete | End::Calls),
            None => return Ok(asked),
        }
    }
}
