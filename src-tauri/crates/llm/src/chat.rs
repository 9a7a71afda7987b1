//! What is asked of a language model, and what comes back.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One request: what was said so far, and what the model may do next.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Chat {
    /// In the order they were said. System messages come first.
    pub messages: Vec<Message>,
    /// What the model may call. Empty: it can only write.
    pub tools: Vec<Tool>,
    /// Most tokens of the answer; none leaves it to the provider's settings.
    pub max_tokens: Option<u32>,
    /// 0 for the likeliest words; none leaves it to the model.
    pub temperature: Option<f64>,
}

/// One message of a conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "role")]
pub enum Message {
    System {
        text: String,
    },
    User {
        text: String,
    },
    /// What the model wrote, and what it called.
    Assistant {
        text: String,
        calls: Vec<ToolCall>,
    },
    /// What came of a call: the `id` and `name` of the [`ToolCall`], and text, usually JSON.
    Tool {
        id: String,
        name: String,
        text: String,
    },
}

impl Message {
    pub fn system(text: impl Into<String>) -> Self {
        Self::System { text: text.into() }
    }

    pub fn user(text: impl Into<String>) -> Self {
        Self::User { text: text.into() }
    }
}

/// Something the model may call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Tool {
    /// Letters, digits, `_` and `-`, at most 64.
    pub name: String,
    pub description: String,
    /// JSON schema of its arguments: an object.
    pub parameters: Value,
}

/// A call the model wants made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// What the answer to it is told apart by; made up here where the provider gives none.
    pub id: String,
    pub name: String,
    /// An object, not checked against the schema.
    pub arguments: Value,
    /// What the provider wants back with the call in the next request (Gemini's thought signature).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
}

/// A piece of an answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// More of the text.
    Text(String),
    /// A whole call.
    Call(ToolCall),
    /// Tokens so far; a later one replaces an earlier one.
    Usage(Usage),
    /// The last event.
    End(End),
}

/// Why a model stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// It has said everything.
    Complete,
    /// It waits for what comes of its calls.
    Calls,
    /// The bound on tokens was reached: the text is incomplete.
    Length,
    /// The provider's filter stopped it.
    Filtered,
}

/// Tokens of one request.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Usage {
    /// Tokens read, those of the cache not among them.
    pub input_tokens: u64,
    pub cached_input_tokens: u64,
    pub cache_creation_tokens: u64,
    /// Tokens written, those of thought not among them.
    pub output_tokens: u64,
    pub thinking_tokens: u64,
}

impl Usage {
    /// Whether the provider told anything.
    pub fn is_told(&self) -> bool {
        *self != Self::default()
    }

    /// All tokens together.
    pub fn total(&self) -> u64 {
        self.input_tokens
            + self.cached_input_tokens
            + self.cache_creation_tokens
            + self.output_tokens
            + self.thinking_tokens
    }
}
