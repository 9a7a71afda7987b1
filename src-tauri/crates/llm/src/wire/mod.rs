//! The protocols of each kind of provider: builds requests and parses responses.
//!
//! Nothing here opens a connection.

pub(crate) mod amazon;
pub(crate) mod google;
pub(crate) mod hugging_face;
pub(crate) mod ollama;
pub(crate) mod openai;
pub(crate) mod refusal;

use crate::chat::{Event, Usage};
use crate::failure::Failure;
use serde_json::Value;
use std::collections::VecDeque;
use url::Url;

/// A request in a provider's format, before it is signed. Its headers may contain secrets: it must not be shown.
pub(crate) struct Post {
    pub url: Url,
    pub headers: Vec<(&'static str, String)>,
    /// `None` for a GET request.
    pub body: Option<Vec<u8>>,
}

impl Post {
    pub(crate) fn json(url: Url, body: &Value) -> Self {
        let headers = vec![("content-type", "application/json".to_owned())];
        Self { url, headers, body: Some(body.to_string().into_bytes()) }
    }

    pub(crate) fn get(url: Url) -> Self {
        Self { url, headers: Vec::new(), body: None }
    }

    #[must_use]
    pub(crate) fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }
}

/// Reads the messages of one answer.
pub(crate) trait Reader: Send {
    /// Parses one message and adds its events to `events`.
    fn take(&mut self, frame: &[u8], events: &mut VecDeque<Event>) -> Result<(), Failure>;

    /// Called at the end of the body: adds remaining events, or fails if the answer is incomplete.
    fn close(&mut self, events: &mut VecDeque<Event>) -> Result<(), Failure>;
}

/// Vectors of texts, in order, with the token usage.
pub(crate) type Vectors = (Vec<Vec<f32>>, Usage);

/// Parses a message as JSON. Invalid content is not quoted: it may be another program's page (ADR 028).
pub(crate) fn json(frame: &[u8], who: &str) -> Result<Value, Failure> {
    serde_json::from_slice(frame).map_err(|_| {
        Failure::nonsense(who, format!("expected JSON, got {} bytes that are none", frame.len()))
    })
}

/// A list of numbers.
pub(crate) fn vector(value: &Value, who: &str) -> Result<Vec<f32>, Failure> {
    let numbers = value.as_array().filter(|numbers| !numbers.is_empty());
    #[allow(clippy::cast_possible_truncation)] // Vectors are stored in single precision.
    let read =
        numbers.and_then(|numbers| numbers.iter().map(|one| one.as_f64().map(|one| one as f32)).collect());
    read.ok_or_else(|| Failure::nonsense(who, "expected a list of numbers for each text"))
}

/// A whole number; 0 if there is none.
pub(crate) fn count(value: &Value) -> u64 {
    value.as_u64().unwrap_or_default()
}

/// An address below another one. Each segment is encoded: a model's name cannot change the path.
pub(crate) fn below(base: &Url, segments: &[&str]) -> Result<Url, Failure> {
    let mut url = base.clone();
    url.path_segments_mut()
        .map_err(|()| Failure::setting("The provider's address cannot have a path."))?
        .pop_if_empty()
        .extend(segments);
    Ok(url)
}

/// Appends a message to a conversation whose roles must alternate: consecutive messages of one role, such as several tool results, are merged.
pub(crate) fn take_turn(turns: &mut Vec<Value>, role: &str, content: &str, parts: Vec<Value>) {
    if let Some(Value::Array(said)) =
        turns.last_mut().filter(|last| last["role"] == role).map(|last| &mut last[content])
    {
        said.extend(parts);
    } else {
        let mut turn = serde_json::json!({ "role": role });
        turn[content] = parts.into();
        turns.push(turn);
    }
}
