//! A provider with one model: sends chat and embedding requests to it.

mod address;
mod sending;

use crate::answer::{Answer, Answering};
use crate::chat::{Chat, Usage};
use crate::environment::EnvironmentValues;
use crate::failure::{Failure, FailureKind};
use crate::framing::Framing;
use crate::kind::{Connection, Field, ProviderKind};
use crate::runner::{self, Runner, Task};
use crate::sign::amazon_role::Roles;
use crate::sign::google_token::Tokens;
use crate::static_model::Statics;
use crate::wire::{Post, Reader, Vectors, amazon, below, google, hugging_face, ollama, openai};
use address::{is_loopback, parse};
use outgoing::{OutgoingSettings, header, read};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;
use url::Url;

/// Maximum size of a response with vectors or a list of models, in bytes.
const LARGEST: usize = 64 * 1024 * 1024;

/// Reads the names of models from a response. The first argument is the provider's name for errors.
type Names = fn(&str, &[u8]) -> Result<Vec<String>, Failure>;

/// State shared by all providers of a service.
pub(crate) struct SharedState {
    /// µs since 1970 UTC.
    pub now: fn() -> i64,
    pub environment: EnvironmentValues,
    pub tokens: Tokens,
    pub roles: Roles,
    pub statics: Statics,
}

/// What a provider of a local kind needs on this machine.
#[derive(Clone, Default)]
pub(crate) struct LocalResources {
    /// The model's file, and the programs that run models.
    pub service: Option<(PathBuf, Arc<Runner>)>,
    /// The folder of a static model.
    pub folder: PathBuf,
}

/// A provider and the model to use.
#[derive(Clone)]
pub struct Provider {
    /// Id in the settings.
    pub id: String,
    /// Display name.
    pub name: String,
    pub kind: ProviderKind,
    pub model: String,
    /// Whether a user allowed data to leave this machine for it.
    pub may_leave: bool,
    pub(crate) connection: Connection,
    /// Its `silence` is how long a model may take before its next output.
    pub(crate) way: OutgoingSettings,
    pub(crate) common: Arc<SharedState>,
    pub(crate) local: LocalResources,
}

impl Provider {
    /// Whether all data stays on this machine.
    pub fn is_local(&self) -> bool {
        match self.kind {
            ProviderKind::Service | ProviderKind::OnDevice => true,
            _ => self.base().is_ok_and(|base| is_loopback(&base)),
        }
    }

    /// Host and port; empty for a provider in this process or without a valid address.
    pub fn host(&self) -> String {
        let Ok(base) = self.base() else { return String::new() };
        let host = base.host_str().unwrap_or_default();
        base.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
    }

    /// Fails if data would leave this machine without permission.
    pub(crate) fn check_leaving(&self) -> Result<(), Failure> {
        if self.may_leave || self.is_local() {
            return Ok(());
        }
        Err(Failure::new(
            FailureKind::MustStay,
            format!("{} runs at {}, and nothing may leave this machine for it.", self.name, self.host()),
            "Allow it under Settings, Model providers, or use a model of this machine.",
        ))
    }

    /// Sends a chat request without checking whether data may leave: the caller has used [`Self::check_leaving`], or the request contains no user
    /// data.
    pub(crate) async fn chat(&self, chat: &Chat) -> Result<Answer, Failure> {
        if self.kind == ProviderKind::Service {
            let began = Instant::now();
            let answer = Box::pin(self.served(Task::Chat).await?.chat(chat)).await?;
            return Ok(answer.of(self.id.clone(), self.kind, began));
        }
        let base = self.base()?;
        let set = self.connection.get(Field::MaxTokens).and_then(|limit| limit.parse().ok());
        let limit = chat.max_tokens.or(set);
        let model = self.model.as_str();
        let who = self.kind.title();
        let chunks = || -> Box<dyn Reader> { Box::new(openai::Chunks::new(who)) };
        let pieces = || -> Box<dyn Reader> { Box::new(google::AnswerChunks::new(who)) };
        let (post, framing, reader) = match self.kind {
            ProviderKind::OpenAi | ProviderKind::HuggingFace => {
                let body = openai::body(model, chat, limit, limit_name(&base));
                (Post::json(openai::chat_address(&base)?, &body), Framing::Sse, chunks())
            }
            ProviderKind::Azure => {
                let url = openai::azure(&base, model, &["chat", "completions"], self.version()?)?;
                let body = openai::body(model, chat, limit, "max_completion_tokens");
                (Post::json(url, &body), Framing::Sse, chunks())
            }
            ProviderKind::Ollama => {
                let reader: Box<dyn Reader> = Box::new(ollama::Lines::default());
                (ollama::chat(&base, model, chat, limit)?, Framing::Lines, reader)
            }
            ProviderKind::Gemini | ProviderKind::Vertex => {
                let url = google::method(&self.google_models(&base)?, model, "streamGenerateContent", true)?;
                (Post::json(url, &google::body(chat, limit)), Framing::Sse, pieces())
            }
            ProviderKind::Bedrock => {
                let reader: Box<dyn Reader> = Box::new(amazon::ConverseStream::default());
                (amazon::converse(&base, model, chat, limit), Framing::Amazon, reader)
            }
            ProviderKind::SageMaker => {
                let mut body = openai::body(model, chat, limit, "max_tokens");
                // InvokeEndpoint does not stream.
                body["stream"] = false.into();
                body.as_object_mut().map(|body| body.remove("stream_options"));
                (Post::json(self.invocations(&base)?, &body), Framing::Whole, chunks())
            }
            ProviderKind::Service | ProviderKind::OnDevice => return Err(self.cannot("hold conversations")),
        };
        let began = Instant::now();
        let response = self.send(post).await?;
        // Some servers ignore the request to stream.
        let kind = response.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        let is_json = kind.is_some_and(|kind| kind.starts_with("application/json"));
        let framing = if framing == Framing::Sse && is_json { Framing::Whole } else { framing };
        let who = Answering {
            provider: self.id.clone(),
            kind: self.kind,
            model: self.model.clone(),
            is_local: self.is_local(),
            began,
        };
        Ok(Answer::new(who, response, framing, reader))
    }

    /// One vector for each text, in order.
    pub(crate) async fn embed(&self, texts: &[String]) -> Result<Vectors, Failure> {
        match self.kind {
            ProviderKind::Service => {
                return Box::pin(self.served(Task::Embeddings).await?.embed(texts)).await;
            }
            ProviderKind::OnDevice => return self.embed_here(texts).await,
            _ => {}
        }
        let (mut vectors, mut usage) = (Vec::with_capacity(texts.len()), Usage::default());
        for batch in texts.chunks(self.batch()) {
            let (found, used) = self.embed_batch(batch).await?;
            if found.len() != batch.len() {
                let why = format!("{} vectors for {} texts", found.len(), batch.len());
                return Err(Failure::nonsense(self.kind.title(), why));
            }
            vectors.extend(found);
            usage.input_tokens += used.input_tokens;
        }
        let length = vectors.first().map_or(0, Vec::len);
        if vectors.iter().any(|vector| vector.len() != length) {
            return Err(Failure::nonsense(self.kind.title(), "its vectors differ in length"));
        }
        Ok((vectors, usage))
    }

    /// Embeds with the static model, on a thread for blocking work.
    async fn embed_here(&self, texts: &[String]) -> Result<Vectors, Failure> {
        let (common, folder, texts) = (Arc::clone(&self.common), self.local.folder.clone(), texts.to_vec());
        let work = move || {
            let model = common.statics.get(&folder)?;
            Ok((texts.iter().map(|text| model.embed(text)).collect(), Usage::default()))
        };
        let done = tokio::task::spawn_blocking(work).await;
        done.unwrap_or_else(|error| Err(Failure::new(FailureKind::Ours, error.to_string(), "")))
    }

    /// The provider for the program that runs a service model.
    async fn served(&self, task: Task) -> Result<Self, Failure> {
        let Some((file, runner)) = &self.local.service else { return Err(self.cannot("be run here")) };
        let engine = runner::needed(&self.common.environment)?;
        let served = runner.serve(&engine, &self.model, file, task).await?;
        let mut connection = self.connection.clone();
        connection.0.insert(Field::Endpoint, served.address.to_string());
        connection.0.extend(served.key.map(|key| (Field::Key, key)));
        Ok(Self { kind: served.kind, connection, ..self.clone() })
    }

    async fn embed_batch(&self, texts: &[String]) -> Result<Vectors, Failure> {
        let base = self.base()?;
        let model = self.model.as_str();
        let dimensions = self.connection.get(Field::Dimensions).and_then(|number| number.parse().ok());
        let post = match self.kind {
            ProviderKind::OpenAi => {
                openai::embeddings(below(&base, &["embeddings"])?, model, texts, dimensions)
            }
            ProviderKind::Azure => {
                let url = openai::azure(&base, model, &["embeddings"], self.version()?)?;
                openai::embeddings(url, model, texts, dimensions)
            }
            ProviderKind::Ollama => ollama::embed(&base, model, texts, dimensions)?,
            ProviderKind::HuggingFace => match self.connection.get(Field::Endpoint) {
                // A self-hosted inference server has an OpenAI-compatible API at this path and its own API elsewhere.
                Some(own) if own.trim_end_matches('/').ends_with("/v1") => {
                    openai::embeddings(below(&base, &["embeddings"])?, model, texts, dimensions)
                }
                Some(_) => hugging_face::embed(&base, model, texts)?,
                None => hugging_face::embed(&parse(hugging_face::EXTRACTION)?, model, texts)?,
            },
            ProviderKind::Gemini => {
                let url = google::method(&self.google_models(&base)?, model, "batchEmbedContents", false)?;
                google::gemini_embed(url, model, texts, dimensions)
            }
            ProviderKind::Vertex => {
                let url = google::method(&self.google_models(&base)?, model, "predict", false)?;
                google::vertex_embed(url, texts, dimensions)
            }
            ProviderKind::Bedrock => amazon::bedrock_embed(&base, model, texts, dimensions),
            ProviderKind::SageMaker => amazon::sagemaker_embed(self.invocations(&base)?, texts),
            ProviderKind::Service | ProviderKind::OnDevice => return Err(self.cannot("embed texts")),
        };
        let is_openai = post.url.path().ends_with("/embeddings");
        let body = read(self.send(post).await?, LARGEST).await?;
        match self.kind {
            ProviderKind::Ollama => ollama::vectors(&body),
            ProviderKind::HuggingFace if !is_openai => hugging_face::vectors(&body),
            ProviderKind::Gemini => google::gemini_vectors(&body),
            ProviderKind::Vertex => google::vertex_vectors(&body),
            ProviderKind::Bedrock => amazon::bedrock_vectors(&body),
            ProviderKind::SageMaker => amazon::sagemaker_vectors(&body),
            _ => openai::vectors(self.kind.title(), &body),
        }
    }

    /// Names of the available models; `None` for providers that do not list them (Azure, Vertex AI, SageMaker).
    pub async fn models(&self) -> Result<Option<Vec<String>>, Failure> {
        let base = self.base()?;
        let who = self.kind.title();
        let (post, names): (_, Names) = match self.kind {
            ProviderKind::OpenAi | ProviderKind::HuggingFace => {
                (Post::get(below(&base, &["models"])?), openai::names)
            }
            ProviderKind::Ollama => {
                (Post::get(below(&base, &["api", "tags"])?), |_, body| ollama::names(body))
            }
            ProviderKind::Gemini => (Post::get(self.google_models(&base)?), |_, body| google::names(body)),
            ProviderKind::Bedrock => {
                // Bedrock lists its models at another address.
                let lists = base.as_str().replacen("bedrock-runtime.", "bedrock.", 1);
                (Post::get(below(&parse(&lists)?, &["foundation-models"])?), |_, body| amazon::names(body))
            }
            _ => return Ok(None),
        };
        let body = read(self.send(post).await?, LARGEST).await?;
        let mut found = names(who, &body)?;
        found.sort();
        Ok(Some(found))
    }

    /// Maximum number of texts in one request.
    fn batch(&self) -> usize {
        match self.kind {
            ProviderKind::Bedrock => amazon::batch(&self.model),
            // Its newer models accept one text in each request.
            ProviderKind::Vertex => 1,
            ProviderKind::Gemini => 100,
            ProviderKind::OpenAi | ProviderKind::Azure => 256,
            _ => 32,
        }
    }

    fn cannot(&self, what: &str) -> Failure {
        Failure::setting(format!("{} cannot {what}.", self.kind.title()))
    }
}

/// OpenAI has renamed the token limit; compatible services use the old name.
fn limit_name(base: &Url) -> &'static str {
    if base.host_str() == Some("api.openai.com") { "max_completion_tokens" } else { "max_tokens" }
}
