//! What the assistant needs of language models, and nothing more: who can be asked, asking one, and meaning as vectors. The
//! service gives it (`llm` behind it); tests give a double.

use graphql::Refusal;
use llm::{Chat, Failure, ToolCall, Trouble, Usage};

/// A model that can be asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Who {
    /// As settings and the price list know its provider.
    pub id: String,
    /// As people call it.
    pub name: String,
    pub model: String,
    /// Where it is reached; empty for what runs in this process.
    pub host: String,
    /// Whether asking it keeps everything on this machine.
    pub is_local: bool,
    /// Whether somebody allowed that what it is asked leaves this machine.
    pub may_leave: bool,
}

/// What a model has answered.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ModelReply {
    pub text: String,
    pub calls: Vec<ToolCall>,
    pub usage: Usage,
    /// Whether it said everything: nobody stopped it, and no bound did.
    pub is_whole: bool,
}

/// The models of the service. All of it blocks.
pub trait Models: Send + Sync {
    /// Who is asked in a conversation, of an agent where it is one's, first choice first. None is a failure that names the settings
    /// that are missing.
    fn candidates(&self, agent: Option<&str>) -> Result<Vec<Who>, Failure>;

    /// One of those people may choose, by its provider and model.
    fn named(&self, provider: &str, model: &str) -> Result<Who, Failure> {
        let all = self.candidates(None)?;
        let found = all.into_iter().find(|who| who.id == provider && who.model == model);
        found.ok_or_else(|| none_such(provider, model))
    }

    /// Asks one. `hear` is told every piece of text and answers whether to go on.
    fn ask(&self, who: &Who, chat: &Chat, hear: &mut dyn FnMut(&str) -> bool) -> Result<ModelReply, Failure>;

    /// Who turns texts into vectors.
    fn embedder(&self) -> Result<Who, Failure>;

    /// A vector a text, in order.
    fn embed(&self, who: &Who, texts: &[String]) -> Result<Vec<Vec<f32>>, Failure>;
}

/// What is said of a model that was chosen and is not set up.
pub fn none_such(provider: &str, model: &str) -> Failure {
    Failure::new(
        Trouble::NotConfigured,
        format!("The model {model:?} of the provider {provider:?} is not set up."),
        "Choose another one: ai_list_models has those there are.",
    )
}

/// A service without models.
pub struct NoModels;

impl NoModels {
    fn none() -> Failure {
        let mut failure = Failure::new(
            Trouble::NotConfigured,
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

/// A failure as operations tell it.
pub(crate) fn refused(failure: &Failure) -> Refusal {
    let code = match failure.trouble {
        Trouble::NotConfigured => "not-configured",
        Trouble::MustStay => "must-stay",
        Trouble::Limited => "model-limited",
        _ => "model-failed",
    };
    let mut message = failure.message.trim_end_matches('.').to_owned();
    if !failure.remedy.is_empty() {
        message = format!("{message}. {}", failure.remedy.trim_end_matches('.'));
    }
    Refusal::new(code, message)
}
