//! The assistant's interface to language models: list the available models, query one, and embed texts. The service implements it with `llm`;
//! tests use a double.

use graphql::Refusal;
use llm::{Chat, Failure, FailureKind, ToolCall, Usage};

/// A model that can be queried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Who {
    /// The provider's id in settings and in the price list.
    pub id: String,
    /// The display name.
    pub name: String,
    pub model: String,
    /// The host of its endpoint; empty for a model that runs in this process.
    pub host: String,
    /// Whether requests to it stay on this machine.
    pub is_local: bool,
    /// Whether an administrator allowed requests to leave this machine.
    pub may_leave: bool,
}

/// A model's response.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ModelReply {
    pub text: String,
    pub calls: Vec<ToolCall>,
    pub usage: Usage,
    /// Whether the response is complete: it was neither stopped nor cut off by a limit.
    pub is_whole: bool,
}

/// The models of the service. All methods block.
pub trait Models: Send + Sync {
    /// The models for a conversation, or for an agent's conversation, first choice first. Fails with the missing settings if there are none.
    fn candidates(&self, agent: Option<&str>) -> Result<Vec<Who>, Failure>;

    /// The selectable model with this provider and name.
    fn named(&self, provider: &str, model: &str) -> Result<Who, Failure> {
        let all = self.candidates(None)?;
        let found = all.into_iter().find(|who| who.id == provider && who.model == model);
        found.ok_or_else(|| unknown_model(provider, model))
    }

    /// Queries a model. `hear` receives each piece of text and returns whether to continue.
    fn ask(&self, who: &Who, chat: &Chat, hear: &mut dyn FnMut(&str) -> bool) -> Result<ModelReply, Failure>;

    /// The model that computes embeddings.
    fn embedder(&self) -> Result<Who, Failure>;

    /// One vector per text, in order.
    fn embed(&self, who: &Who, texts: &[String]) -> Result<Vec<Vec<f32>>, Failure>;
}

/// The failure for a chosen model that is not configured.
pub fn unknown_model(provider: &str, model: &str) -> Failure {
    Failure::new(
        FailureKind::NotConfigured,
        format!("The model {model:?} of the provider {provider:?} is not set up."),
        "Choose another one: ai_list_models has those there are.",
    )
}

/// A service without models.
pub struct NoModels;

impl NoModels {
    fn none() -> Failure {
        let mut failure = Failure::new(
            FailureKind::NotConfigured,
            "No language model is set up: the settings LLM_PROVIDER and LLM_MODEL_NAME are missing.",
            "Set one up under Settings, Model providers.",
        );
        failure.missing = vec!["LLM_PROVIDER", "LLM_MODEL_NAME"];
        failure
    }
}

impl Models for NoModels {
    fn candidates(&self, _: Option<&str>) -> Result<Vec<Who>, Failure> {
        Err(Self::none())
    }

    fn ask(&self, _: &Who, _: &Chat, _: &mut dyn FnMut(&str) -> bool) -> Result<ModelReply, Failure> {
        Err(Self::none())
    }

    fn embedder(&self) -> Result<Who, Failure> {
        Err(Self::none())
    }

    fn embed(&self, _: &Who, _: &[String]) -> Result<Vec<Vec<f32>>, Failure> {
        Err(Self::none())
    }
}

/// Converts a failure to a refusal.
pub(crate) fn refused(failure: &Failure) -> Refusal {
    let code = match failure.trouble {
        FailureKind::NotConfigured => "not-configured",
        FailureKind::MustStay => "must-stay",
        FailureKind::Limited => "model-limited",
        _ => "model-failed",
    };
    let mut message = failure.message.trim_end_matches('.').to_owned();
    if !failure.remedy.is_empty() {
        message = format!("{message}. {}", failure.remedy.trim_end_matches('.'));
    }
    Refusal::new(code, message)
}
